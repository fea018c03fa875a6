"""Bots that hold a seat of a kept match: they move when their turn comes, once, whoever of the workers is quickest."""

from __future__ import annotations

from functools import partial

import pytest

from chitarrella import errors
from chitarrella.bots import BOTS
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import seat_to_move
from chitarrella.core.model import CHANCE, Event, Move, Seat
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
from chitarrella_client import Chitarrella
from tests.matches.playing import CATALOGUE, SHORT, catalogue_of, fails, go_on, operations, play_out
from tests.server.process import StartService
from tests.servers import until
from tests.walks import defaults, name

TWO = (BotAssignment(0, "greedy"), BotAssignment(1, "random"))


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
        with fails(errors.NotPossibleNow, code):
            operations(service).assign_bot(opened.match, TWO[0])
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
                until(partial(lambda before: mine.get().revision > before, snapshot.revision), "the bot has moved", 10)
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
    fields = {name: getattr(BRISCOLONE, name) for name in BRISCOLONE.__dataclass_fields__}
    service = MatchService(catalogue_of(Failing(**fields), BRISCOLA), store)
    for key in ("briscolone", "briscola", "briscolone"):
        service.create(CreateMatch(RuleSet(key, 2), bots=TWO))
    assert 1 == scheduler(service).run_once()
    assert 1 == scheduler(service).run_once()
