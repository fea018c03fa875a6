"""Briscola Chiamata: what a contract is worth, and when the game is over (clauses BC-7.1 to BC-7.7)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import CHANCE, Seat
from tests.games.support.chiamata_tables import Course, chiamata, perform, scored, talk, with_points
from tests.games.support.table import events_of

MADE, LOST = (2, 1, -1, -1, -1), (-2, -1, 1, 1, 1)
"""The scores of soloist s0, ally s1 and three opponents."""


# ---------------------------------------------------------------------- made or lost


@pytest.mark.clause("BC-7.1", "BC-7.2", "BC-7.3")
@pytest.mark.parametrize(
    ("soloist", "ally", "scores"),
    [
        pytest.param(38, 24, MADE, id="BC-EX9-62"),
        pytest.param(36, 24, LOST, id="BC-EX9-60"),
        pytest.param(37, 24, MADE, id="BC-EX16-61"),
        (0, 61, MADE),
        (60, 0, LOST),
    ],
)
def test_with_an_ally(soloist: int, ally: int, scores: tuple[int, ...]) -> None:
    """BC-EX9, BC-EX16: 61 points together make the contract, 60 each lose it, for the ally too (BC-R17, BC-R29)."""
    match = chiamata(first_dealer="4")
    perform(match, 0, 1, with_points(s0=soloist, s1=ally))
    assert scores == scored(match) == match.game.scores(match.p)
    (event,) = [event for event in match.last if event.kind in ("contract_made", "contract_lost")]
    made = scores == MADE
    assert (("contract_lost", "contract_made")[made], 0, 1, "with_an_ally") == (
        event.kind,
        event.seat,
        event.other,
        event.word,
    )
    winners = {event.seat for event in match.last if event.kind == "deal_won"}
    assert ({0, 1} if made else {2, 3, 4}) == winners


@pytest.mark.clause("BC-7.1", "BC-7.2", "BC-7.3", "BC-5.8")
@pytest.mark.parametrize(
    ("points", "scores"),
    [
        pytest.param(75, (-1, -1, 4, -1, -1), id="BC-EX9-75"),
        pytest.param(61, (-1, -1, 4, -1, -1), id="BC-EX16-61"),
        (60, (1, 1, -4, 1, 1)),
        (20, (1, 1, -4, 1, 1)),
    ],
)
def test_alone(points: int, scores: tuple[int, ...]) -> None:
    """BC-EX9, BC-EX16: who holds the called card himself wins or loses 4 (BC-R13)."""
    match = chiamata(first_dealer="4")
    perform(match, 2, 2, with_points(s2=points))
    assert scores == scored(match)
    assert ["alone"] == [event.word for event in match.last if event.kind.startswith("contract")]


@pytest.mark.clause("BC-7.1", "BC-7.5", "BC-5.4")
@pytest.mark.parametrize(
    ("bid", "points", "made"),
    [
        pytest.param("76", 74, False, id="BC-EX11"),
        pytest.param("66", 66, True, id="BC-EX16-66"),
        pytest.param("66", 65, False, id="BC-EX16-65"),
        ("76", 76, True),
        ("116", 115, False),
    ],
)
def test_a_bid_of_points(bid: str, points: int, made: bool) -> None:
    """BC-EX11, BC-EX16, `variant_a`: the side needs what was bid; the amounts stay the same (BC-R22, BC 9)."""
    match = chiamata(first_dealer="3", variant_a="true")
    perform(match, 0, 1, with_points(s0=points - 20, s1=20), bid=bid)
    assert (MADE if made else LOST) == scored(match)


# ---------------------------------------------------------------------- every trick


@pytest.mark.clause("BC-7.4")
def test_every_trick() -> None:
    """BC-EX10: soloist 5 and ally 3 of 8 tricks: everything counts double (BC-R20)."""
    match = chiamata(first_dealer="4")
    perform(match, 0, 1, lambda course: abs(course.tricks[0] - 5) + abs(course.tricks[1] - 3))
    assert (4, 2, -2, -2, -2) == scored(match)


@pytest.mark.clause("BC-7.4")
def test_every_trick_alone() -> None:
    """A soloist who takes all eight tricks by himself wins 8, and each opponent loses 2."""
    match = chiamata(first_dealer="4")
    perform(match, 0, 0, lambda course: 8 - course.tricks[0])
    assert (8, -2, -2, -2, -2) == scored(match)


@pytest.mark.clause("BC-7.4")
def test_all_points_are_not_every_trick() -> None:
    """BC-EX10: all 120 points, but an opponent has taken a worthless trick: not doubled (BC-R21)."""

    def wanted(course: Course) -> int:
        others = course.tricks[2] + course.tricks[3] + course.tricks[4]
        return 120 - course.points[0] - course.points[1] + 10 * abs(others - 1)

    match = chiamata(first_dealer="4")
    perform(match, 0, 1, wanted)
    assert MADE == scored(match)


@pytest.mark.clause("BC-7.4", "BC-7.3", "ALL-8")
@pytest.mark.parametrize(("agreed", "times"), [("", 1), ("false", 1), ("true", 2)])
def test_double_on_defenders_sweep(agreed: str, times: int) -> None:
    """`double_on_defenders_sweep`: a defeat without any trick counts double only where agreed (BC-R18)."""
    options = {"double_on_defenders_sweep": agreed} if agreed else {}
    match = chiamata(5, first_dealer="4", **options)
    perform(match, 0, 1, lambda course: course.tricks[0] + course.tricks[1])
    assert tuple(times * score for score in LOST) == scored(match)
    match = chiamata(5, first_dealer="4", **options)
    perform(match, 0, 0, lambda course: course.tricks[0])
    assert (-4 * times, times, times, times, times) == scored(match)
    match = chiamata(5, first_dealer="4", **options)
    perform(match, 0, 1, lambda course: abs(course.tricks[0] - 1) + abs(course.points[0] + course.points[1] - 5))
    assert LOST == scored(match)


# ---------------------------------------------------------------------- four players


@pytest.mark.clause("BC-7.6", "BC-7.2", "ALL-8")
@pytest.mark.parametrize(
    ("agreed", "ally", "tricks", "scores"),
    [
        pytest.param("literal", 2, 5, (-1, 2, 1, -1), id="BC-EX12-literal"),
        pytest.param("zero_sum", 2, 5, (-1, 1, 1, -1), id="BC-EX12-zero_sum"),
        ("", 2, 5, (-1, 2, 1, -1)),
        ("literal", 1, 6, (-1, 4, -1, -1)),
        ("zero_sum", 1, 6, (-1, 3, -1, -1)),
        ("zero_sum", 1, 10, (-2, 6, -2, -2)),
        ("literal", 1, 10, (-2, 8, -2, -2)),
        ("zero_sum", 2, 0, (1, -1, -1, 1)),
        ("literal", 2, 0, (1, -2, -1, 1)),
    ],
)
def test_four_player_scores(agreed: str, ally: Seat, tricks: int, scores: tuple[int, ...]) -> None:
    """BC-EX12, `four_player_scores`: the figures of five players, or figures that add up to nothing (BC-R19)."""

    def wanted(course: Course) -> int:
        points = sum(course.points[place] for place in {1, ally})
        fair = max(0, 61 - points) if tricks else points
        return fair + 5 * abs(sum(course.tricks[place] for place in {1, ally}) - tricks)

    match = chiamata(4, **({"four_player_scores": agreed} if agreed else {}))
    perform(match, 1, ally, wanted)
    assert scores == scored(match)


@pytest.mark.clause("BC-7.6", "ALL-8")
def test_zero_sum_has_no_effect_with_five() -> None:
    """With five players the agreement for four is accepted and changes nothing."""
    match = chiamata(5, first_dealer="4", four_player_scores="zero_sum")
    perform(match, 0, 1, with_points(s0=50, s1=20))
    assert MADE == scored(match)


# ---------------------------------------------------------------------- the game


@pytest.mark.clause("BC-7.7", "BC-4.2", "ALL-7")
def test_a_tie_at_the_top_is_played_on() -> None:
    """BC-EX13: 11 each and 12 each are no end; 14 to 11 is, and s1 has won; totals go below zero (BC-R23, BC-R24)."""
    match = chiamata(5, (9, 10, -3, -8, -8), first_dealer="4")
    perform(match, 0, 1, with_points(s0=50, s1=20))
    assert ("await_deal", (11, 11, -4, -9, -9)) == (match.p.phase, match.game.scores(match.p))
    perform(match, 2, 4, with_points(s2=30, s4=20))
    assert ("await_deal", (12, 12, -6, -8, -10)) == (match.p.phase, match.game.scores(match.p))
    perform(match, 1, 3, with_points(s1=50, s3=20))
    assert ("game_over", (11, 14, -7, -7, -11)) == (match.p.phase, match.game.scores(match.p))
    assert (frozenset({1}), [1]) == (match.game.outcome(match.p), [e.seat for e in events_of(match, "match_won")])
    assert ["match_over"] == match.codes(0, "pass_bid") == match.codes(CHANCE, "start_deal Ab")


@pytest.mark.clause("BC-7.7", "ALL-8")
@pytest.mark.parametrize(
    ("target", "before", "after", "phase"),
    [
        pytest.param("", (9, 0, -3, -3, -3), (11, 1, -4, -4, -4), "game_over", id="BC-EX18-11"),
        pytest.param("11", (8, 1, -3, -3, -3), (10, 2, -4, -4, -4), "await_deal", id="BC-EX18-10"),
        ("10", (8, 1, -3, -3, -3), (10, 2, -4, -4, -4), "game_over"),
        ("1", (0, 0, 0, 0, 0), (2, 1, -1, -1, -1), "game_over"),
        ("99", (96, 0, 0, 0, 0), (98, 1, -1, -1, -1), "await_deal"),
        ("3", (0, 5, 0, 0, 0), (2, 6, -1, -1, -1), "game_over"),
    ],
)
def test_game_target(target: str, before: tuple[int, ...], after: tuple[int, ...], phase: str) -> None:
    """BC-EX18, `game_target`: the game is over when somebody leads with 11, or what was agreed."""
    match = chiamata(5, before, first_dealer="4", **({"game_target": target} if target else {}))
    perform(match, 0, 1, with_points(s0=50, s1=20))
    assert (phase, after) == (match.p.phase, match.game.scores(match.p))


@pytest.mark.clause("BC-4.2", "BC-5.5", "BC-7.7")
def test_a_void_deal_does_not_end_the_game() -> None:
    """A deal that nobody bids in changes no total, whatever the totals are (BC-R27)."""
    match = chiamata(5, (12, 12, 0, 0, 0), first_dealer="4")
    match.deal(match.game.pack.cards)
    talk(match, "0 pass, 1 pass, 2 pass, 3 pass, 4 pass")
    assert ("await_deal", (12, 12, 0, 0, 0)) == (match.p.phase, match.game.scores(match.p))
    assert None is match.game.outcome(match.p)
