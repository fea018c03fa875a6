"""Clocks through the client: the deadline is told, a ruling is asked for, and everybody receives it."""

from __future__ import annotations

import time

import pytest

from chitarrella_client import Chitarrella, ErrorCode, errors


def test_timeout_plays_the_default_move(client: Chitarrella) -> None:
    """Anyone who may look has a seat that let its time run out make its move by default."""
    match = client.create_match("zifuli", clock=(1, 0))
    seen = match.look()
    assert seen.deadline_ms is not None
    assert (0,) * 5 == seen.bank_ms
    public = client.match(match.id)
    early = public.rule_on_time()
    assert (False, seen.revision, seen.deadline_ms) == (early.ruled, early.revision, early.deadline_ms)
    time.sleep(max(0.0, seen.deadline_ms / 1000 - time.time()) + 0.1)
    late = public.rule_on_time()
    assert (True, seen.revision + 2) == (late.ruled, late.revision)
    kinds = [event.kind for update in public.events() for event in update.events]
    assert ["time_over", "bid_passed"] == kinds[-2:]
    assert (late.deadline_ms or 0) > seen.deadline_ms


def test_clock_banks_are_in_the_view(client: Chitarrella) -> None:
    """What is left in the bank of each seat is told; a decision in time costs nothing."""
    match = client.create_match("briscola", players=2, clock=(60, 300))
    seat = match.moves().seat or 0
    match.as_seat(seat).play(match.moves()[0])
    assert (300_000, 300_000) == match.look().bank_ms


def test_no_clock_has_no_deadline(client: Chitarrella) -> None:
    """Without a clock there is no deadline, and nothing to rule on; of a private match nobody learns."""
    match = client.create_match("briscola")
    assert match.look().deadline_ms is None
    with pytest.raises(errors.NotPossibleNow) as none:
        match.rule_on_time()
    assert ErrorCode.NO_CLOCK == none.value.code
    hidden = client.create_match("briscola", private=True, clock=(1, 1))
    with pytest.raises(errors.NoSuchMatch):
        client.match(hidden.id).rule_on_time()


def test_catalogue_names_the_default_moves(client: Chitarrella) -> None:
    """The catalogue says which moves a seat is taken to make that lets its time run out."""
    assert {"pass_bid"} == {move.verb for move in client.game("zifuli").moves if move.lapse}
    assert {"keep", "decline_reentry", "no_offer"} < {move.verb for move in client.game("lu-stu").moves if move.lapse}
