"""Matches played while faults are injected: no accepted move is lost or doubled, and every watcher gets every event."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest

from chitarrella.api.streams import update_message
from chitarrella.catalogue.record import Record, parse_record
from chitarrella.core.model import REFEREE, Viewer
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed, format_entry
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client import Chitarrella
from lab.chaos import players, watchers
from lab.chaos.deployments import DROPPED, KILLED_AFTER, KILLED_BEFORE, LOST, FaultInjector, ProxiedService
from lab.chaos.players import PlayedMove, Progress, play_match, read_event
from lab.chaos.watchers import Watcher
from tests.matches.playing import CATALOGUE
from tests.servers import Server

SEED = int(os.environ.get("CHAOS_SEED", "777"))
OPTIONS = {"min_deals": 4, "target": 1}
"""Four deals of Madrasso: 160 moves, or a few more."""
MATCHES_PER_ROUND = 2
"""At most so many matches: while a killed service restarts, another may play the match to its end."""
MOVES = 100
"""At least so many moves, in further matches if a side ends one early by taking every trick."""
MOVES_BETWEEN = (1, 4)
"""The least and the greatest number of moves between one fault and the next."""
SECONDS = 60
WATCHERS = 3 * (4 + 2)
"""Four seats, the public and the referee, over three transports."""


class Deployment(NamedTuple):
    """How many services there are, and how many workers each has."""

    services: int
    workers: int


@pytest.fixture
def services(request: pytest.FixtureRequest, tmp_path: Path, server: Server) -> Iterator[list[ProxiedService]]:
    """Services on one store, each behind its own proxy."""
    deployment: Deployment = request.param
    with ExitStack() as stack:
        yield [
            stack.enter_context(closing(ProxiedService(tmp_path / f"{number}", server, deployment.workers)))
            for number in range(deployment.services)
        ]


class Match:
    """A new match, and the clients that play and watch it."""

    def __init__(self, services: list[ProxiedService]) -> None:
        """Create the match."""
        self.services = services
        self.grpc, self.rest = [service.grpc for service in services], [service.rest for service in services]
        self.client = Chitarrella(self._target(self.grpc))
        self.created = self.client.create_match("madrasso", options=OPTIONS)
        self.keys: dict[Viewer, str] = {None: "", REFEREE: self.created.key}
        self.keys |= dict(self.created.keys.items())

    @staticmethod
    def _target(addresses: list[str]) -> str:
        return f"ipv4:{','.join(addresses)}"

    def is_over(self) -> bool:
        """Whether the match has an outcome."""
        return bool(self.created.get().view.outcome)

    def seats(self) -> list[players.SeatClient]:
        """A client for each seat, each over another transport."""
        match, keys = self.created.id, self.created.keys
        return [
            players.GrpcSeat(self._target(self.grpc), match, keys[0]),
            players.RestSeat(self.rest, match, keys[1]),
            players.ConnectSeat(self.rest[::-1], match, keys[2]),
            players.AsyncSeat(self._target(self.grpc[::-1]), match, keys[3]),
        ]

    def watchers(self) -> list[tuple[Viewer, Watcher]]:
        """A watcher for each viewer over each transport; they begin at different services."""
        found: list[tuple[Viewer, Watcher]] = []
        for place, (viewer, key) in enumerate(self.keys.items()):
            turn = place % len(self.grpc)
            grpc_addresses, rest_addresses = (all_[turn:] + all_[:turn] for all_ in (self.grpc, self.rest))
            found += [
                (viewer, watchers.GrpcWatcher(grpc_addresses, self.created.id, key)),
                (viewer, watchers.SseWatcher(rest_addresses, self.created.id, key)),
                (viewer, watchers.ConnectWatcher(rest_addresses[::-1], self.created.id, key)),
            ]
        return found


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "services", [Deployment(2, 1), Deployment(1, 2)], ids=["two services", "two workers"], indirect=True
)
def test_match_survives_faults(services: list[ProxiedService], server: Server) -> None:
    """While connections are dropped and workers killed, every accepted move is in the record once, and every watcher
    has it.
    """
    rng = Random(SEED)
    injector = FaultInjector(services, rng)
    counts: Counter[str] = Counter()
    for _ in range(MATCHES_PER_ROUND * injector.rounds):
        if not injector.is_done or counts["moves"] < MOVES:
            counts += played_and_watched(Match(services), injector, rng, server)
    assert injector.is_done
    assert injector.injected[DROPPED] >= 20
    assert injector.rounds == injector.injected[LOST]
    assert injector.rounds == 2 * injector.injected[KILLED_AFTER] == 2 * injector.injected[KILLED_BEFORE]
    assert counts["moves"] >= MOVES
    assert counts["repeated"] >= injector.injected[KILLED_AFTER]
    assert counts["interruptions"] >= (WATCHERS if len(services) > 1 else 1)


def played_and_watched(match: Match, injector: FaultInjector, rng: Random, server: Server) -> Counter[str]:
    """Play a match to its end under faults, check all that players and watchers received, and count what happened."""
    seats, watching, progress = match.seats(), match.watchers(), Progress(4)
    with ThreadPoolExecutor(len(seats) + len(watching)) as threads, closing(match.client):
        try:
            reading = [(viewer, threads.submit(watcher.watch)) for viewer, watcher in watching]
            playing = [
                threads.submit(play_match, client, seat, progress, Random(rng.random()))
                for seat, client in enumerate(seats)
            ]
            inject_faults(match, injector, rng, progress, playing)
            progress.is_over.set()
            for player in playing:
                player.result(SECONDS)
            received = [(viewer, watcher.result(SECONDS)) for viewer, watcher in reading]
            record = parse_record(CATALOGUE, match.created.record())
            check_played(record, progress.played)
            check_store(server, match, record)
            check_received(match, record, received)
        except BaseException:  # a timeout too: no thread may wait for a match that does not go on
            progress.is_over.set()
            for _, watcher in watching:
                watcher.stopped = True
            for service in match.services:
                service.close()
            raise
    return Counter(
        {
            "moves": progress.count,
            "repeated": sum(move.repeated for played in progress.played for move in played),
            "interruptions": sum(watcher.interruptions for _, watcher in watching),
        }
    )


def inject_faults(
    match: Match, injector: FaultInjector, rng: Random, progress: Progress, playing: list[Future[None]]
) -> None:
    """Inject faults with some moves in between until the match is over or a player has failed."""

    def is_over() -> bool:
        return any(player.done() for player in playing) or match.is_over()

    next_fault = 0
    while not is_over():
        if progress.wait_for(next_fault, 0.1) and not injector.is_done:
            injector.inject(is_over)
            next_fault = progress.count + rng.randint(*MOVES_BETWEEN)
        elif injector.is_done:
            progress.wait_for(progress.count + 4, 0.2)


def check_played(record: Record, played: list[list[PlayedMove]]) -> None:
    """Check that the record holds the moves that the seats had accepted, each once, and that the answers were right."""
    moves = [move for by_seat in played for move in by_seat]
    assert all(move.accepted for move in moves)
    made = {move.revision: f"{seat} {move.move}" for seat, by_seat in enumerate(played) for move in by_seat}
    assert len(made) == len(moves), "two moves were accepted at one revision"
    lines = [format_entry(actor, move) for actor, move in record.moves]
    assert {place: line for place, line in enumerate(lines) if not line.startswith("table ")} == made
    for seat, by_seat in enumerate(played):
        history = dict(enumerate(replayed(record, seat)))
        for move in by_seat:
            events = [event for place in range(move.revision, move.after) for event in history[place].events]
            assert tuple(map(read_event, events)) == move.events


def check_store(server: Server, match: Match, record: Record) -> None:
    """Check that the log in the store has the moves of the record, and no others."""
    with closing(RedisStore(connect(server.url))) as store:
        assert [format_entry(actor, move) for actor, move in record.moves] == store.matches.read_log(match.created.id)


def check_received(match: Match, record: Record, received: list[tuple[Viewer, list[pb.WatchMatchResponse]]]) -> None:
    """Check that every watcher received what the record shows its viewer, and that the service lists the same."""
    expected = {viewer: replayed(record, viewer) for viewer in match.keys}
    for viewer, updates in received:
        assert expected[viewer] == updates
    with grpc.insecure_channel(match.grpc[0]) as channel:
        for viewer, key in match.keys.items():
            assert expected[viewer] == listed(MatchServiceStub(channel), match.created.id, key)


def replayed(record: Record, viewer: Viewer) -> list[pb.WatchMatchResponse]:
    """Replay the record by the rules, and return the updates of that viewer."""
    history = MatchHistory(CATALOGUE.game_for(record.rule_set), record.position)
    feed = ViewerFeed(viewer, Cursor())
    lines = [format_entry(actor, move) for actor, move in record.moves]
    updates = [feed.next_update(revision, events) for revision, events in history.replay(lines)]
    assert history.game.is_finished(history.position)
    return [update_message(update) for update in updates if update is not None]


def listed(stub: Any, match: str, key: str) -> list[pb.WatchMatchResponse]:
    """List all events, page by page."""
    metadata = (("authorization", f"Bearer {key}"),) if key else ()
    found: list[pb.WatchMatchResponse] = []
    more, cursor = True, ""
    while more:
        page = stub.ListEvents(pb.ListEventsRequest(match_id=match, cursor=cursor), metadata=metadata, timeout=10)
        found += page.moves
        cursor, more = page.cursor, page.has_more
    return found
