"""Questions about single tricks: what a game of tricks answers without a position."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Move, Refusal, Seat

T = TypeVar("T")


class NoTrumpCard(Enum):
    """The type of `NO_TRUMP_CARD`."""

    NO_TRUMP_CARD = "no trump card"


NO_TRUMP_CARD: Final = NoTrumpCard.NO_TRUMP_CARD
"""What stands in place of the trump card where it is known that no card is the trump."""


class TrickState(NamedTuple):
    """What is known of a trick and of the table around it; None stands for unknown.

    - ``cards``: the cards of the trick in order of play, none for a lead.
    - ``trump``: the trump suit, empty for none. ``trump_card``: the single card that is the trump.
    - ``declared_suit``: the suit that the leader of the trump card has declared, empty for none.
    - ``stock_size``: the number of cards to draw.
    """

    cards: Hand = ()
    trump: str | None = None
    trump_card: Card | NoTrumpCard | None = None
    declared_suit: str | None = None
    stock_size: int | None = None


class Answer(NamedTuple, Generic[T]):
    """An answer from what is known; ``depends_on`` are the unknown fields of `TrickState` that it depends on.

    Where it depends on any, ``value`` is what all possible values of those fields have in common.
    """

    value: T
    depends_on: tuple[str, ...] = ()


Validation = Answer[tuple[Refusal, ...]]
"""Every clause that a play breaks. Where it depends on something, every clause that it may break."""


class TrickRules(Protocol):
    """The rules of a single trick: suits, the plays of a hand, the winner, the counts.

    ``trump`` is the trump suit, empty for none. Cards that are played stand in order of play.
    """

    @property
    def suits(self) -> frozenset[str]:
        """The suits of the game."""

    @property
    def has_trumps(self) -> bool:
        """Whether the game has a trump suit in some deal."""

    @property
    def has_trump_card(self) -> bool:
        """Whether the trump of the game is a single card."""

    @property
    def everybody_plays(self) -> bool:
        """Whether every seat takes part in each deal."""

    @property
    def largest_hand(self) -> int:
        """The number of cards that a seat holds at most while cards are played to tricks."""

    @property
    def largest_stock(self) -> int:
        """The number of cards that are left at most when the hands have been dealt."""

    @property
    def suit_of(self) -> Mapping[Card, str]:
        """The suit that each card counts as; a game may assign it by rank."""

    def verbs(self, trick: Hand) -> tuple[str, ...]:
        """Return the verbs of the moves that play cards to ``trick`` (empty for a lead)."""

    def plays(self, hand: Hand, state: TrickState, seat: Seat) -> Mapping[Move, Validation]:
        """Return the plays that a hand can make, legal or not; `validation` answers for any other move."""

    def validation(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        """Return the clauses that ``move`` breaks if ``seat`` is to play; its verb is one of `verbs`."""

    def conditions(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        """Return the clauses that ``move`` breaks whosever turn it is; its verb is one of `verbs`."""

    def winning_index(self, state: TrickState) -> Answer[int | None]:
        """Return the index of the card that takes ``state.cards`` (at least one); None where it depends."""

    def count(self, cards: Hand, trump: str) -> tuple[tuple[str, int], ...]:
        """Return the sum over ``cards`` in each count of the game, by its name; the main count first."""
