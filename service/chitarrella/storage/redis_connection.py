"""A connection to Redis or Valkey: one server, a Sentinel's master, or a cluster; commands of version 7.0 alone.

Every write is one script, and so one round trip. A script that may have run can be sent again: an append carries a
request token and the id of its call, and the script knows those it has seen.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import ClusterDownError, NoScriptError, RedisClusterException, ResponseError
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry
from redis.sentinel import Sentinel

from chitarrella.matches.store import StoreError

SCRIPTS = Path(__file__).parent / "scripts"
TIMEOUT_SECONDS = 3.0
LOG = logging.getLogger("chitarrella")
CODE = re.compile(r"[A-Z]{2,20}(?= )")
"""The code of an error of the server, which its text begins with."""
RETRY_PAUSES = (0.1, 0.2, 0.4, 0.5)
"""Seconds between the attempts of a command whose connection broke: enough for a restart, and for most failovers."""
NO_RETRY = Retry(NoBackoff(), 0)

Client = Redis | RedisCluster


def connect(url: str) -> Client:
    """Create a client for a URL. Raises `ValueError` where it cannot be read.

    ``redis://``, ``rediss://`` and ``unix://`` name one server; ``redis+sentinel://host:port,host:port/service`` the
    master of that service; ``redis+cluster://host:port,host:port`` a cluster, which is asked for its nodes at once:
    raises `StoreError` where none of them answers. The client does not retry by itself (redis-py would, ten
    times, at several levels); `RedisConnection.execute` does.
    """
    parts = urlsplit(url)
    common: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": TIMEOUT_SECONDS,
        "socket_connect_timeout": TIMEOUT_SECONDS,
        "health_check_interval": 30,
        "retry": NO_RETRY,
        **_credentials(url),
    }
    if parts.scheme == "redis+cluster":
        hosts = _hosts(parts.netloc, 6379)
        nodes = [ClusterNode(host, port) for host, port in hosts]  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        try:
            return RedisCluster(startup_nodes=nodes, **common)
        except (RedisError, RedisClusterException) as error:
            message = f"none of {parts.netloc.rpartition('@')[2]} answers as a node of a cluster"
            raise StoreError(message) from error
    if parts.scheme == "redis+sentinel":
        service, _, database = parts.path.strip("/").partition("/")
        if not service or not (database or "0").isdecimal():
            raise ValueError(
                "a Sentinel URL names the service, then perhaps a database: redis+sentinel://host:26379/NAME/0"
            )
        sentinel_options = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "retry": NO_RETRY}
        hosts = _hosts(parts.netloc, 26379)
        sentinel: Any = Sentinel(hosts, sentinel_kwargs=sentinel_options)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        return cast(Redis, sentinel.master_for(service, db=int(database or 0), **common))
    return Redis.from_url(url, max_connections=1000, **common)


def _hosts(netloc: str, port: int) -> list[tuple[str, int]]:
    """Parse ``host:port,host:port`` behind an optional ``user:password@``."""
    found = []
    for part in netloc.rpartition("@")[2].split(","):
        host, _, number = part.partition(":")
        if not host:
            raise ValueError(f"a host is missing in {netloc.rpartition('@')[2]!r}")
        found.append((host, int(number or port)))
    return found


def _credentials(url: str) -> dict[str, str]:
    user, _, password = urlsplit(url).netloc.rpartition("@")[0].partition(":")
    return {name: unquote(value) for name, value in (("username", user), ("password", password)) if value}


class RedisConnection:
    """A client, the prefix of every key, and the retry of commands. Thread-safe."""

    def __init__(self, client: Client, prefix: str) -> None:
        """Use ``client``; every key begins with ``prefix``. Nothing is sent yet."""
        self.client: Any = client
        self.prefix = prefix

    def key(self, *parts: str) -> str:
        """The key of these parts."""
        return ":".join((self.prefix, *parts))

    def execute(self, command: Callable[[], Any]) -> Any:
        """Run a command, and again where the connection broke: no command does harm when it runs twice.

        A server that hangs is waited for only once. Raises `StoreError`. redis-py's own `Retry` is not used: in a
        cluster it repeats within its repetitions, and it has no limit to the whole time.
        """
        start = time.monotonic()
        for pause in (*RETRY_PAUSES, 0.0):
            try:
                return command()
            except (RedisError, RedisClusterException, OSError) as error:
                broke = isinstance(error, RedisConnectionError | ClusterDownError | RedisClusterException | OSError)
                if not (broke and pause) or time.monotonic() - start > TIMEOUT_SECONDS:
                    said = "refuses a command" if isinstance(error, ResponseError) else "does not answer"
                    LOG.warning("the store %s: %s", said, _cause(error))
                    raise StoreError(type(error).__name__) from error
            time.sleep(pause)
        raise AssertionError

    def script(self, name: str) -> Script:
        """The script ``name`` of the folder ``scripts``."""
        return Script(self, name)

    def close(self) -> None:
        """Close every connection of the client."""
        with suppress(RedisError, OSError):
            self.client.close()


def _cause(error: Exception) -> str:
    """The class of an error, and its code if it has one, such as NOREPLICAS; not its text, which may name a match."""
    code = CODE.match(str(error))
    return f"{type(error).__name__} {code[0]}" if code else type(error).__name__


class Script:
    """A Lua script, sent by its digest, and in full to a server that does not know it.

    redis-py would send it to every node of a cluster then, and so to none where one of them is down.
    """

    def __init__(self, connection: RedisConnection, name: str) -> None:
        """Read the script ``name``."""
        self._connection = connection
        self._text = (SCRIPTS / f"{name}.lua").read_text()
        self._sha = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: Sequence[str | int]) -> Any:
        """Run the script. Raises `StoreError`."""
        return self._connection.execute(lambda: self._run(keys, args))

    def _run(self, keys: list[str], args: Sequence[str | int]) -> Any:
        client = self._connection.client
        try:
            return client.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return client.eval(self._text, len(keys), *keys, *args)
