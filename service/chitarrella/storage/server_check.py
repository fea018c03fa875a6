"""What is checked of the store's servers when the service starts: their version, commands and settings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from redis import RedisError
from redis.exceptions import RedisClusterException, ResponseError

from chitarrella.matches.store import StoreError
from chitarrella.storage.redis_connection import RedisConnection

MINIMUM = (7, 0)
"""The oldest version of Redis; Valkey names the version of Redis that it is compatible with."""
COMMANDS = frozenset(
    (
        *("get", "set", "del", "exists", "hset", "hget", "hmget", "hgetall", "hdel", "hexists", "hvals", "hkeys"),
        *("rpush", "lrange", "lpos", "zadd", "zcard", "zrem", "zscore", "zrange", "zrangebyscore"),
        *("zrangebylex", "zrevrangebylex", "zremrangebylex", "zremrangebyrank"),
        *("sadd", "srem", "scard", "srandmember"),
        *("xadd", "xdel", "xack", "xclaim", "xpending"),
        *("xgroup", "xreadgroup", "xrange", "xlen", "pexpire", "pexpireat", "pexpiretime", "pttl", "persist"),
        *("eval", "evalsha", "publish", "subscribe", "unsubscribe", "scan", "wait"),
        *("spublish", "ssubscribe", "sunsubscribe"),
    )
)
"""The commands that the service and its scripts send."""


def check_servers(connection: RedisConnection) -> list[str]:
    """Check each server of the store that has keys; returns warnings for the operator.

    Raises `ValueError` where a server is too old or lacks a command, `StoreError` where one does not answer.
    """
    warnings: list[str] = []
    for server in connection.masters():
        try:
            warnings += _check_version(server)
            warnings += _check_commands(server)
            warnings += _check_settings(server)
        except (RedisError, RedisClusterException, OSError) as error:
            raise StoreError(type(error).__name__) from error
    return list(dict.fromkeys(warnings))


def _asked(command: Callable[[], Any]) -> Any:
    """The answer to a command; None where the server refuses it, as hosted ones do."""
    try:
        return command()
    except ResponseError:
        return None


def _check_version(server: Any) -> list[str]:
    if (info := _asked(lambda: server.info("server"))) is None:
        return ["the version of the store could not be checked: it refuses INFO"]
    text = str(info.get("redis_version", ""))
    found = re.match(r"(\d+)\.(\d+)", text)
    if not found:
        return ["the version of the store could not be checked: it names none"]
    if (int(found[1]), int(found[2])) < MINIMUM:
        minimum = ".".join(map(str, MINIMUM))
        raise ValueError(f"the store is version {text}; Redis {minimum} or newer is needed, or Valkey")
    return []


def _check_commands(server: Any) -> list[str]:
    if (known := _asked(server.command_list)) is None:
        return ["the commands of the store could not be checked: it refuses COMMAND"]
    if missing := COMMANDS - {str(name).lower() for name in known}:
        raise ValueError(f"the store has no command {', '.join(sorted(missing)).upper()}")
    return []


def _check_settings(server: Any) -> list[str]:
    settings = _asked(lambda: server.config_get("maxmemory", "maxmemory-policy", "appendonly")) or {}
    warnings = []
    policy = settings.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        warnings.append(f"the store has maxmemory-policy {policy}: it deletes matches when memory runs out")
    if settings.get("appendonly") == "no":
        warnings.append("the store has appendonly no: moves that were acknowledged are lost when it is restarted")
    return warnings
