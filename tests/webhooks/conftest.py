"""A webhook that receives, and the fixtures of `tests.stores` that these tests use."""

from collections.abc import Iterator

import pytest

from tests.stores import start_service, store, url
from tests.webhooks.platforms import PlatformWorker, StartWorker
from tests.webhooks.receiver import Endpoint

__all__ = ["start_service", "store", "url"]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A webhook that works, until it is told otherwise."""
    made = Endpoint()
    yield made
    made.close()


@pytest.fixture
def start_worker(url: str) -> Iterator[StartWorker]:
    """Start workers on one empty store, which deliver until the end of the test."""
    started: list[PlatformWorker] = []

    def start(webhooks: str = "", *, allow_private: bool = True) -> PlatformWorker:
        started.append(PlatformWorker(url, webhooks, allow_private=allow_private))
        return started[-1]

    yield start
    for worker in started:
        worker.close()
