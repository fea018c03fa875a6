"""The clock of a match: how long the seat on turn may think, and when something is due.

A decision may take ``move_ms``; what it takes beyond that is charged to the seat's bank. Adding seeds to a shuffle may
take as long as one decision, and are charged to nobody. Nothing happens by itself when the time is used up: until
somebody enforces the clock (`matches.operations`, which the scheduler calls), a move or a client seed is
still accepted. Times are those of the match (`match_time`), in milliseconds since 1970.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position, persons_to_move
from chitarrella.core.model import Seat
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.history import ClockReading, HistoryStep
from chitarrella.matches.metadata import (
    ADD_TIME,
    NO_CLOCK,
    PAUSE_CLOCK,
    RESUME_CLOCK,
    Clock,
    ControlAction,
    ControlState,
    MatchMetadata,
    Snapshot,
)


def now_ms() -> int:
    return int(time.time() * 1000)


def match_time(metadata: MatchMetadata, control: ControlState) -> int:
    """The time of a match now; at a test, its creation plus what its clock was advanced by."""
    return metadata.created_at * 1000 + control.advanced_ms if metadata.sandbox else now_ms()


def real_time(metadata: MatchMetadata, at: int | None) -> int | None:
    """When this machine's clock shows the time ``at`` of a match; None for never, as at a test."""
    return None if metadata.sandbox else at


RECHECK_SECONDS = 60  # a match with bots is looked at this often: a worker may have been killed before it did


class Transition(NamedTuple):
    """The positions before and after a log batch, and whether it held the decision that was waited for."""

    before: Position
    after: Position
    is_decision: bool


def start_clock(clock: Clock, game: AnyGame, control: ControlState, now: int) -> ControlState:
    if clock == NO_CLOCK:
        return control
    paused_at = now if clock.starts_when_joined else 0
    return control._replace(turn_started=now, banks=(clock.bank_ms,) * game.seats, paused_at=paused_at)


def switch_clock(control: ControlState, action: ControlAction, now: int) -> ControlState:
    """What the control actions of the clock do: it stands still, goes on where it stood, or a bank grows."""
    if action.kind == PAUSE_CLOCK:
        return control._replace(paused_at=now, pause_request=())
    if action.kind == RESUME_CLOCK:
        started = control.turn_started + now - control.paused_at
        return control._replace(turn_started=started, paused_at=0, pause_request=())
    if action.kind == ADD_TIME:
        one, seconds = map(int, action.value.split())
        banks = tuple(left + 1000 * seconds * (seat == one) for seat, left in enumerate(control.banks))
        return control._replace(banks=banks)
    return control


def charge(clock: Clock, game: AnyGame, transition: Transition, control: ControlState, now: int) -> ControlState:
    """Charge the seat that was on turn before a transition, and start the time of the seat on turn after it.

    A move that is no decision of the seat on turn, such as a signal, leaves the clock as it is. Where several decide at
    once, the time of each runs until it has decided.
    """
    if clock == NO_CLOCK:
        return control
    before, after = set(persons_to_move(game, transition.before)), set(persons_to_move(game, transition.after))
    if before == after and not transition.is_decision:
        return control
    now = control.paused_at or now
    others_decide = bool(after) and after < before
    banks, charged = control.banks, 0
    for one in before - after if others_decide else before:
        over = min(banks[one], max(0, now - control.turn_started - clock.move_ms))
        charged = over - clock.increment_ms if transition.is_decision else over
        banks = tuple(left - charged if seat == one else left for seat, left in enumerate(banks))
    started = control.turn_started if others_decide else now
    return control._replace(turn_started=started, banks=banks, charged_ms=charged)


def give_back(control: ControlState, seat: Seat, now: int) -> ControlState:
    """Return to a seat what its last decision has cost its bank, and start its time anew."""
    banks = tuple(left + control.charged_ms if one == seat else left for one, left in enumerate(control.banks))
    return control._replace(turn_started=control.paused_at or now, banks=banks, charged_ms=0)


def next_due(snapshot: Snapshot, now: int, *, is_searching: bool = False) -> int | None:
    """The real time at which something is due at a match: a bot's move, or a clock that has run out. None for never.

    ``now`` is the real time. The bot on turn is not due where it waits for a search (``is_searching``).
    """
    runs_out = real_time(snapshot.metadata, deadline(snapshot))
    if not (snapshot.control.bots or snapshot.control.resigned) or snapshot.row.aborted or snapshot.is_over:
        return runs_out
    if snapshot.resigned_on_turn is not None or (not is_searching and snapshot.bot_on_turn):
        return bot_due(snapshot, now) or now
    recheck = now + RECHECK_SECONDS * 1000
    return min(recheck, runs_out or recheck)


def bot_due(snapshot: Snapshot, now: int) -> int | None:
    """When the bot on turn may move, None if it may at ``now``: it waits for its delay, not beyond its deadline."""
    bot = snapshot.bot_on_turn
    if bot is None or not bot.delay_ms or snapshot.metadata.sandbox or snapshot.resigned_on_turn is not None:
        return None
    due = snapshot.row.turn_since + bot.delay_ms
    runs_out = deadline(snapshot)
    due = due if runs_out is None else min(due, runs_out)
    return due if due > now else None


def deadline(snapshot: Snapshot) -> int | None:
    """Until when the seat on turn may think, or client seeds are waited for.

    None where no clock runs, nobody is on turn, or the match was aborted.
    """
    clock, control = snapshot.metadata.clock, snapshot.control
    if clock == NO_CLOCK or control.paused_at or snapshot.row.aborted or snapshot.is_decided:
        return None
    if turns := snapshot.turns:
        return control.turn_started + clock.move_ms + min(control.banks[seat] for seat in turns)
    return control.turn_started + (clock.move_ms or clock.bank_ms) if awaiting_seeds_from(snapshot) else None


def with_clock(snapshot: Snapshot, step: HistoryStep) -> HistoryStep:
    """Return ``step`` with what the clock shows, if it leads to the present revision.

    Entries behind it that raise none are private, so the step shows the same whether there are any or not.
    """
    if snapshot.metadata.clock == NO_CLOCK or step.revision != snapshot.row.revision:
        return step
    return step._replace(clock=ClockReading(deadline(snapshot), snapshot.control.banks))


def is_time_over(snapshot: Snapshot) -> bool:
    until = deadline(snapshot)
    return until is not None and match_time(snapshot.metadata, snapshot.control) > until


def ttl_seconds(snapshot: Snapshot, since: int | None = None) -> int:
    """The time to live of a match ``since`` its last change: its ``ttl_seconds``, counted from when its clock will have
    run out in real time.
    """
    runs_out = real_time(snapshot.metadata, deadline(snapshot))
    since = snapshot.row.updated_at if since is None else since
    return snapshot.metadata.ttl_seconds + (max(0, runs_out - since) // 1000 if runs_out else 0)
