"""The fixtures of `tests.stores` that these tests use, and the store that a backup is made of."""

from collections.abc import Iterator

import pytest

from chitarrella.storage.redis_store import RedisStore, connect
from tests.servers import Server
from tests.stores import open_store, proxy, pytest_generate_tests, raw_client, server, store, url

__all__ = ["open_store", "proxy", "pytest_generate_tests", "raw_client", "server", "store", "url"]


@pytest.fixture
def source(server: Server) -> Iterator[RedisStore]:
    """An empty store on a Valkey of its own, which a backup is made of."""
    store = RedisStore(connect(server.url))
    yield store
    store.close()
