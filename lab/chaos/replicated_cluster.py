"""A cluster of three masters with a replica each, on the loopback."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from redis import RedisError

from tests.servers import KEEPING, Cluster, Server, free_port, on_free_port, until

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
