"""A whole match in a storm: four play it to its end over three doors, and nothing is lost, doubled or told amiss."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest

from chitarrella.api.converters import update_message
from chitarrella.catalogue.record import Record, parse_record
from chitarrella.core.visibility import REFEREE, Viewer
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed, format_entry
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client import Chitarrella
from tests.chaos import players as seats
from tests.chaos import watchers
from tests.chaos.faults import KILLED_LATE, ServiceUnderTest, Weather
from tests.chaos.players import Note, plays, read_event
from tests.chaos.watchers import Watcher
from tests.matches.playing import CATALOGUE
from tests.servers import Server

SEED = int(os.environ.get("STORM_SEED", "777"))
CALM = (0.05, 0.2)
"""Seconds between one piece of bad weather and the next."""
SECONDS = 60
WATCHERS = 3 * (4 + 2)
"""Four seats, public and referee, at three doors."""


class Shape(NamedTuple):
    """How the service is set up: how many of them, with how many workers each."""

    services: int
    workers: int


APART = Shape(2, 1)
"""Two services that share nothing but the store."""
TOGETHER = Shape(1, 2)
"""One service whose two workers share its ports, and are replaced by it."""


@pytest.fixture
def services(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Iterator[list[ServiceUnderTest]]:
    """The services, each behind a wire of its own."""
    shape, rng = request.param, Random(SEED)
    made: list[ServiceUnderTest] = []
    try:
        for number in range(shape.services):
            made.append(ServiceUnderTest(tmp_path / f"{number}", server, shape.workers, rng))
        yield made
    finally:
        for service in made:
            service.clear_away()


class Match:
    """A match that was opened, with who plays and who watches it."""

    def __init__(self, services: list[ServiceUnderTest]) -> None:
        """Open it."""
        self.grpc, self.rest = [service.grpc for service in services], [service.rest for service in services]
        self.client = Chitarrella(self._target(self.grpc))
        self.opened = self.client.create_match("madrasso")
        self.keys: dict[Viewer, str] = {None: "", REFEREE: self.opened.key}
        self.keys |= dict(self.opened.keys.items())

    @staticmethod
    def _target(addresses: list[str]) -> str:
        return f"ipv4:{','.join(addresses)}"

    def seats(self) -> list[seats.Seat]:
        """Sit down, each at a door of its own."""
        name, keys = self.opened.id, self.opened.keys
        return [
            seats.OverGrpc(self._target(self.grpc), name, keys[0]),
            seats.OverRest(self.rest, name, keys[1]),
            seats.OverConnect(self.rest[::-1], name, keys[2]),
            seats.OverAsync(self._target(self.grpc[::-1]), name, keys[3]),
        ]

    def watchers(self) -> list[tuple[Viewer, Watcher]]:
        """Watch through every door with all eyes, beginning at different services."""
        found: list[tuple[Viewer, Watcher]] = []
        for place, (viewer, key) in enumerate(self.keys.items()):
            turn = place % len(self.grpc)
            grpc_places, rest_places = (all_[turn:] + all_[:turn] for all_ in (self.grpc, self.rest))
            found += [
                (viewer, watchers.OverGrpc(grpc_places, self.opened.id, key)),
                (viewer, watchers.OverEvents(rest_places, self.opened.id, key)),
                (viewer, watchers.OverConnect(rest_places[::-1], self.opened.id, key)),
            ]
        return found


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("services", [APART, TOGETHER], ids=["two services", "two workers"], indirect=True)
def test_match_survives_faults(services: list[ServiceUnderTest], server: Server) -> None:
    """While connections are cut and workers killed, every accepted move is in the record once, and every watcher
    has it.
    """
    rng = Random(SEED)
    weather = Weather(services, rng)
    struck: Counter[str] = Counter()
    while not weather.was_a_storm:  # a side that takes all the tricks of a deal has won, and another match is begun
        struck += played_and_watched(Match(services), weather, rng, server)
    assert struck["moves"] >= 100
    assert struck["called again"] >= 1
    assert struck["repeated"] >= weather.seen[KILLED_LATE]
    assert struck["cut off"] >= (WATCHERS if len(services) > 1 else 1)


def played_and_watched(match: Match, weather: Weather, rng: Random, server: Server) -> Counter[str]:
    """Let four play a match to its end and many watch it, and check all that they were told; gives how they fared."""
    players, watching = match.seats(), match.watchers()
    over = threading.Event()
    with ThreadPoolExecutor(len(players) + len(watching)) as threads:
        reading = [(viewer, threads.submit(watcher.watches)) for viewer, watcher in watching]
        try:
            playing = [threads.submit(plays, seat, over, Random(rng.random())) for seat in players]
            storm(match, weather, rng, playing)
        finally:
            over.set()
            match.opened.end()  # where somebody has failed, nobody is to wait for the end any longer
        notes = [one.result(SECONDS) for one in playing]
        received = [(viewer, one.result(SECONDS)) for viewer, one in reading]
    record = parse_record(CATALOGUE, match.opened.record())
    check_notes(record, notes)
    check_store(server, match, record)
    check_logs(match, record, received)
    match.client.close()
    return Counter(
        {
            "moves": sum(map(len, notes)),
            "repeated": sum(note.repeated for noted in notes for note in noted),
            "called again": sum(seat.retries for seat in players),
            "cut off": sum(watcher.cuts for _, watcher in watching),
        }
    )


def storm(match: Match, weather: Weather, rng: Random, playing: list[Future[list[Note]]]) -> None:
    """Let the weather go on until the match is over, or somebody has given up."""
    calm = threading.Event()
    while not match.opened.look().view.outcome and not any(one.done() for one in playing):
        weather.gust()
        calm.wait(rng.uniform(*CALM))


def check_notes(record: Record, notes: list[list[Note]]) -> None:
    """Check that what the seats were told was accepted is what the record says, move for move, and the answers too."""
    assert all(note.accepted for noted in notes for note in noted)
    places = [note.revision for noted in notes for note in noted]
    assert len(set(places)) == len(places), "two moves were accepted at one revision"
    made = {note.revision: f"{seat} {note.move}" for seat, noted in enumerate(notes) for note in noted}
    lines = [format_entry(actor, move) for actor, move in record.moves]
    assert {place: line for place, line in enumerate(lines) if not line.startswith("table ")} == made
    for seat, noted in enumerate(notes):
        history = dict(enumerate(retold(record, seat)))
        for note in noted:
            update = [event for place in range(note.revision, note.after) for event in history[place].events]
            assert tuple(map(read_event, update)) == note.events


def check_store(server: Server, match: Match, record: Record) -> None:
    """Check that the log in the store has the moves of the record, and nothing besides."""
    store = RedisStore(connect(server.url))
    assert [format_entry(actor, move) for actor, move in record.moves] == store.matches.read_log(match.opened.id)
    store.close()


def check_logs(match: Match, record: Record, received: list[tuple[Viewer, list[pb.WatchMatchResponse]]]) -> None:
    """Check that every watcher heard what the record tells those eyes, and that the service lists just that."""
    expected = {viewer: retold(record, viewer) for viewer in match.keys}
    for viewer, log in received:
        assert expected[viewer] == log
    with grpc.insecure_channel(match.grpc[0]) as channel:
        for viewer, key in match.keys.items():
            assert expected[viewer] == listed(MatchServiceStub(channel), match.opened.id, key)


def retold(record: Record, viewer: Viewer) -> list[pb.WatchMatchResponse]:
    """Play the record again, by the rules, and tell it to those eyes."""
    history = MatchHistory(CATALOGUE.game_for(record.rule_set), record.position)
    feed = ViewerFeed(viewer, Cursor())
    lines = [format_entry(actor, move) for actor, move in record.moves]
    replayed = [feed.next_update(revision, events) for revision, events in history.replay(lines)]
    assert history.game.is_finished(history.position)
    return [update_message(update) for update in replayed if update is not None]


def listed(stub: Any, match: str, key: str) -> list[pb.WatchMatchResponse]:
    """List all that has happened, page by page."""
    metadata = (("authorization", f"Bearer {key}"),) if key else ()
    found: list[pb.WatchMatchResponse] = []
    more, cursor = True, ""
    while more:
        page = stub.ListEvents(pb.ListEventsRequest(match=match, cursor=cursor), metadata=metadata, timeout=10)
        found += page.moves
        cursor, more = page.cursor, page.more
    return found
