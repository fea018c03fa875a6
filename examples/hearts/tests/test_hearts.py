"""Hearts: every check of the test kit, passing by all seats at once, and worked examples."""

from itertools import permutations

import pytest
from chitarrella_hearts import HEARTS

from chitarrella.core.game import legal_moves, play, replay, validate_move
from chitarrella.core.model import CHANCE, Move
from chitarrella.core.visibility import view_for, visible_to
from chitarrella.tricks import Deal, Table
from chitarrella_testing.checks import Check
from chitarrella_testing.expectations import Expectations

GAME = HEARTS.configure(4, {})
NOT_PASSED = HEARTS.configure(4, {"passing": "never"})


@pytest.mark.game("hearts", seconds=10, expected=Expectations(reveals=frozenset({"2c"})))
def test_hearts_keeps_every_law(check: Check) -> None:
    """Hearts passes every check of the kit; who leads tells where the Two of clubs is."""
    check()


def dealt() -> Table:
    """The first deal, of which seat 1, eldest, has all clubs, seat 2 diamonds, seat 3 hearts and seat 0 spades."""
    p: Table = play(GAME, GAME.start(), CHANCE, Move("start_deal", GAME.pack.cards))[0]
    return p


def passes() -> list[tuple[int, Move]]:
    """Everybody passes the three lowest cards."""
    return [(seat, Move("pass_cards", hand[:3])) for seat, hand in enumerate(dealt().hands)]


@pytest.mark.clause("HRT-3.2")
@pytest.mark.parametrize("order", [*permutations(range(4))][::5])
def test_all_choose_at_once(order: tuple[int, ...]) -> None:
    """Seats choose in any order, nobody sees what another has chosen, and the last choice hands the cards over."""
    p, moves = dealt(), passes()
    for number, seat in enumerate(order):
        assert set(order[number:]) == set(GAME.turns(p))
        assert 286 == len(legal_moves(GAME, p, seat))
        p, events = play(GAME, p, *moves[seat])
        (chosen,) = [visible_to(event, (seat + 1) % 4) for event in events if event.kind == "cards_chosen"]
        assert chosen is not None
        assert ((), 3) == (chosen.cards, chosen.hidden)
    assert replay(GAME, moves, dealt()) == p
    assert [set(moves[seat][1].cards) <= set(p.hands[(seat + 1) % 4]) for seat in range(4)] == [True] * 4
    shown = {seat: {fact.seat for fact in view_for(GAME, p, seat).facts if fact.name == "passed"} for seat in range(4)}
    assert {0: {0, 3}, 1: {1, 0}, 2: {2, 1}, 3: {3, 2}} == shown


@pytest.mark.clause("HRT-4.1", "HRT-4.3")
def test_the_first_trick() -> None:
    """The Two of clubs opens, whoever holds it, and no points are played to it by who has other cards."""
    p = replay(GAME, passes(), dealt())
    holder = next(seat for seat, hand in enumerate(p.hands) if "2c" in hand)
    assert (2, 2) == (holder, GAME.turn(p))
    assert [("2c",)] == [move.cards for move in legal_moves(GAME, p, holder)]
    p, _ = play(GAME, p, holder, legal_moves(GAME, p, holder)[0])
    (refusal,) = validate_move(GAME, p, 3, Move("play_card", GAME.pack.hand(["Ah"])))
    assert "no_points_yet" == refusal.code


@pytest.mark.clause("HRT-4.4")
def test_hearts_are_broken() -> None:
    """A heart is not led from a hand with other cards before one was played."""
    p = play(NOT_PASSED, NOT_PASSED.start(), CHANCE, Move("start_deal", GAME.pack.cards))[0]
    hands = tuple(map(GAME.pack.hand, (["2c", "3c"], ["4c", "5c"], ["6c", "7c"], ["8c", "Ah"])))
    p = p._replace(hands=hands, leader=0)
    for seat in range(4):
        p, _ = play(NOT_PASSED, p, seat, Move("play_card", p.hands[seat][:1]))
    assert [3] == [trick.winner for trick in p.tricks]
    assert [("Ah",)] == [move.cards for move in legal_moves(NOT_PASSED, p, 3)]
    p = p._replace(hands=(*p.hands[:3], GAME.pack.hand(["Ah", "9d"])))
    assert [("9d",)] == [move.cards for move in legal_moves(NOT_PASSED, p, 3)]


@pytest.mark.clause("HRT-5.1")
@pytest.mark.parametrize(("moon", "scores"), [("others_add", [0, 26, 26, 26]), ("takes_off", [-26, 0, 0, 0])])
def test_shooting_the_moon(moon: str, scores: list[int]) -> None:
    """All points for one seat count for the others, or against it; else each has what it took."""
    score = HEARTS.configure(4, {"moon": moon}).series.score
    assert scores == score(Deal((26, 0, 0, 0), (13, 0, 0, 0), 0, 0, None, GAME.sides))
    assert (20, 6, 0, 0) == score(Deal((20, 6, 0, 0), (9, 4, 0, 0), 0, 0, None, GAME.sides))
