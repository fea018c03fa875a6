"""The answers that clients do not read: bounded by closing the connections that have most of them.

granian takes every part of an answer at once, and keeps what its client does not read. The kernel knows how many bytes
of a connection the client has acknowledged; what was handed over beyond them is unread.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from dataclasses import dataclass
from typing import Final

from chitarrella.transports.http_server.connections import Connections, Peer

MAX_UNREAD_BYTES: Final = 32 * 1024**2
"""Unread bytes of a worker; beyond it, connections whose client reads nothing are closed, the greatest first."""
MAX_UNREAD_BYTES_OF_CONNECTION: Final = 1024**2
"""Unread bytes of a connection whose client has read nothing for long."""
FEW_BYTES: Final = 64 * 1024
"""So many bytes fit into the buffers of the kernel; a connection with no more is never closed."""
SILENT_SECONDS: Final = 1.0
"""A client that reads nothing for so long is closed where there are too many unread bytes."""
CHECK_SECONDS: Final = 0.5
"""Seconds between two checks."""
ACKED_AT: Final = 120
"""Where the number of acknowledged bytes is in ``TCP_INFO`` of Linux; elsewhere nothing is known to be unread."""
TCP_INFO_BYTES: Final = 128
"""How much of ``TCP_INFO`` is read."""


@dataclass(slots=True)
class _Answers:
    """The bytes of the answers on one connection: those handed over, those acknowledged, and when that last grew."""

    handed: int = 0
    acked: int = 0
    read_at: float = 0.0

    @property
    def unread(self) -> int:
        return self.handed - self.acked


class UnreadAnswers:
    """Counts the bytes of answers that are not read yet, by connection."""

    def __init__(self, connections: Connections, stall_seconds: float) -> None:
        """Watch ``connections``; one is stalled if its client reads nothing for ``stall_seconds``."""
        self._connections = connections
        self._stall_seconds = stall_seconds
        self._answers: dict[Peer, _Answers] = {}
        self._total = 0
        self._checked = asyncio.Event()

    async def hand_over(self, client: Peer, size: int) -> None:
        """Count so many bytes that a client is sent; waits while there are too many, and some for this client."""
        answers = self._answers.get(client)
        if answers is None:
            answers = self._answers[client] = _Answers(read_at=asyncio.get_running_loop().time())
        while self._total > MAX_UNREAD_BYTES and answers.unread > FEW_BYTES and self._answers.get(client) is answers:
            await self._checked.wait()
        answers.handed += size
        self._total += size

    async def run(self) -> None:
        """Close connections that are not read, until cancelled."""
        while True:
            await asyncio.sleep(CHECK_SECONDS)
            if self._total > MAX_UNREAD_BYTES_OF_CONNECTION:
                acked = await asyncio.to_thread(self._acked)
                if late := self._check(acked, asyncio.get_running_loop().time()):
                    await asyncio.to_thread(self._connections.close, late.__contains__)
            self._checked.set()
            self._checked = asyncio.Event()

    def _acked(self) -> dict[Peer, int]:
        found: dict[Peer, int] = {}
        for peer, sock in self._connections:
            with contextlib.suppress(OSError, AttributeError, struct.error):  # closed meanwhile, or no Linux
                info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
                found[peer] = struct.unpack_from("Q", info, ACKED_AT)[0]
        return found

    def _check(self, acked: dict[Peer, int], now: float) -> set[Peer]:
        """Take the acknowledged bytes of all connections; return those to close."""
        self._answers = {peer: answers for peer, answers in self._answers.items() if peer in acked}
        for peer, answers in self._answers.items():
            if acked[peer] > answers.acked:
                answers.acked, answers.read_at = acked[peer], now
            answers.handed = max(answers.handed, answers.acked)  # headers and frames are acknowledged too
        self._total = sum(answers.unread for answers in self._answers.values())
        greatest = sorted(self._answers.items(), key=lambda item: item[1].unread, reverse=True)
        late, left = set[Peer](), self._total
        for peer, answers in greatest:
            silence = now - answers.read_at
            is_stalled = answers.unread > MAX_UNREAD_BYTES_OF_CONNECTION and silence >= self._stall_seconds
            if is_stalled or (left > MAX_UNREAD_BYTES and answers.unread > FEW_BYTES and silence >= SILENT_SECONDS):
                late.add(peer)
                left -= answers.unread
        return late
