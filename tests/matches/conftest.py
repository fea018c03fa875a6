"""The fixtures of `tests.stores` that these tests use."""

from tests.stores import clock_ms, other, proxy, server, service, start_service, store, url, worker_a, worker_b

__all__ = ["clock_ms", "other", "proxy", "server", "service", "start_service", "store", "url", "worker_a", "worker_b"]
