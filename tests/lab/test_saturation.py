"""Laws of the drive of a store until it can do no more."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from chitarrella.storage.embedded_valkey import binary
from lab.bench import saturation
from lab.bench.connections import LoadFailed
from lab.bench.saturation import Recording, recordings
from lab.bench.store import running_store
from tests.servers import Server


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """The commands of a few matches."""
    with running_store(tmp_path_factory.mktemp("s")) as store:
        return list(islice(recordings(store), 4))


def test_every_move_of_every_copy_is_kept(
    known: list[Recording], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Copies of recorded matches are played to their end; what the store refuses fails the measurement."""
    monkeypatch.setattr(saturation, "COPIES", 3)
    server = Server(binary(), tmp_path / "store", "--save", "")
    try:
        most = saturation._driven("one", [server], known, 2, lambda _: 0)
        logs = [key for key in server.ask("KEYS", "*") if key.endswith(":log")]
        assert [41] * 12 == [server.ask("LLEN", key) for key in logs]
        assert most.moves > 0 < most.cost
        with saturation._connected(server) as sock:
            sock.sendall(known[0].moves[0])  # its match was never created here
            with pytest.raises(LoadFailed, match="the store answers"):
                saturation._answers(sock, 1, saturation.KEPT)
    finally:
        server.kill()
