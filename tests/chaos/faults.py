"""Bad weather for services on one store: lines that are cut, answers that are lost, workers killed in mid-move."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.server.process import Service
from tests.servers import Server, until

MOVE = b"play_card"
"""What stands in the script that keeps a move, and in no other command that a service sends."""
ADDED = b"added"
PATIENCE = 3.0
"""Seconds to wait for a move to come by."""
PORTS = range(20_000, 32_000)
"""Below those that the system gives to callers: nobody takes one while the service that had it is away."""

Pair = tuple[socket.socket, socket.socket]


class Trap(NamedTuple):
    """What is done to the next move on its way to the store: before it gets there, or when it was kept."""

    kept: bool
    spring: Callable[[int], None]
    """Told the port from which the worker calls."""


class Wire:
    """The way of one service to the store. Carries what comes, both ways at once, until it is cut."""

    def __init__(self, server: Server) -> None:
        """Listen on a free port of the loopback."""
        self._path = server.url.removeprefix("unix://")
        self._pairs: set[Pair] = set()
        self._lock = threading.Lock()
        self._trap: Trap | None = None
        self._caught: dict[socket.socket, Trap] = {}
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}"
        self.sprung = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> int:
        """Cut every line there is now; gives their number."""
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._let_go(pair)
        return len(pairs)

    def lay(self, trap: Trap) -> bool:
        """Lay a trap for the next move; tells whether one came by in time."""
        self.sprung.clear()
        with self._lock:
            self._trap = trap
        sprung = self.sprung.wait(PATIENCE)
        with self._lock:
            self._trap = None
            self._caught.clear()
        return sprung

    def close(self) -> None:
        """Hang up on everybody."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):  # the door was closed
            while True:
                caller, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._path)
                pair = caller, server
                with self._lock:
                    self._pairs.add(pair)
                for carry in (self._ask, self._answer):
                    threading.Thread(target=carry, args=(pair,), daemon=True).start()

    def _ask(self, pair: Pair) -> None:
        """Carry requests."""
        caller, server = pair
        with suppress(OSError):
            while request := caller.recv(65536):
                if MOVE in request and (trap := self._taken(caller)) is not None:
                    self._spring(trap, caller)
                    break
                server.sendall(request)
        self._let_go(pair)

    def _taken(self, caller: socket.socket) -> Trap | None:
        """Take the trap that is laid; one for a move that was kept is left until the store has answered."""
        with self._lock:
            trap, self._trap = self._trap, None
            if trap is not None and trap.kept:
                self._caught[caller] = trap
                return None
            return trap

    def _answer(self, pair: Pair) -> None:
        """Carry answers."""
        caller, server = pair
        with suppress(OSError):
            while reply := server.recv(65536):
                with self._lock:
                    trap = self._caught.pop(caller, None)
                if trap is not None and ADDED in reply:
                    caller.sendall(reply[: len(reply) // 2])
                    self._spring(trap, caller)
                    break
                if trap is not None:  # somebody else was faster, so nothing was kept: wait for the next
                    with self._lock:
                        self._trap = trap
                caller.sendall(reply)
        self._let_go(pair)

    def _spring(self, trap: Trap, caller: socket.socket) -> None:
        trap.spring(caller.getpeername()[1])
        self.sprung.set()

    def _let_go(self, pair: Pair) -> None:
        with self._lock:
            self._pairs.discard(pair)
        for end in pair:
            with suppress(OSError):  # it was cut before
                end.shutdown(socket.SHUT_RDWR)
            end.close()


class ServiceUnderTest:
    """One service behind its wire, begun again at the same ports as often as it is needed."""

    def __init__(self, folder: Path, server: Server, workers: int, rng: Random) -> None:
        """Start it."""
        self.wire = Wire(server)
        self.workers = workers
        self._folder = folder
        ports = quiet_ports(rng)
        self._port = next(ports)
        self.grpc, rest = f"127.0.0.1:{next(ports)}", f"127.0.0.1:{self._port}"
        self.rest = f"http://{rest}"
        self._flags = ("--redis-url", self.wire.url, "--grpc", self.grpc, "--rest", rest, "--workers", str(workers))
        self._killed = 0
        self.service = Service(folder, *self._flags)
        assert self.service.process.poll() is None, self.service.log()[-2000:]

    def hands(self) -> list[int]:
        """Name the processes that serve: of several workers not the one that has started them."""
        if self.workers == 1:
            return [self.service.process.pid]
        return [number for number, line in self.service.family().items() if "spawn_main" in line]

    def kill(self, port: int) -> None:
        """Kill the worker that calls the store from a port."""
        self._killed = next(number for number in self.hands() if port in ports_of(number))
        os.kill(self._killed, signal.SIGKILL)

    def recover(self) -> None:
        """Wait until it serves as before: several workers are replaced by the service itself."""
        if self.workers == 1:
            self.service.process.wait(10)
            self.service = Service(self._folder, *self._flags)
            assert self.service.process.poll() is None, self.service.log()[-2000:]
        else:
            until(self._is_whole, "the worker that was killed is replaced")

    def _is_whole(self) -> bool:
        """Tell whether all workers listen, and the one that was killed is no longer counted among them."""
        hands = self.hands()
        return (
            self._killed not in hands
            and len(hands) == self.workers
            and all(self._port in ports_of(number) for number in hands)
        )

    def clear_away(self) -> None:
        """End all of it."""
        self.service.clear_away()
        self.wire.close()


def quiet_ports(rng: Random) -> Iterator[int]:
    """Find ports that nobody listens at."""
    while True:
        port = rng.choice(PORTS)
        with suppress(OSError), socket.socket() as sock:
            sock.bind(("127.0.0.1", port))
            sock.close()
            yield port


def ports_of(number: int) -> set[int]:
    """Give the ports at which a process listens, or from which it calls somebody."""
    held = set()
    with suppress(OSError):  # it has ended in the meantime
        for place in Path(f"/proc/{number}/fd").iterdir():
            with suppress(OSError):  # it was closed in the meantime
                held.add(str(place.readlink()))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].partition(":")[2], 16) for row in rows if f"socket:[{row[9]}]" in held}


