"""Cuccu a trionfo: the worked examples of the specification, each block a test (CT-E1 to CT-E30)."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from chitarrella.core.model import REFEREE
from tests.games.support.examples import Block
from tests.games.support.table import Match, events_of, facts, worth
from tests.games.support.tricks import taker
from tests.games.support.trionfo_tables import (
    agreed,
    answer,
    checks,
    complete_deals,
    game,
    in_play,
    perform,
    play_for,
    playable,
    points_of,
    rob,
    robbing,
    side,
)


def each(blocks: list[Block]) -> pytest.MarkDecorator:
    """Run a test over these blocks."""
    assert blocks
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in blocks])


@pytest.mark.clause("CT-4", "CT-35", "CT-37")
@each(checks("pile"))
def test_cards_taken(block: Block) -> None:
    """CT-E1: what cards count; the whole pack 240."""
    said = block.words()
    table = game()
    assert int(said["points"]) == worth(table, table.pack.hand(said["pile"].split()))


@pytest.mark.clause("CT-33", "CT-34", "CT-35", "CT-3", "CT-27")
@each(checks("trick"))
def test_winner_of_a_trick(block: Block) -> None:
    """Who takes a trick and what it counts: the trionfo, else the highest of the suit led, of equals the first."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    hands = {int(place): card.partition("=")[0] for place, card in plays}
    match = perform(in_play(game(**agreed(said)), said["turn_up"], hands, leader=int(plays[0][0])), said["trick"])
    trick = match.p.tricks[-1]
    assert (int(said["winner"]), int(said["points"])) == (trick.winner, worth(match.game, trick.cards))


@pytest.mark.clause("CT-23", "CT-24", "CT-25", "CT-26", "CT-27", "CT-28", "CT-29")
@each(checks("legal"))
def test_playable_cards(block: Block) -> None:
    """Which cards may be led or played, a led trionfo with either suit; every other card of the hand is refused."""
    said = block.words()
    trick = "" if said["trick"] == "-" else said["trick"]
    turn = (int(trick[0]) + len(trick.split(", "))) % 4 if trick else 0
    match = in_play(game(**agreed(said)), said["turn_up"], {turn: said["hand"]}, trick)
    assert sorted(said["legal"].split()) == playable(match, turn)
    for card in set(said["hand"].split()) - {card.partition("=")[0] for card in said["legal"].split()}:
        (code,) = answer(match, turn, card)
        led = match.game.suit[match.p.trick[0]] if trick and "=" not in trick else trick.partition("=")[2]
        follows = led == match.game.suit[match.game.pack.card(card)]
        assert (code == "must_follow_suit") == (bool(trick) and not follows)
        assert (code == "zero_card_lead") == (not trick)


@pytest.mark.clause("CT-36")
@each(checks("score"))
def test_result_of_a_count(block: Block) -> None:
    """CT-E19: more points win the deal; where they are level nobody does (CT-R29)."""
    said = block.words()
    points = [int(number) for number in said["points"].split()]
    assert 240 == sum(points) + int(said["out"])
    table = game()
    result = "draw" if points[0] == points[1] else said["result"]
    assert side(result) == table.deal_scoring.winner(table, table.start(), tuple((one,) for one in points))
    assert side(said["result"]) == side(result)


@pytest.mark.clause("CT-3", "CT-34")
@each(checks("order"))
def test_whole_order(block: Block) -> None:
    """CT-E25: of two faces the one further right takes the trick, whichever is played first (CT-R26)."""
    said = block.words()
    table = game()
    cards = table.pack.hand(said["order"].split())
    assert {said["suit"]} == {table.suit[card] for card in cards}
    for low, high in combinations(cards, 2):
        assert (1, 0) == (
            taker(table, (low, high)),
            taker(table, (high, low)),
        )


@pytest.mark.clause("CT-5", "CT-12")
@each(checks("robbable"))
def test_robbable_faces(block: Block) -> None:
    """CT-E26: after a look at a robbable face it may be taken or left, after a look at any other only left."""
    said = block.words()
    for face in said["faces"].split():
        match = robbing(game(), face)
        match.say(3, "rob_look")
        taken = ["rob_leave", "rob_take"] if face in said["robbable"].split() else ["rob_leave"]
        assert taken == match.moves(3)


