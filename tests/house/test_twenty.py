"""Twenty at one table: a game of exchange runs to its prize, and everybody hears what is theirs to know and no more."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from random import Random
from typing import Any, NamedTuple

import grpc
import pytest

from chitarrella.game import AnyGame, Position, play, told
from chitarrella.record import read_record
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella.wire import event_message, view_message
from chitarrella.words import Event, Eyes
from tests.house.service import Serve
from tests.house.table import CATALOGUE

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

    def hears(self) -> list[table_pb2.Event]:
        """Watch from the first card to the end of the match; gives all that was told."""
        stream = self.stub.WatchMatch(pb.WatchMatchRequest(match=self.match), timeout=SECONDS, **self.how)
        return [event for moved in stream for event in moved.events]

    def looks(self) -> pb.GetMatchResponse:
        """Look at the table."""
        seen: pb.GetMatchResponse = self.stub.GetMatch(
            pb.GetMatchRequest(match=self.match), timeout=SECONDS, **self.how
        )
        return seen

    def moves(self, rng: Random) -> bool:
        """Make any of the own moves; tells whether there was one."""
        may = self.stub.ListMatchMoves(pb.ListMatchMovesRequest(match=self.match), timeout=SECONDS, **self.how)
        if not may.moves:
            return False
        wish = pb.PlayMoveRequest(match=self.match, move=rng.choice(list(may.moves)), expected_revision=may.revision)
        assert self.stub.PlayMove(wish, timeout=SECONDS, **self.how).accepted
        return True


class Look(NamedTuple):
    """What a seat saw at a revision."""

    seat: int
    seen: pb.GetMatchResponse


@pytest.mark.parametrize("key", ["cucu", "lu-stu"])
def test_twenty_watch_a_game_to_its_prize(serve: Serve, key: str) -> None:
    """Each of twenty, with a key of its own, hears and sees its own cards and the open ones, and never another."""
    address, rng = serve().grpc, Random(20)
    with grpc.insecure_channel(address) as channel:
        agreed = table_pb2.Agreement(game=key, players=SEATS, options={"tokens": "1"})
        made = MatchServiceStub(channel).CreateMatch(pb.CreateMatchRequest(agreement=agreed), timeout=SECONDS)
    seats = [Client(address, made.match, one.key) for one in made.seat_keys]
    public, referee = Client(address, made.match), Client(address, made.match, made.referee_key)
    with ThreadPoolExecutor(SEATS + 2) as readers:
        heard: dict[Eyes, Future[list[table_pb2.Event]]] = {
            eyes: readers.submit(client.hears) for eyes, client in enumerate(seats)
        }
        heard[None] = readers.submit(public.hears)
        looks: list[Look] = []
        while (view := public.looks().view).waiting == table_pb2.WAITING_SEAT:
            assert seats[view.turn].moves(rng)
            for seat in rng.sample(range(SEATS), 2):
                looks.append(Look(seat, seats[seat].looks()))
        stories = {eyes: reading.result(SECONDS) for eyes, reading in heard.items()}
    assert 1 == len(view.outcome.winners)
    record = referee.stub.GetRecord(pb.GetRecordRequest(match=made.match), timeout=SECONDS, **referee.how).record
    for client in (*seats, public, referee):
        client.channel.close()
    game, positions, events = replayed(record)
    for eyes, story in stories.items():
        assert [event_message(one) for event in events if (one := told(event, eyes))] == story
        keeps_secrets(eyes, story)
    for look in looks:
        assert view_message(game, positions[look.seen.revision], look.seat) == look.seen.view
    assert "prize" in {event.kind for event in stories[None]}


def replayed(record: str) -> tuple[AnyGame, list[Position], list[Event]]:
    """Play a record again: the last position of each revision, and all that happened."""
    read = read_record(CATALOGUE, record)
    game = CATALOGUE.seat(read.agreement)
    positions: list[Position] = [game.start()]
    events: list[Event] = []
    for actor, move in read.moves:
        p, happened = play(game, positions[-1], actor, move)
        positions.append(p)
        events += happened
    return game, positions, events


def keeps_secrets(eyes: Eyes, story: list[table_pb2.Event]) -> None:
    """Check that nobody was shown a card that is not his, nor open to all."""
    for event in story:
        if event.kind in OWN:
            mine = event.seat == eyes
        elif event.kind in BETWEEN_TWO:
            mine = eyes in (event.seat, event.other)
        else:
            assert not event.cards or event.kind in OPEN
            continue
        assert bool(event.cards) == mine
        assert bool(event.hidden) != mine
