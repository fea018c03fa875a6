"""The URL of a Redis or Valkey installation, and the client for it: one server, a Sentinel's master, or a cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.exceptions import RedisClusterException
from redis.retry import Retry
from redis.sentinel import Sentinel

from chitarrella.storage.rows import StoreError

HOSTS: Final = re.compile(r"([^:/?#]+://)([^/?#]*)(.*)")  # scheme, hosts with credentials, rest
TIMEOUT_SECONDS = 3.0  # how long one command waits for its reply, or for a connection
SENTINEL_TIMEOUT_SECONDS = 1.0  # how long a command to a Sentinel waits for its reply, or for a connection
NO_RETRY = Retry(NoBackoff(), 0)  # the client does not send again: `RedisConnection` decides what may be sent twice
SENTINEL, CLUSTER = "sentinel", "cluster"  # the words in the scheme of a URL for stores of several servers
# Options of a URL with TLS: the files of the certificate authority, of the client's certificate and of its key, and
# whether the certificate must name the host
TLS_OPTIONS = frozenset({"ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname"})
SENTINEL_OPTIONS = frozenset({"sentinel_username", "sentinel_password"})  # to log in at the Sentinels themselves

Client = Redis | RedisCluster  # a client of one server, or of a cluster


class Address(NamedTuple):
    """What a URL says: the kind of installation ("" for one server), its hosts, and how to log in."""

    kind: str
    hosts: tuple[tuple[str, int], ...]
    path: str
    credentials: Mapping[str, str]
    tls: Mapping[str, Any]
    sentinel: Mapping[str, str]


def connect(url: str) -> Client:
    """Create a client for a URL: of one server (``redis://``, ``rediss://``, ``unix://``), of a Sentinel's master
    (``redis+sentinel://host:port,host:port/service``), or of a cluster (``redis+cluster://host:port``). With
    ``rediss+`` both speak TLS. Raises `ValueError`; `StoreError` where no node of a cluster answers.
    """
    common: dict[str, Any] = {
        "decode_responses": True,
        "socket_timeout": TIMEOUT_SECONDS,
        "socket_connect_timeout": TIMEOUT_SECONDS,
        "health_check_interval": 30,
        "retry": NO_RETRY,
    }
    address = parse_redis_url(url)
    if address.kind == CLUSTER:
        return _connect_to_cluster(address, common)
    if address.kind == SENTINEL:
        return _connect_to_sentinel(address, common)
    # The URL itself names host, path, credentials and TLS; the options are checked above.
    return Redis.from_url(url, max_connections=1000, **common)


def connect_in_process() -> Client:
    """Create a client for a new server inside this process, whose data ends with it. Raises `ValueError`."""
    try:
        from fakeredis import FakeRedis, FakeServer  # noqa: PLC0415 - takes as long to import as redis-py
    except ImportError as error:
        text = "a store inside the process needs the extra 'server': pip install 'chitarrella[server]'"
        raise ValueError(text) from error
    return FakeRedis(server=FakeServer(), decode_responses=True)


def parse_redis_url(url: str) -> Address:
    # Of several hosts, urlsplit reads none in brackets: they are taken out before.
    found = HOSTS.fullmatch(url)
    netloc, parts = (found[2], urlsplit(found[1] + found[3])) if found else ("", urlsplit(url))
    scheme, _, kind = parts.scheme.partition("+")
    if parts.scheme == "unix":
        return Address("", (), unquote(parts.path), {}, {}, {})
    if scheme not in ("redis", "rediss") or kind not in ("", SENTINEL, CLUSTER):
        raise ValueError(f"{parts.scheme or url!r} is no scheme of a Redis URL, such as redis:// or redis+sentinel://")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    known = (TLS_OPTIONS if scheme == "rediss" else set()) | (SENTINEL_OPTIONS if kind == SENTINEL else set())
    if kind and (unknown := options.keys() - known):
        raise ValueError(f"a {parts.scheme} URL has no option {min(unknown)!r}")
    tls: dict[str, Any] = {name: value for name, value in options.items() if name in TLS_OPTIONS}
    if "ssl_check_hostname" in tls:
        tls["ssl_check_hostname"] = tls["ssl_check_hostname"].lower() not in ("0", "false", "no")
    return Address(
        kind,
        tuple(_hosts(netloc, 26379 if kind == SENTINEL else 6379)) if kind else (),
        parts.path,
        _credentials(netloc),
        {"ssl": True, **tls} if scheme == "rediss" else {},
        {name.removeprefix("sentinel_"): options[name] for name in SENTINEL_OPTIONS & options.keys()},
    )


def _hosts(netloc: str, default_port: int) -> list[tuple[str, int]]:
    names = netloc.rpartition("@")[2]
    found = []
    for name in names.split(","):
        part = urlsplit(f"//{name}")  # it reads brackets, and refuses a port that is no number
        if not part.hostname:
            raise ValueError(f"a host is missing in {names!r}")
        found.append((part.hostname, part.port or default_port))
    return found


def _credentials(netloc: str) -> dict[str, str]:
    user, _, password = netloc.rpartition("@")[0].partition(":")
    return {name: unquote(value) for name, value in (("username", user), ("password", password)) if value}


def _connect_to_cluster(address: Address, common: Mapping[str, Any]) -> Client:
    nodes = [ClusterNode(host, port) for host, port in address.hosts]  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
    options: dict[str, Any] = {**common, **address.credentials, **address.tls}
    try:
        return RedisCluster(startup_nodes=nodes, **options)
    except (RedisError, RedisClusterException) as error:
        names = ",".join(f"{host}:{port}" for host, port in address.hosts)
        raise StoreError(f"none of {names} answers as a node of a cluster") from error


def _connect_to_sentinel(address: Address, common: Mapping[str, Any]) -> Client:
    service, _, database = address.path.strip("/").partition("/")
    if not service or not (database or "0").isdecimal():
        raise ValueError(
            "a Sentinel URL names the service, then perhaps a database: redis+sentinel://host:26379/NAME/0"
        )
    timeouts = {"socket_timeout": SENTINEL_TIMEOUT_SECONDS, "socket_connect_timeout": SENTINEL_TIMEOUT_SECONDS}
    options = {**timeouts, "retry": NO_RETRY, **address.sentinel, **address.tls}
    sentinel: Any = Sentinel(list(address.hosts), sentinel_kwargs=options)  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
    master = sentinel.master_for(service, db=int(database or 0), **common, **address.credentials, **address.tls)
    return cast(Redis, master)
