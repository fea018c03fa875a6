"""What is checked of the store's servers when the service starts."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

import pytest
import trustme

from chitarrella.storage import redis_store
from chitarrella.storage.embedded_valkey import binary
from chitarrella.storage.redis_connection import RedisConnection, scripts
from chitarrella.storage.redis_store import COMMANDS, check_servers, connect
from chitarrella.storage.redis_url import parse_redis_url
from chitarrella.storage.rows import StoreError
from tests.loop_stores import WRAPS, Wrap, loop_store
from tests.server.certificates import Authority
from tests.servers import KEEPING, Cluster, Sentinels, Server, free_port, redis_7, redis_8, until
from tests.storage.rows import DEAL, Listener, append, away, connected, create_row, killing, listening


@pytest.fixture
def connection(server: Server) -> Iterator[RedisConnection]:
    made = RedisConnection(connect(server.url), "chitarrella")
    yield made
    made.close()


def test_usual_server_has_no_warning(connection: RedisConnection, tmp_path: Path) -> None:
    """A Valkey and a Redis 8 with an append-only file that evict nothing have no warning."""
    assert [] == check_servers(connection)
    with killing(Server(redis_8(), tmp_path / "redis", *KEEPING)) as redis, connected(redis.url) as other:
        assert [] == check_servers(other.connection)


def test_older_version_is_refused(connection: RedisConnection, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is older than the oldest version that is allowed is refused with both versions."""
    monkeypatch.setattr(redis_store, "MINIMUM", (99, 1))
    with pytest.raises(ValueError, match=r"version \d+\.\d+\.\d+; Redis 99\.1 or newer is needed"):
        check_servers(connection)


def test_missing_command_is_refused_by_name(tmp_path: Path) -> None:
    """A server on which a command was renamed is refused with the name of the command."""
    with (
        killing(Server(binary(), tmp_path, *KEEPING, "--rename-command", "LPOS", "")) as server,
        connected(server.url) as store,
        pytest.raises(ValueError, match="has no command LPOS"),
    ):
        check_servers(store.connection)


def test_settings_that_lose_matches_give_warnings(connection: RedisConnection, server: Server) -> None:
    """A policy that evicts, and a missing append-only file, give a warning each."""
    server.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    server.ask("CONFIG", "SET", "appendonly", "no")
    warnings = check_servers(connection)
    said = [line.split("has ")[1].split(":")[0] for line in warnings]
    assert ["maxmemory-policy allkeys-lru", "appendonly no"] == said


def test_what_a_server_forbids_is_not_checked(server: Server) -> None:
    """A server that forbids INFO, COMMAND and CONFIG gives warnings and no error."""
    server.ask("ACL", "SETUSER", "player", "on", ">word", "~*", "&*", "+@all", "-info", "-command", "-config")
    with connected(server.url.replace("unix://", "unix://player:word@")) as store:
        assert ["INFO", "COMMAND"] == [warning.split()[-1] for warning in check_servers(store.connection)]


def test_each_master_of_a_cluster_is_checked(tmp_path: Path) -> None:
    """One master of a cluster with a setting that loses matches gives the warning."""
    with killing(Cluster(binary(), tmp_path)) as cluster, connected(cluster.url) as store:
        for node in cluster.nodes:
            node.ask("CONFIG", "SET", "appendonly", "yes")
        assert [] == check_servers(store.connection)
        cluster.nodes[2].ask("CONFIG", "SET", "maxmemory-policy", "volatile-ttl")
        assert ["volatile-ttl"] == [warning.split()[4].strip(":") for warning in check_servers(store.connection)]


def test_server_that_does_not_answer_is_unavailable(connection: RedisConnection, server: Server) -> None:
    """A server that does not answer is no invalid one."""
    server.kill()
    with pytest.raises(StoreError):
        check_servers(connection)


def test_every_command_of_a_script_is_checked() -> None:
    """Each command that a script sends is among those that are checked."""
    sent = {name.lower() for text in scripts().values() for name in re.findall(r"redis\.call\(\s*'(\w+)'", text)}
    assert len(sent) > 15
    assert set() == sent - COMMANDS


# ---------------------------------------------------------------------- store permissions


@pytest.mark.parametrize("wrap", WRAPS)
def test_probe_finds_what_a_user_may_not_do(server: Server, wrap: Wrap, caplog: pytest.LogCaptureFixture) -> None:
    """Where the store may not use a command, the probe fails, and the log names it; with it, it leaves nothing."""
    with connected(server.url, wrap) as store:
        for command in ("hset", "lpos", "zadd", "publish", "spublish", "evalsha"):
            server.ask("ACL", "SETUSER", "default", f"-{command}")
            caplog.clear()
            away(store.probe)
            server.ask("ACL", "SETUSER", "default", f"+{command}")
            error = "NoPermissionError" if command == "evalsha" else "ResponseError ACL"
            assert [f"the store refuses a command: {error} {command}"] == caplog.messages
            store.probe()
            assert 0 == server.ask("DBSIZE")


