"""The whole service on an embedded Valkey, with all transports on ports of the loopback."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

import pytest

from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from chitarrella.api.call_threads import AsyncCalls
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.hosting import MatchHost
from chitarrella.catalogue.registry import Catalogue
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import PlatformHub, WatchHub
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.runtime.threads import BoundedExecutor
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.pipelined_client import run_long, run_on_loop
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.transports.inprocess import Service
from chitarrella.transports.rest.app import HttpApp, make_app
from chitarrella.transports.rest.middleware import Cors
from chitarrella.transports.rest.website.website import add_website
from tests.transports.all_transports import InTurn, OverGrpcWeb, Transport, WithoutTransport, callers, served
from tests.transports.rest_client import Rest, running_http

HEARTBEAT = 0.4


@pytest.fixture(scope="module")
def ask() -> Iterator[WithoutTransport]:
    one = Service()
    yield WithoutTransport(one.dispatcher)
    one.close()


class WiredService(NamedTuple):
    store: RedisStore
    hub: WatchHub
    platform_hub: PlatformHub
    api: Dispatcher
    calls: AsyncCalls
    catalogue: Catalogue


def wire_service(
    url: str, prefix: str = "chitarrella", api_keys: ApiKeys | None = None, catalogue: Catalogue | None = None
) -> WiredService:
    """Wire the parts on the store at ``url``; without ``api_keys`` everybody may call."""
    store, catalogue = RedisStore(connect(url), prefix), catalogue or Catalogue()
    host = MatchHost(MatchService(catalogue, store, run_long=run_long))
    api, calls = host.dispatcher(api_keys=api_keys, sandbox=True), AsyncCalls(BoundedExecutor(), run_on_loop)
    return WiredService(store, host.hub, host.platform_hub, api, calls, catalogue)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    server = EmbeddedValkey(tmp_path_factory.mktemp("v"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def wired(valkey: EmbeddedValkey) -> Iterator[WiredService]:
    made = wire_service(valkey.url)
    yield made
    made.hub.close()
    made.store.close()


@contextmanager
def opened(wired: WiredService, *, trusted_proxies: int = 0, cors: Cors | None = None, **how: Any) -> Iterator[str]:
    """Serve REST for as long as the block lasts; gives its URL."""
    observation = Telemetry()
    observation.gauge("watchers", "Open watches of matches.", wired.hub.count)
    app = make_app(wired.api, observation, partial(add_website, wired.catalogue), ready=wired.store.probe, **how)
    how_called: Any = {"calls": wired.calls, "heartbeat": HEARTBEAT, "trusted_proxies": trusted_proxies}
    http_app = HttpApp(app, wired.api, observation.request, cors=cors, **how_called)
    with running_http(http_app) as url:
        yield url


@pytest.fixture(scope="session")
def rest(wired: WiredService) -> Iterator[str]:
    with opened(wired) as url:
        yield url


@pytest.fixture
def curl(rest: str) -> Rest:
    return Rest(rest)


@pytest.fixture(scope="session")
def transports(wired: WiredService, rest: str) -> Iterator[Sequence[Transport]]:
    with served(wired, rest) as addresses, callers(addresses) as (opened,), closing(OverGrpcWeb(rest)) as web:
        yield [*opened.each, web]


@pytest.fixture
def transport(transports: Sequence[Transport], request: pytest.FixtureRequest) -> Transport:
    """The transports in turn; with which a test begins depends on its name."""
    first = crc32(request.node.name.encode()) % len(transports)
    return InTurn([*transports[first:], *transports[:first]])


# ---------------------------------------------------------------------- platforms

ACME, CLUB, READER = "the-key-of-acme", "the-key-of-the-club", "a-key-for-the-catalogue"
LINES = f"acme all {digest_of(ACME)}\nclub all {digest_of(CLUB)}\nreader catalogue {digest_of(READER)}"


class Platforms(NamedTuple):
    """A service that only platforms may call, where it listens, and the calls of two of them."""

    wired: WiredService
    grpc: str
    rest: str
    acme: InTurn
    club: InTurn


@pytest.fixture(scope="module")
def platforms(valkey: EmbeddedValkey, request: pytest.FixtureRequest) -> Iterator[Platforms]:
    wired = wire_service(valkey.url, request.node.name, ApiKeys(parse_api_keys(LINES)))
    with opened(wired) as rest, served(wired, rest) as addresses, callers(addresses, ACME, CLUB) as (acme, club):
        yield Platforms(wired, *addresses, acme, club)
    wired.hub.close()
    wired.platform_hub.close()
    wired.store.close()
