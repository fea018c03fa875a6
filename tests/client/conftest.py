"""A real service, a way to it that can be cut, the two faces of the client, and matches played at random."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from chitarrella_client import Chitarrella, Match, MoveResult
from tests.client.aio_as_blocking import Loop, blocking
from tests.client.proxy import Proxy
from tests.server.process import Service

Opens: TypeAlias = Callable[..., Chitarrella]
"""Opens a client; takes what `Chitarrella` takes, and the service's address if none is given."""


def serve(folder: Path, *flags: str) -> Service:
    """Start a service that says often that nothing has changed."""
    return Service(folder, "--heartbeat", "0.2", "--log-level", "error", *flags, forked=True)


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    running = serve(tmp_path_factory.mktemp("service"))
    yield running
    running.clear_away()


@pytest.fixture
def proxy(service: Service) -> Iterator[Proxy]:
    """A way to the service that can be cut."""
    made = Proxy(service.grpc)
    yield made
    made.close()


@pytest.fixture(params=["threads", "asyncio"])
def opens(request: pytest.FixtureRequest, service: Service) -> Iterator[Opens]:
    """Opens clients, with the one face and with the other."""
    opened: list[Any] = []
    loop = Loop() if request.param == "asyncio" else None

    def opening(address: str = service.grpc, *arguments: Any, **named: Any) -> Any:
        client = blocking(loop, address, *arguments, **named) if loop else Chitarrella(address, *arguments, **named)
        opened.append(client)
        return client

    yield opening
    for client in opened:
        client.close()
    if loop:
        loop.stop()


@pytest.fixture
def client(opens: Opens) -> Chitarrella:
    return opens()


@pytest.fixture
def opens_through(opens: Opens, proxy: Proxy) -> Opens:
    return partial(opens, proxy.address)


# ---------------------------------------------------------------------- random moves

MOST_MOVES = 600  # at most so many moves of a match are played; then the referee aborts it


def step(match: Match, rng: Random) -> MoveResult | None:
    """Play a random legal move, as text, for the seat to move; None if nobody is to move."""
    moves = match.legal_moves()
    if moves.seat is None:
        return None
    return match.as_seat(moves.seat).play_or_raise(str(rng.choice(moves.moves)), moves.revision)


def play_out(match: Match, rng: Random) -> int:
    """Play until the match is finished, or aborted after `MOST_MOVES`; return the number of moves."""
    for made in range(MOST_MOVES):
        if step(match, rng) is None:
            return made
    match.abort()
    return MOST_MOVES
