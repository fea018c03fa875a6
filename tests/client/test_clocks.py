"""Clocks through the client: deadlines, banks, and the move of a seat that does not move in time."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from chitarrella.transports.inprocess import Service, channel
from chitarrella_client import Chitarrella, ErrorCode, errors


def test_timeout_plays_the_default_move(client: Chitarrella) -> None:
    """Whoever can see the match may enforce the clock: a seat out of time plays the default move."""
    match = client.create_match("zifuli", clock=(1, 0))
    state = match.get()
    assert state.deadline is not None
    assert (0,) * 5 == state.bank_ms
    public = client.match(match.id)
    early = public.enforce_clock()
    assert (False, state.revision, state.deadline) == (early.timed_out, early.revision, early.deadline)
    sleep_until(state.deadline)
    late = public.enforce_clock()  # the service may have done it before, by itself
    assert state.revision + 2 <= late.revision
    kinds = [event.kind for update in public.events(state.cursor) for event in update.events]
    assert ["time_over", "bid_passed"] == kinds[:2]
    assert late.deadline is not None
    assert late.deadline > state.deadline


def test_clock_result_says_whether_time_was_up() -> None:
    """The result is true for the call that played the move; here no scheduler can be faster."""
    service = Service()
    service._scheduler.close()
    with channel(service) as in_process:
        match = Chitarrella(in_process).create_match("zifuli", clock=(1, 0))
        state = match.get()
        assert state.deadline is not None
        sleep_until(state.deadline)
        late = match.enforce_clock()
        assert (True, state.revision + 2) == (late.timed_out, late.revision)
    service.close()


def sleep_until(deadline: datetime) -> None:
    """Wait until a deadline is over."""
    time.sleep(max(0.0, (deadline - datetime.now(UTC)).total_seconds()) + 0.1)


def test_clock_banks_are_in_the_view(client: Chitarrella) -> None:
    """The state has what is left in the bank of each seat; a decision in time costs nothing."""
    match = client.create_match("briscola", players=2, clock=(60, 300))
    moves = match.legal_moves()
    match.as_seat(moves.seat).play(moves[0])
    assert (300_000, 300_000) == match.get().bank_ms


def test_no_clock_has_no_deadline(client: Chitarrella) -> None:
    """Without a clock there is no deadline, and nothing to enforce; a private match is unknown to the public."""
    match = client.create_match("briscola")
    assert match.get().deadline is None
    with pytest.raises(errors.NotPossibleNow) as none:
        match.enforce_clock()
    assert ErrorCode.NO_CLOCK == none.value.code
    hidden = client.create_match("briscola", private=True, clock=(1, 1))
    with pytest.raises(errors.NoSuchMatch):
        client.match(hidden.id).enforce_clock()


def test_catalogue_names_the_default_moves(client: Chitarrella) -> None:
    """The catalogue says which moves are played for a seat that does not move in time."""

    def defaults(game_id: str) -> set[str]:
        return {spec.verb for spec in client.game(game_id).moves if spec.timeout_default}

    assert {"pass_bid"} == defaults("zifuli")
    assert {"keep", "decline_reentry", "no_offer"} < defaults("lu-stu")
