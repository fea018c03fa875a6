"""Fault injection: dropped connections, lost replies, and workers killed before or after their move is stored."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random

from tests.fault_proxy import Fault, FaultProxy
from tests.server.process import Service
from tests.servers import Server, free_port, until

KILLED_BEFORE, KILLED_AFTER = "killed before the append", "killed after the append"
DROPPED, LOST = "dropped connections", "lost replies"


class ProxiedService:
    """A service that reaches its store through a proxy, and is restarted on the same ports after a kill."""

    def __init__(self, folder: Path, server: Server, workers: int) -> None:
        self.workers = workers
        self._folder = folder
        self._port = free_port()
        self.grpc, rest = f"127.0.0.1:{free_port()}", f"127.0.0.1:{self._port}"
        self.rest = f"http://{rest}"
        self._killed = 0
        with ExitStack() as stack:
            self.proxy = stack.enter_context(closing(FaultProxy(server)))
            flags = ("--redis-url", self.proxy.url, "--grpc", self.grpc, "--rest", rest, "--workers", str(workers))
            self._flags = flags
            self._start()
            stack.callback(self._stop)
            self._stack = stack.pop_all()

    def _start(self) -> None:
        self._service = Service(self._folder, *self._flags)
        assert self._service.process.poll() is None, self._service.log()[-2000:]

    def _stop(self) -> None:
        self._service.clear_away()

    def worker_pids(self) -> list[int]:
        """The processes that serve: of several workers, not the one that started them."""
        if self.workers == 1:
            return [self._service.process.pid]
        return [pid for pid, command in self._service.family().items() if "spawn_main" in command]

    def kill(self, port: int) -> None:
        """Kill the worker that calls the store from ``port``."""
        self._killed = next(pid for pid in self.worker_pids() if port in ports_of(pid))
        os.kill(self._killed, signal.SIGKILL)

    def recover(self) -> None:
        """Wait until all workers serve again. The service replaces one of several; a single one is restarted here."""
        if self.workers == 1:
            self._service.process.wait(10)
            self._start()
        else:
            until(self._is_whole, "the killed worker is replaced")

    def _is_whole(self) -> bool:
        pids = self.worker_pids()
        return (
            self._killed not in pids and len(pids) == self.workers and all(self._port in ports_of(pid) for pid in pids)
        )

    def close(self) -> None:
        """End the service and the proxy. Idempotent."""
        self._stack.close()


def ports_of(pid: int) -> set[int]:
    """The local ports of a process's TCP sockets."""
    held = set()
    with suppress(OSError):  # the process has ended
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # it was closed
                held.add(str(descriptor.readlink()))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].partition(":")[2], 16) for row in rows if f"socket:[{row[9]}]" in held}


class FaultInjector:
    """Injects two rounds of faults for each service, in an order that ``rng`` decides; a round has each kind once."""

    def __init__(self, services: list[ProxiedService], rng: Random) -> None:
        self._services = services
        self._rng = rng
        self.rounds = 2 * len(services)
        self.injected: Counter[str] = Counter()
        self._plan: list[Callable[[Callable[[], bool]], bool]] = []
        for number in range(self.rounds):
            self._plan += rng.sample((self._drop_one, self._drop_all, self._lose_reply), 3)
            self._plan.append(partial(self._kill, number))

    @property
    def is_done(self) -> bool:
        """Whether every planned fault was injected."""
        return not self._plan

    def inject(self, is_over: Callable[[], bool]) -> None:
        """Inject the next fault. It stays planned if the match ends (``is_over``) before a move at which it fits."""
        if self._plan[0](is_over):
            del self._plan[0]

    def _drop_one(self, is_over: Callable[[], bool]) -> bool:
        self.injected[DROPPED] += self._rng.choice(self._services).proxy.drop_connections()
        return True

    def _drop_all(self, is_over: Callable[[], bool]) -> bool:
        self.injected[DROPPED] += sum(service.proxy.drop_connections() for service in self._services)
        return True

    def _lose_reply(self, is_over: Callable[[], bool]) -> bool:
        return self._fire(Fault(after_append=True), self._services, is_over, LOST)

    def _kill(self, number: int, is_over: Callable[[], bool]) -> bool:
        """Kill a worker of each service in turn, once before and once after an append."""
        service = self._services[number % len(self._services)]
        after = number % 4 in (0, 3)
        fault = Fault(after, service.kill)
        if not self._fire(fault, [service], is_over, KILLED_AFTER if after else KILLED_BEFORE):
            return False
        service.recover()
        return True

    def _fire(self, fault: Fault, services: list[ProxiedService], is_over: Callable[[], bool], kind: str) -> bool:
        """Arm a fault until it fires; return whether it did before ``is_over``."""
        for service in services:
            service.proxy.arm(fault)
        try:
            while not (fired := fault.fired.wait(0.1)) and not is_over():
                pass
        finally:
            for service in services:
                service.proxy.arm(None)
        self.injected[kind] += fired
        return fired
