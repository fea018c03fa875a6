"""The Valkey that the service starts for itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from chitarrella import embedded
from chitarrella.embedded import EmbeddedFailed, EmbeddedValkey, binary


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


def test_the_wheel_still_says_where_its_server_is() -> None:
    """The private door to the server's file is where it was, and leads to a file that can be run."""
    assert os.access(binary(), os.X_OK)


def test_the_data_survives(tmp_path: Path) -> None:
    """What was written is there when the server is started again in the same folder."""
    for number in range(3):
        with running(tmp_path) as (_, client):
            assert [str(n) for n in range(number)] == client.lrange("list", 0, -1)
            client.rpush("list", number)
    assert not (tmp_path / "valkey.sock").exists()


@pytest.mark.parametrize("name", ["two words", "50%25 off", "a#b", "a?b", "è", "'\"", "é" * 60, f"{'deep/' * 40}er"])
def test_folders_with_names_of_all_kinds(tmp_path: Path, name: str) -> None:
    """Whatever the folder is called, and however deep it lies, the server is found there by its address."""
    with running(tmp_path / name) as (_, client):
        assert client.set("key", "value")
        assert "value" == client.get("key")


def test_a_folder_is_for_one_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second server in the same folder does not start, says why, and leaves the first one alone."""
    monkeypatch.setattr(embedded, "SECONDS_TO_LEAVE", 0.2)
    with running(tmp_path) as (server, client):
        client.set("key", "value")
        with pytest.raises(EmbeddedFailed, match="another service keeps its matches in"):
            EmbeddedValkey(tmp_path)
        with Redis.from_url(server.url, decode_responses=True) as another:
            assert "value" == another.get("key")
    with running(tmp_path) as (_, client):
        assert "value" == client.get("key")


def test_the_folder_is_nobody_elses(tmp_path: Path) -> None:
    """Nobody else on the machine can read what is in the folder: the hands, and the secret behind the keys."""
    folder = tmp_path / "new"
    with running(folder) as (_, client):
        client.set("key", "value")
    for path in (folder, *folder.rglob("*")):
        assert 0 == path.stat().st_mode & 0o077, path


def test_data_that_cannot_be_read(tmp_path: Path) -> None:
    """Where the data is not readable the server does not start, says so from its own log, and spoils nothing."""
    with running(tmp_path) as (_, client):
        client.set("key", "value")
    manifest = next(tmp_path.glob("appendonlydir/*.manifest"))
    manifest.write_text("nonsense")
    with pytest.raises(EmbeddedFailed, match=r"did not start: (.|\n)*manifest"):
        EmbeddedValkey(tmp_path)
    assert "nonsense" == manifest.read_text()


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    """Where the folder cannot be made that is an error of the system's own."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        EmbeddedValkey(tmp_path / "file")


def test_stopping_twice(tmp_path: Path) -> None:
    """A server that has stopped stays so."""
    server = EmbeddedValkey(tmp_path)
    server.stop()
    server.stop()
