"""Terms of a paid re-entry: whether there is one, how its price rises, and who may pay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from chitarrella.exchange.round import MAX_MONEY, MatchState


class Price(ABC):
    """The price of a re-entry: the stake, doubled with every step of a counter.

    The counter is `MatchState.counter`; a subclass says which event advances it.
    """

    def after_loss(self, counter: int) -> int:
        """Return the counter after a player has lost the last token."""
        return counter

    def after_reentry(self, counter: int) -> int:
        """Return the counter after a paid re-entry."""
        return counter

    @abstractmethod
    def cost(self, stake: int, counter: int) -> int:
        """Price in the smallest unit of money, once the player who lost has been counted."""


class PerElimination(Price):
    """Doubles with each player who loses the last token, whether or not he comes back (CU-95)."""

    def after_loss(self, counter: int) -> int:
        """Count the player."""
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Price: the first player counted pays the stake."""
        return stake << max(counter - 1, 0)


class PerReentry(Price):
    """Doubles with each re-entry that is paid (LS-95)."""

    def after_reentry(self, counter: int) -> int:
        """Count the re-entry."""
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Price: the first re-entry costs the stake."""
        return stake << counter


@dataclass(frozen=True)
class ReentryTerms:
    """Whether re-entry is ``offered``, at what ``price``, and whether ``syndicates`` may help to pay it."""

    price: Price
    offered: bool = True
    syndicates: bool = True

    def cost(self, stake: int, match_state: MatchState) -> int | None:
        """Price for the player just counted; None where there is no right to re-enter.

        The right ends with the last virgin, and where the price would lift the pool above `MAX_MONEY`.
        """
        if not self.offered or not match_state.virgins or match_state.counter > MAX_MONEY.bit_length():
            return None
        cost = self.price.cost(stake, match_state.counter)
        return cost if match_state.pool + cost <= MAX_MONEY else None
