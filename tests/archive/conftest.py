"""The fixtures that these tests use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive.s3_server import S3Server
from tests.stores import start_service, store, url

__all__ = ["start_service", "store", "url"]


@pytest.fixture
def s3(tmp_path: Path) -> Iterator[S3Server]:
    """An S3-compatible server with an empty bucket."""
    made = S3Server(tmp_path / "s3")
    yield made
    made.kill()


@pytest.fixture
def s3_environment(s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables by which this process reaches the server."""
    for name, value in s3.environment.items():
        monkeypatch.setenv(name, value)
