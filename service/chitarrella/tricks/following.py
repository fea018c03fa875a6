"""Duties to follow suit, to trump or to head the trick: which cards may be played to a trick, and led."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Reason, Refusal
from chitarrella.tricks.base import Following, Rules
from chitarrella.tricks.table import Table

MUST_TRUMP = Reason(
    "must_trump",
    "The suit led is {word}; the hand has none of it but has trumps, and must play one: {allowed_cards}.",
    duty=True,
)
MUST_FOLLOW_OR_TRUMP = Reason(
    "must_follow_or_trump",
    "The suit led is {word}; while the hand holds it only that suit or trumps may be played: {allowed_cards}.",
    duty=True,
)
MUST_HEAD_TRICK = Reason("must_head_trick", "The trick must be headed while the hand can: {allowed_cards}.", duty=True)
MUST_FOLLOW_SUIT = Reason(
    "must_follow_suit",
    "The suit led is {word}, and must be followed while the hand holds it: {allowed_cards}.",
    duty=True,
)


@dataclass(frozen=True)
class Free(Following):
    """Any card may be played, always."""

    reasons = ()

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the whole hand."""
        return hand


@dataclass(frozen=True)
class FollowSuit(Following):
    """A seat that has the suit led must follow it."""

    reasons = (MUST_FOLLOW_SUIT,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the suit led, and where the hand has none of it the whole hand."""
        return g.of_suit(hand, g.suit[t.trick[0]]) or hand


@dataclass(frozen=True)
class FollowElseTrump(Following):
    """A seat that has the suit led must follow it; one that has not must play a trump if it holds one."""

    reasons = (MUST_FOLLOW_SUIT, MUST_TRUMP)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the suit led, else trumps, and where the hand has neither the whole hand."""
        return g.of_suit(hand, g.suit[t.trick[0]]) or g.of_suit(hand, t.trump) or hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse another suit where the suit led is held, and a plain card where a trump is due."""
        led = g.suit[t.trick[0]]
        reason = MUST_FOLLOW_SUIT if g.of_suit(hand, led) else MUST_TRUMP
        return g.refuse(reason, allowed_cards=self.allowed_cards(g, t, hand), offending_cards=(card,), word=led)


@dataclass(frozen=True)
class FollowOrTrump(Following):
    """A seat that has the plain suit led must follow it or trump; a trump led binds nobody."""

    reasons = (MUST_FOLLOW_OR_TRUMP,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the plain suit led and trumps while the hand holds that suit, else the whole hand."""
        suit, trump = g.suit, t.trump
        led = suit[t.trick[0]]
        if led == trump or not g.of_suit(hand, led):
            return hand
        return tuple([held for held in hand if suit[held] == led or suit[held] == trump])


class FollowAndHead(Following):
    """A seat that has the suit led must follow it, and head the cards of that suit in the trick where it can."""

    reasons: tuple[Reason, ...] = (MUST_FOLLOW_SUIT, MUST_HEAD_TRICK)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the cards of the suit led that head the trick, else that suit, else the whole hand."""
        following = g.of_suit(hand, g.suit[t.trick[0]])
        return (higher(g, t, following) or following) if following else hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse another suit while the suit led is held, and a lower card of it while another heads the trick."""
        led, allowed = g.suit[t.trick[0]], self.allowed_cards(g, t, hand)
        if g.suit[card] != led:
            return g.refuse(MUST_FOLLOW_SUIT, allowed_cards=allowed, offending_cards=(card,), word=led)
        return g.refuse(MUST_HEAD_TRICK, allowed_cards=allowed, offending_cards=(card,))


@dataclass(frozen=True)
class HeadTheTrumpLed(FollowAndHead):
    """A trump led must be followed, and headed where the hand can; a plain lead binds nobody."""

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the whole hand where a plain card was led."""
        return super().allowed_cards(g, t, hand) if g.suit[t.trick[0]] == t.trump else hand


def higher(g: Rules, t: Table, following: Hand) -> Hand:
    """Return the cards of ``following`` that beat every card of the suit led in the trick."""
    suit, strength = g.suit, g.strength
    led = suit[t.trick[0]]
    best = max([strength[played] for played in t.trick if suit[played] == led])
    return tuple([held for held in following if strength[held] > best])
