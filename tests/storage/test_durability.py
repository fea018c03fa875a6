"""Writes that wait until replicas and disks have them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from redis import Redis

from chitarrella.storage import embedded_valkey, redis_connection
from chitarrella.storage.embedded_valkey import EmbeddedStoreError, EmbeddedValkey, binary, running_url
from chitarrella.storage.redis_connection import Durability, NotDurable
from chitarrella.storage.rows import Duplicate
from tests.loop_stores import WRAPS, Wrap
from tests.servers import KEEPING, Cluster, Server, on_free_port, redis_7, redis_8, until
from tests.storage.rows import DEAL, LONG, append, away, connected, create_row, entries, first_row, killing

WRITES = 3  # writes that wait one after the other; a replica reports once a second what its disk has


class Pair(NamedTuple):
    master: Server
    replica: Server


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder, settings = tmp_path_factory.mktemp("p"), (*KEEPING, "--repl-diskless-sync-delay", "0")
    with killing(on_free_port(binary(), folder / "master", *settings)) as master:
        follow = ("--replicaof", "127.0.0.1", str(master.port))
        with killing(on_free_port(binary(), folder / "replica", *settings, *follow)) as replica:
            until(lambda: replica.ask("INFO", "replication")["master_link_status"] == "up", "the replica follows")
            yield Pair(master, replica)


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("disk", [False, True], ids=["replicas", "disks"])
def test_write_is_answered_when_it_is_at_the_replica(
    pair: Pair, wrap: Wrap, monkeypatch: pytest.MonkeyPatch, *, disk: bool
) -> None:
    """Without the replica nothing is answered, also not again; what was answered, also a repeated request, is there."""
    with connected(pair.master.url, wrap, durability=Durability(1, disk)) as store:
        store.connection.check_durability()
        pair.master.ask("FLUSHALL")
        row = create_row(store)
        for number in range(WRITES):
            row = append(store, row, f"move {number}")
            assert number + 2 == pair.replica.ask("LLEN", "chitarrella:{match}:log")
        pair.replica.pause()
        new = entries(row, "move")
        monkeypatch.setattr(redis_connection, "WAIT_MS", 200)
        for ask in (
            lambda: store.matches.append("match", row, new, "request", LONG),
            lambda: store.matches.append("match", row, new, "request", LONG),
            lambda: store.matches.load("match", "request"),
            lambda: store.matches.create("match", first_row(), DEAL, LONG),
        ):
            with pytest.raises(NotDurable):
                ask()
        away(store.probe)
        pair.replica.resume()
        monkeypatch.undo()
        assert Duplicate(WRITES + 1) == store.matches.append("match", row, new, "request", LONG)
        assert WRITES + 2 == pair.replica.ask("LLEN", "chitarrella:{match}:log")
        assert (row.extended(new), WRITES + 1) == store.matches.load("match", "request")


def test_cluster_writes_wait_at_the_node_of_the_match(tmp_path: Path) -> None:
    """In a cluster a write waits where its match is."""
    with (
        killing(Cluster(binary(), tmp_path)) as cluster,
        connected(cluster.url, durability=Durability(disk=True)) as on_disk,
        connected(cluster.url, durability=Durability(replicas=1)) as replicated,
    ):
        for node in cluster.nodes:
            node.ask("CONFIG", "SET", "appendonly", "yes")
        on_disk.connection.check_durability()
        for name in (f"match{n}" for n in range(12)):
            append(on_disk, create_row(on_disk, name), "move", match=name)
        with pytest.raises(NotDurable):
            create_row(replicated, "another")


@pytest.mark.parametrize("kind", ["no file", "redis-8 without a file", "redis-7"])
def test_server_that_cannot_wait_is_refused(tmp_path: Path, kind: str) -> None:
    """A server without the command, or without a file to write, is refused with what it says."""
    path = {"no file": binary(), "redis-8 without a file": redis_8(), "redis-7": redis_7()}[kind]
    if path is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    with (
        killing(Server(path, tmp_path, "--save", "")) as server,
        connected(server.url, durability=Durability(disk=True)) as store,
        pytest.raises(ValueError, match=r"cannot wait for a write as it was set: .*(WAITAOF|appendonly)"),
    ):
        store.connection.check_durability()


def test_unreachable_server_is_unavailable(tmp_path: Path) -> None:
    """A server that does not answer is no invalid setting."""
    with connected(f"unix://{tmp_path}/none", durability=Durability(replicas=1)) as store:
        away(store.connection.check_durability)


# ---------------------------------------------------------------------- embedded valkey


@contextmanager
def running(folder: Path, *fsync: str) -> Iterator[tuple[EmbeddedValkey, Any]]:
    server = EmbeddedValkey(folder, *fsync)
    client = Redis.from_url(server.url, decode_responses=True)
    try:
        yield server, client
    finally:
        client.close()
        for _ in range(2):  # stopping is idempotent
            server.stop()


@pytest.mark.parametrize("fsync", [(), *((one,) for one in embedded_valkey.FSYNC)])
def test_data_survives_a_restart(tmp_path: Path, fsync: tuple[str, ...]) -> None:
    """What was written is there at the next start: written through unless asked otherwise, and read by nobody else."""
    folder = tmp_path / "new"
    for number in range(3):
        with running(folder, *fsync) as (_, client):
            wanted = {"appendonly": "yes", "appendfsync": (*fsync, "always")[0]}
            assert wanted == client.config_get(*wanted)
            assert [str(n) for n in range(number)] == client.lrange("list", 0, -1)
            client.rpush("list", number)
    assert not (folder / "valkey.sock").exists()
    for path in (folder, *folder.rglob("*")):
        assert 0 == path.stat().st_mode & 0o077, path


@pytest.mark.parametrize("name", ["two words", "50%25 off", "a#b", "a?b", "è", "'\"", "é" * 60, f"{'deep/' * 40}er"])
def test_server_starts_in_folders_of_any_name(tmp_path: Path, name: str) -> None:
    """Whatever the folder is called, and however deep it lies, the server is reached by its address."""
    with running(tmp_path / name) as (_, client):
        assert client.set("key", "value")
        assert "value" == client.get("key")


def test_another_process_finds_the_running_server(tmp_path: Path) -> None:
    """The address of a running server follows from its folder alone, whatever the length of its path."""
    folders = (tmp_path / "short", tmp_path / f"{'deep/' * 40}er")
    program = "import sys; from pathlib import Path; from chitarrella.storage.embedded_valkey import running_url; "
    command = [sys.executable, "-c", f"{program}print(*map(running_url, map(Path, sys.argv[1:])))", *map(str, folders)]
    with running(folders[0]) as (short, _), running(folders[1]) as (deep, _):
        assert [short.url, deep.url] == subprocess.check_output(command, text=True).split()
    assert ["", ""] == [running_url(folder) or "" for folder in folders]


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
