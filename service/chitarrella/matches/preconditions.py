"""Preconditions of moves and control actions at a match."""

from __future__ import annotations

from chitarrella import errors
from chitarrella.core.game import is_accepted, validate_move
from chitarrella.core.model import CHANCE, Refusal
from chitarrella.matches.control import CONTRIBUTE_SEED, ControlAction
from chitarrella.matches.loss import moves_lost
from chitarrella.matches.model import SHARED_PACKS, MoveRequest, Snapshot

MAX_ADVANCED_SECONDS = 100 * 365 * 24 * 3600
"""By how many seconds the clock of a test can be advanced in all its life."""


def check_preconditions(snapshot: Snapshot, request: MoveRequest) -> tuple[Refusal, ...] | errors.ChitarrellaError:
    """The refusals of a move, or the error for which it is not played even where the rules allow it.

    The error is returned and not raised: a snapshot from the cache may be out of date, and then it does not count.
    """
    if snapshot.row.aborted:
        return match_aborted()
    refusals = validate_move(snapshot.game, snapshot.position, request.actor, request.move)
    still_legal = "true" if is_accepted(refusals) else "false"
    return check_revision(snapshot, request.expected_revision, still_legal=still_legal) or refusals


def check_revision(snapshot: Snapshot, expected: int | None, **details: str) -> errors.Stale | None:
    """The error for a caller that has not seen the last revision; None where it has, or where it does not matter."""
    revision = snapshot.row.revision
    if expected is None or expected == revision:
        return None
    if expected > revision:
        return moves_lost(revision, "expected_revision", **details)
    message = f"The table is at revision {revision}, not {expected}."
    return errors.Stale("stale_revision", message, "expected_revision", revision=str(revision), **details)


def check_in_progress(snapshot: Snapshot) -> errors.ChitarrellaError | None:
    """The error for a match that was aborted or is finished; None where it goes on."""
    if snapshot.row.aborted:
        return match_aborted()
    if snapshot.game.is_finished(snapshot.position):
        return errors.NotPossibleNow("match_over", "The match is finished.")
    return None


def match_aborted() -> errors.NotPossibleNow:
    """The error for a match that was aborted."""
    return errors.NotPossibleNow("match_aborted", "The match was aborted.")


def check_advance(snapshot: Snapshot, seconds: int) -> errors.ChitarrellaError | None:
    """The error for a clock that is to be advanced by ``seconds``; None where it may be."""
    if not snapshot.metadata.sandbox:
        return errors.NotPossibleNow("not_a_sandbox", "Only the clock of a sandbox match can be advanced.")
    if error := check_in_progress(snapshot):
        return error
    if not snapshot.metadata.clock.is_running:
        return errors.NotPossibleNow("no_clock", "The match has no clock.")
    if snapshot.control.advanced_ms // 1000 + seconds > MAX_ADVANCED_SECONDS:
        message = f"The clock of a match can be advanced by {MAX_ADVANCED_SECONDS} seconds altogether."
        return errors.BadRequest("bad_request", message, "seconds")
    return None


def check_client_seed(snapshot: Snapshot, action: ControlAction) -> errors.ChitarrellaError | None:
    """The error for a client seed, or for a request to shuffle without more of them; None where it may be."""
    if snapshot.row.aborted:
        return match_aborted()
    is_chance_due = snapshot.game.turn(snapshot.position) == CHANCE
    if not is_chance_due or snapshot.metadata.pack_source != SHARED_PACKS:
        return errors.NotPossibleNow("no_shuffle_pending", "No shuffle is waiting for seeds.")
    if action.kind == CONTRIBUTE_SEED and action.actor in dict(snapshot.control.client_seeds):
        message = f"Seat {action.actor} has added another seed to this shuffle."
        return errors.NotPossibleNow("already_contributed", message)
    return None
