"""Services with their stores, and the faults of each kill run: who is killed, and when all are back."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Protocol

from chitarrella.storage.embedded_valkey import binary
from lab.chaos.faults import ports_of
from lab.chaos.proxies import PortProxy
from lab.chaos.replicated_cluster import ReplicatedCluster, follows, replication
from tests.fault_proxy import Fault, FaultProxy
from tests.server.process import Service
from tests.servers import KEEPING, Sentinels, Server, free_port, until

FAULT_SECONDS = 20.0
"""Seconds for a fault that waits for a move; other faults follow if none comes."""
WORKERS = 2
ALWAYS = (*KEEPING, "--appendfsync", "always")


class FaultKind(StrEnum):
    """What is counted of the faults, in words of the page of proofs."""

    WORKERS_KILLED = "workers killed"
    STORES_KILLED = "stores killed"
    EMBEDDED_STORES_KILLED = "embedded stores killed"
    SERVICES_KILLED = "services killed"
    CLIENTS_CUT = "connections of clients cut"
    STORES_CUT = "connections to the store cut"
    REQUESTS_LOST = "requests lost"
    REPLIES_LOST = "replies lost"
    SENTINEL_FAILOVERS = "Sentinel failovers"
    CLUSTER_FAILOVERS = "cluster failovers"


class ServiceOnPorts:
    """A service that is started again on the same ports after it has ended."""

    def __init__(self, folder: Path, *flags: str) -> None:
        """Start it; ``flags`` name its store."""
        self._folder = folder
        self._grpc, self._rest = free_port(), free_port()
        self.grpc, self.rest = f"127.0.0.1:{self._grpc}", f"http://127.0.0.1:{self._rest}"
        self._flags = ("--grpc", self.grpc, "--rest", f"127.0.0.1:{self._rest}", *flags)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self.process = Service(self._folder, *self._flags)
        if self.process.process.poll() is not None:
            raise RuntimeError(f"the service did not start: {self.process.log()[-1000:]}")

    def worker_pids(self) -> list[int]:
        """The processes that serve: of several workers, not the one that started them."""
        workers = [pid for pid, command in self.process.family().items() if "spawn_main" in command]
        return workers or [self.process.process.pid]

    def is_whole(self) -> bool:
        """Whether two workers listen."""
        pids = self.worker_pids()
        return len(pids) == WORKERS and all(self._rest in ports_of(pid) for pid in pids)

    def store_pids(self) -> list[int]:
        """The embedded store."""
        return [pid for pid, command in self.process.family().items() if "valkey" in command.split()[0]]

    def close(self) -> None:
        """Kill it."""
        self.process.clear_away()


class Deployment(Protocol):
    """A service under faults."""

    grpc: str
    rest: str
    faults: Counter[FaultKind]

    def inject(self) -> None:
        """Cause the next fault, and wait until everything that was killed is back."""

    def close(self) -> None:
        """Kill everything that is left."""


class KilledWorkers:
    """Two workers, on a Valkey of their own: one is killed, and now and then both."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start them."""
        self._rng = rng
        self.faults: Counter[FaultKind] = Counter()
        with ExitStack() as stack:
            store = Server(binary(), folder / "store", *ALWAYS)
            stack.callback(store.kill)
            flags = ("--workers", str(WORKERS), "--redis-url", store.url)
            self._service = stack.enter_context(closing(ServiceOnPorts(folder / "service", *flags)))
            self.close = stack.pop_all().close
        self.grpc, self.rest = self._service.grpc, self._service.rest

    def inject(self) -> None:
        """Kill one worker, or both in one of four cases; the service replaces them."""
        pids = self._service.worker_pids()
        for pid in pids if self._rng.random() < 0.25 else [self._rng.choice(pids)]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.faults[FaultKind.WORKERS_KILLED] += 1
        until(self._service.is_whole, "the killed workers are replaced", 60)


class KilledStore:
    """One worker on a Valkey that writes through always and is killed again and again."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start both."""
        self.faults: Counter[FaultKind] = Counter()
        with ExitStack() as stack:
            self._store = Server(binary(), folder / "store", *ALWAYS)
            stack.callback(self._store.kill)
            flags = ("--redis-url", self._store.url)
            service = stack.enter_context(closing(ServiceOnPorts(folder / "service", *flags)))
            self.close = stack.pop_all().close
        self.grpc, self.rest = service.grpc, service.rest

    def inject(self) -> None:
        """Kill the store and start it again on its files."""
        self._store.kill()
        self._store.start()
        self.faults[FaultKind.STORES_KILLED] += 1


