"""The judgement of a simple player at games of exchange: hold what is high, be rid of what is low, pay what is fair.

It sees what its seat sees and knows nothing of what others do; among equals it lets luck decide.
"""

from __future__ import annotations

from random import Random
from typing import Final

from chitarrella.exchange.game import ExchangeGame
from chitarrella.words import Move, Seat, View

ENOUGH: Final = 6
"""Who holds a VI or better keeps it: more than half of the cards that may come are no higher."""
HALF: Final = 50
"""The percentage that is fair between two."""


class Prudence:
    """What a prudent player does at one game."""

    def __init__(self, game: ExchangeGame) -> None:
        """Learn the ranks of the cards, which are public."""
        self.values = game.values

    def choose(self, view: View, moves: tuple[Move, ...], rng: Random) -> Move:
        """Choose among the legal moves the one that is preferred, by the words they begin with."""
        by_verb = {move.verb: move for move in moves}
        for verb in self._wishes(view):
            if verb in by_verb:
                return by_verb[verb]
        return rng.choice(moves)

    def _wishes(self, view: View) -> tuple[str, ...]:
        """Name the moves to be made, the first that is legal."""
        low = self._worth(view) < ENOUGH
        pass_it_on = ("exchange", "draw", "ask_guarantee", "make_offer") if low else ("keep", "stay_at_inn", "no_offer")
        fair = "accept_agreement" if self._share(view) >= HALF else "decline_agreement"
        money = "reenter" if self._number(view, "cost") * 2 <= self._number(view, "pool") else "decline_reentry"
        return (*pass_it_on, "agree_to_pay", "accept_offer", fair, money, "propose_agreement")

    def _worth(self, view: View) -> int:
        """Rank the own card; a fool, which has no rank, is better given away."""
        hand = next(pile.cards for pile in view.piles if pile.name == "hand" and pile.seat == view.turn)
        return max((self.values.get(card.rank, -ENOUGH) for card in hand), default=0)

    def _number(self, view: View, name: str) -> int:
        return next((fact.value for fact in view.facts if fact.name == name and isinstance(fact.value, int)), 0)

    def _share(self, view: View) -> int:
        """Give what is proposed for this seat."""
        return percent(view, view.turn)


def percent(view: View, seat: Seat | None) -> int:
    """Give the percentage of the pool that is proposed for a seat."""
    shares = next((fact.value for fact in view.facts if fact.name == "proposal"), ())
    return dict(shares).get(str(seat), 0) if isinstance(shares, tuple) else 0
