"""The fixtures of `tests.stores` that these tests use."""

from tests.stores import server, start_service, store, url

__all__ = ["server", "start_service", "store", "url"]
