"""Writes that wait until replicas and disks have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_connection import Durability, NotDurable
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import Appended, Duplicate, StoreError
from tests.loop_stores import loop_store
from tests.servers import KEEPING, Cluster, Server, on_free_port, redis_7, redis_8, until
from tests.storage.rows import DEAL, LONG, append, create_row, entries, first_row

WRITES = 8
"""Writes that wait one after the other; a replica reports once a second what its disk has."""


class Pair:
    """A master and its replica."""

    def __init__(self, folder: Path) -> None:
        settings = (*KEEPING, "--repl-diskless-sync-delay", "0")
        self.master = on_free_port(binary(), folder / "master", *settings)
        follow = ("--replicaof", "127.0.0.1", str(self.master.port))
        self.replica = on_free_port(binary(), folder / "replica", *settings, *follow)
        until(lambda: self.replica.ask("INFO", "replication")["master_link_status"] == "up", "the replica follows")

    def kill(self) -> None:
        """Kill both."""
        self.replica.kill()
        self.master.kill()


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    """A master and its replica."""
    made = Pair(tmp_path)
    yield made
    made.kill()


@pytest.fixture(params=["replicas", "disks", "replicas on a loop", "disks on a loop"])
def store(pair: Pair, request: pytest.FixtureRequest) -> Iterator[RedisStore]:
    """A store whose writes wait for the replica, and for the disks too; in threads, and on an event loop."""
    made = RedisStore(connect(pair.master.url), durability=Durability(1, request.param.startswith("disks")))
    yield loop_store(made) if request.param.endswith("on a loop") else made
    made.close()


def test_answered_write_is_at_the_replica(pair: Pair, store: RedisStore) -> None:
    """What was answered is at the replica at that moment; `check_durability` has nothing against this server."""
    store.connection.check_durability()
    row = create_row(store)
    for number in range(WRITES):
        row = append(store, row, f"move {number}")
        assert number + 2 == pair.replica.ask("LLEN", "chitarrella:{match}:log")


def test_write_that_does_not_reach_the_replica_is_not_answered(pair: Pair, store: RedisStore) -> None:
    """Without the replica nothing is answered, also not again; a repeated request is once the replica has it."""
    row = create_row(store)
    pair.replica.pause()
    new = entries(row, "move")
    for _ in range(2):
        with pytest.raises(NotDurable):
            store.matches.append("match", row, new, "request", LONG)
    with pytest.raises(NotDurable):
        store.matches.load("match", "request")
    with pytest.raises(NotDurable):
        store.matches.create("match", first_row(), DEAL, LONG)
    with pytest.raises(StoreError):
        store.probe()
    pair.replica.resume()
    assert Duplicate(1) == store.matches.append("match", row, new, "request", LONG)
    assert 2 == pair.replica.ask("LLEN", "chitarrella:{match}:log")
    assert (row.extended(new), 1) == store.matches.load("match", "request")


def test_cluster_writes_wait_at_the_node_of_the_match(tmp_path: Path) -> None:
    """In a cluster a write waits where its match is, also after the match has moved to another node."""
    cluster = Cluster(binary(), tmp_path)
    on_disk = RedisStore(connect(cluster.url), durability=Durability(disk=True))
    replicated = RedisStore(connect(cluster.url), durability=Durability(replicas=1))
    try:
        for node in cluster.nodes:
            node.ask("CONFIG", "SET", "appendonly", "yes")
        on_disk.connection.check_durability()
        rows = {name: create_row(on_disk, name) for name in (f"match{n}" for n in range(12))}
        for name, row in rows.items():
            append(on_disk, row, "move", match=name)
        with pytest.raises(NotDurable):
            create_row(replicated, "another")
    finally:
        on_disk.close()
        replicated.close()
        cluster.kill()


@pytest.mark.parametrize("kind", ["no file", "redis-8 without a file", "redis-7"])
def test_server_that_cannot_wait_is_refused(tmp_path: Path, kind: str) -> None:
    """A server without the command, or without a file to write, is refused with what it says."""
    path = {"no file": binary(), "redis-8 without a file": redis_8(), "redis-7": redis_7()}[kind]
    if path is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    server = Server(path, tmp_path, "--save", "")
    store = RedisStore(connect(server.url), durability=Durability(disk=True))
    try:
        with pytest.raises(ValueError, match=r"cannot wait for a write as it was set: .*(WAITAOF|appendonly)"):
            store.connection.check_durability()
    finally:
        store.close()
        server.kill()


def test_unreachable_server_is_unavailable(tmp_path: Path) -> None:
    """A server that does not answer is no invalid setting."""
    store = RedisStore(connect(f"unix://{tmp_path}/none"), durability=Durability(replicas=1))
    with pytest.raises(StoreError):
        store.connection.check_durability()
    store.close()


def test_nothing_is_waited_for_by_default(server: Server) -> None:
    """By default the server decides: a write is answered without a replica."""
    store = RedisStore(connect(server.url))
    store.connection.check_durability()
    assert isinstance(store.matches.append("match", create_row(store), entries(first_row(), "x"), "", LONG), Appended)
    store.close()
