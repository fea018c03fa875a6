"""Bots that hold a seat of a kept match: they move when their turn comes, once, whoever of the workers is quickest."""

from __future__ import annotations

from functools import partial

import pytest

from chitarrella import errors
from chitarrella.affairs import BotSeat
from chitarrella.bots import BOTS
from chitarrella.catalogue import Agreement
from chitarrella.drawing import SHARED, words_awaited
from chitarrella.game import waited_for
from chitarrella.referee import Referee, now
from chitarrella.timekeeper import Timekeeper
from chitarrella.timing import when_due
from chitarrella_client import Chitarrella, Match
from tests.house.service import Serve
from tests.house.table import CATALOGUE, SHORT, go_on, play_out, steward
from tests.kit import defaults, name
from tests.servers import until

TWO = (BotSeat(0, "greedy"), BotSeat(1, "random"))


def moved_on(match: Match, revision: int) -> bool:
    """Tell whether the table is not at that revision any more."""
    return match.look().revision > revision


def keeper(referee: Referee) -> Timekeeper:
    """Somebody who looks for what is due."""
    return Timekeeper(steward(referee))


@pytest.mark.parametrize("bot", list(BOTS))
def test_bots_play_a_match(referee: Referee, other: Referee, bot: str) -> None:
    """Two bots play a match to its end; of two workers that look at once only one moves."""
    opened = referee.open(SHORT, bots=(BotSeat(0, bot, 10), BotSeat(1, "random")))
    keepers = [keeper(referee), keeper(other)]
    for _ in range(200):
        assert sum(one.look() for one in keepers) <= 2
        seen = referee.see(opened.match)
        if seen.game.over(seen.position):
            break
    assert seen.game.over(seen.position)
    deals = referee.record(opened.match).count("start_deal")  # a level deal is followed by another
    assert 2 + deals * 41 == len(referee.moves(opened.match))  # two bots sit down; each time a pack and forty cards
    assert [] == referee.store.due(now() + 1_000_000, 1, 10)


@pytest.mark.parametrize("agreement", defaults(), ids=name)
def test_every_game(referee: Referee, agreement: Agreement) -> None:
    """At every game, in every number of seats, bots move without a word from anybody."""
    game = CATALOGUE.seat(agreement)
    persons = [seat for seat in range(game.seats) if game.controller(seat) == seat]
    opened = referee.open(agreement, bots=tuple(BotSeat(seat, "greedy") for seat in persons))
    for _ in range(30):
        steward(referee).attend(opened.match)
    seen = referee.see(opened.match)
    assert seen.game.over(seen.position) or len(referee.moves(opened.match)) >= 30 + len(persons)


def test_away_and_back(referee: Referee) -> None:
    """A seat is given to a bot while its player is away, and taken back; everybody hears of both."""
    opened = referee.open(SHORT)
    away = waited_for(opened.seen.game, opened.seen.position)
    assert away is not None
    bot = BotSeat(away, "random", 5)
    seen = steward(referee).seat_bot(opened.match, bot)
    assert (bot,) == seen.affairs.bots
    assert seen.page == steward(referee).seat_bot(opened.match, bot).page
    assert 1 == keeper(referee).look()
    assert 0 == keeper(referee).look()
    seen = steward(referee).seat_bot(opened.match, BotSeat(away, ""))
    assert () == seen.affairs.bots
    assert seen.page == steward(referee).seat_bot(opened.match, BotSeat(away, "")).page
    assert when_due(seen, now()) is None
    go_on(referee, opened.match, 1)
    assert 0 == keeper(referee).look()
    story, lines = referee.chronicle(opened.match)
    told = [(event.kind, event.seat, event.word) for _, events in story.go_on(lines) for event in events]
    assert ("bot_seated", away, "random") in told
    assert ("bot_left", away, "") in told


def test_a_worker_falls(referee: Referee, other: Referee, hour: list[int]) -> None:
    """A bot whose turn nobody has noted down moves all the same, a minute later."""
    opened = referee.open(SHORT, bots=TWO[:1])
    while waited_for((seen := referee.see(opened.match)).game, seen.position) != 1:
        go_on(referee, opened.match, 1)
    noted = when_due(seen, hour[0])
    while waited_for((seen := referee.see(opened.match)).game, seen.position) != 0:
        go_on(referee, opened.match, 1)
    referee.store.remind(opened.match, noted)  # it has fallen before it could note the bot's turn
    assert 0 == keeper(other).look()
    hour[0] += 61_000
    assert 1 == keeper(other).look()


def test_bots_have_nothing_to_say(referee: Referee) -> None:
    """A shared pack waits for the words of persons only."""
    opened = referee.open(SHORT, packs=SHARED, bots=TWO[:1])
    assert (1,) == words_awaited(opened.seen)
    assert () == words_awaited(referee.open(SHORT, packs=SHARED, bots=TWO).seen)


def test_over_is_over(referee: Referee) -> None:
    """No bot sits down at a match that is over or was ended."""
    opened = referee.open(SHORT)
    play_out(referee, opened.match)
    for code in ("match_over", "match_ended"):
        with pytest.raises(errors.NotPossibleNow) as failed:
            steward(referee).seat_bot(opened.match, TWO[0])
        assert code == failed.value.code
        opened = referee.open(SHORT)
        referee.end(opened.match)


def test_against_a_bot(serve: Serve) -> None:
    """Over gRPC: a person plays a whole match against a bot of the service, with nothing but its own key."""
    with Chitarrella(serve().grpc) as client:
        match = client.create_match("briscola", options={"rubber_games": 1}, bots={1: "greedy"})
        mine = client.match(match.id, match.keys[0])
        assert [(1, "greedy")] == [(bot.seat, bot.bot) for bot in mine.look().bots]
        while not (seen := mine.look()).over:
            if seen.view.turn == 0:
                mine.play(mine.moves()[0], seen.revision)
            else:
                until(partial(moved_on, mine, seen.revision), "the bot has moved", 10)
        assert seen.view.outcome is not None
        record = match.record()
        assert 41 * record.count("start_deal") == sum(line[:2] in ("0 ", "1 ", "ta") for line in record.splitlines())
