"""The fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from tests.stores import clock_ms, other, proxy, server, service, start_service, store, url, worker_a, worker_b

__all__ = ["clock_ms", "other", "proxy", "server", "service", "start_service", "store", "url", "worker_a", "worker_b"]
