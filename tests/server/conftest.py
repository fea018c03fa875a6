"""The fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from tests.stores import server, start_service, url

__all__ = ["server", "start_service", "url"]
