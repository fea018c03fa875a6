"""Fixtures for tests that need a store: every kind of store, started once per test process, empty for every test.

Each folder whose tests use them imports them into its conftest. The servers are shared by all folders of a process.
"""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import chitarrella.matches.clock
import chitarrella.matches.log_writer
import chitarrella.matches.scheduler
import chitarrella.matches.service
from chitarrella.matches.service import MatchService
from chitarrella.storage.embedded_valkey import EmbeddedValkey, binary
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.redis_url import connect_in_process
from tests.fault_proxy import FaultProxy
from tests.loop_stores import loop_store
from tests.matches.playing import CATALOGUE, connect_service
from tests.matches.watchers import Worker, running_worker
from tests.server.process import Service, StartService
from tests.servers import KEEPING, Cluster, Server, redis_7, redis_8

SERVERS = ("valkey-9", "redis-8", "redis-7", "cluster")
ON_LOOP = " on a loop"  # behind the kind of a server: the store is called on an event loop, and not in threads
LOOPS = (f"valkey-9{ON_LOOP}", f"cluster{ON_LOOP}")
IN_PROCESS = "in process"  # the server inside the process

OpenStore = Callable[..., RedisStore]
"""Opens one more store on the same server, as another worker does; an argument is the prefix of its keys."""


class StoreServers:
    """The store servers of this test process: each is started when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._urls: dict[str, str] = {}
        self._stops: list[Callable[[], object]] = []

    def url(self, kind: str) -> str:
        kind = kind.removesuffix(ON_LOOP)
        if kind not in self._urls:
            self._urls[kind], stop = self._start(kind)
            self._stops.append(stop)
        return self._urls[kind]

    def _start(self, kind: str) -> tuple[str, Callable[[], object]]:
        if kind == "valkey-9":
            embedded = EmbeddedValkey(self.folder / kind)
            return embedded.url, embedded.stop
        if kind == "cluster":
            cluster = Cluster(binary(), self.folder / kind)
            return cluster.url, cluster.kill
        path = redis_8() if kind == "redis-8" else redis_7()
        if path is None:
            pytest.skip("redis-7: there is no Redis 7 on the PATH; on Debian: apt-get install redis-server")
        server = Server(path, self.folder / kind, *KEEPING)
        return server.url, server.kill

    def stop(self) -> None:
        for stop in self._stops:
            stop()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def store_servers() -> StoreServers:
    """Return the store servers of this test process; they stop when it ends."""
    servers = StoreServers(Path(tempfile.mkdtemp(prefix="s")))
    atexit.register(servers.stop)
    return servers


@cache
def connected_to(url: str) -> Any:
    """A client of a store, which stays connected until this process ends."""
    return connect(url)


def empty(url: str) -> str:
    connected_to(url).flushall()
    return url


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of the store's contract on every kind of store, or on those that the marker ``stores`` names."""
    if "store_kind" in metafunc.fixturenames:
        marked = metafunc.definition.get_closest_marker("stores")
        metafunc.parametrize("store_kind", marked.args if marked else (*SERVERS, *LOOPS, IN_PROCESS))


@pytest.fixture
def open_store(store_kind: str) -> Iterator[OpenStore]:
    """Open one more store on an empty server, of every kind in turn."""
    if store_kind == IN_PROCESS:
        client = connect_in_process()
        yield lambda prefix="chitarrella": RedisStore(client, prefix)
        return
    url = empty(store_servers().url(store_kind))
    opened: list[RedisStore] = []

    def open_one(prefix: str = "chitarrella") -> RedisStore:
        made = RedisStore(connect(url), prefix)
        opened.append(loop_store(made) if store_kind.endswith(ON_LOOP) else made)
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()


@pytest.fixture
def raw_client(open_store: OpenStore, store_kind: str) -> Any:
    """A client that sees the keys of the stores that ``open_store`` opens."""
    if store_kind == IN_PROCESS:
        return open_store().connection.client
    return connected_to(store_servers().url(store_kind))


@pytest.fixture
def url() -> str:
    """Where an empty Valkey listens, for tests that do not depend on the kind of the store."""
    return empty(store_servers().url("valkey-9"))


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    store = RedisStore(connect(url))
    yield store
    store.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Valkey for this test alone, to be stopped and killed; it writes every change to the disk at once."""
    server = Server(binary(), tmp_path, *KEEPING, "--appendfsync", "always")
    yield server
    server.kill()


@pytest.fixture
def proxy(server: Server) -> Iterator[FaultProxy]:
    """A line to that server which can be cut, lose replies, and show what waits for an answer."""
    with closing(FaultProxy(server)) as made:
        yield made


@pytest.fixture
def service(store: RedisStore) -> MatchService:
    return MatchService(CATALOGUE, store)


@pytest.fixture
def other(url: str) -> Iterator[MatchService]:
    second = connect_service(url)
    yield second.service
    second.store.close()


@pytest.fixture
def worker_a(url: str) -> Iterator[Worker]:
    with running_worker(url) as worker:
        yield worker


@pytest.fixture
def worker_b(url: str) -> Iterator[Worker]:
    with running_worker(url) as worker:
        yield worker


@contextmanager
def starting(home: Path) -> Iterator[StartService]:
    """Start service processes with their data below ``home``; none of them outlives the block."""
    started: list[Service] = []

    def start(*flags: str, folder: str = "a", **how: Any) -> Service:
        started.append(Service(home / folder, *flags, **{"forked": True, **how}))
        return started[-1]

    yield start
    for service in started:
        service.clear_away()


@pytest.fixture
def start_service(tmp_path: Path) -> Iterator[StartService]:
    with starting(tmp_path) as start:
        yield start


@pytest.fixture(scope="module")
def start_shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartService]:
    with starting(tmp_path_factory.mktemp("shared")) as start:
        yield start


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(binary(), tmp_path_factory.mktemp("v"))
    yield server
    server.kill()


@pytest.fixture
def clock_ms(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time that the match service reads, in milliseconds; a test sets it."""
    now = [1_000_000]
    modules = chitarrella.matches
    for module in (modules.log_writer, modules.clock, modules.scheduler, modules.service):
        monkeypatch.setattr(module, "now_ms", lambda: now[0])
    return now
