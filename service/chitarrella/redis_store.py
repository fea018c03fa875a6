"""The store on Redis or Valkey: one server, a Sentinel's master, or a cluster; nothing beyond the commands of 7.0.

Three keys a match, hash-tagged so that a cluster keeps them together: a hash with the last page, a list with the moves
and a list with the request ids beside them. Each write is one script and so one round trip. A script that may have run
is sent again without harm, because every write carries a request id and the script knows the ones it has seen.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from hashlib import sha1
from pathlib import Path
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import ClusterDownError, NoScriptError, RedisClusterException
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry
from redis.sentinel import Sentinel

from chitarrella.redis_line import RedisLine
from chitarrella.store import Added, Again, Lines, Listener, Moved, NoSuchMatch, Page, StoreAway, chained, entry_of

SCRIPTS = Path(__file__).parent
SECONDS_TO_ANSWER = 3.0
LOG = logging.getLogger("chitarrella")
PAUSES = (0.1, 0.2, 0.4, 0.5)
"""Seconds between the tries of a command whose line broke: enough for a restart, and for most failovers."""
ONCE = Retry(NoBackoff(), 0)

Client = Redis | RedisCluster


def connect(url: str) -> Client:
    """Open a client by its URL; raises `ValueError` for one that cannot be read.

    ``redis://``, ``rediss://`` and ``unix://`` name one server; ``redis+sentinel://host:port,host:port/service`` the
    master of that service; ``redis+cluster://host:port,host:port`` a cluster, which is asked for its nodes at once:
    raises `StoreAway` where none of them answers. redis-py would try again ten times on its own, and that within one
    another; here the store tries again, see `RedisStore`.
    """
    parts = urlsplit(url)
    common: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": SECONDS_TO_ANSWER,
        "socket_connect_timeout": SECONDS_TO_ANSWER,
        "health_check_interval": 30,
        "retry": ONCE,
        **_login(url),
    }
    if parts.scheme == "redis+cluster":
        nodes = [ClusterNode(host, port) for host, port in _hosts(parts.netloc, 6379)]  # type: ignore[no-untyped-call]
        try:
            return RedisCluster(startup_nodes=nodes, **common)
        except (RedisError, RedisClusterException) as error:
            raise StoreAway(f"none of {parts.netloc.rpartition('@')[2]} answers as a node of a cluster") from error
    if parts.scheme == "redis+sentinel":
        service, _, database = parts.path.strip("/").partition("/")
        if not service or not (database or "0").isdecimal():
            raise ValueError(
                "a Sentinel URL names the service, then perhaps a database: redis+sentinel://host:26379/NAME/0"
            )
        asking = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0, "retry": ONCE}
        sentinel: Any = Sentinel(_hosts(parts.netloc, 26379), sentinel_kwargs=asking)  # type: ignore[no-untyped-call]
        return cast(Redis, sentinel.master_for(service, db=int(database or 0), **common))
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
    return {name: unquote(value) for name, value in (("username", user), ("password", password)) if value}


class _Script:
    """A script, sent by its name and in full to a server that does not know it.

    redis-py would hand it to every node of a cluster then, and so to none where one of them is away.
    """

    def __init__(self, client: Any, name: str) -> None:
        self._redis = client
        self._text = (SCRIPTS / f"{name}.lua").read_text()
        self._sha = sha1(self._text.encode(), usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: Sequence[str | int]) -> Any:
        try:
            return self._redis.evalsha(self._sha, len(keys), *keys, *args)
        except NoScriptError:
            return self._redis.eval(self._text, len(keys), *keys, *args)


class RedisStore:
    """Matches on a Redis-like server; safe to be used by many threads."""

    def __init__(self, client: Client, prefix: str = "chitarrella") -> None:
        """Use ``client``; every key begins with ``prefix``. Nothing is sent yet."""
        self.client: Any = client
        self.prefix = prefix
        self._deadlines = f"{prefix}:deadlines"
        self._append, self._create = _Script(client, "append"), _Script(client, "create")
        self._end, self._delete = _Script(client, "end"), _Script(client, "delete")
        self._claim = _Script(client, "claim")

    def _keys(self, match: str) -> list[str]:
        page = f"{self.prefix}:{{{match}}}"
        return [page, f"{page}:moves", f"{page}:requests"]

    def ask(self, command: Callable[[], Any]) -> Any:
        """Ask, and ask again where the line broke: no command does harm when it is carried out twice.

        A server that hangs is waited for once only.
        """
        begun = time.monotonic()
        for pause in (*PAUSES, 0.0):
            try:
                return command()
            except (RedisError, RedisClusterException, OSError) as error:
                broke = isinstance(error, RedisConnectionError | ClusterDownError | RedisClusterException | OSError)
                if not (broke and pause) or time.monotonic() - begun > SECONDS_TO_ANSWER:
                    # Not its text, which may name a match that is private.
                    LOG.warning("the store does not answer: %s", type(error).__name__)
                    raise StoreAway(type(error).__name__) from error
            time.sleep(pause)
        raise AssertionError

    def secret(self) -> bytes:
        """Give the secret that all workers share."""
        key = f"{self.prefix}:secret"
        self.ask(lambda: self.client.set(key, secrets.token_hex(32), nx=True))
        return bytes.fromhex(self.ask(lambda: self.client.get(key)))

    def create(self, match: str, page: Page, moves: tuple[str, ...], expires: int) -> bool:
        """Put down a new match."""
        args: list[str | int] = [
            expires * 1000,
            page.header,
            page.number,
            page.tag,
            page.position,
            page.revision,
            page.affairs,
            *moves,
        ]
        return bool(self.ask(lambda: self._create(self._keys(match), args)))

    def last(self, match: str, request: str = "") -> tuple[Page, int | None]:
        """Read the last page."""
        page, _, requests = self._keys(match)

        def read() -> Any:
            pipe = self.client.pipeline(transaction=False)
            pipe.hmget(page, "h", "n", "t", "p", "r", "e", "a")
            if request:
                pipe.lpos(requests, request, rank=-1)
            return pipe.execute()

        found, *place = self.ask(read)
        if found[1] is None:
            raise NoSuchMatch(match)
        return _page(found), place[0] if place else None

    def append(self, match: str, after: Page, lines: Lines, request: str, expires: int) -> Added | Moved | Again:
        """Add lines behind a page."""
        keys = self._keys(match)
        number, tag = after.number + len(lines.moves), chained(after.tag, lines.moves)
        told: list[str | int] = [after.tag, request, expires * 1000, number, tag]
        told += [lines.position, lines.revision, lines.affairs, keys[0]]
        answer = self.ask(lambda: self._append(keys, [*told, *lines.moves]))
        if answer[0] == "added":
            return Added(Page(after.header, number, tag, lines.position, lines.revision, affairs=lines.affairs))
        if answer[0] == "again":
            return Again(int(answer[1]))
        if answer[0] == "gone":
            raise NoSuchMatch(match)
        return Moved(_page(answer[1:]))

    def moves(self, match: str, start: int = 0) -> list[str]:
        """Read the log."""
        return list(self.ask(lambda: self.client.lrange(self._keys(match)[1], start, -1)))

    def _list(self, platform: str) -> str:
        return f"{self.prefix}:platform:{platform}"

    def enlist(self, platform: str, match: str, opened_at: int) -> None:
        """Put a match on the list of a platform."""
        self.ask(lambda: self.client.zadd(self._list(platform), {entry_of(match, opened_at): 0}))

    def listed(self, platform: str, after: str, count: int) -> list[str]:
        """Read entries of the list of a platform."""
        behind = f"({after}" if after else "+"
        found = self.ask(lambda: self.client.zrevrangebylex(self._list(platform), behind, "-", 0, count))
        return list(found)

    def strike(self, platform: str, entries: Iterable[str]) -> None:
        """Take entries off the list of a platform."""
        if gone := tuple(entries):
            self.ask(lambda: self.client.zrem(self._list(platform), *gone))

    def remind(self, match: str, when: int | None) -> None:
        """Note down when a ruling falls due."""
        if when is None:
            self.ask(lambda: self.client.zrem(self._deadlines, match))
        else:
            self.ask(lambda: self.client.zadd(self._deadlines, {match: when}))

    def due(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches whose ruling is due."""
        return list(self.ask(lambda: self._claim([self._deadlines], [now, now + lease, count])))

    def delete(self, match: str) -> None:
        """Forget a match."""
        keys = self._keys(match)
        self.ask(lambda: self._delete(keys, [keys[0]]))

    def end(self, match: str) -> None:
        """Mark as ended."""
        page = self._keys(match)[0]
        if not self.ask(lambda: self._end([page], [page])):
            raise NoSuchMatch(match)

    def listen(self, on_news: Callable[[str], None]) -> Listener:
        """Open a line."""
        return RedisLine(self.client, self.prefix, on_news)

    def ping(self) -> None:
        """Ask for a sign of life."""
        self.ask(self.client.ping)

    def close(self) -> None:
        """Let go of every connection."""
        with suppress(RedisError, OSError):
            self.client.close()


def _page(found: list[str | None]) -> Page:
    header, number, tag, position, revision, ended, affairs = found
    numbers = int(number or 0), int(revision or 0)
    return Page(header or "", numbers[0], tag or "", position or "", numbers[1], bool(ended), affairs or "")
