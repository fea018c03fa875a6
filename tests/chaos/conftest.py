"""The fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from tests.stores import server

__all__ = ["server"]