@pytest.mark.clause("CT-10", "CT-11", "CT-12", "CT-13", "CT-16", "CT-18")
@each(checks("robbing"))
def test_limits_of_robbing(block: Block) -> None:
    """CT-E28: who robs what, how many everybody knows of, which are shown, and the card that is turned up."""
    said = block.words()
    dealer = int(said["dealer"])
    match = robbing(game(dealer, **agreed(said)), said["lifted packet"], said["stock top"])
    for who in ("cutter", "dealer"):
        (name,) = [name for name in said if name.startswith(f"{who} ")]
        rob(match, int(name.split()[1]), said[name])
    view = match.view(None)
    counted = {str(place): str(number) for place, number in facts(view, "robbed").items() if number}
    assert dict(part.split() for part in said["robbed"].split(", ") if part != "none") == counted
    shown = {str(place): card for place, card in facts(view, "robbed_card").items()}
    assert dict(part.split() for part in said["shown"].split(", ") if part != "nothing") == shown
    assert said["turn_up"] == match.p.turn_up
    assert match.p.phase in ("discard", "play")


@pytest.mark.clause("CT-38")
@each(checks("match"))
def test_length_of_a_match(block: Block) -> None:
    """CT-E29: draws count as deals, but not towards the wins wanted; with a target the deals are not looked at."""
    said = block.words()
    match = Match(game(**agreed(said)))
    for words in said["deals"].split(", "):
        assert "await_deal" == match.p.phase
        play_for(match, side(words))
    winner = side(said["match"])
    expected: frozenset[int] = frozenset() if winner is None else frozenset({winner, winner + 2})
    assert ("match_over", expected) == (match.p.phase, match.game.outcome(match.p))


TRICK = re.compile(r"(.*) -> (\d) \((\d+)\)")


@pytest.mark.clause(
    "CT-1", "CT-6", "CT-8", "CT-9", "CT-14", "CT-15", "CT-18", "CT-19", "CT-20", "CT-22", "CT-30", "CT-37"
)
@each(complete_deals())
def test_complete_deal(block: Block) -> None:
    """CT-E20 to 22 and 30: cut, robbing, hands, turn-up, discards, every trick, points, and the result."""
    said = block.words()
    dealer = int(said["dealer"])
    match = Match(game(dealer, **agreed(said)))
    match.deal(match.game.pack.hand(said["pack"].split()))
    cutter = (dealer - 1) % 4
    if "cut" in said:
        by, lifted = said["cut"].split(" at ")
        assert int(by) == cutter
        match.say(cutter, f"cut {lifted}")
    rob(match, cutter, said[f"cutter {cutter}"])
    dealt = {event.seat: " ".join(event.cards) for event in events_of(match, "dealt")}
    assert {place: said[f"dealt {place}"] for place in range(4)} == dealt
    rob(match, dealer, said[f"dealer {dealer}"])
    assert said["turn_up"] == match.p.turn_up
    for place in (cutter, dealer):
        match.say(place, f"discard {said[f'discard {place}']}")
    assert said["stock left"] == " ".join(match.p.stock)
    face, _, whose = said["trionfo"].partition(", ")
    holders = [f"seat {place}" for place, hand in enumerate(match.p.hands) if face in hand]
    assert [whose] == (holders or ["none in play"])
    for number in range(1, 9):
        found = TRICK.fullmatch(said[f"trick {number}"])
        assert found
        trick = perform(match, found[1]).p.tricks[-1]
        assert (number, int(found[2])) == (len(match.p.tricks), trick.winner)
        assert int(found[3]) == worth(match.game, trick.cards)
    _check_result(match, said)


def _check_result(match: Match, said: dict[str, str]) -> None:
    """Check the end of a complete deal against what was said of it."""
    points = [int(number) for number in re.findall(r"side \d (\d+)", said["points"])]
    assert points == [count[0] for count in points_of(match)]
    assert 240 - sum(points) == int(said["points"].split()[-1])
    winner = side(said["result"])
    assert tuple(1 if place % 2 == winner else -1 for place in range(4)) == match.game.scores(match.p)
    assert [winner, (winner or 0) + 2] == [event.seat for event in events_of(match, "deal_won")]
    assert ("await_deal", (int(said["dealer"]) + 1) % 4) == (match.p.phase, match.p.match_state.dealer)
    counts = facts(match.view(REFEREE), "card_points")
    assert points == [int(counts[one]) + int(counts[one + 2]) for one in (0, 1)]
