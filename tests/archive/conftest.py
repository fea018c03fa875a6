"""The fixtures that these tests use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.archive.s3_server import S3Server
from tests.stores import start_service, store, url

__all__ = ["start_service", "store", "url"]


@pytest.fixture
def s3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """An S3-compatible server with an empty bucket, which this process reaches."""
    made = S3Server(tmp_path / "s3")
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    yield made
    made.kill()
