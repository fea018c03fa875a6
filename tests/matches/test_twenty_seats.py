"""Twenty at one table: an exchange game ends in its prize, and each seat receives just the events that it may know."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest

from chitarrella.api.converters import event_message, view_message
from chitarrella.catalogue.record import parse_record
from chitarrella.core.game import AnyGame, Position, play, view_for, visible_to
from chitarrella.core.model import Event, Viewer
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.matches.playing import CATALOGUE
from tests.server.process import StartService

SEATS = 20
SECONDS = 60
OWN, BETWEEN_TWO = {"deal", "draw"}, {"swap", "undo", "reverse"}
"""What shows a card to its owner alone, and what shows two cards to the two who have them."""
OPEN = {"show", "showdown"}


class Client:
    """Somebody with a line and a key of his own; without a key he is the public."""

    def __init__(self, address: str, match: str, key: str = "") -> None:
        """Call the service at ``address``."""
        self.channel = grpc.insecure_channel(address)
        self.stub: Any = MatchServiceStub(self.channel)
        self.match = match
        self.how: dict[str, Any] = {"metadata": (("authorization", f"Bearer {key}"),) if key else ()}

    def wait_for(self) -> list[table_pb2.Event]:
        """Watch from the first card to the end of the match; gives all that was told."""
        stream = self.stub.WatchMatch(pb.WatchMatchRequest(match_id=self.match), timeout=SECONDS, **self.how)
        return [event for moved in stream for event in moved.events]

    def get_match(self) -> pb.GetMatchResponse:
        """The match, as this caller sees it."""
        snapshot: pb.GetMatchResponse = self.stub.GetMatch(
            pb.GetMatchRequest(match_id=self.match), timeout=SECONDS, **self.how
        )
        return snapshot

    def moves(self, rng: Random) -> bool:
        """Make any of the own moves; tells whether there was one."""
        may = self.stub.ListMatchMoves(pb.ListMatchMovesRequest(match_id=self.match), timeout=SECONDS, **self.how)
        if not may.moves:
            return False
        request = pb.PlayMoveRequest(
            match_id=self.match, move=rng.choice(list(may.moves)), expected_revision=may.revision
        )
        assert self.stub.PlayMove(request, timeout=SECONDS, **self.how).accepted
        return True


class Seen(NamedTuple):
    """What a seat saw at a revision."""

    seat: int
    snapshot: pb.GetMatchResponse


@pytest.mark.parametrize("key", ["cucu", "lu-stu"])
def test_twenty_seats_see_only_their_cards(start_service: StartService, key: str) -> None:
    """Each of twenty seats, with a key of its own, sees its own and the open cards, and never another."""
    address, rng = start_service().grpc, Random(20)
    with grpc.insecure_channel(address) as channel:
        agreed = table_pb2.RuleSet(game_id=key, players=SEATS, options={"tokens": "1"})
        made = MatchServiceStub(channel).CreateMatch(pb.CreateMatchRequest(rule_set=agreed), timeout=SECONDS)
    seats = [Client(address, made.match_id, one.key) for one in made.seat_keys]
    public, service = Client(address, made.match_id), Client(address, made.match_id, made.referee_key)
    with ThreadPoolExecutor(SEATS + 2) as readers:
        events_by_viewer: dict[Viewer, Future[list[table_pb2.Event]]] = {
            viewer: readers.submit(client.wait_for) for viewer, client in enumerate(seats)
        }
        events_by_viewer[None] = readers.submit(public.wait_for)
        seen: list[Seen] = []
        while (view := public.get_match().view).waiting == table_pb2.WAITING_SEAT:
            assert seats[view.turn].moves(rng)
            for seat in rng.sample(range(SEATS), 2):
                seen.append(Seen(seat, seats[seat].get_match()))
        histories = {viewer: reading.result(SECONDS) for viewer, reading in events_by_viewer.items()}
    assert 1 == len(view.outcome.winners)
    record = service.stub.GetRecord(pb.GetRecordRequest(match_id=made.match_id), timeout=SECONDS, **service.how).record
    for client in (*seats, public, service):
        client.channel.close()
    game, positions, events = replayed(record)
    for viewer, history in histories.items():
        assert [event_message(one) for event in events if (one := visible_to(event, viewer))] == history
        keeps_secrets(viewer, history)
    for known in seen:
        assert view_message(view_for(game, positions[known.snapshot.revision], known.seat)) == known.snapshot.view
    assert "prize" in {event.kind for event in histories[None]}


def replayed(record: str) -> tuple[AnyGame, list[Position], list[Event]]:
    """Play a record again: the last position of each revision, and all that happened."""
    read = parse_record(CATALOGUE, record)
    game = CATALOGUE.game_for(read.rule_set)
    positions: list[Position] = [game.start()]
    events: list[Event] = []
    for actor, move in read.moves:
        p, happened = play(game, positions[-1], actor, move)
        positions.append(p)
        events += happened
    return game, positions, events


def keeps_secrets(viewer: Viewer, history: list[table_pb2.Event]) -> None:
    """Check that nobody was shown a card that is not his, nor open to all."""
    for event in history:
        if event.kind in OWN:
            mine = event.seat == viewer
        elif event.kind in BETWEEN_TWO:
            mine = viewer in (event.seat, event.other)
        else:
            assert not event.cards or event.kind in OPEN
            continue
        assert bool(event.cards) == mine
        assert bool(event.hidden) != mine
