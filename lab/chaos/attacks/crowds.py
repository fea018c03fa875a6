"""Many callers at once: matches of bots that search, and watchers of one match."""

from __future__ import annotations

import selectors
import socket
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import httpx

from chitarrella_client import Chitarrella, Match
from lab.chaos.attacks.victim import Attacked, Effect, Victim, allow_many_files
from tests.transports.rest_client import PLAIN

BOT_MATCHES = 200
BOT_SECONDS = 20.0
"""The longest wait for a bot of another caller."""
THINK_MS = 2000
ANOTHER_ADDRESS = "127.0.0.2"
WATCHERS = 2000
MOVES = 20
WATCH_SECONDS = 60.0


def bots(folder: Path, scale: float) -> Attacked:
    """Create matches of bots that search, from another address, and then play against bots of one's own."""
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(flood_bots, victim, scale))


def flood_bots(victim: Victim, scale: float) -> Effect:
    """Create the matches, and then play against bots from another address.

    It is right if every match was created, and if the bots of the other caller move.
    """
    seats = [{"seat": seat, "bot": "search", "thinkMs": THINK_MS} for seat in (0, 1)]
    body = {"ruleSet": {"gameId": "briscola", "players": 2}, "bots": seats}
    transport = httpx.HTTPTransport(local_address=ANOTHER_ADDRESS)
    number, created = int(BOT_MATCHES * scale), 0
    with httpx.Client(transport=transport, timeout=PLAIN["timeout"], trust_env=False) as client:
        for _ in range(number):
            with suppress(httpx.HTTPError):
                created += client.post(f"{victim.rest}/v1/matches", json=body).is_success
    waits = {bot: _wait_for_bot(victim, bot) for bot in ("greedy", "search")}
    moved = ", ".join(
        f"a {bot} bot of another caller moved after {wait:.1f} s"
        if wait is not None
        else f"a {bot} bot of another caller did not move within {BOT_SECONDS:.0f} s"
        for bot, wait in waits.items()
    )
    note = f"{created} of {number} matches created; {moved}"
    return Effect(created, note, created == number and None not in waits.values())


def _wait_for_bot(victim: Victim, bot: str) -> float | None:
    """Play a move against a bot; return the seconds until it has answered, None if it has not."""
    with Chitarrella(victim.grpc) as client:
        match = client.create_match("briscola", players=2, bots={1: bot}, options={"first_dealer": 1})
        moves = match.legal_moves()
        # The revision of the own move: a bot may have answered before any later call could ask for it.
        before = match.as_seat(0).play_or_raise(moves[0]).revision if moves.seat == 0 else moves.revision
        begun = time.monotonic()
        while time.monotonic() < begun + BOT_SECONDS:
            if match.get().revision > before:
                return time.monotonic() - begun
            time.sleep(0.05)
    return None


def watchers(folder: Path, scale: float) -> Attacked:
    """Watch one match from many connections by server-sent events, while it is played."""
    allow_many_files()
    with closing(Victim(folder)) as victim:
        number = int(WATCHERS * scale)
        return victim.attacked(partial(_watch, victim, number))


def _watch(victim: Victim, number: int) -> Effect:
    client = Chitarrella(victim.grpc)
    match = client.create_match("briscola", players=2)
    crowd = Crowd(victim.rest_address, f"/v1/matches/{match.id}:watch", number)
    with closing(client), closing(crowd):
        crowd.wait_for(1)  # the deal
        slowest = 0.0
        for move in range(MOVES):
            begun = time.monotonic()
            _play(match)
            slowest = max(slowest, time.monotonic() - begun)
            crowd.wait_for(2 + move)
        served = crowd.served(1 + MOVES)
    note = f"{served:,} of {number:,} saw each of {MOVES} moves; the slowest move took {slowest * 1e3:.0f} ms"
    return Effect(number, note, served == number)


def _play(match: Match) -> None:
    moves = match.legal_moves()
    match.as_seat(moves.seat).play_or_raise(moves[0])


class Crowd:
    """Watchers by server-sent events, read by one thread."""

    def __init__(self, address: tuple[str, int], path: str, number: int) -> None:
        """Connect them all."""
        self._poll = selectors.DefaultSelector()
        self._events = [0] * number
        self._sockets: list[socket.socket] = []
        request = f"GET {path} HTTP/1.1\r\nHost: chaos\r\nAccept: text/event-stream\r\n\r\n".encode()
        for place in range(number):
            with suppress(OSError):
                line = socket.create_connection(address, timeout=5)
                line.sendall(request)
                line.setblocking(False)
                self._sockets.append(line)
                self._poll.register(line, selectors.EVENT_READ, place)

    def served(self, events: int) -> int:
        """Number of watchers that received at least so many moves."""
        return sum(seen >= events for seen in self._events)

    def wait_for(self, events: int) -> None:
        """Read until all have received so many, or nothing comes for some seconds."""
        end = time.monotonic() + WATCH_SECONDS
        while self.served(events) < len(self._events) and time.monotonic() < end:
            ready = self._poll.select(3.0)
            if not ready:
                return
            for key, _ in ready:
                self._receive(key)

    def _receive(self, key: selectors.SelectorKey) -> None:
        line = key.fileobj
        assert isinstance(line, socket.socket)
        with suppress(BlockingIOError):
            data = b""
            with suppress(ConnectionError):
                data = line.recv(1 << 16)
            if not data:
                self._poll.unregister(line)
            self._events[key.data] += data.count(b"event: move")

    def close(self) -> None:
        """Close every connection."""
        for line in self._sockets:
            line.close()
        self._poll.close()
