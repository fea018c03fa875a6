"""Every kind of store that matches may be kept in, started once and empty for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import chitarrella.referee
import chitarrella.steward
import chitarrella.timekeeper
from chitarrella.embedded import EmbeddedValkey, binary
from chitarrella.redis_store import RedisStore, connect
from chitarrella.referee import Referee
from tests.house.pages import Make
from tests.house.readers import Worker, at_work
from tests.house.service import Serve, Service
from tests.house.table import CATALOGUE, worker
from tests.servers import KEEPING, Cluster, Server, redis_7, redis_8

KINDS = ("valkey-9", "redis-8", "redis-7", "cluster")


class Rack:
    """The servers of this test process: each is started when it is first wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._urls: dict[str, str] = {}
        self._stops: list[Any] = []

    def url(self, kind: str) -> str:
        """Say where the server of that kind listens."""
        if kind not in self._urls:
            self._urls[kind], stop = self._start(kind)
            self._stops.append(stop)
        return self._urls[kind]

    def _start(self, kind: str) -> tuple[str, Any]:
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
        """Stop them all."""
        for stop in self._stops:
            stop()


@pytest.fixture(scope="session")
def rack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rack]:
    """All servers of this test process."""
    made = Rack(tmp_path_factory.mktemp("r"))
    yield made
    made.stop()


def emptied(url: str) -> str:
    """Empty a store, and give its address."""
    client: Any = connect(url)
    client.flushall()
    client.close()
    return url


@pytest.fixture(params=KINDS)
def every_url(request: pytest.FixtureRequest, rack: Rack) -> str:
    """Where an empty store listens, of every kind in turn."""
    return emptied(rack.url(request.param))


@pytest.fixture
def url(rack: Rack) -> str:
    """Where an empty Valkey listens, for what does not depend on the kind of the store."""
    return emptied(rack.url("valkey-9"))


@pytest.fixture
def store(url: str) -> Iterator[RedisStore]:
    """An empty store on Valkey."""
    made = RedisStore(connect(url))
    yield made
    made.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A Valkey of the test's own, to be stopped and killed; it has all it ever answered for on the disk."""
    made = Server(binary(), tmp_path, *KEEPING, "--appendfsync", "always")
    yield made
    made.kill()


@pytest.fixture
def make(every_url: str) -> Iterator[Make]:
    """Open one more store on the same server, of every kind in turn, as another worker does."""
    made: list[RedisStore] = []

    def one(prefix: str = "chitarrella") -> RedisStore:
        made.append(RedisStore(connect(every_url), prefix))
        return made[-1]

    yield one
    for store in made:
        store.close()


@pytest.fixture
def raw(every_url: str) -> Iterator[Any]:
    """A client that sees the keys themselves."""
    client: Any = connect(every_url)
    yield client
    client.close()


@pytest.fixture
def referee(store: RedisStore) -> Referee:
    """A referee whose store is empty."""
    return Referee(CATALOGUE, store)


@pytest.fixture
def other(url: str) -> Iterator[Referee]:
    """The referee of another worker on the same store."""
    made = worker(url)
    yield made.referee
    made.store.close()


@pytest.fixture
def here(url: str) -> Iterator[Worker]:
    """A worker."""
    with at_work(url) as made:
        yield made


@pytest.fixture
def there(url: str) -> Iterator[Worker]:
    """Another worker on the same store."""
    with at_work(url) as made:
        yield made


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start services in folders of the test's own; nothing of them is left in the end."""
    begun: list[Service] = []

    def start(*flags: str, folder: str = "a") -> Service:
        begun.append(Service(tmp_path / folder, *flags))
        return begun[-1]

    yield start
    for service in begun:
        service.clear_away()


@pytest.fixture
def hour(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The hour by which the referee goes; a test may turn its hands."""
    hands = [1_000_000]
    for module in (chitarrella.referee, chitarrella.steward, chitarrella.timekeeper):
        monkeypatch.setattr(module, "now", lambda: hands[0])
    return hands
