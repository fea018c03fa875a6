"""A TCP proxy before the service, which can cut the way in the middle of an answer.

It knows of HTTP/2 only where a frame begins and of what kind it is: that is enough to let the service carry a call out
and then to lose the whole answer, or all of it but the beginning.
"""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

HEADERS, DATA = 1, 0
"""The frames with which an answer begins and goes on."""


class Proxy:
    """Passes everything on until it is told otherwise."""

    def __init__(self, address: str) -> None:
        """Stand before the service at ``address``."""
        host, _, port = address.rpartition(":")
        self._service = (host, int(port))
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._doomed: set[int] = set()
        self._flowing = threading.Event()
        self._flowing.set()
        self._refusing = False
        self.lost = 0
        """How many answers were lost."""
        self.calls = 0
        """How many connections were made."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_answers(self, number: int = 1, after: int = HEADERS) -> None:
        """Cut the way when the next answers come to this kind of frame: before the beginning, or after it."""
        self._doomed = set(range(self.lost, self.lost + number))
        self._frame = after

    def hold(self) -> None:
        """Pass requests on and hold back the answers."""
        self._flowing.clear()

    def release(self) -> None:
        """Pass on the answers that were held back."""
        self._flowing.set()

    def refuse(self, refusing: bool = True) -> None:
        """Cut every way, and the new ones too, until told otherwise."""
        self._refusing = refusing
        self.cut()

    def cut(self) -> None:
        """Cut every way."""
        for pair in list(self._pairs):
            _cut(*pair)

    def close(self) -> None:
        """Leave."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._flowing.set()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):  # the proxy was closed
            while True:
                caller, _ = self._listener.accept()
                self.calls += 1
                if self._refusing:
                    caller.close()
                    continue
                service = socket.create_connection(self._service)
                self._pairs.append((caller, service))
                threading.Thread(target=self._ask, args=(caller, service), daemon=True).start()
                threading.Thread(target=self._answer, args=(caller, service), daemon=True).start()

    def _ask(self, caller: socket.socket, service: socket.socket) -> None:
        """Carry requests."""
        with suppress(OSError):
            while chunk := caller.recv(65536):
                service.sendall(chunk)
        _cut(caller, service)

    def _answer(self, caller: socket.socket, service: socket.socket) -> None:
        """Carry answers, frame by frame."""
        with suppress(OSError), service.makefile("rb") as answers:
            while len(head := answers.read(9)) == 9:
                body = answers.read(int.from_bytes(head[:3], "big"))
                self._flowing.wait()
                if self.lost in self._doomed and head[3] == self._frame:
                    self._doomed.remove(self.lost)
                    self.lost += 1
                    break
                caller.sendall(head + body)
        _cut(caller, service)


def _cut(*ends: socket.socket) -> None:
    for end in ends:
        with suppress(OSError):  # it was cut before
            end.shutdown(socket.SHUT_RDWR)
        end.close()
