"""The heuristic for exchange games: keep a high card, pass on a low one, pay and accept what is fair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chitarrella.core.game import MoveValue
from chitarrella.core.model import Move, Seat
from chitarrella.exchange.parts import Rules
from chitarrella.exchange.reentry import REENTRY, REENTRY_NOW, reentry_cost
from chitarrella.exchange.round import Round

ENOUGH: Final = 6
"""The value from which a card is kept, that of a VI: more than half of the cards that may come are no higher."""
HALF: Final = 50  # the percentage that is fair between two


def move_values(g: Rules, r: Round, seat: Seat, moves: Sequence[Move]) -> list[MoveValue]:
    """Return the value of each of ``moves``: by its verb, then the less money it costs now the better.

    Uses the card of ``seat`` and what everybody knows.
    """
    verbs = preferred(g, r, seat)
    ranks = {verb: float(-place) for place, verb in enumerate(verbs)}
    return [(ranks.get(move.verb, float(-len(verbs))), -(move.amount or 0)) for move in moves]


def preferred(g: Rules, r: Round, seat: Seat) -> tuple[str, ...]:
    """Return the verbs that are preferred to all others, the best first."""
    low = card_value(g, r, seat) < ENOUGH
    pass_it_on = ("exchange", "draw", "ask_guarantee", "make_offer") if low else ("keep", "stay_at_inn", "no_offer")
    fair = "accept_agreement" if dict(r.proposal).get(str(seat), 0) >= HALF else "decline_agreement"
    cost = reentry_cost(g, r) if r.phase in (REENTRY, REENTRY_NOW) else 0
    money = "reenter" if cost * 2 <= r.match_state.pool else "decline_reentry"
    return (*pass_it_on, "agree_to_pay", "accept_offer", fair, money, "propose_agreement")


def card_value(g: Rules, r: Round, seat: Seat) -> int:
    """Return the value of the card of ``seat``, 0 without one; a fool, which has none, is better given away."""
    held = r.held[seat] if r.held else None
    return 0 if held is None else g.values.get(held.card.rank, -ENOUGH)
