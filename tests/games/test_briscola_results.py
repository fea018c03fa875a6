"""Briscola: who wins a game, and who wins the rubber (clauses BR-7)."""

from __future__ import annotations

import pytest

from chitarrella.core.model import REFEREE
from tests.games.support.scripted_deals import contrive, points, rubber
from tests.games.support.table import Match, events_of, facts, seat


@pytest.mark.clause("BR-7.2", "BR-7.3")
@pytest.mark.parametrize(
    ("taken", "winner"),
    [
        ((50, 45, 25), 0),
        ((44, 40, 36), 0),
        ((57, 61, 2), 1),
        ((50, 50, 20), None),
        ((60, 60, 0), None),
        ((40, 40, 40), None),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_three_handed_results(taken: tuple[int, ...], winner: int | None) -> None:
    """BR-EX8: the most points win, also fewer than 61; two or three level at the top are a stand-off (BR-R4)."""
    game = seat("briscola", 3)
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert taken == game.points(match.p)
    assert tuple(int(place == winner) for place in range(3)) == match.p.match_state.wins == game.scores(match.p)
    assert (1, 0)[winner is None] == len(events_of(match, "deal_won"))
    assert (0, 1)[winner is None] == len(events_of(match, "deal_drawn"))


@pytest.mark.clause("BR-7.2")
@pytest.mark.parametrize(("taken", "wins"), [((61, 59), (1, 0)), ((59, 61), (0, 1)), ((60, 60), (0, 0))])
def test_two_handed_results(taken: tuple[int, int], wins: tuple[int, int]) -> None:
    """61 win, 60 each are a stand-off, and a win counts one game however high it is."""
    game = seat("briscola")
    match = contrive(game, 0, points(*taken)).perform(Match(game))
    assert (taken, wins) == (game.points(match.p), match.p.match_state.wins)


@pytest.mark.clause("BR-7.1")
def test_a_decided_deal_goes_on() -> None:
    """BR-R8: when a seat has passed 60 the deal is not over; all twenty tricks are played."""
    game = seat("briscola")
    script = contrive(game, 0, points(120, 0))
    match = script.perform(Match(game), tricks=19)
    assert max(game.points(match.p)) > 60
    assert ("play", 19) == (match.p.phase, len(match.p.tricks))


@pytest.mark.clause("BR-7.4", "BR-7.2")
def test_rubber_of_two() -> None:
    """BR-EX9: s0, s1, stand-off, s1, s0, s1: after six deals s1 has three wins and the rubber (BR-R10)."""
    match = Match(seat("briscola"))
    rubber(match, [0, 1, None, 1, 0])
    assert ("await_deal", (2, 2), None) == (match.p.phase, match.p.match_state.wins, match.game.outcome(match.p))
    rubber(match, [1])
    assert ("rubber_over", 6, (2, 3)) == (match.p.phase, match.p.match_state.deal, match.p.match_state.wins)
    assert frozenset({1}) == match.game.outcome(match.p)
    assert [1] == [event.seat for event in events_of(match, "match_won")]


@pytest.mark.clause("BR-7.4")
def test_three_players_play_to_three_wins() -> None:
    """BR-R9: with three players the first to three wins, though it takes seven deals."""
    match = Match(seat("briscola", 3))
    rubber(match, [0, 1, 2, 0, 1, 2])
    assert (None, (2, 2, 2)) == (match.game.outcome(match.p), match.p.match_state.wins)
    rubber(match, [2])
    assert (frozenset({2}), 7) == (match.game.outcome(match.p), match.p.match_state.deal)


@pytest.mark.clause("BR-7.4", "BR-7.2")
def test_a_side_wins_the_rubber_together() -> None:
    """Of four players both seats of a side win, and both have its games."""
    match = Match(seat("briscola", 4, rubber_games="1"))
    match.play_out()
    while match.game.outcome(match.p) is None:
        match.play_out()
    won = match.p.match_state.wins.index(1)
    assert frozenset({won, won + 2}) == match.game.outcome(match.p)
    assert tuple(int(place % 2 == won) for place in range(4)) == match.game.scores(match.p)
    assert {0: 1 - won, 1: won, 2: 1 - won, 3: won} == facts(match.view(REFEREE), "deals_won")


@pytest.mark.clause("BR-7.4", "ALL-8")
@pytest.mark.parametrize("games", [1, 2, 3, 50, 99])
def test_rubber_games(games: int) -> None:
    """`rubber_games`: the rubber is over with exactly that many games won."""
    game = seat("briscola", rubber_games=str(games))
    before = game.start()
    before = before._replace(match_state=before.match_state._replace(deal=games - 1, wins=(games - 1, 0)))
    match = Match(game, game.decode(game.encode(before)))
    rubber(match, [1, 0] if games > 1 else [0])
    assert ("rubber_over", games, frozenset({0})) == (
        match.p.phase,
        match.p.match_state.wins[0],
        match.game.outcome(match.p),
    )


@pytest.mark.clause("BR-7.4")
def test_three_games_unless_agreed() -> None:
    """The rubber is the best of five where nothing is said."""
    match = Match(seat("briscola"))
    rubber(match, [0, 0])
    assert "await_deal" == match.p.phase
    rubber(match, [0])
    assert "rubber_over" == match.p.phase


@pytest.mark.clause("ALL-3", "BR-7.1")
def test_forced_cards_are_moves() -> None:
    """The last card of a hand is not played by itself."""
    game = seat("briscola")
    match = contrive(game, 0, points(61, 59)).perform(Match(game), tricks=19)
    for cards_left in (2, 1):
        turn = match.game.turn(match.p)
        assert turn is not None
        assert ("play", cards_left) == (match.p.phase, sum(len(hand) for hand in match.p.hands))
        (move,) = match.moves(turn)
        match.say(turn, move)
    assert "await_deal" == match.p.phase