@pytest.mark.parametrize("kind", ["redis-8", "redis-7"])
def test_log_names_the_acl_where_a_script_may_not_run_a_command(
    tmp_path: Path, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says that the user may not do it also where Redis 7.0 does not name the command."""
    path = redis_8() if kind == "redis-8" else redis_7()
    if path is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    with killing(Server(path, tmp_path)) as server, connected(server.url) as store:
        server.ask("ACL", "SETUSER", "default", "-spublish")
        for one in (store, loop_store(store)):
            away(one.probe)
    command = " spublish" if kind == "redis-8" else ""
    assert [f"the store refuses a command: ResponseError ACL{command}"] * 2 == caplog.messages


# ---------------------------------------------------------------------- store tls


NAME = "table"  # the service that the Sentinel watches


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
        authority = self.authority
        files = ("--tls-cert-file", authority.certificate, "--tls-key-file", authority.key, "--tls-ca-cert-file")
        secure = (*map(str, files), str(authority.root), "--tls-replication", "yes", "--bind", "127.0.0.1", "127.0.0.2")
        ports: list[int] = []

        def start(port: int) -> Server:
            ports.append(port)
            return Server(self._binary, self.folder / name, *settings, *secure, "--tls-port", str(port))

        server = start(free_port())
        self._started.callback(server.kill)
        return server, ports[-1]

    def query(self, root: Path | None = None, *, client: bool = True, **others: str) -> str:
        """The options of a URL: the CA, by default that of the servers, and the client's certificate."""
        files = {"ssl_certfile": str(self.certificate), "ssl_keyfile": str(self.key)} if client else {}
        return urlencode({"ssl_ca_certs": str(root or self.authority.root), **files, **others})

    def stop(self) -> None:
        self._started.close()


def one_server(servers: TlsServers) -> str:
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


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TlsServers]:
    binary = redis_7()
    if binary is None:
        pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
    made = TlsServers(tmp_path_factory.mktemp("t"), binary)
    yield made
    made.stop()


@pytest.fixture(scope="module", params=[one_server, sentinel, cluster], ids=lambda start: start.__name__)
def tls_url(servers: TlsServers, request: pytest.FixtureRequest) -> str:
    return str(request.param(servers))


@pytest.mark.parametrize("wrap", WRAPS)
def test_match_is_kept_and_watched_over_tls(servers: TlsServers, tls_url: str, wrap: Wrap) -> None:
    """A match is kept and watched over TLS; an unknown CA, and a client without a certificate, are refused."""
    other, listener = servers.folder / "other.pem", Listener()
    trustme.CA().cert_pem.write_to_path(str(other))
    for query in (servers.query(other), servers.query(client=False)):
        with pytest.raises(StoreError), connected(f"{tls_url}?{query}", wrap) as store:
            store.probe()
    with connected(f"{tls_url}?{servers.query()}", wrap) as store:
        store.probe()
        match = f"match {id(wrap)}"
        row = create_row(store, match)
        with listening(store, listener, match):
            listener.wait_for(match)
            listener.clear()
            append(store, row, "move", match=match)
            listener.wait_for(match)
        assert [*DEAL, "move"] == store.matches.read_log(match)


@pytest.mark.parametrize("wrap", WRAPS)
def test_certificate_must_name_the_host(servers: TlsServers, wrap: Wrap) -> None:
    """A certificate that does not name the host is refused, unless the URL says that it need not."""
    url = one_server(servers).replace("127.0.0.1", "127.0.0.2")
    with connected(f"{url}?{servers.query()}", wrap) as store:
        away(store.probe)
    with connected(f"{url}?{servers.query(ssl_check_hostname='no')}", wrap) as store:
        store.probe()


# ---------------------------------------------------------------------- redis url


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
    ["", "localhost", "http://localhost", "redis://localhost:port", "redis+other://a",
     "redis+sentinel://localhost", "redis+sentinel:///name", "redis+sentinel://localhost/name/first",
     "redis+sentinel://localhost:port/name", "redis+sentinel://a,,b/name", "redis+sentinel://[::1/name",
     "redis+sentinel://a/name?sentinel_pasword=x", "redis+sentinel://a/name?ssl_ca_certs=file",
     "redis+cluster://", "redis+cluster://localhost:port", "redis+cluster://a?sentinel_password=x",
     "rediss+cluster://a?ssl_cert_reqs=none"],
)  # fmt: skip
def test_invalid_address_is_an_error_before_connecting(bad: str) -> None:
    """An invalid address or option is an error before anything is asked, also one not to check a certificate."""
    with pytest.raises(ValueError, match=r"\S"):
        connect(bad)


def test_sentinels_have_a_login_of_their_own(tmp_path: Path) -> None:
    """The Sentinels, reached by IPv6 here, ask for another password than the master, which asks for none."""
    with killing(Sentinels(binary(), tmp_path)) as guarded:
        for one in guarded.sentinels:
            one.ask("ACL", "SETUSER", "default", "resetpass", ">p@ss/word")
        hosts = ",".join(f"[::ffff:127.0.0.1]:{one.port}" for one in guarded.sentinels)
        with connected(f"redis+sentinel://{hosts}/{guarded.NAME}?sentinel_password=p%40ss%2Fword") as store:
            create_row(store)
