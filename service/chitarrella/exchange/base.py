"""What an exchange game is made of: the interface of the game that its parts use, and the abstract parts.

A part receives the game as ``g: Rules``. `chitarrella.exchange.game.ExchangeGame` implements `Rules`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final, NamedTuple

from chitarrella.core.cards import Hand, Pack
from chitarrella.core.model import ChanceRequest, Event, Legality, Move, MoveSpec, Reason, Seat, plain_move
from chitarrella.core.options import AgreedRules
from chitarrella.exchange.reentry_terms import ReentryTerms
from chitarrella.exchange.round import Round


@dataclass(frozen=True, kw_only=True)
class Rules(AgreedRules, ABC):
    """The members of an exchange game that its parts may use.

    - ``values``: the rank of each face that has one, higher is better.
    - ``effects``: what a special face does when it is dealt to the target of an exchange.
    - ``actions``: every kind of move of the seats.
    - ``protectors``: faces whose owner loses no token to other cards.
    - ``duty``: faces that must be exchanged while a pool split is agreed.
    - ``tokens``: tokens of a seat at the start. ``stake``: money it pays for them, in the smallest unit.
    - ``drawn_from``: copies of each face by which seats are drawn, 0 where seats are given.
    - ``single_fool_from``: number of players from which one fool is left out, 0 for never.
    """

    pack: Pack
    values: Mapping[str, int]
    effects: Mapping[str, Effect]
    actions: tuple[Action, ...]
    comparison: Comparison
    penalty: Penalty
    reentry: ReentryTerms
    pool_split: PoolSplit
    duty: tuple[str, ...]
    tokens: int
    stake: int
    drawn_from: int
    first_dealer: Seat
    protectors: tuple[str, ...] = ()
    single_fool_from: int = 0

    @cached_property
    def seats(self) -> int:
        """The number of seats: one for each player."""
        return self.agreed.players

    @property
    @abstractmethod
    def phases(self) -> frozenset[str]:
        """Every phase of the game."""

    @abstractmethod
    def is_finished(self, p: Round) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def chance_request(self, p: Round) -> ChanceRequest:
        """Cards that chance has to supply: the pack, or the cards by which seats are drawn."""

    @abstractmethod
    def cards_for(self, players: int) -> Hand:
        """Return the cards that are shuffled for a deal with this number of players."""

    @abstractmethod
    def left_out(self, players: int) -> Hand:
        """Return the cards of the pack that such a deal leaves out."""

    @abstractmethod
    def showdown(self, r: Round, events: list[Event]) -> Round:
        """Compare the cards, then settle the seats that have no token left."""

    @abstractmethod
    def finish(self, r: Round, events: list[Event]) -> Round:
        """End the deal: request the next pack, or end the game."""


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
