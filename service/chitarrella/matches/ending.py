"""How a match ends: by its rules, because sides resign, or because its referee or platform decides it."""

from __future__ import annotations

from typing import NamedTuple

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Seat
from chitarrella.matches.metadata import ControlState

PLAYED, RESIGNED, DECIDED = "played", "resigned", "decided"


class Ending(NamedTuple):
    kind: str
    winners: frozenset[Seat]


def ending(game: AnyGame, p: Position, control: ControlState) -> Ending | None:
    """How a match has ended that stands at ``p``; None while it goes on.

    A side of which a seat has resigned cannot win. Where one side is left, that has won.
    """
    if control.verdict is not None:
        return Ending(DECIDED, frozenset(control.verdict))
    lost = {game.sides[seat] for seat in control.resigned}
    if game.is_finished(p):
        winners = game.outcome(p) or frozenset()
        return Ending(PLAYED, frozenset(seat for seat in winners if game.sides[seat] not in lost))
    left = set(game.sides) - lost
    if not lost or len(left) > 1:
        return None
    return Ending(RESIGNED, frozenset(seat for seat, side in enumerate(game.sides) if side in left))


def is_decided(game: AnyGame, p: Position, control: ControlState) -> bool:
    """Whether a match is over though its rules do not say so."""
    if not control.resigned and control.verdict is None:
        return False
    return not game.is_finished(p) and ending(game, p, control) is not None


def is_over(game: AnyGame, p: Position, control: ControlState) -> bool:
    return game.is_finished(p) or is_decided(game, p, control)
