"""Whether a card may answer the card that was led."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from chitarrella.cards import Card, Hand
from chitarrella.words import Reason, Refusal

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

MUST_FOLLOW_SUIT = Reason("must_follow_suit", "{word} was led and must be followed while the hand holds it: {instead}.")


class Following(Protocol):
    """A duty of the seat that plays to a trick; the leader has none."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Name every reason for which a card may be refused."""

    def objections(self, g: TrickGame, trump: str, trick: Hand, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to ``card`` of ``hand`` on ``trick``, which is not empty."""


@dataclass(frozen=True)
class Free:
    """Any card may be played, always."""

    reasons = ()

    def objections(self, g: TrickGame, trump: str, trick: Hand, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to nothing."""
        return ()


@dataclass(frozen=True)
class FollowSuit:
    """The suit led must be followed by whoever has it."""

    reasons = (MUST_FOLLOW_SUIT,)

    def objections(self, g: TrickGame, trump: str, trick: Hand, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to a card of another suit while the hand holds the suit led."""
        suit = g.suit
        led = suit[trick[0]]
        if suit[card] == led:
            return ()
        for other in hand:
            if suit[other] == led:
                instead = tuple(dict.fromkeys(held for held in hand if suit[held] == led))
                return (g.refuse(MUST_FOLLOW_SUIT, instead=instead, held=(card,), word=led),)
        return ()
