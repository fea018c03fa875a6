"""The fixtures of `tests.stores` that these tests use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.certificates import Authority
from tests.server.otlp_receiver import Receiver
from tests.stores import server, start_service, store, url

__all__ = ["server", "start_service", "store", "url"]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The files of a certificate."""
    return Authority(tmp_path / "tls")


@pytest.fixture
def receiver(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver that services which are started now export to, several times a second."""
    receiver = Receiver()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    yield receiver
    receiver.stop()
