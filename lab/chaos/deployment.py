"""A deployment under faults: services on a store, perhaps with proxies between them; each part can be killed or cut."""

import os
import signal
import socket
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from redis import RedisError

from chitarrella.storage.embedded_valkey import binary
from tests.fault_proxy import FaultProxy
from tests.server.process import Service
from tests.servers import KEEPING, Cluster, Sentinels, Server, free_port, on_free_port, until

FAIL_OVER_SECONDS: Final = 60
CLUSTERED: Final = (
    *KEEPING,
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"),
    *("--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"),
)


class ReplicatedCluster:
    """Three pairs of servers; of each pair one is the master."""

    def __init__(self, folder: Path) -> None:
        """Start all six, and wait until every replica follows its master and every node knows all slots."""
        ports = [free_port() for _ in range(6)]
        self._nodes: list[Server] = []
        for place, bus in enumerate(ports):
            node = on_free_port(binary(), folder / str(place), *CLUSTERED, "--cluster-port", str(bus))
            self._nodes.append(node)
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            if place:
                node.ask("CLUSTER", "MEET", "127.0.0.1", self._nodes[0].port, ports[0])
        self._pairs = [(self._nodes[place], self._nodes[place + 3]) for place in range(3)]
        """The master and the replica of each shard."""
        cuts = [*Cluster.CUTS, 16384]
        for place, (master, _) in enumerate(self._pairs):
            master.ask("CLUSTER", "ADDSLOTSRANGE", cuts[place], cuts[place + 1] - 1)
        for master, replica in self._pairs:
            name = str(master.ask("CLUSTER", "MYID"))
            until(lambda: name in str(replica.ask("CLUSTER", "NODES")), "the nodes know each other")  # noqa: B023 - it is called at once
            replica.ask("CLUSTER", "REPLICATE", name)
        self._wait_until_whole()

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in self._nodes)

    def fail_over(self, rng: Random) -> None:
        """Kill the master of a shard, wait until its replica is master, and start the killed one as replica."""
        shard = rng.randrange(3)
        killed, promoted = self._pairs[shard]
        killed.kill()
        until(partial(_is_master, promoted), "the replica takes over", FAIL_OVER_SECONDS)
        killed.start()
        self._pairs[shard] = (promoted, killed)
        self._wait_until_whole()

    def _wait_until_whole(self) -> None:
        for _, replica in self._pairs:
            until(partial(_follows, replica), "the replica follows", FAIL_OVER_SECONDS)
        until(lambda: all(map(_agrees, self._nodes)), "all nodes agree", FAIL_OVER_SECONDS)

    def kill(self) -> None:
        for node in self._nodes:
            node.kill()


class GuardedPair(Sentinels):
    """A master and its replica under three Sentinels."""

    def fail_over(self, rng: Random) -> None:
        """Kill the master, wait until its replica has taken over, and bring it back as the new replica."""
        killed, promoted = self.master, self.replica
        killed.kill()
        until(partial(_is_master, promoted), "the replica takes over", FAIL_OVER_SECONDS)
        until(lambda: self._is_named(promoted), "the Sentinels name the new master", FAIL_OVER_SECONDS)
        killed.start()
        killed.ask("REPLICAOF", "127.0.0.1", promoted.port)  # the Sentinels would take ten seconds to do it
        pair = (killed, promoted)
        follower = until(lambda: [*filter(_follows, pair)], "one server follows the other", FAIL_OVER_SECONDS)[0]
        # On a busy machine the Sentinels may have failed over once more by themselves.
        self.master, self.replica = (promoted if follower is killed else killed), follower
        until(lambda: self._is_named(self.master), "the Sentinels name the master", FAIL_OVER_SECONDS)

    def _is_named(self, master: Server) -> bool:
        command = ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Sentinels.NAME)
        return all(str(master.port) == one.ask(*command)[1] for one in self.sentinels)


def _replication(node: Server) -> dict[str, Any]:
    """What a server says of its replication; empty while it does not answer, or cuts its clients off at a failover."""
    with suppress(RedisError, OSError):
        return dict(node.ask("INFO", "replication"))
    return {}


def _is_master(node: Server) -> bool:
    return bool(_replication(node).get("role") == "master")


def _follows(replica: Server) -> bool:
    """Whether a replica has all of its master's data and a connection to it."""
    return bool(_replication(replica).get("master_link_status") == "up")


def _agrees(node: Server) -> bool:
    """Whether a node sees the cluster as whole, with a replica for each range of slots."""
    with suppress(RedisError, OSError):
        slots = node.ask("CLUSTER", "SLOTS")
        return "cluster_state:ok" in str(node.ask("CLUSTER", "INFO")) and [4, 4, 4] == [len(one) for one in slots]
    return False


