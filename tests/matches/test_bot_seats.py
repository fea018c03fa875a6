"""Bots that hold a seat of a kept match: they move when their turn comes, once, whoever of the workers is quickest."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

import grpc
import pytest

from chitarrella import errors
from chitarrella.api.converters import event_message, view_message
from chitarrella.bots import BOTS
from chitarrella.catalogue.record import parse_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame, Position, play, seat_to_move, view_for, visible_to
from chitarrella.core.model import CHANCE, Event, Move, Seat, Viewer
from chitarrella.games.briscola import BRISCOLA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.clock import next_due, now_ms
from chitarrella.matches.metadata import BotAssignment
from chitarrella.matches.model import SHARED_PACKS, CreateMatch
from chitarrella.matches.scheduler import Scheduler
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client import Chitarrella, Match
from tests.matches.playing import CATALOGUE, SHORT, go_on, operations, play_out
from tests.server.process import StartService
from tests.servers import until
from tests.walks import defaults, name

TWO = (BotAssignment(0, "greedy"), BotAssignment(1, "random"))


def moved_on(match: Match, revision: int) -> bool:
    """Whether the match is past a revision."""
    return match.get().revision > revision


def scheduler(service: MatchService) -> Scheduler:
    """Somebody who looks for what is due."""
    return Scheduler(operations(service), service.store)


@pytest.mark.parametrize("bot", list(BOTS))
def test_two_bots_finish_a_match_without_duplicate_moves(service: MatchService, other: MatchService, bot: str) -> None:
    """Two bots play a match to its end; when two workers look at once, only one of them moves."""
    opened = service.create(CreateMatch(SHORT, bots=(BotAssignment(0, bot, 10), BotAssignment(1, "random"))))
    schedulers = [scheduler(service), scheduler(other)]
    most = 4 if bot == "search" else 2  # a scheduler serves what is due, and then one search
    for _ in range(200):
        assert sum(one.run_once() for one in schedulers) <= most
        snapshot = service.repository.load(opened.match)
        if snapshot.game.is_finished(snapshot.position):
            break
    assert snapshot.game.is_finished(snapshot.position)
    deals = service.repository.format_record(opened.match).count("start_deal")  # a level deal is followed by another
    assert 2 + deals * 41 == len(
        service.repository.read_log(opened.match)
    )  # two bots sit down; each time a pack and forty cards
    assert [] == service.store.schedule.claim(now_ms() + 1_000_000, 1, 10)


@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_bots_play_every_game(service: MatchService, rule_set: RuleSet) -> None:
    """Bots move by themselves in every game and with every number of players."""
    game = CATALOGUE.game_for(rule_set)
    persons = [seat for seat in range(game.seats) if game.controller(seat) == seat]
    opened = service.create(CreateMatch(rule_set, bots=tuple(BotAssignment(seat, "greedy") for seat in persons)))
    for _ in range(30):
        operations(service).run_due(opened.match)
    snapshot = service.repository.load(opened.match)
    assert snapshot.game.is_finished(snapshot.position) or len(service.repository.read_log(opened.match)) >= 30 + len(
        persons
    )


def test_seat_is_given_to_a_bot_and_taken_back(service: MatchService) -> None:
    """A seat is given to a bot and taken back; both changes are events for everybody."""
    opened = service.create(CreateMatch(SHORT))
    away = seat_to_move(opened.snapshot.game, opened.snapshot.position)
    assert away is not None
    bot = BotAssignment(away, "random", 5)
    snapshot = operations(service).assign_bot(opened.match, bot)
    assert (bot,) == snapshot.control.bots
    assert snapshot.row == operations(service).assign_bot(opened.match, bot).row
    assert 1 == scheduler(service).run_once()
    assert 0 == scheduler(service).run_once()
    snapshot = operations(service).assign_bot(opened.match, BotAssignment(away, ""))
    assert () == snapshot.control.bots
    assert snapshot.row == operations(service).assign_bot(opened.match, BotAssignment(away, "")).row
    assert next_due(snapshot, now_ms()) is None
    go_on(service, opened.match, 1)
    assert 0 == scheduler(service).run_once()
    history, lines = service.repository.history(opened.match)
    kinds = [(event.kind, event.seat, event.word) for _, events in history.replay(lines) for event in events]
    assert ("bot_seated", away, "random") in kinds
    assert ("bot_left", away, "") in kinds


def test_unscheduled_bot_moves_after_a_minute(service: MatchService, other: MatchService, clock_ms: list[int]) -> None:
    """A bot whose turn was never scheduled, because a worker died, moves a minute later."""
    opened = service.create(CreateMatch(SHORT, bots=TWO[:1]))
    while seat_to_move((snapshot := service.repository.load(opened.match)).game, snapshot.position) != 1:
        go_on(service, opened.match, 1)
    noted = next_due(snapshot, clock_ms[0])
    while seat_to_move((snapshot := service.repository.load(opened.match)).game, snapshot.position) != 0:
        go_on(service, opened.match, 1)
    service.store.schedule.set(opened.match, noted)  # it has fallen before it could note the bot's turn
    assert 0 == scheduler(other).run_once()
    clock_ms[0] += 61_000
    assert 1 == scheduler(other).run_once()


def test_shared_pack_does_not_wait_for_bots(service: MatchService) -> None:
    """A shared pack waits for the seeds of persons only."""
    opened = service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, bots=TWO[:1]))
    assert (1,) == awaiting_seeds_from(opened.snapshot)
    assert () == awaiting_seeds_from(service.create(CreateMatch(SHORT, pack_source=SHARED_PACKS, bots=TWO)).snapshot)


def test_no_bot_is_assigned_after_the_end(service: MatchService) -> None:
    """A match that is over or aborted accepts no bot."""
    opened = service.create(CreateMatch(SHORT))
    play_out(service, opened.match)
    for code in ("match_over", "match_aborted"):
        with pytest.raises(errors.NotPossibleNow) as failed:
            operations(service).assign_bot(opened.match, TWO[0])
        assert code == failed.value.code
        opened = service.create(CreateMatch(SHORT))
        service.abort(opened.match)


def test_person_plays_a_match_against_a_bot_over_grpc(start_service: StartService) -> None:
    """Over gRPC a person plays a whole match against a bot with nothing but its own key."""
    with Chitarrella(start_service().grpc) as client:
        match = client.create_match("briscola", options={"rubber_games": 1}, bots={1: "greedy"})
        mine = client.match(match.id, match.keys[0])
        assert [(1, "greedy")] == [(bot.seat, bot.bot) for bot in mine.get().bots]
        while not (snapshot := mine.get()).over:
            if snapshot.view.turn == 0:
                mine.play(mine.legal_moves()[0], snapshot.revision)
            else:
                until(partial(moved_on, mine, snapshot.revision), "the bot has moved", 10)
        assert snapshot.view.outcome is not None
        record = match.record()
        assert 41 * record.count("start_deal") == sum(line[:2] in ("0 ", "1 ", "ta") for line in record.splitlines())


class Failing(TrickGame):
    """A game that fails with every card that is played."""

    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Deal, and fail otherwise."""
        if seat != CHANCE:
            raise ZeroDivisionError("a fault of the rules")
        return super().apply(p, seat, move, events)


def test_a_game_that_fails_delays_no_other(store: RedisStore) -> None:
    """Of the matches that are due at once, one whose game fails is passed over and claimed again after its lease."""
    module = ModuleType("failing")
    fields = {name: getattr(BRISCOLONE, name) for name in BRISCOLONE.__dataclass_fields__}
    module.GAMES = (Failing(**fields), BRISCOLA)  # type: ignore[attr-defined]  # a module is what it is given
    service = MatchService(Catalogue(iter([module])), store)
    for key in ("briscolone", "briscola", "briscolone"):
        service.create(CreateMatch(RuleSet(key, 2), bots=TWO))
    assert 1 == scheduler(service).run_once()
    assert 1 == scheduler(service).run_once()


# ---------------------------------------------------------------------- twenty seats


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
