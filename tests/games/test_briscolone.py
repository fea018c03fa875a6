"""Briscolone: five cards, no trumps, the leader loses only to a higher card of its suit (clauses BN)."""

from __future__ import annotations

import pytest

from chitarrella.core.notation import InvalidPosition
from tests.games.support.scripted_deals import contrive
from tests.games.support.table import Match, seat, table


@pytest.mark.clause("BN-6.1", "BN-3.1")
@pytest.mark.parametrize(
    ("led", "played", "winner", "worth_"),
    [
        pytest.param("4b", "Ab", 0, 11, id="BN-EX1"),
        pytest.param("4b", "As", 1, 11, id="BN-EX2"),
        pytest.param("3c", "Rc", 1, 14, id="BN-EX3"),
        pytest.param("Fd", "Cd", 0, 5, id="BN-EX4"),
    ],
)
def test_who_takes_the_trick(led: str, played: str, winner: int, worth_: int) -> None:
    """BN-EX1 to 4: only a higher card of the suit led beats the leader (BN-R7, BN-R13)."""
    match = table(seat("briscolone"), {1: led, 0: played})
    assert (winner, worth_) == match.one_trick(f"1 {led}, 0 {played}")


@pytest.mark.clause("BN-5.2", "BN-6.1")
@pytest.mark.parametrize(("card", "points_"), [("As", 11), ("2s", 0), ("3d", 10), ("5b", 0), ("Rc", 4)])
def test_all_five_cards_may_be_played(card: str, points_: int) -> None:
    """BN-EX5: on 7s any of As 2s 3d 5b Rc may be played; As wins 11, the other four lose."""
    match = table(seat("briscolone"), {1: "7s", 0: "As 2s 3d 5b Rc"})
    match.play("1 7s")
    assert [f"play_card {each}" for each in ("2s", "3d", "5b", "As", "Rc")] == match.moves(0)
    assert (0 if card == "As" else 1, points_) == match.one_trick(f"0 {card}")


@pytest.mark.clause("BN-4.2")
@pytest.mark.parametrize("addition", ["trump=b", "turn_up=2s", "turn_up=2s trump=s"])
def test_no_table_has_trumps(addition: str) -> None:
    """A position with trumps, or with a card turned up, is none of this game."""
    match = table(seat("briscolone"), {})
    assert match.p == match.game.decode(match.game.encode(match.p))
    with pytest.raises(InvalidPosition):
        match.game.decode(f"{match.game.encode(match.p)} {addition}")


@pytest.mark.clause("BN-5.2", "BN-6.1")
def test_no_duty_to_follow_in_the_end() -> None:
    """BN-EX10: with the stock gone s1 may throw Ad away on 2b, and the leader wins 11 (BN-R4)."""
    game = seat("briscolone")
    s0, s1 = ("2b", "5s", "6s", "7s", "5d"), ("Ad", "4b", "3b", "Ac", "As")
    fixed = {(15 + at, place): card for place, hand in ((0, s0), (1, s1)) for at, card in enumerate(hand)}
    match = contrive(game, 0, lambda script: int(script.winners[14] != 0), fixed).perform(Match(game), tricks=15)
    match.play("0 2b")
    assert [f"play_card {card}" for card in sorted(s1)] == match.moves(1)
    assert (0, 11) == match.one_trick("1 Ad")
