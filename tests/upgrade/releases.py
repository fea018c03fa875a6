"""A service of this release and one of the release before it, which is built first, as processes on one store."""

from __future__ import annotations

import signal
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from tests.server.process import Player, Service
from tests.servers import locked

ROOT = Path(__file__).parents[2]
COMMIT = (Path(__file__).parent / "previous-commit").read_text().strip()
FOLDER = ROOT / "build" / "upgrade"
"""Where releases are built; what is there is not built again."""


def previous_python() -> Path:
    """The Python of an environment in which the previous release is installed; skips the test without its commit."""
    home = FOLDER / COMMIT
    python = home / "venv" / "bin" / "python"
    with locked("upgrade"):
        if not (home / "installed").exists():
            _extract(home / "source")
            _install(home)
            (home / "installed").touch()
    return python


def _extract(source: Path) -> None:
    """Write the files of the commit."""
    archive = subprocess.run(["git", "-C", str(ROOT), "archive", COMMIT], capture_output=True, check=False)
    if archive.returncode:
        pytest.skip("previous-commit: the commit is not in this clone, which may be a shallow one")
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
        files.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)  # not before 3.11.4
        files.extractall(source)


def _install(home: Path) -> None:
    """Build the wheel of the commit, and install it with what its lock file names."""
    source, venv = home / "source", home / "venv"
    pip = (sys.executable, "-m", "pip", "--python", str(venv), "install", "--quiet")
    for command in (
        (sys.executable, "-m", "venv", "--clear", "--without-pip", str(venv)),
        (*pip, "--require-hashes", "-r", str(source / "deploy" / "requirements.lock")),
    ):
        subprocess.run(command, check=True, capture_output=True)
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home))
    for project in filter(Path.is_dir, (source, source / "cards")):
        subprocess.run(build, cwd=project, check=True, capture_output=True)
    subprocess.run((*pip, "--no-deps", *map(str, home.glob("*.whl"))), check=True, capture_output=True)


OLD, NEW = 0, 1
"""The places of the release before this one, and of this one."""
FROM_EITHER = pytest.mark.parametrize("first", [OLD, NEW], ids=["old", "new"])
"""Runs a test for what the one release begins and the other goes on with, and the other way round."""


class Releases:
    """A store with a service of each release on it."""

    def __init__(self, folder: Path, *flags: str) -> None:
        """Start all; the services with the same ``flags``."""
        self._folder = folder
        self._pythons = previous_python(), Path(sys.executable)
        self.embedded = EmbeddedValkey(folder / "store")
        self._flags = ("--redis-url", self.embedded.url, *flags)
        self.services = [self._start(OLD), self._start(NEW)]
        self.store = RedisStore(connect(self.embedded.url))

    def _start(self, place: int) -> Service:
        return Service(self._folder / str(place), *self._flags, python=self._pythons[place])

    @property
    def old(self) -> str:
        """Where the service of the release before listens for gRPC."""
        return self.services[OLD].grpc

    @property
    def new(self) -> str:
        """Where the service of this release listens for gRPC."""
        return self.services[NEW].grpc

    @property
    def client(self) -> Any:
        """A client of the server that has the store."""
        return self.store.connection.client

    def row(self, match: str) -> str:
        """The key of a match in the store."""
        return self.store.connection.key(f"{{{match}}}")

    @contextmanager
    def stopped(self, place: int) -> Iterator[None]:
        """End a service by SIGTERM, and start it again after the block, on other ports."""
        self.services[place].stop()
        try:
            yield
        finally:
            self.services[place] = self._start(place)

    @contextmanager
    def paused(self, place: int) -> Iterator[None]:
        """Stop the process of a service at once by SIGSTOP, and continue it after the block."""
        process = self.services[place].process
        process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        """Stop everything."""
        self.store.close()
        for service in self.services:
            service.clear_away()
        self.embedded.stop()


def close(*players: Player) -> None:
    """Close the channels."""
    for player in players:
        player.close()


def play_alternately(players: tuple[Player, Player], moves: int) -> None:
    """Play move by move at both releases, and check that both have reached the same revision."""
    for number in range(moves):
        revision = players[number % 2].play()
        assert [revision] * 2 == [player.get_match().revision for player in players]


def history(player: Player) -> list[pb.WatchMatchResponse]:
    """The events of each move, as the referee may see them."""
    asked = pb.ListEventsRequest(match_id=player.match_id)
    return list(player.stub.ListEvents(asked, metadata=player.key(), timeout=10).moves)
