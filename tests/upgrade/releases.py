"""A service of this release and one of the release before it, as processes on one store."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from tests.server.process import Player, Service
from tests.upgrade.previous_release import previous_python

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
