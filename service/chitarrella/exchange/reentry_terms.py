"""Terms of a paid re-entry: whether there is one, how its price rises, and who may pay."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.exchange.round import MAX_MONEY, MatchState, Round, is_number


class Price(ABC):
    """The price of a re-entry: the stake, doubled with every step of a counter.

    The counter is `MatchState.counter`; a subclass says which event advances it.
    """

    def after_loss(self, counter: int) -> int:
        """Return the counter after a player has lost the last token."""
        return counter

    def after_reentry(self, counter: int) -> int:
        return counter

    @abstractmethod
    def cost(self, stake: int, counter: int) -> int:
        """Price in the smallest unit of money, once the player who lost has been counted."""


class PerElimination(Price):
    """Doubles with each player who loses the last token, whether or not he comes back."""

    def after_loss(self, counter: int) -> int:
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Price: the first player counted pays the stake."""
        return stake << max(counter - 1, 0)


class PerReentry(Price):
    """Doubles with each re-entry that is paid."""

    def after_reentry(self, counter: int) -> int:
        return counter + 1

    def cost(self, stake: int, counter: int) -> int:
        """Price: the first re-entry costs the stake."""
        return stake << counter


def while_a_virgin_plays(match_state: MatchState) -> bool:
    """Return whether a seat has never lost a token."""
    return bool(match_state.virgins)


def never(match_state: MatchState) -> bool:
    """Return False: re-entry is not agreed."""
    return False


def is_outsider(r: Round, person: str) -> bool:
    """Whether a person is a spectator, or a player who is out of the game and not to be asked any more."""
    if not is_number(person):
        return bool(person)
    out = [seat for seat, tokens in enumerate(r.match_state.tokens) if not tokens and seat not in r.pending]
    return person in map(str, out)


def nobody(r: Round, person: str) -> bool:
    """Return False: a player pays alone."""
    return False


@dataclass(frozen=True)
class ReentryTerms:
    """The ``price`` of a re-entry, who has a ``right`` to it, and who besides the player are its ``helpers``.

    ``right`` gets the match, ``helpers`` the round and a person.
    """

    price: Price
    right: Callable[[MatchState], bool] = while_a_virgin_plays
    helpers: Callable[[Round, str], bool] = is_outsider

    def cost(self, stake: int, match_state: MatchState) -> int | None:
        """Price for the player just counted; None where there is no right to re-enter.

        There is none either where the price would lift the pool above `MAX_MONEY`.
        """
        if not self.right(match_state) or match_state.counter > MAX_MONEY.bit_length():
            return None
        cost = self.price.cost(stake, match_state.counter)
        return cost if match_state.pool + cost <= MAX_MONEY else None
