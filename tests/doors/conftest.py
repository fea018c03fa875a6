"""The whole service on an embedded Valkey, with the REST door open on a port of the loopback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from chitarrella.api.api import Api
from chitarrella.api.catalogue import CatalogueApi
from chitarrella.api.matches import MatchApi
from chitarrella.api.rules import RulesApi
from chitarrella.botplay import choose
from chitarrella.catalogue import Catalogue
from chitarrella.embedded import EmbeddedValkey
from chitarrella.hub import Hub
from chitarrella.observation import Observation
from chitarrella.redis_store import RedisStore, connect
from chitarrella.referee import Referee
from chitarrella.rest.door import make_app
from chitarrella.steward import Steward
from chitarrella.worker import bound, serving
from tests.doors.every import DOORS, Door, through

HEARTBEAT = 0.4


class House(NamedTuple):
    """The parts of a worker, wired as the worker does it."""

    store: RedisStore
    hub: Hub
    api: Api


def furnished(url: str, prefix: str = "chitarrella") -> House:
    """Wire the parts on the store at ``url``."""
    store, catalogue = RedisStore(connect(url), prefix), Catalogue()
    referee = Referee(catalogue, store)
    hub = Hub(referee)
    return House(
        store, hub, Api(CatalogueApi(catalogue), RulesApi(catalogue), MatchApi(referee, Steward(referee, choose), hub))
    )


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """A real store."""
    server = EmbeddedValkey(tmp_path_factory.mktemp("v"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def house(valkey: EmbeddedValkey) -> Iterator[House]:
    """The service behind the doors."""
    made = furnished(valkey.url)
    yield made
    made.hub.close()
    made.store.close()


@contextmanager
def opened(house: House, **how: Any) -> Iterator[str]:
    """Open a REST door for as long as the block lasts, and say where it listens."""
    observation = Observation(watchers=house.hub.count)
    app = make_app(house.api, observation, ready=house.store.ping, heartbeat=HEARTBEAT, **how)
    sock = bound("127.0.0.1:0", share=False)
    with serving(app, sock):
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"


@pytest.fixture(scope="session")
def rest(house: House) -> Iterator[str]:
    """Where the REST door listens."""
    with opened(house) as url:
        yield url


@pytest.fixture(scope="module", params=DOORS)
def door(request: pytest.FixtureRequest, house: House, rest: str) -> Iterator[Door]:
    """Each door in turn."""
    with through(request.param, house, rest) as opened:
        yield opened
