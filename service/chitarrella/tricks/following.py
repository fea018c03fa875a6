"""Duties to follow suit, to trump or to head the trick: which cards may be played to a trick, and led."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Reason, Refusal
from chitarrella.tricks.base import Following, Rules
from chitarrella.tricks.table import Table

MUST_TRUMP = Reason(
    "must_trump", "The suit led is {word}; the hand has none of it but has trumps, and must play one: {allowed_cards}."
)
MUST_FOLLOW_OR_TRUMP = Reason(
    "must_follow_or_trump",
    "The suit led is {word}; while the hand holds it only that suit or trumps may be played: {allowed_cards}.",
)
MUST_HEAD_TRICK = Reason("must_head_trick", "The trick must be headed while the hand can: {allowed_cards}.")
MUST_FOLLOW_SUIT = Reason(
    "must_follow_suit", "The suit led is {word}, and must be followed while the hand holds it: {allowed_cards}."
)


@dataclass(frozen=True)
class Free(Following):
    """Any card may be played, always."""

    reasons = ()

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse nothing."""
        return ()


@dataclass(frozen=True)
class FollowSuit(Following):
    """A seat that has the suit led must follow it."""

    reasons = (MUST_FOLLOW_SUIT,)

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse a card of another suit while the hand holds the suit led."""
        led = g.suit[t.trick[0]]
        if g.suit[card] == led:
            return ()
        following = g.of_suit(hand, led)
        return (g.refuse(MUST_FOLLOW_SUIT, instead=following, held=(card,), word=led),) if following else ()


@dataclass(frozen=True)
class FollowElseTrump(Following):
    """A seat that has the suit led must follow it; one that has not must play a trump if it holds one."""

    reasons = (MUST_FOLLOW_SUIT, MUST_TRUMP)

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse another suit where the suit led is held, and a plain card where a trump is due."""
        if against := FollowSuit().refusals(g, t, hand, card):
            return against
        if g.suit[card] in (g.suit[t.trick[0]], t.trump):
            return ()
        trumps = g.of_suit(hand, t.trump)
        return (g.refuse(MUST_TRUMP, instead=trumps, held=(card,), word=g.suit[t.trick[0]]),) if trumps else ()


@dataclass(frozen=True)
class FollowOrTrump(Following):
    """A seat that has the plain suit led must follow it or trump; a trump led binds nobody."""

    reasons = (MUST_FOLLOW_OR_TRUMP,)

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse a third suit while the hand holds the plain suit led."""
        led = g.suit[t.trick[0]]
        if led == t.trump or g.suit[card] in (led, t.trump) or not g.of_suit(hand, led):
            return ()
        instead = tuple(held for held in hand if g.suit[held] in (led, t.trump))
        return (g.refuse(MUST_FOLLOW_OR_TRUMP, instead=instead, held=(card,), word=led),)


@dataclass(frozen=True)
class HeadTheTrumpLed(Following):
    """A trump led must be followed, and headed where the hand can; a plain lead binds nobody."""

    reasons = (MUST_FOLLOW_SUIT, MUST_HEAD_TRICK)

    def refusals(self, g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Refuse a plain card on a trump, and a trump that does not head the trick while another would."""
        return following_and_heading(g, t, hand, card) if g.suit[t.trick[0]] == t.trump else ()


def following_and_heading(g: Rules, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
    """Refuse another suit while the suit led is held, and a lower card of it while another heads the trick."""
    led = g.suit[t.trick[0]]
    following = g.of_suit(hand, led)
    if not following:
        return ()
    better = higher(g, t, following)
    if g.suit[card] != led:
        return (g.refuse(MUST_FOLLOW_SUIT, instead=better or following, held=(card,), word=led),)
    return () if not better or card in better else (g.refuse(MUST_HEAD_TRICK, instead=better, held=(card,)),)


def higher(g: Rules, t: Table, following: Hand) -> Hand:
    """Return the cards of ``following`` that beat every card of the suit led in the trick."""
    suit, strength = g.suit, g.strength
    led = suit[t.trick[0]]
    best = max([strength[played] for played in t.trick if suit[played] == led])
    return tuple([held for held in following if strength[held] > best])
