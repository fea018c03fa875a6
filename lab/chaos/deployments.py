"""The services and stores that are killed and cut: alone, on ports behind proxies, and as a replicated cluster."""

from __future__ import annotations

import os
import signal
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Protocol

from redis import RedisError

from chitarrella.storage.embedded_valkey import binary
from tests.fault_proxy import Fault, FaultProxy
from tests.server.process import Service
from tests.servers import KEEPING, Cluster, Sentinels, Server, free_port, on_free_port, until


class PortProxy(FaultProxy):
    """Forwards to a TCP port of the loopback."""

    def __init__(self, address: str) -> None:
        """Forward to ``address``, from a free port."""
        host, _, port = address.rpartition(":")
        self._target = host, int(port)
        super().__init__()

    @property
    def address(self) -> str:
        """Where it listens."""
        return self.url.removeprefix("redis://")

    def _connect(self) -> socket.socket:
        return socket.create_connection(self._target)


SETTINGS = (
    *KEEPING,
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"),
    *("--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"),
)


class ReplicatedCluster:
    """Three pairs of servers; of each pair one is the master."""

    def __init__(self, binary: Path, folder: Path) -> None:
        """Start all six, and wait until every replica follows its master and every node knows all slots."""
        ports = [free_port() for _ in range(6)]
        self._nodes: list[Server] = []
        for place, bus in enumerate(ports):
            node = on_free_port(binary, folder / str(place), *SETTINGS, "--cluster-port", str(bus))
            self._nodes.append(node)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            if place:
                first = self._nodes[0]
                node.ask("CLUSTER", "MEET", "127.0.0.1", first.port, ports[0])
        self.pairs = [(self._nodes[place], self._nodes[place + 3]) for place in range(3)]
        """The master and the replica of each shard."""
        cuts = [*Cluster.CUTS, 16384]
        for place, (master, _) in enumerate(self.pairs):
            master.ask("CLUSTER", "ADDSLOTSRANGE", cuts[place], cuts[place + 1] - 1)
        for master, replica in self.pairs:
            name = str(master.ask("CLUSTER", "MYID"))
            until(partial(_knows, replica, name), "the nodes know each other")
            replica.ask("CLUSTER", "REPLICATE", name)
        self._wait_until_whole()

    @property
    def url(self) -> str:
        """The address for the service."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self._nodes)

    def fail_over(self, shard: int) -> None:
        """Kill the master of a shard, wait until its replica is master, and start the killed one as replica."""
        killed, promoted = self.pairs[shard]
        killed.kill()
        until(lambda: replication(promoted).get("role") == "master", "the replica takes over", 60)
        killed.start()
        self.pairs[shard] = (promoted, killed)
        self._wait_until_whole()

    def _wait_until_whole(self) -> None:
        for _, replica in self.pairs:
            until(partial(follows, replica), "the replica follows", 60)
        until(lambda: all(map(_agrees, self._nodes)), "all nodes agree", 60)

    def kill(self) -> None:
        """Kill every server."""
        for node in self._nodes:
            node.kill()


def replication(node: Server) -> dict[str, Any]:
    """What a server says of its replication; empty while it does not answer, or cuts its clients off at a failover."""
    with suppress(RedisError, OSError):
        return dict(node.ask("INFO", "replication"))
    return {}


def follows(replica: Server) -> bool:
    """Whether a replica has all of its master's data and a connection to it."""
    return replication(replica).get("master_link_status") == "up"


def _knows(node: Server, name: str) -> bool:
    return name in str(node.ask("CLUSTER", "NODES"))


def _agrees(node: Server) -> bool:
    """Whether a node sees the cluster as whole, with a replica for each range of slots."""
    with suppress(RedisError, OSError):
        slots = node.ask("CLUSTER", "SLOTS")
        return "cluster_state:ok" in str(node.ask("CLUSTER", "INFO")) and [4, 4, 4] == [len(one) for one in slots]
    return False


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
