"""A webhook that receives, and the fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.stores import open_store, pytest_generate_tests, raw_client, start_service
from tests.webhooks.receiver import Endpoint

__all__ = ["open_store", "pytest_generate_tests", "raw_client", "start_service"]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    """A webhook that works, until it is told otherwise."""
    made = Endpoint()
    yield made
    made.close()
