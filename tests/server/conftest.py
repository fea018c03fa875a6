"""The fixtures of `tests.stores` that these tests use."""

from tests.stores import proxy, server, start_service, start_shared, store, url, valkey

__all__ = ["proxy", "server", "start_service", "start_shared", "store", "url", "valkey"]
