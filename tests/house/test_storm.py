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

from chitarrella.chronicle import Chronicle, Cursor, Ears, write_entry
from chitarrella.record import Record, read_record
from chitarrella.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.wire import told_message
from chitarrella.words import REFEREE, Eyes
from chitarrella_client import Chitarrella
from tests.house import storm_seats as seats
from tests.house import storm_watchers as watchers
from tests.house.storm import KILLED_LATE, House, Weather
from tests.house.storm_seats import Note, plays, read_event
from tests.house.storm_watchers import Watcher
from tests.house.table import CATALOGUE
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
def houses(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Iterator[list[House]]:
    """The services, each behind a wire of its own."""
    shape, rng = request.param, Random(SEED)
    made: list[House] = []
    try:
        for number in range(shape.services):
            made.append(House(tmp_path / f"{number}", server, shape.workers, rng))
        yield made
    finally:
        for house in made:
            house.clear_away()


class Match:
    """A match that was opened, with who plays and who watches it."""

    def __init__(self, houses: list[House]) -> None:
        """Open it."""
        self.grpc, self.rest = [house.grpc for house in houses], [house.rest for house in houses]
        self.client = Chitarrella(self._target(self.grpc))
        self.opened = self.client.create_match("madrasso")
        self.keys: dict[Eyes, str] = {None: "", REFEREE: self.opened.key}
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

    def watchers(self) -> list[tuple[Eyes, Watcher]]:
        """Watch through every door with all eyes, beginning at different services."""
        found: list[tuple[Eyes, Watcher]] = []
        for place, (eyes, key) in enumerate(self.keys.items()):
            turn = place % len(self.grpc)
            grpc_places, rest_places = (all_[turn:] + all_[:turn] for all_ in (self.grpc, self.rest))
            found += [
                (eyes, watchers.OverGrpc(grpc_places, self.opened.id, key)),
                (eyes, watchers.OverEvents(rest_places, self.opened.id, key)),
                (eyes, watchers.OverConnect(rest_places[::-1], self.opened.id, key)),
            ]
        return found


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("houses", [APART, TOGETHER], ids=["two services", "two workers"], indirect=True)
def test_a_match_in_a_storm(houses: list[House], server: Server) -> None:
    """While lines are cut and workers killed, every accepted move is in the record once, and every watcher has it."""
    rng = Random(SEED)
    weather = Weather(houses, rng)
    struck: Counter[str] = Counter()
    while not weather.was_a_storm:  # a side that takes all the tricks of a deal has won, and another match is begun
        struck += played_and_watched(Match(houses), weather, rng, server)
    assert struck["moves"] >= 100
    assert struck["called again"] >= 1
    assert struck["repeated"] >= weather.seen[KILLED_LATE]
    assert struck["cut off"] >= (WATCHERS if len(houses) > 1 else 1)


def played_and_watched(match: Match, weather: Weather, rng: Random, server: Server) -> Counter[str]:
    """Let four play a match to its end and many watch it, and check all that they were told; gives how they fared."""
    sitting, watching = match.seats(), match.watchers()
    over = threading.Event()
    with ThreadPoolExecutor(len(sitting) + len(watching)) as threads:
        reading = [(eyes, threads.submit(watcher.watches)) for eyes, watcher in watching]
        try:
            playing = [threads.submit(plays, seat, over, Random(rng.random())) for seat in sitting]
            storm(match, weather, rng, playing)
        finally:
            over.set()
            match.opened.end()  # where somebody has failed, nobody is to wait for the end any longer
        notes = [one.result(SECONDS) for one in playing]
        heard = [(eyes, one.result(SECONDS)) for eyes, one in reading]
    record = read_record(CATALOGUE, match.opened.record())
    check_notes(record, notes)
    check_store(server, match, record)
    check_logs(match, record, heard)
    match.client.close()
    return Counter(
        {
            "moves": sum(map(len, notes)),
            "repeated": sum(note.repeated for noted in notes for note in noted),
            "called again": sum(seat.retries for seat in sitting),
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
    lines = [write_entry(actor, move) for actor, move in record.moves]
    assert {place: line for place, line in enumerate(lines) if not line.startswith("table ")} == made
    for seat, noted in enumerate(notes):
        story = dict(enumerate(retold(record, seat)))
        for note in noted:
            told = [event for place in range(note.revision, note.after) for event in story[place].events]
            assert tuple(map(read_event, told)) == note.events


def check_store(server: Server, match: Match, record: Record) -> None:
    """Check that the log in the store has the moves of the record, and nothing besides."""
    store = RedisStore(connect(server.url))
    assert [write_entry(actor, move) for actor, move in record.moves] == store.moves(match.opened.id)
    store.close()


def check_logs(match: Match, record: Record, heard: list[tuple[Eyes, list[pb.WatchMatchResponse]]]) -> None:
    """Check that every watcher heard what the record tells those eyes, and that the service lists just that."""
    expected = {eyes: retold(record, eyes) for eyes in match.keys}
    for eyes, log in heard:
        assert expected[eyes] == log
    with grpc.insecure_channel(match.grpc[0]) as channel:
        for eyes, key in match.keys.items():
            assert expected[eyes] == listed(MatchServiceStub(channel), match.opened.id, key)


def retold(record: Record, eyes: Eyes) -> list[pb.WatchMatchResponse]:
    """Play the record again, by the rules, and tell it to those eyes."""
    chronicle = Chronicle(CATALOGUE.seat(record.agreement), record.position)
    ears = Ears(eyes, Cursor())
    lines = [write_entry(actor, move) for actor, move in record.moves]
    story = [ears.hear(revision, events) for revision, events in chronicle.go_on(lines)]
    assert chronicle.game.over(chronicle.position)
    return [told_message(told) for told in story if told is not None]


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
