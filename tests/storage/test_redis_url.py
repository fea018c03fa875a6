"""The URLs of Redis installations, and the clients that they give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from redis import Redis, SSLConnection
from redis.sentinel import SentinelManagedSSLConnection

from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.redis_url import parse_redis_url
from tests.servers import Sentinels
from tests.storage.rows import create_row


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("redis+sentinel://a,b:1/name", (("a", 26379), ("b", 1))),
        ("redis+sentinel://u:p@[::1]:26380,[fe80::2]/name", (("::1", 26380), ("fe80::2", 26379))),
        ("rediss+cluster://[::1],a:7000", (("::1", 6379), ("a", 7000))),
    ],
)
def test_hosts_have_default_ports_and_may_be_ipv6(url: str, hosts: tuple[tuple[str, int], ...]) -> None:
    """Every host has the port of its kind unless it names one; an IPv6 address stands in brackets."""
    assert hosts == parse_redis_url(url).hosts


@pytest.mark.parametrize(
    "bad",
    [
        "redis+sentinel://[::1/name",
        "redis+sentinel://a/name?sentinel_pasword=x",
        "redis+sentinel://a/name?ssl_ca_certs=file",
        "redis+cluster://a?sentinel_password=x",
        "rediss+cluster://a?ssl_cert_reqs=none",
        "redis+other://a",
    ],
)
def test_misspelt_address_is_refused(bad: str) -> None:
    """An option that is misspelt, or means nothing there, is refused; the certificate of a server is always checked."""
    with pytest.raises(ValueError, match=r"\S"):
        connect(bad)


def test_sentinels_have_a_login_of_their_own(tmp_path: Path) -> None:
    """The Sentinels, reached by IPv6 here, ask for another password than the master, which asks for none."""
    guarded = Sentinels(binary(), tmp_path)
    for one in guarded.sentinels:
        one.ask("ACL", "SETUSER", "default", "resetpass", ">p@ss/word")
    hosts = ",".join(f"[::ffff:127.0.0.1]:{one.port}" for one in guarded.sentinels)
    store = RedisStore(connect(f"redis+sentinel://{hosts}/{guarded.NAME}?sentinel_password=p%40ss%2Fword"))
    try:
        create_row(store)
    finally:
        store.close()
        guarded.kill()


def test_tls_is_spoken_to_sentinels_and_their_master() -> None:
    """With TLS the Sentinels, the master and a single server are asked over it, with the files that the URL names."""
    client: Any = connect("rediss+sentinel://a/name?ssl_ca_certs=ca.pem&ssl_check_hostname=no")
    pools = [
        client.connection_pool,
        *(one.connection_pool for one in client.connection_pool.sentinel_manager.sentinels),
    ]
    assert [SentinelManagedSSLConnection, SSLConnection] == [pool.connection_class for pool in pools]
    for pool in pools:
        assert "ca.pem" == pool.connection_kwargs["ssl_ca_certs"]
        assert pool.connection_kwargs["ssl_check_hostname"] is False
    plain = connect("rediss://a")
    assert isinstance(plain, Redis)
    assert SSLConnection is plain.connection_pool.connection_class