KILLED_EARLY, KILLED_LATE = "killed before it was kept", "killed when it was kept"


class Weather:
    """One piece of bad weather after the other, in an order that a number decides."""

    BETWEEN = ("cut", "cut all", "lose")
    """What comes, in any order, from one kill to the next."""

    def __init__(self, services: list[ServiceUnderTest], rng: Random) -> None:
        """Come over these houses."""
        self._services = services
        self._rng = rng
        self._coming: list[str] = []
        self._kills = 0
        self._struck: set[ServiceUnderTest] = set()
        self.seen: Counter[str] = Counter()

    @property
    def was_a_storm(self) -> bool:
        """Tell whether there was enough of everything, and every house was struck."""
        least = {"cuts": 20, "lost": 2, KILLED_LATE: 1, KILLED_EARLY: 1}
        everywhere = len(self._struck) == len(self._services)
        return everywhere and all(self.seen[kind] >= number for kind, number in least.items())

    def gust(self) -> None:
        """Do the next thing."""
        if not self._coming:
            self._coming = ["kill", *self._rng.sample(self.BETWEEN, len(self.BETWEEN))]
        kind = self._coming.pop()
        service = self._rng.choice(self._services)
        if kind == "cut":
            self.seen["cuts"] += service.wire.cut()
        elif kind == "cut all":
            self.seen["cuts"] += sum(one.wire.cut() for one in self._services)
        elif kind == "lose":
            self.seen["lost"] += service.wire.lay(Trap(kept=True, spring=lambda port: None))
        else:
            self._kill()

    def _kill(self) -> None:
        """Kill each in turn, once with a move that was kept and is not yet told, once with one that is not kept."""
        service = self._services[self._kills % len(self._services)]
        kept = (self._kills + self._kills // 2) % 2 == 0
        self._kills += 1
        if service.wire.lay(Trap(kept, service.kill)):
            self.seen[KILLED_LATE if kept else KILLED_EARLY] += 1
            self._struck.add(service)
            service.recover()