class KilledEmbedded:
    """A service with its embedded store: either is killed, and both end with it."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start it."""
        self._rng = rng
        self.faults: Counter[FaultKind] = Counter()
        self._service = ServiceOnPorts(folder / "service")
        self.grpc, self.rest = self._service.grpc, self._service.rest

    def inject(self) -> None:
        """Kill the service or its store, wait until both have ended, and start them again."""
        service = self._service
        killed = FaultKind.EMBEDDED_STORES_KILLED if self._rng.random() < 0.5 else FaultKind.SERVICES_KILLED
        pids = service.store_pids() if killed is FaultKind.EMBEDDED_STORES_KILLED else [service.process.process.pid]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.faults[killed] += len(pids)
        service.process.process.wait(30)
        service.process.all_gone(30)
        service.start()

    def close(self) -> None:
        """Kill it."""
        self._service.close()


class CutConnections:
    """A service behind a proxy, and its store behind another: both cut connections and lose what is on its way."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start everything."""
        self._rng = rng
        self.faults: Counter[FaultKind] = Counter()
        with ExitStack() as stack:
            store = Server(binary(), folder / "store", *ALWAYS)
            stack.callback(store.kill)
            self._to_store = stack.enter_context(closing(FaultProxy(store)))
            service = stack.enter_context(
                closing(ServiceOnPorts(folder / "service", "--redis-url", self._to_store.url))
            )
            self._to_grpc = stack.enter_context(closing(PortProxy(service.grpc)))
            self._to_rest = stack.enter_context(closing(PortProxy(service.rest.removeprefix("http://"))))
            self.close = stack.pop_all().close
        self.grpc, self.rest = self._to_grpc.address, f"http://{self._to_rest.address}"

    def inject(self) -> None:
        """Cut all connections at one place, or lose a request to the store or its reply."""
        effects: list[Callable[[], None]] = [
            lambda: self._count(FaultKind.CLIENTS_CUT, self._to_grpc.drop_connections()),
            lambda: self._count(FaultKind.CLIENTS_CUT, self._to_rest.drop_connections()),
            lambda: self._count(FaultKind.STORES_CUT, self._to_store.drop_connections()),
            lambda: self._lose(after_append=False),
            lambda: self._lose(after_append=True),
        ]
        self._rng.choice(effects)()

    def _count(self, kind: FaultKind, number: int) -> None:
        self.faults[kind] += number

    def _lose(self, *, after_append: bool) -> None:
        fault = Fault(after_append)
        self._to_store.arm(fault)
        self.faults[FaultKind.REPLIES_LOST if after_append else FaultKind.REQUESTS_LOST] += fault.fired.wait(
            FAULT_SECONDS
        )
        self._to_store.arm(None)


class SentinelFailover:
    """A master and its replica under three Sentinels; a move waits for the replica. The master is killed."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start everything."""
        self.faults: Counter[FaultKind] = Counter()
        with ExitStack() as stack:
            self._servers = Sentinels(binary(), folder / "store")
            stack.callback(self._servers.kill)
            flags = ("--redis-url", self._servers.url, "--wait-replicas", "1")
            service = stack.enter_context(closing(ServiceOnPorts(folder / "service", *flags)))
            self.close = stack.pop_all().close
        self.grpc, self.rest = service.grpc, service.rest

    def inject(self) -> None:
        """Kill the master, wait until its replica has taken over, and bring it back as the new replica."""
        killed, promoted = self._servers.master, self._servers.replica
        killed.kill()
        until(lambda: replication(promoted).get("role") == "master", "the replica takes over", 60)
        until(lambda: self._is_known(promoted), "the Sentinels name the new master", 60)
        killed.start()
        killed.ask("REPLICAOF", "127.0.0.1", promoted.port)  # the Sentinels would take ten seconds to do it
        follower = until(lambda: [*filter(follows, (killed, promoted))], "one server follows the other", 60)[0]
        # On a busy machine the Sentinels may have failed over once more by themselves.
        self._servers.master, self._servers.replica = (promoted if follower is killed else killed), follower
        until(lambda: self._is_known(self._servers.master), "the Sentinels name the master", 60)
        self.faults[FaultKind.SENTINEL_FAILOVERS] += 1

    def _is_known(self, master: Server) -> bool:
        """Whether every Sentinel names this server as the master."""
        command = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Sentinels.NAME)
        return all(str(master.port) == one.ask(*command)[1] for one in self._servers.sentinels)


class ClusterFailover:
    """Three masters, each with a replica for which a move waits. Each master in turn is killed."""

    def __init__(self, folder: Path, rng: Random) -> None:
        """Start everything."""
        self._rng = rng
        self.faults: Counter[FaultKind] = Counter()
        with ExitStack() as stack:
            self._cluster = ReplicatedCluster(binary(), folder / "store")
            stack.callback(self._cluster.kill)
            flags = ("--redis-url", self._cluster.url, "--wait-replicas", "1")
            service = stack.enter_context(closing(ServiceOnPorts(folder / "service", *flags)))
            self.close = stack.pop_all().close
        self.grpc, self.rest = service.grpc, service.rest

    def inject(self) -> None:
        """Kill a master, wait until its replica has taken over, and bring it back as the replica."""
        self._cluster.fail_over(self._rng.randrange(3))
        self.faults[FaultKind.CLUSTER_FAILOVERS] += 1