Store = Server | GuardedPair | ReplicatedCluster


def alone(folder: Path, fsync: str = "always") -> Server:
    """Start a Valkey, which writes through always unless the setting is another."""
    return Server(binary(), folder, *KEEPING, "--appendfsync", fsync)


class ServiceOnPorts:
    """A service that is started again on the same ports after it has ended."""

    def __init__(self, folder: Path, *flags: str, workers: int, forked: bool) -> None:
        """Start it; ``flags`` name its store. With ``forked`` it starts sooner, as `Service` says."""
        self._folder, self._workers, self._forked = folder, workers, forked
        self._port = free_port()
        self.grpc, self.rest = f"127.0.0.1:{free_port()}", f"127.0.0.1:{self._port}"
        self._flags = ("--grpc", self.grpc, "--rest", self.rest, "--workers", str(workers), *flags)
        self._start()

    def _start(self) -> None:
        self._service = Service(self._folder, *self._flags, forked=self._forked)
        if self._service.process.poll() is not None:
            raise RuntimeError(f"the service did not start: {self._service.log()[-1000:]}")

    @property
    def process(self) -> int:
        return self._service.process.pid

    def workers(self) -> list[int]:
        """The processes that serve: of several workers, not the one that started them."""
        return self._service.children() if self._workers > 1 else [self.process]

    def stores(self) -> list[int]:
        return [pid for pid, command in self._service.family().items() if "valkey" in command.partition(" ")[0]]

    def kill(self, pids: Iterable[int]) -> int:
        """Kill some of its processes, and wait until all workers serve again; returns the number of those killed.

        The service replaces one of several workers. It ends with a single one, or with its store, and is started again.
        """
        killed = []
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
        self.recover(killed)
        return len(killed)

    def recover(self, killed: Iterable[int]) -> None:
        """Wait until all workers serve after some processes were killed."""
        gone = set(killed)
        if self._workers > 1:
            until(lambda: self._is_whole(gone), "the killed workers are replaced", 60)
        elif gone:
            self._service.process.wait(30)
            self._service.all_gone(30)
            self._start()

    def _is_whole(self, gone: set[int]) -> bool:
        pids = self.workers()
        return len(pids) == self._workers and not gone & {*pids} and all(self._port in ports_of(pid) for pid in pids)

    def close(self) -> None:
        self._service.clear_away()


def ports_of(pid: int) -> set[int]:
    held = set()
    with suppress(OSError):  # the process has ended
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):  # it was closed
                held.add(str(descriptor.readlink()))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return {int(row[1].partition(":")[2], 16) for row in rows if f"socket:[{row[9]}]" in held}


class PortProxy(FaultProxy):
    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._target = host, int(port)
        super().__init__()
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # what it accepts inherits it

    @property
    def address(self) -> str:
        return self.url.removeprefix("redis://")

    def _connect(self) -> socket.socket:
        line = socket.create_connection(self._target)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small messages wait for each other
        return line


class Setup(NamedTuple):
    """What is deployed; without a store each service has its embedded one."""

    store: Callable[[Path], Store] | None = alone
    services: int = 1
    workers: int = 1
    is_proxied: bool = False  # whether proxies stand before each service, and between it and the store
    flags: tuple[str, ...] = ()


class Deployment:
    def __init__(self, folder: Path, setup: Setup, *flags: str, forked: bool = False) -> None:
        """Start everything; more ``flags`` are for the services, which start sooner with ``forked``."""
        self.services: list[ServiceOnPorts] = []
        self.to_stores: list[FaultProxy] = []
        self.to_services: list[PortProxy] = []
        with ExitStack() as stack:
            self.store = setup.store(folder / "store") if setup.store else None
            if self.store:
                stack.callback(self.store.kill)
            for number in range(setup.services):
                url = self.store.url if self.store else ""
                if setup.is_proxied:
                    assert isinstance(self.store, Server)
                    self.to_stores.append(stack.enter_context(closing(FaultProxy(self.store))))
                    url = self.to_stores[-1].url
                all_flags = (*setup.flags, *flags, *(("--redis-url", url) if url else ()))
                own = folder / f"service{number}"
                service = ServiceOnPorts(own, *all_flags, workers=setup.workers, forked=forked)
                self.services.append(stack.enter_context(closing(service)))
                if setup.is_proxied:
                    for address in (service.grpc, service.rest):
                        self.to_services.append(stack.enter_context(closing(PortProxy(address))))
            self.close = stack.pop_all().close
        proxies = [proxy.address for proxy in self.to_services]
        self.grpc = proxies[::2] or [service.grpc for service in self.services]
        self.rest = proxies[1::2] or [service.rest for service in self.services]
        """Where clients call: host and port."""
