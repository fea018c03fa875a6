"""The fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.certificates import Authority
from tests.stores import server, start_service, store, url

__all__ = ["server", "start_service", "store", "url"]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The files of a certificate."""
    return Authority(tmp_path / "tls")
