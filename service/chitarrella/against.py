"""What stands against a move, or an act of the house, at a kept match."""

from __future__ import annotations

from chitarrella import errors
from chitarrella.affairs import CONTRIBUTE, Act
from chitarrella.drawing import SHARED
from chitarrella.game import accepted, judge
from chitarrella.kept import Seen, Wish
from chitarrella.words import CHANCE, Refusal


def against_move(seen: Seen, wish: Wish) -> tuple[Refusal, ...] | errors.ChitarrellaError:
    """Say what stands against a move on this page: an error, broken clauses, or nothing."""
    if seen.page.ended:
        return ended()
    refusals = judge(seen.game, seen.position, wish.actor, wish.move)
    still_legal = "true" if accepted(refusals) else "false"
    return against_revision(seen, wish.expected, still_legal=still_legal) or refusals


def against_revision(seen: Seen, expected: int | None, **details: str) -> errors.Stale | None:
    """Say that the table has moved on from the revision a caller built upon, None where it has not."""
    if expected is None or expected == seen.page.revision:
        return None
    because = f"The table is at revision {seen.page.revision}, not {expected}."
    return errors.Stale("stale_revision", because, "expected_revision", revision=str(seen.page.revision), **details)


def against_ending(seen: Seen) -> errors.ChitarrellaError | None:
    """Say that the match was ended or is over, None where it goes on."""
    if seen.page.ended:
        return ended()
    if seen.game.over(seen.position):
        return errors.NotPossibleNow("match_over", "The match is over.")
    return None


def ended() -> errors.NotPossibleNow:
    """Say that a match was ended."""
    return errors.NotPossibleNow("match_ended", "The match was ended before its time.")


def against_act(seen: Seen, act: Act) -> errors.ChitarrellaError | None:
    """Say why an act of the house is not possible now, None where it is."""
    if seen.page.ended:
        return ended()
    waiting = seen.game.turn(seen.position) == CHANCE and seen.header.packs == SHARED
    if not waiting:
        return errors.NotPossibleNow("no_draw_awaited", "No pack is waiting for words of the seats.")
    if act.what == CONTRIBUTE and act.actor in dict(seen.affairs.words):
        return errors.NotPossibleNow("already_contributed", f"Seat {act.actor} has said another word for this deal.")
    return None
