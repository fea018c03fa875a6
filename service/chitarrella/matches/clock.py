"""The clock of a match: how long the seat on turn may think, and when something is due.

A decision may take ``move_ms``; what it takes beyond that is charged to the seat's bank. Adding seeds to a shuffle may
take as long as one decision, and are charged to nobody. Nothing happens by itself when the time is used up: until
somebody enforces the clock (`matches.operations`, which the scheduler calls), a move or a client seed is
still accepted. Times are those of the match (`match_time`), in milliseconds since 1970.
"""

from __future__ import annotations

import time
from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position, seat_to_move
from chitarrella.matches.chance import awaiting_seeds_from
from chitarrella.matches.metadata import NO_CLOCK, Clock, ControlState, MatchMetadata
from chitarrella.matches.model import Snapshot


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
    return control._replace(turn_started=now, banks=(clock.bank_ms,) * game.seats) if clock != NO_CLOCK else control


def charge(clock: Clock, game: AnyGame, transition: Transition, control: ControlState, now: int) -> ControlState:
    """Charge the seat that was on turn before a transition, and start the time of the seat on turn after it.

    A move that is no decision of the seat on turn, such as a signal, leaves the clock as it is.
    """
    if clock == NO_CLOCK:
        return control
    before, after = seat_to_move(game, transition.before), seat_to_move(game, transition.after)
    if before == after and not transition.is_decision:
        return control
    banks = control.banks
    if before is not None:
        over = max(0, now - control.turn_started - clock.move_ms)
        banks = tuple(max(0, left - over) if seat == before else left for seat, left in enumerate(banks))
    return control._replace(turn_started=now, banks=banks)


def next_due(snapshot: Snapshot, now: int, *, is_searching: bool = False) -> int | None:
    """The real time at which something is due at a match: a bot's move, or a clock that has run out. None for never.

    ``now`` is the real time. The bot on turn is not due where it waits for a search (``is_searching``).
    """
    runs_out = real_time(snapshot.metadata, deadline(snapshot))
    if not snapshot.control.bots or snapshot.row.aborted or snapshot.game.is_finished(snapshot.position):
        return runs_out
    if not is_searching and snapshot.control.bot(seat_to_move(snapshot.game, snapshot.position)):
        return now
    recheck = now + RECHECK_SECONDS * 1000
    return min(recheck, runs_out or recheck)


def deadline(snapshot: Snapshot) -> int | None:
    """Until when the seat on turn may think, or client seeds are waited for.

    None where no clock runs, nobody is on turn, or the match was aborted.
    """
    clock, control = snapshot.metadata.clock, snapshot.control
    if snapshot.row.aborted or clock == NO_CLOCK:
        return None
    if (seat := seat_to_move(snapshot.game, snapshot.position)) is not None:
        return control.turn_started + clock.move_ms + control.banks[seat]
    return control.turn_started + (clock.move_ms or clock.bank_ms) if awaiting_seeds_from(snapshot) else None


def is_time_over(snapshot: Snapshot) -> bool:
    until = deadline(snapshot)
    return until is not None and match_time(snapshot.metadata, snapshot.control) > until


def ttl_seconds(snapshot: Snapshot) -> int:
    """The time to live of a match: its ``ttl_seconds``, counted from when its clock will have run out in real time."""
    runs_out = real_time(snapshot.metadata, deadline(snapshot))
    return snapshot.metadata.ttl_seconds + (max(0, runs_out - now_ms()) // 1000 if runs_out else 0)
