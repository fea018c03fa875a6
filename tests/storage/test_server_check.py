"""What is checked of the store's servers when the service starts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chitarrella.storage import redis_store
from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_connection import SCRIPTS, RedisConnection
from chitarrella.storage.redis_store import COMMANDS, check_servers, connect
from chitarrella.storage.rows import StoreError
from tests.servers import KEEPING, Cluster, Server, redis_8


@pytest.fixture
def connection(server: Server) -> Iterator[RedisConnection]:
    """A connection to a Valkey of its own."""
    made = RedisConnection(connect(server.url), "chitarrella")
    yield made
    made.close()


def test_usual_server_has_no_warning(connection: RedisConnection, tmp_path: Path) -> None:
    """A Valkey and a Redis 8 with an append-only file that evict nothing have no warning."""
    assert [] == check_servers(connection)
    redis = Server(redis_8(), tmp_path / "redis", *KEEPING)
    other = RedisConnection(connect(redis.url), "chitarrella")
    try:
        assert [] == check_servers(other)
    finally:
        other.close()
        redis.kill()


def test_older_version_is_refused(connection: RedisConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is older than the oldest version that is allowed is refused with both versions."""
    monkeypatch.setattr(redis_store, "MINIMUM", (99, 1))
    with pytest.raises(ValueError, match=r"version \d+\.\d+\.\d+; Redis 99\.1 or newer is needed"):
        check_servers(connection)


def test_missing_command_is_refused_by_name(tmp_path: Path) -> None:
    """A server on which a command was renamed is refused with the name of the command."""
    server = Server(binary(), tmp_path, *KEEPING, "--rename-command", "LPOS", "")
    connection = RedisConnection(connect(server.url), "chitarrella")
    try:
        with pytest.raises(ValueError, match="has no command LPOS"):
            check_servers(connection)
    finally:
        connection.close()
        server.kill()


def test_settings_that_lose_matches_give_warnings(connection: RedisConnection, server: Server) -> None:
    """A policy that evicts, and a missing append-only file, give a warning each."""
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    server.ask("CONFIG", "SET", "appendonly", "no")
    warnings = check_servers(connection)
    assert ["maxmemory-policy allkeys-lru", "appendonly no"] == [
        line.split("has ")[1].split(":")[0] for line in warnings
    ]


def test_what_a_server_forbids_is_not_checked(server: Server) -> None:
    """A server that forbids INFO, COMMAND and CONFIG gives warnings and no error."""
    server.ask("ACL", "SETUSER", "player", "on", ">word", "~*", "&*", "+@all", "-info", "-command", "-config")
    connection = RedisConnection(connect(server.url.replace("unix://", "unix://player:word@")), "chitarrella")
    try:
        assert ["INFO", "COMMAND"] == [warning.split()[-1] for warning in check_servers(connection)]
    finally:
        connection.close()


def test_each_master_of_a_cluster_is_checked(tmp_path: Path) -> None:
    """One master of a cluster with a setting that loses matches gives the warning."""
    cluster = Cluster(binary(), tmp_path)
    connection = RedisConnection(connect(cluster.url), "chitarrella")
    try:
        for node in cluster.nodes:
            node.ask("CONFIG", "SET", "appendonly", "yes")
        assert [] == check_servers(connection)
        cluster.nodes[2].ask("CONFIG", "SET", "maxmemory-policy", "volatile-ttl")
        assert ["volatile-ttl"] == [warning.split()[4].strip(":") for warning in check_servers(connection)]
    finally:
        connection.close()
        cluster.kill()


def test_server_that_does_not_answer_is_unavailable(connection: RedisConnection, server: Server) -> None:
    """A server that does not answer is no invalid one."""
    server.kill()
    with pytest.raises(StoreError):
        check_servers(connection)


def test_every_command_of_a_script_is_checked() -> None:
    """Each command that a script sends is among those that are checked."""
    texts = [path.read_text() for path in SCRIPTS.glob("*.lua")]
    sent = {name.lower() for text in texts for name in re.findall(r"redis\.call\(\s*'(\w+)'", text)}
    assert len(sent) > 15
    assert set() == sent - COMMANDS
