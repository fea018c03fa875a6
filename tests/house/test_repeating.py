"""Whoever repeats a request is answered as before, and nothing is played twice."""

from __future__ import annotations

import pytest

from chitarrella import errors
from chitarrella.kept import Wish
from chitarrella.referee import Referee
from chitarrella.words import Move
from tests.house.table import (
    LONG_MATCH,
    PARTNERS,
    SHORT,
    check_books,
    choice,
    go_on,
    raised,
    same_answer,
    says,
    unheld,
)


@pytest.mark.parametrize("later", [0, 1, 5, 39, 45])
def test_a_repeated_request_plays_nothing(referee: Referee, other: Referee, later: int) -> None:
    """A request that is repeated is answered as it was, table and all, however far the match has come since."""
    opened = referee.open(LONG_MATCH)
    wish = choice(opened.seen)._replace(expected=1, request="request")
    first = referee.play(opened.match, wish)
    go_on(referee, opened.match, later) if later else None
    log = referee.moves(opened.match)
    for asked in (referee, other):
        same_answer(first, asked.play(opened.match, wish))
        same_answer(first, asked.play(opened.match, wish._replace(expected=None)))
    assert log == check_books(referee, opened)


def test_a_repeated_request_that_ended_a_deal(referee: Referee, other: Referee) -> None:
    """The move that ended a deal is answered with the next deal again, as it was dealt, also deals later."""
    opened = referee.open(LONG_MATCH)
    go_on(referee, opened.match, 39)
    wish = choice(referee.see(opened.match))._replace(request="request")
    first = referee.play(opened.match, wish)
    assert 2 == len(first.told)
    for later in (0, 7, 80):
        go_on(referee, opened.match, later) if later else None
        for asked in (referee, other):
            same_answer(first, asked.play(opened.match, wish))
    check_books(referee, opened)


def test_a_request_for_another_move(referee: Referee, other: Referee) -> None:
    """A request id that has made a move makes no other one, legal or not; the first is still known by it."""
    opened = referee.open(SHORT)
    wish = choice(opened.seen)._replace(request="request")
    first = referee.play(opened.match, wish)
    seat, hand = wish.actor, [card for card in opened.seen.position.hands[wish.actor] if card not in wish.move.cards]
    for asked in (referee, other):
        for card in (hand[0], hand[1], next(iter(unheld(opened.seen).move.cards))):
            with pytest.raises(errors.AlreadyExists) as wrong:
                asked.play(opened.match, Wish(seat, Move("play_card", (card,)), None, "request"))
            raised(errors.AlreadyExists, "request_reused", by=wrong.value)
    same_answer(first, other.play(opened.match, wish))
    assert 2 == len(check_books(referee, opened))


def test_another_match_may_use_the_same_request(referee: Referee) -> None:
    """Request ids of two matches have nothing to do with each other."""
    for _ in range(2):
        opened = referee.open(SHORT)
        assert not referee.play(opened.match, choice(opened.seen)._replace(request="1")).repeated


def test_another_seat_may_use_the_same_request(referee: Referee) -> None:
    """Request ids are a caller's own: two seats may count their moves alike, and learn nothing of each other by it."""
    opened = referee.open(PARTNERS)
    assert referee.play(opened.match, Wish(3, says(opened.seen, "signal A"), None, "1")).accepted
    for _ in range(4):
        played = referee.play(opened.match, choice(referee.see(opened.match))._replace(request="2"))
        assert (True, False) == (played.accepted, played.repeated)
    assert 6 == len(check_books(referee, opened))


def test_moves_without_request_are_not_repeated(referee: Referee) -> None:
    """Without a request id the same words are a new move, which is refused where it is none."""
    opened = referee.open(SHORT)
    wish = choice(opened.seen)
    assert referee.play(opened.match, wish).accepted
    again = referee.play(opened.match, wish)
    assert (False, False) == (again.accepted, again.repeated)
