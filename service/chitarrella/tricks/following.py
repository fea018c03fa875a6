"""Whether a card may answer the card that was led, or be led at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from chitarrella.cards import Card, Hand
from chitarrella.tricks.table import Table
from chitarrella.words import Reason, Refusal

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

MUST_TRUMP = Reason("must_trump", "{word} was led, the hand has none of it but trumps, and must play one: {instead}.")
MUST_FOLLOW_OR_TRUMP = Reason(
    "must_follow_or_trump", "{word} was led; while the hand holds it only that suit or trumps may be played: {instead}."
)
MUST_HEAD_TRICK = Reason("must_head_trick", "The trick must be headed while the hand can: {instead}.")
MUST_FOLLOW_SUIT = Reason(
    "must_follow_suit", "The suit led is {word}, and must be followed while the hand holds it: {instead}."
)


class Following(Protocol):
    """A duty of the seat that plays to a trick, or of the one that leads."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Name every reason for which a card may be refused."""

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to ``card`` of ``hand``; a card was led, unless it is the leader's duty."""


@dataclass(frozen=True)
class Free:
    """Any card may be played, always."""

    reasons = ()

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to nothing."""
        return ()


@dataclass(frozen=True)
class FollowSuit:
    """The suit led must be followed by whoever has it."""

    reasons = (MUST_FOLLOW_SUIT,)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to a card of another suit while the hand holds the suit led."""
        led = g.suit[t.trick[0]]
        if g.suit[card] == led:
            return ()
        following = g.of_suit(hand, led)
        return (g.refuse(MUST_FOLLOW_SUIT, instead=following, held=(card,), word=led),) if following else ()


@dataclass(frozen=True)
class FollowElseTrump:
    """The suit led must be followed; who has none of it must play a trump, if there is one in the hand."""

    reasons = (MUST_FOLLOW_SUIT, MUST_TRUMP)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to other suits, and to a card that is no trump where a trump is due."""
        if against := FollowSuit().objections(g, t, hand, card):
            return against
        if g.suit[card] in (g.suit[t.trick[0]], t.trump):
            return ()
        trumps = g.of_suit(hand, t.trump)
        return (g.refuse(MUST_TRUMP, instead=trumps, held=(card,), word=g.suit[t.trick[0]]),) if trumps else ()


@dataclass(frozen=True)
class FollowOrTrump:
    """A plain suit led must be followed, or trumped, by whoever has it; a trump led binds nobody."""

    reasons = (MUST_FOLLOW_OR_TRUMP,)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to a third suit while the hand holds the plain suit led."""
        led = g.suit[t.trick[0]]
        if led == t.trump or g.suit[card] in (led, t.trump) or not g.of_suit(hand, led):
            return ()
        instead = tuple(held for held in hand if g.suit[held] in (led, t.trump))
        return (g.refuse(MUST_FOLLOW_OR_TRUMP, instead=instead, held=(card,), word=led),)


@dataclass(frozen=True)
class HeadTheTrumpLed:
    """A trump led must be followed, by one that heads the trick where the hand has it; a plain lead binds nobody."""

    reasons = (MUST_FOLLOW_SUIT, MUST_HEAD_TRICK)

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object to a plain card on a trump, and to a trump that does not head the trick while another would."""
        return following_and_heading(g, t, hand, card) if g.suit[t.trick[0]] == t.trump else ()


def following_and_heading(g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
    """Object to another suit while the hand holds the one led, and to a card of it that does not head the trick."""
    led = g.suit[t.trick[0]]
    following = g.of_suit(hand, led)
    if not following:
        return ()
    better = higher(g, t, following)
    if g.suit[card] != led:
        return (g.refuse(MUST_FOLLOW_SUIT, instead=better or following, held=(card,), word=led),)
    return () if not better or card in better else (g.refuse(MUST_HEAD_TRICK, instead=better, held=(card,)),)


def higher(g: TrickGame, t: Table, following: Hand) -> Hand:
    """Give those of the cards ``following`` suit that beat all of it in the trick."""
    suit, strength = g.suit, g.strength
    led = suit[t.trick[0]]
    best = max([strength[played] for played in t.trick if suit[played] == led])
    return tuple([held for held in following if strength[held] > best])
