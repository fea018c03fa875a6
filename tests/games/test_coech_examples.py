"""Cöch: the worked examples of the specification, each block a test (CO-E1 to CO-E24)."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from chitarrella.core.model import REFEREE
from tests.games.support.coech_deals import checks, complete_deals, play_for, side
from tests.games.support.examples import Block
from tests.games.support.table import Match, closing, events_of, facts, seat, taker


def each(blocks: list[Block]) -> pytest.MarkDecorator:
    """Run a test over these blocks."""
    assert blocks
    return pytest.mark.parametrize("block", [pytest.param(block, id=block.name) for block in blocks])


def counts(match: Match, cards: str) -> dict[str, int]:
    """Count cards, count by count."""
    return dict(match.game.cards.count(match.game.pack.hand(cards.split())))


def matto(said: dict[str, str]) -> dict[str, str]:
    """The option an example may name."""
    return {"matto_rank": said["matto_rank"]} if "matto_rank" in said else {}


@pytest.mark.clause("CO-8", "CO-9")
@each(checks("pile"))
def test_cards_taken(block: Block) -> None:
    """What cards are worth in half-points and in units."""
    said = block.words()
    worth = counts(Match(seat("coech", 4)), said["pile"])
    assert {"half_points": int(said["half-points"]), "units": int(said["units"])} == worth


@pytest.mark.clause("CO-10", "CO-11", "ALL-2")
@each(checks("deal"))
def test_hands(block: Block) -> None:
    """Two packets of five to every seat, the dealer last."""
    said = block.words()
    match = Match(seat("coech", 4, first_dealer=said["dealer"]))
    match.deal(match.game.pack.hand(said["pack"].split()))
    assert [said[f"hand {place}"] for place in range(4)] == [" ".join(hand) for hand in match.p.hands]


@pytest.mark.clause("CO-17")
@each(checks("legal"))
def test_playable_cards(block: Block) -> None:
    """Which cards of a hand may be played to a trick, and that every other card is refused."""
    said = block.words()
    leader = int(said["trick"].split()[0])
    turn = (leader + 1) % 4
    match = closing(seat("coech", 4), {turn: said["hand"]}, said["trick"])
    playable = [move.removeprefix("play_card ") for move in match.moves(turn)]
    assert sorted(said["legal"].split()) == playable
    for card in set(said["hand"].split()) - set(playable):
        assert ["must_follow_suit"] == match.codes(turn, f"play_card {card}")


@pytest.mark.clause("CO-22", "CO-23", "CO-6", "CO-5")
@each(checks("trick"))
def test_winner_of_a_trick(block: Block) -> None:
    """Who takes a trick and what it is worth: the highest of the suit led, of equals the first."""
    said = block.words()
    plays = [words.split() for words in said["trick"].split(", ")]
    hands = {int(place): card for place, card in plays}
    match = closing(seat("coech", 4, **matto(said)), hands, leader=int(plays[0][0]))
    match.play(said["trick"])
    trick = match.p.tricks[-1]
    assert (int(said["winner"]), " ".join(card for _, card in plays)) == (trick.winner, " ".join(trick.cards))
    worth = {"half_points": int(said["half-points"]), "units": int(said["units"])}
    assert worth == counts(match, " ".join(trick.cards))


@pytest.mark.clause("CO-25", "CO-26", "CO-27")
@each(checks("score"))
def test_result_of_a_count(block: Block) -> None:
    """Half-points decide; only if they are level the units; level again, nobody wins (CO-R5, CO-R6, CO-R7)."""
    said = block.words()
    halves, units = ([int(number) for number in said[name].split()] for name in ("half-points", "units"))
    game = seat("coech", 4)
    assert side(said["result"]) == game.deal_scoring.winner(game, game.start(), tuple(zip(halves, units, strict=True)))


@pytest.mark.clause("CO-5", "CO-6")
@each(checks("order"))
def test_whole_order(block: Block) -> None:
    """CO-E22: of two faces the one further right takes the trick, whichever is played first."""
    said = block.words()
    game = seat("coech", 4, **matto(said))
    cards = game.pack.hand(said["order"].split())
    assert {said["suit"]} == {game.cards.suit[card] for card in cards}
    for low, high in combinations(cards, 2):
        assert (1, 0) == (
            taker(game, (low, high)),
            taker(game, (high, low)),
        )


@pytest.mark.clause("CO-12", "CO-14")
@each(checks("dealers"))
def test_who_deals_and_leads(block: Block) -> None:
    """CO-E23: dealers and leaders of five deals, with dummies that deal and dummies that do not (CO-R14, CO-R15)."""
    said = block.words()
    options = {name: said[name] for name in ("first_dealer", "skip_dummy_dealer") if name in said}
    match = Match(seat("coech", int(said["players"]), match_deals="5", **options))
    dealers, leaders = [], []
    while match.game.turn(match.p) is not None:
        dealers.append(match.p.match_state.dealer)
        match.deal(match.game.pack.cards)
        leaders.append(match.game.turn(match.p))
        match.play_out()
    assert said["dealers"].split() == list(map(str, dealers))
    assert said["leaders"].split() == list(map(str, leaders))


@pytest.mark.clause("CO-29", "CO-27")
@each(checks("match"))
def test_length_of_a_match(block: Block) -> None:
    """CO-E24: draws count as deals, but not towards the wins wanted; with a target the deals are not looked at."""
    said = block.words()
    options = {name: said[name] for name in ("match_deals", "target_wins") if name in said}
    match = Match(seat("coech", 4, first_dealer="0", **options))
    for words in said["deals"].split(", "):
        assert "deal" == match.p.phase
        play_for(match, side(words))
    winner = side(said["match"])
    expected: frozenset[int] = frozenset() if winner is None else frozenset({winner, winner + 2})
    assert ("match_over", expected) == (match.p.phase, match.game.outcome(match.p))
    assert sorted(expected) == [event.seat for event in events_of(match, "match_won")]
    assert (winner is None) == bool(events_of(match, "match_drawn"))


TRICK = re.compile(r"(.*) -> (\d) \(half-points (\d+), units (\d+)\)")
PERSONS: dict[str, dict[int, tuple[int, ...]]] = {
    "4": {0: (0,), 1: (1,), 2: (2,), 3: (3,)},
    "3": {0: (0, 2), 1: (1,), 3: (3,)},
    "2": {0: (0, 2), 1: (1, 3)},
}
"""The seats each person plays (CO-3)."""


@pytest.mark.clause("CO-1", "CO-3", "CO-11", "CO-18", "CO-24", "CO-25", "CO-26", "CO-27", "CO-28")
@each(complete_deals())
def test_complete_deal(block: Block) -> None:
    """CO-E16 to 18: hands, every trick with winner and worth, both counts, and the result of every seat and person."""
    said = block.words()
    match = Match(seat("coech", int(said["players"]), first_dealer=said["dealer"], match_deals="2"))
    match.deal(match.game.pack.hand(said["pack"].split()))
    assert [said[f"hand {place}"] for place in range(4)] == [" ".join(hand) for hand in match.p.hands]
    for number in range(1, 11):
        found = TRICK.fullmatch(said[f"trick {number}"])
        assert found
        for play in found[1].split(", "):
            assert int(play.split()[0]) == match.game.turn(match.p)
            match.play(play)
        trick = match.p.tricks[-1]
        assert (number, int(found[2])) == (len(match.p.tricks), trick.winner)
        assert [int(found[3]), int(found[4])] == list(counts(match, " ".join(trick.cards)).values())
    _check_result(match, said)


def _check_result(match: Match, said: dict[str, str]) -> None:
    """Check the end of a complete deal against what was said of it."""
    stages = [re.findall(r"side \d (\d+)", said[f"stage {stage}"]) for stage in (1, 2)]
    counted = match.game.deal_scoring.by_side(match.game, match.p)
    for place, sides in enumerate(stages):
        assert sides == [str(count[place]) for count in counted][: len(sides)]
    view, winner = match.view(REFEREE), side(said["result"])
    assert [int(count) for count in stages[0]] == [
        sum(int(facts(view, "half_points")[place]) for place in (one, one + 2)) for one in (0, 1)
    ]
    result = tuple(0 if winner is None else 1 if place % 2 == winner else -1 for place in range(4))
    assert result == match.game.scores(match.p)
    assert ([] if winner is None else [winner, winner + 2]) == [event.seat for event in events_of(match, "deal_won")]
    assert (winner is None) == bool(events_of(match, "deal_drawn"))
    persons = {person: sum(result[place] for place in seats) for person, seats in PERSONS[said["players"]].items()}
    assert 0 == sum(persons.values())
    for person, seats in PERSONS[said["players"]].items():
        assert all(person == match.game.controller(place) for place in seats)
    assert ("deal", (int(said["dealer"]) + 1) % 4) == (match.p.phase, match.p.match_state.dealer)


@pytest.mark.clause("CO-28")
def test_results_of_persons_with_dummies() -> None:
    """CO-E17, CO-R16: both seats of a person count for him, so the match of CO-E17 is worth two to either player."""
    (block,) = [block for block in complete_deals() if block.name == "CO-E17"]
    said = block.words()
    match = Match(seat("coech", 2, first_dealer=said["dealer"]))
    match.deal(match.game.pack.hand(said["pack"].split()))
    for number in range(1, 11):
        match.play(said[f"trick {number}"].partition(" ->")[0])
    persons = [0, 0]
    for place, score in enumerate(match.game.scores(match.p)):
        persons[match.game.controller(place)] += score
    assert [-2, 2] == persons
    assert frozenset({1, 3}) == match.game.outcome(match.p)


@pytest.mark.clause("CO-9", "CO-8")
def test_the_arithmetic_of_the_german_source() -> None:
    """CO-E19, CO-R6: half-points as tens and units give 190 + 82 = 272, the 240 of Cuccu a trionfo and 16 a lion."""
    worth = counts(Match(seat("coech", 4)), " ".join(seat("coech", 4).pack.cards))
    assert 240 + 2 * 16 == 5 * worth["half_points"] + worth["units"] == 190 + 82
