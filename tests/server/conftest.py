"""The fixtures of `tests.stores` that these tests use."""

from tests.stores import server, start_service, start_shared, store, url, valkey

__all__ = ["server", "start_service", "start_shared", "store", "url", "valkey"]
