"""Backups that were cut or changed, or copied while a server was replaced, are refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from redis import RedisError

from chitarrella.matches.backup import InvalidBackup
from chitarrella.storage.backup import BackupStore
from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import StoreError
from tests.servers import Sentinels, Server, until
from tests.storage.rows import create_row
from tests.storage.test_store_backup import exported, restored


def swapped(data: bytes) -> bytes:
    """The backup with two of its lines in another order."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda data: b"", "empty"),
        (lambda data: b"hello\n", "no backup"),
        (lambda data: b'{"kind": "match"}\n', "no backup"),
        (lambda data: b"\x00\xff\n", "no backup"),
        (lambda data: data[:-1], "cut"),
        (lambda data: data[: data.rindex(b'{"kind":"end"')], "cut"),
        (lambda data: data[: len(data) // 2], "cut"),
        (lambda data: data + data, "follows"),
        (lambda data: data.replace(b'"version":1', b'"version":2'), "version 2 of the format"),
        (lambda data: data.replace(b"start_deal", b"start_dead", 1), "changed"),
        (lambda data: data.replace(b'"matches":2', b'"matches":3'), "changed"),
        (lambda data: data.replace(b'"log"', b'"lag"', 1), "cannot be read"),
        (swapped, "changed"),
    ],
    ids=[
        "empty",
        "text",
        "line",
        "bytes",
        "byte",
        "end",
        "half",
        "twice",
        "version",
        "entry",
        "count",
        "name",
        "order",
    ],
)
def test_cut_or_changed_backup_changes_nothing(source: RedisStore, url: str, change: Any, text: str) -> None:
    """A backup that is cut, changed, or of another format is refused before anything of it is written."""
    for name in ("one", "two"):
        create_row(source, name, header="{}")
    data, other = exported(source), RedisStore(connect(url))
    with pytest.raises(InvalidBackup, match=text):
        restored(change(data), other, replace=True)
    assert [] == list(BackupStore(other.connection).matches())
    other.close()


# ---------------------------------------------------------------------- several servers


def test_copy_during_a_failover_fails(tmp_path: Path) -> None:
    """A copy during which another server becomes master fails, because SCAN may have missed matches."""
    guarded = Sentinels(binary(), tmp_path)
    store = RedisStore(connect(guarded.url))
    try:
        for number in range(600):
            create_row(store, f"match{number}", header="{}")
        backup = BackupStore(store.connection)
        assert 600 == len(list(backup.matches()))
        copies = backup.matches()
        next(copies)
        guarded.sentinels[0].ask("SENTINEL", "FAILOVER", guarded.NAME)
        until(lambda: role(guarded.replica) == "master" and role(guarded.master) == "slave", "they have changed places")
        with pytest.raises(StoreError):
            list(copies)
    finally:
        store.close()
        guarded.kill()


def role(server: Server) -> str:
    """Whether a server is a master or a replica; empty while it cuts its connections."""
    with suppress(RedisError):
        return str(server.ask("ROLE")[0])
    return ""
