"""The kinds of parts that an exchange game is made of, and the cards that have a rule of their own.

A part gets the rules of its table as the argument ``g``, and may ask them for everything.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeAlias

from chitarrella.core.model import Event, Legality, Move, MoveSpec, Reason, Seat, plain_move
from chitarrella.exchange.round import Round

if TYPE_CHECKING:
    from chitarrella.exchange import rules

    Rules: TypeAlias = rules.Rules
else:
    Rules = Any  # every part names the rules in its signatures, and they are made of the parts


class Action(Legality[Rules, Round]):
    """One kind of move.

    The defaults suit a move without arguments to which no clause objects. ``spec`` is its schema, ``reasons`` are all
    reasons for which `refusals` may refuse it. Where ``is_spoken`` is true, a public ``said`` event precedes what
    `apply` emits.
    """

    spec: ClassVar[MoveSpec]
    is_spoken: ClassVar[bool] = False
    reasons: ClassVar[tuple[Reason, ...]] = ()

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Candidate moves of ``seat``; of an open amount only the simplest."""
        return (plain_move(self.spec.verb),)

    def legal_moves(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Those of the `offers` that are not refused to ``seat``, which is to move."""
        return [move for move in self.offers(g, r, seat) if not self.refusals(g, r, seat, move)]

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Return the round after ``move`` and append what happened to ``events``."""
        raise NotImplementedError(self.spec.verb)


def simple_spec(verb: str, description: str, *phases: str, timeout_default: bool = False) -> MoveSpec:
    """Build the schema of a move without arguments."""
    return MoveSpec(verb, description, frozenset(phases), timeout_default=timeout_default)


class Effect(ABC):
    """What a special card does when it is dealt to the target of an exchange."""

    @abstractmethod
    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Settle the exchange of ``r.asker`` with ``r.target``, who has just been dealt this card."""

    def faults(self, r: Round) -> Iterable[tuple[str, str]]:
        """Yield the fields for which no exchange has left ``r``, each with the reason."""
        return ()


class Penalty(ABC):
    """What happens when a seat loses a token to a hunter or a cat, in the middle of a deal."""

    @abstractmethod
    def take_token(self, g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
        """Take a token from ``seat``; ``why`` is the word of the event."""

    @abstractmethod
    def continue_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Continue the deal when the effect is over and no seat is left to be settled."""

    @abstractmethod
    def settles_after_comparison(self, was_compared: bool) -> bool:
        """Whether a seat without tokens is settled after the comparison; its card was compared or was not."""

    @abstractmethod
    def eliminate(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        """Remove from the game, in the middle of a deal, a seat that declines to re-enter."""


class ComparisonResult(NamedTuple):
    """Result of a comparison, in the order of speech.

    ``gains`` are the seats that gain a token, ``losers`` the seats whose card loses one, each with the reason.
    """

    gains: tuple[Seat, ...]
    losers: tuple[tuple[Seat, str], ...]


class Comparison(ABC):
    """A way to compare the cards at the end of a deal."""

    @abstractmethod
    def compare(self, g: Rules, r: Round, seats: tuple[Seat, ...]) -> ComparisonResult:
        """Compare the cards of ``seats``, which stand in the order of speech."""


class PoolSplit(ABC):
    """Whether the last two players may agree to divide the pool."""

    @abstractmethod
    def open_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Open a deal whose pack was supplied: with the talk about the pool, or with the first card."""


INN: Final = "XI"  # the inn
CAT: Final = "XII"  # the cat
HORSE: Final = "XIII"  # the horse
HUNTER: Final = "XIV"  # the hunter
CUCKOO: Final = "XV"  # the cuckoo, the highest card
FOOL: Final = "MAT"  # the Matto. It has no rank of its own.
NULLA: Final = "NUL"  # the card for whose loss a host at the inn may answer
