"""The store over TLS, with real handshakes: one server, a Sentinel's master and a cluster, in threads and on a loop.

Every server asks for the client's certificate. The Redis 7 of Debian is built with TLS, those of the wheels are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
import trustme

from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import StoreError
from tests.loop_stores import WRAPS, Wrap
from tests.server.certificates import Authority
from tests.servers import Server, free_port, redis_7, try_ports, until
from tests.storage.rows import DEAL, Listener, append, create_row, listening

NAME = "table"
"""The service that the Sentinel watches."""


class TlsServers:
    """Starts servers that listen with TLS alone, and for the test itself at a unix socket."""

    def __init__(self, folder: Path, binary: Path) -> None:
        """Issue the certificates of servers and client; nothing is started yet."""
        self.authority = Authority(folder / "authority")
        self.folder = folder
        self._binary = binary
        self._started = ExitStack()
        self.certificate, self.key = folder / "client.pem", folder / "client.key"
        self.authority.client.cert_chain_pems[0].write_to_path(str(self.certificate))
        self.authority.client.private_key_pem.write_to_path(str(self.key))

    def start(self, name: str, *settings: str) -> tuple[Server, int]:
        """Start a server; return it with its port for TLS."""
        authority = self.authority
        files = ("--tls-cert-file", authority.certificate, "--tls-key-file", authority.key, "--tls-ca-cert-file")
        secure = (*map(str, files), str(authority.root), "--tls-replication", "yes", "--bind", "127.0.0.1", "127.0.0.2")
        ports: list[int] = []

        def start(port: int) -> Server:
            ports.append(port)
            return Server(self._binary, self.folder / name, *settings, *secure, "--tls-port", str(port))

        server = try_ports(start)
        self._started.callback(server.kill)
        return server, ports[-1]

    def query(self, root: Path | None = None, *, client: bool = True, **others: str) -> str:
        """The options of a URL: the CA, by default that of the servers, and the client's certificate."""
        files = {"ssl_certfile": str(self.certificate), "ssl_keyfile": str(self.key)} if client else {}
        return urlencode({"ssl_ca_certs": str(root or self.authority.root), **files, **others})

    def stop(self) -> None:
        """Kill every server."""
        self._started.close()


def one_server(servers: TlsServers) -> str:
    """Start a server; return its URL without options."""
    return f"rediss://127.0.0.1:{servers.start('one')[1]}"


def sentinel(servers: TlsServers) -> str:
    """Start a master and its Sentinel, which speak TLS with each other; return the URL without options."""
    _, master = servers.start("master")
    home = servers.folder / "sentinel"
    home.mkdir()
    (home / "sentinel.conf").write_text(f"sentinel monitor {NAME} 127.0.0.1 {master} 1\n")
    guard, port = servers.start("sentinel", str(home / "sentinel.conf"), "--sentinel")
    with guard.client() as client:
        until(lambda: "master" == client.sentinel_master(NAME)["flags"], "the Sentinel reaches the master")
        until(lambda: "master" == client.sentinel_master(NAME)["role-reported"], "the master has answered it")
    return f"rediss+sentinel://127.0.0.1:{port}/{NAME}"


def cluster(servers: TlsServers) -> str:
    """Start a cluster of one node, whose bus speaks TLS too; return the URL without options."""
    bus = ("--cluster-port", str(free_port()), "--tls-cluster", "yes")
    node, port = servers.start("node", "--cluster-enabled", "yes", *bus, "--cluster-announce-ip", "127.0.0.1")
    node.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    until(lambda: "cluster_state:ok" in node.ask("CLUSTER", "INFO"), "the cluster has all its slots")
    return f"rediss+cluster://127.0.0.1:{port}"


Installation = Callable[[TlsServers], str]
INSTALLATIONS = pytest.mark.parametrize("start", [one_server, sentinel, cluster], ids=lambda start: start.__name__)
STORES = pytest.mark.parametrize("wrap", WRAPS)


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[TlsServers]:
    """Servers of Redis 7 that speak TLS; none is started yet."""
    binary = redis_7()
    if binary is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    made = TlsServers(tmp_path, binary)
    yield made
    made.stop()


@STORES
@INSTALLATIONS
def test_match_is_kept_and_watched_over_tls(servers: TlsServers, start: Installation, wrap: Wrap) -> None:
    """A match is written, read and watched over TLS, with the certificate of the client."""
    store, listener = wrap(RedisStore(connect(f"{start(servers)}?{servers.query()}"))), Listener()
    store.probe()
    row = create_row(store)
    with listening(store, listener, "match"):
        listener.wait_for("match")
        listener.clear()
        append(store, row, "move")
        listener.wait_for("match")
    assert [*DEAL, "move"] == store.matches.read_log("match")
    store.close()


@STORES
@INSTALLATIONS
def test_unknown_authority_and_missing_certificate_are_refused(
    servers: TlsServers, start: Installation, wrap: Wrap
) -> None:
    """The client refuses a server whose CA it does not trust; the server refuses a client without a certificate."""
    other = servers.folder / "other.pem"
    trustme.CA().cert_pem.write_to_path(str(other))
    url = start(servers)
    for query in (servers.query(other), servers.query(client=False)):
        with pytest.raises(StoreError):
            wrap(RedisStore(connect(f"{url}?{query}"))).probe()
    trusted = wrap(RedisStore(connect(f"{url}?{servers.query()}")))
    trusted.probe()
    trusted.close()


@STORES
def test_certificate_must_name_the_host(servers: TlsServers, wrap: Wrap) -> None:
    """A certificate that does not name the host is refused, unless the URL says that it need not."""
    url = one_server(servers).replace("127.0.0.1", "127.0.0.2")
    with pytest.raises(StoreError):
        wrap(RedisStore(connect(f"{url}?{servers.query()}"))).probe()
    store = wrap(RedisStore(connect(f"{url}?{servers.query(ssl_check_hostname='no')}")))
    store.probe()
    store.close()
