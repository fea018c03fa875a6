"""The store on Redis or Valkey: one server, a Sentinel's master, or a cluster; nothing beyond the commands of 7.0.

Three keys a match, hash-tagged so that a cluster keeps them together: a hash with the last page, a list with the moves
and a list with the request ids beside them. Each write is one script and so one round trip. A script that may have run
is sent again without harm, because every write carries a request id and the script knows the ones it has seen.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from redis import Redis, RedisError
from redis.backoff import ExponentialBackoff
from redis.client import PubSub
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry
from redis.sentinel import Sentinel

from chitarrella.store import Added, Again, Lines, Listener, Moved, NoSuchMatch, Page, StoreAway, chained

SCRIPTS = Path(__file__).parent
SECONDS_TO_ANSWER = 3.0
LISTENING_PAUSE = 0.5

Client = Redis | RedisCluster


def connect(url: str) -> Client:
    """Open a client by its URL; raises `ValueError` for one that cannot be read.

    ``redis://``, ``rediss://`` and ``unix://`` name one server; ``redis+sentinel://host:port,host:port/service`` the
    master of that service; ``redis+cluster://host:port,host:port`` a cluster. redis-py would try again ten times on
    its own; here every command may be repeated harmlessly, and a few quick tries outlast a failover.
    """
    parts = urlsplit(url)
    common: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": SECONDS_TO_ANSWER,
        "socket_connect_timeout": SECONDS_TO_ANSWER,
        "health_check_interval": 30,
        "retry": Retry(ExponentialBackoff(cap=0.5, base=0.05), 4),
        **_login(url),
    }
    if parts.scheme == "redis+cluster":
        nodes = [ClusterNode(host, port) for host, port in _hosts(parts.netloc, 6379)]  # type: ignore[no-untyped-call]
        return RedisCluster(startup_nodes=nodes, **common)
    common["retry_on_error"] = [RedisConnectionError, RedisTimeoutError]
    if parts.scheme == "redis+sentinel":
        service = parts.path.strip("/").partition("/")[0]
        if not service:
            raise ValueError("a Sentinel URL names the service after the hosts: redis+sentinel://host:26379/NAME")
        asking = {"socket_timeout": SECONDS_TO_ANSWER}
        sentinel: Any = Sentinel(_hosts(parts.netloc, 26379), sentinel_kwargs=asking)  # type: ignore[no-untyped-call]
        return cast(Redis, sentinel.master_for(service, **common))
    return Redis.from_url(url, max_connections=1000, **common)


def _hosts(netloc: str, port: int) -> list[tuple[str, int]]:
    """Read ``host:port,host:port`` behind an optional ``user:password@``."""
    found = []
    for word in netloc.rpartition("@")[2].split(","):
        host, _, number = word.partition(":")
        if not host:
            raise ValueError(f"a host is missing in {netloc.rpartition('@')[2]!r}")
        found.append((host, int(number or port)))
    return found


def _login(url: str) -> dict[str, str]:
    user, _, password = urlsplit(url).netloc.rpartition("@")[0].partition(":")
    return {name: value for name, value in (("username", user), ("password", password)) if value}


class RedisStore:
    """Matches on a Redis-like server; safe to be used by many threads."""

    def __init__(self, client: Client, prefix: str = "chitarrella") -> None:
        """Use ``client``; every key begins with ``prefix``. Nothing is sent yet."""
        self._redis: Any = client
        self._prefix = prefix
        self._append = self._redis.register_script((SCRIPTS / "append.lua").read_text())
        self._create = self._redis.register_script((SCRIPTS / "create.lua").read_text())
        self._end = self._redis.register_script((SCRIPTS / "end.lua").read_text())

    def _keys(self, match: str) -> list[str]:
        page = f"{self._prefix}:{{{match}}}"
        return [page, f"{page}:moves", f"{page}:requests"]

    def _ask(self, command: Callable[[], Any]) -> Any:
        try:
            return command()
        except (RedisError, OSError) as error:
            raise StoreAway(type(error).__name__) from error

    def secret(self) -> bytes:
        """Give the secret that all workers share."""
        key = f"{self._prefix}:secret"
        self._ask(lambda: self._redis.set(key, secrets.token_hex(32), nx=True))
        return bytes.fromhex(self._ask(lambda: self._redis.get(key)))

    def create(self, match: str, page: Page, moves: tuple[str, ...], expires: int) -> bool:
        """Put down a new match."""
        args: list[str | int] = [
            expires * 1000,
            page.header,
            page.number,
            page.tag,
            page.position,
            page.revision,
            *moves,
        ]
        return bool(self._ask(lambda: self._create(keys=self._keys(match), args=args)))

    def last(self, match: str, request: str = "") -> tuple[Page, int | None]:
        """Read the last page."""
        page, _, requests = self._keys(match)

        def read() -> Any:
            pipe = self._redis.pipeline(transaction=False)
            pipe.hmget(page, "h", "n", "t", "p", "r", "e")
            if request:
                pipe.lpos(requests, request, rank=-1, maxlen=1000)
            return pipe.execute()

        found, *place = self._ask(read)
        if found[1] is None:
            raise NoSuchMatch(match)
        return _page(found), place[0] if place else None

    def append(self, match: str, after: Page, lines: Lines, request: str, expires: int) -> Added | Moved | Again:
        """Add lines behind a page."""
        keys = self._keys(match)
        number, tag = after.number + len(lines.moves), chained(after.tag, lines.moves)
        told: list[str | int] = [after.tag, request, expires * 1000, number, tag]
        told += [lines.position, lines.revision, keys[0]]
        answer = self._ask(lambda: self._append(keys=keys, args=[*told, *lines.moves]))
        if answer[0] == "added":
            return Added(Page(after.header, number, tag, lines.position, lines.revision))
        if answer[0] == "again":
            return Again(int(answer[1]))
        if answer[0] == "gone":
            raise NoSuchMatch(match)
        return Moved(_page(answer[1:]))

    def moves(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        return list(self._ask(lambda: self._redis.lrange(self._keys(match)[1], start, -1)))

    def end(self, match: str) -> None:
        """Mark as ended."""
        page = self._keys(match)[0]
        if not self._ask(lambda: self._end(keys=[page], args=[page])):
            raise NoSuchMatch(match)

    def listen(self, on_news: Callable[[str], None]) -> Listener:
        """Open a line."""
        return _Line(self._redis, self._prefix, on_news)

    def ping(self) -> None:
        """Ask for a sign of life."""
        self._ask(self._redis.ping)

    def close(self) -> None:
        """Let go of every connection."""
        with suppress(RedisError, OSError):
            self._redis.close()


def _page(found: list[str | None]) -> Page:
    header, number, tag, position, revision, ended = found
    return Page(header or "", int(number or 0), tag or "", position or "", int(revision or 0), bool(ended))


class _Line:
    """One subscription for all followed matches; survives the loss of its connection.

    What happened while the line was down is not told again: whoever listens looks now and then by himself.
    """

    def __init__(self, client: Any, prefix: str, on_news: Callable[[str], None]) -> None:
        self._prefix = prefix
        self._on_news = on_news
        self._closed = threading.Event()
        self._line: PubSub = client.pubsub(ignore_subscribe_messages=True)
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="store-listener", daemon=True)
        self._followed: set[str] = set()

    def follow(self, match: str) -> None:
        """Hear of a match."""
        with self._lock:
            self._followed.add(match)
            with suppress(RedisError, OSError):  # the thread subscribes again when the server is back
                self._line.subscribe(self._channel(match))
            if not self._thread.is_alive() and not self._closed.is_set():
                self._thread.start()

    def leave(self, match: str) -> None:
        """Hear of it no more."""
        with self._lock:
            self._followed.discard(match)
            with suppress(RedisError, OSError):
                self._line.unsubscribe(self._channel(match))  # type: ignore[no-untyped-call]

    def _channel(self, match: str) -> str:
        return f"{self._prefix}:{{{match}}}"

    def _run(self) -> None:
        skip = len(self._prefix) + 2
        while not self._closed.is_set():
            try:
                if not self._line.subscribed:
                    self._closed.wait(0.01)
                    continue
                news = self._line.get_message(timeout=LISTENING_PAUSE)
            except (RedisError, OSError, ValueError):  # ValueError: the connection was closed under the reader
                self._closed.wait(LISTENING_PAUSE)
                continue
            if news and news["type"] == "message":
                self._on_news(news["channel"][skip:-1])

    def close(self) -> None:
        """Hang up."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(2 * LISTENING_PAUSE + 1)
        with suppress(RedisError, OSError):
            self._line.close()
