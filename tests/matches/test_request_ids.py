"""Whoever repeats a request is answered as before, and nothing is played twice."""

from __future__ import annotations

import pytest

from chitarrella import errors
from chitarrella.core.model import Move
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from tests.matches.playing import (
    LONG_MATCH,
    PARTNERS,
    SHORT,
    check_consistency,
    choice,
    go_on,
    parse,
    raised,
    same_answer,
    unheld,
)


@pytest.mark.parametrize("later", [0, 1, 5, 39, 45])
def test_repeated_request_is_answered_as_before(service: MatchService, other: MatchService, later: int) -> None:
    """A repeated request gets the first answer, however far the match has come since, and plays nothing."""
    opened = service.create(CreateMatch(LONG_MATCH))
    request = choice(opened.snapshot)._replace(expected_revision=1, request_id="request")
    first = service.play(opened.match, request)
    go_on(service, opened.match, later) if later else None
    log = service.repository.read_log(opened.match)
    for asked in (service, other):
        same_answer(first, asked.play(opened.match, request))
        same_answer(first, asked.play(opened.match, request._replace(expected_revision=None)))
    assert log == check_consistency(service, opened)


def test_repeated_request_of_the_last_move_returns_the_same_deal(service: MatchService, other: MatchService) -> None:
    """The move that ended a deal is answered with the same next deal again, also deals later."""
    opened = service.create(CreateMatch(LONG_MATCH))
    go_on(service, opened.match, 39)
    request = choice(service.repository.load(opened.match))._replace(request_id="request")
    first = service.play(opened.match, request)
    assert 2 == len(first.updates)
    for later in (0, 7, 80):
        go_on(service, opened.match, later) if later else None
        for asked in (service, other):
            same_answer(first, asked.play(opened.match, request))
    check_consistency(service, opened)


def test_request_id_with_another_move_is_an_error(service: MatchService, other: MatchService) -> None:
    """A request id that has made a move makes no other one, legal or not; it still names the first."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)._replace(request_id="request")
    first = service.play(opened.match, request)
    seat, hand = (
        request.actor,
        [card for card in opened.snapshot.position.hands[request.actor] if card not in request.move.cards],
    )
    for asked in (service, other):
        for card in (hand[0], hand[1], next(iter(unheld(opened.snapshot).move.cards))):
            with pytest.raises(errors.AlreadyExists) as wrong:
                asked.play(opened.match, MoveRequest(seat, Move("play_card", (card,)), None, "request"))
            raised(errors.AlreadyExists, "request_reused", by=wrong.value)
    same_answer(first, other.play(opened.match, request))
    assert 2 == len(check_consistency(service, opened))


def test_request_ids_are_per_match(service: MatchService) -> None:
    """Request ids of two matches are independent."""
    for _ in range(2):
        opened = service.create(CreateMatch(SHORT))
        assert not service.play(opened.match, choice(opened.snapshot)._replace(request_id="1")).repeated


def test_request_ids_are_per_seat(service: MatchService) -> None:
    """Two seats may use the same request ids, and learn nothing of each other by it."""
    opened = service.create(CreateMatch(PARTNERS))
    assert service.play(opened.match, MoveRequest(3, parse(opened.snapshot, "signal A"), None, "1")).accepted
    for _ in range(4):
        played = service.play(opened.match, choice(service.repository.load(opened.match))._replace(request_id="2"))
        assert (True, False) == (played.accepted, played.repeated)
    assert 6 == len(check_consistency(service, opened))


def test_move_without_request_id_is_always_new(service: MatchService) -> None:
    """Without a request id the same move is a new one, and refused where it is illegal."""
    opened = service.create(CreateMatch(SHORT))
    request = choice(opened.snapshot)
    assert service.play(opened.match, request).accepted
    again = service.play(opened.match, request)
    assert (False, False) == (again.accepted, again.repeated)
