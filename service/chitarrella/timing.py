"""Clocks: how long the person on turn may still think, and what is done for one who has let the time run out.

A decision may take ``move`` milliseconds; what it takes beyond that comes out of the seat's bank. Words for a shuffle
may take as long as one decision, and cost nobody's bank. Nothing happens by itself when the time is used up: anyone may
then ask for a ruling, and until somebody does a move, or a word, is still welcome.
"""

from __future__ import annotations

from typing import NamedTuple

from chitarrella.affairs import Affairs
from chitarrella.drawing import words_awaited
from chitarrella.game import AnyGame, Position, waited_for
from chitarrella.header import Clock
from chitarrella.kept import Seen


class Step(NamedTuple):
    """What a move has changed, and whether it was the decision that was waited for."""

    before: Position
    after: Position
    decided: bool


def set_going(clock: Clock, game: AnyGame, affairs: Affairs, now: int) -> Affairs:
    """Start the clock of a match that is opened at ``now``."""
    return affairs._replace(since=now, banks=(clock.bank,) * game.seats) if clock.runs else affairs


def pressed(clock: Clock, game: AnyGame, step: Step, affairs: Affairs, now: int) -> Affairs:
    """Charge who was thinking before a step, and start the clock of who is thinking after it.

    What is no decision of the person on turn, such as a signal, leaves the clock as it is.
    """
    was, is_now = waited_for(game, step.before), waited_for(game, step.after)
    if not clock.runs or (was == is_now and not step.decided):
        return affairs
    banks = affairs.banks
    if was is not None:
        over = max(0, now - affairs.since - clock.move)
        banks = tuple(max(0, left - over) if seat == was else left for seat, left in enumerate(banks))
    return affairs._replace(since=now, banks=banks)


SECONDS_TO_HEAL = 60
"""How soon a match with bots is looked at again in any case, should a worker fall before it has noted what is due."""


def when_due(seen: Seen, now: int) -> int | None:
    """Say when there is something to see to, in milliseconds since 1970: a bot to move, or a clock that has run out."""
    until = until_when(seen)
    if not seen.affairs.bots or seen.page.ended or seen.game.over(seen.position):
        return until
    if seen.affairs.bot(waited_for(seen.game, seen.position)):
        return now
    return min(now + SECONDS_TO_HEAL * 1000, until or now + SECONDS_TO_HEAL * 1000)


def until_when(seen: Seen) -> int | None:
    """Say until when the person on turn may think, or words for a shuffle are waited for, in milliseconds since 1970.

    None where no clock runs, nobody is thinking, or the match was ended.
    """
    clock, affairs = seen.header.clock, seen.affairs
    if seen.page.ended or not clock.runs:
        return None
    if (seat := waited_for(seen.game, seen.position)) is not None:
        return affairs.since + clock.move + affairs.banks[seat]
    return affairs.since + (clock.move or clock.bank) if words_awaited(seen) else None


def seconds_kept(seen: Seen, now: int) -> int:
    """Say after how many seconds a match is forgotten: as agreed, counted from when its clock will have run out."""
    return seen.header.expires + max(0, (until_when(seen) or now) - now) // 1000
