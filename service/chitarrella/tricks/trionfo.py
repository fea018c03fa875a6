"""The trionfo: a single trump card, the twin of the turn-up, that may be played at any time and takes any trick.

The seat that leads it declares which suit the others must follow (`phases.suit_declaration`). A picture that counts
nothing is by most rules not led beside other cards, nor played to a picture by a hand that has better ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Reason, Refusal
from chitarrella.tricks.base import Following, Rules
from chitarrella.tricks.following import MUST_FOLLOW_SUIT
from chitarrella.tricks.table import Table
from chitarrella.tricks.taking import Highest

NUMBERS, PICTURES = "numbers", "pictures"
"""The kinds of cards, which stand in place of suits."""
ZERO_CARD_LEAD = Reason(
    "zero_card_lead",
    "A picture that counts nothing is led only where the hand has nothing else: {allowed_cards}.",
    duty=True,
)
ZERO_CARD_FOLLOW = Reason(
    "zero_card_follow",
    "A picture that counts nothing is not laid on a picture while the hand has better: {allowed_cards}.",
    duty=True,
)


def has_points(g: Rules, card: Card) -> bool:
    """Return whether a card counts anything."""
    return card.rank in g.order.counts[0].worth


@dataclass(frozen=True)
class TrionfoTakes(Highest):
    """The trionfo, else the highest card of the suit led; of two equal cards the one played first."""

    has_trump_card = True

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the winning card."""
        trionfo = t.turn_up
        return super().best(g, t, cards) if trionfo is None or trionfo not in cards else cards.index(trionfo)


@dataclass(frozen=True)
class ZerosLast(Following):
    """A picture that counts nothing may be led only from a hand of such cards, unless it is the trionfo."""

    reasons = (ZERO_CARD_LEAD,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow cards that count, and the trionfo though its face counts nothing; a hand without the former is free."""
        if not any(has_points(g, held) for held in hand):
            return hand
        return tuple([held for held in hand if has_points(g, held) or held == t.turn_up])

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse a picture that counts nothing beside cards that do."""
        allowed = tuple(dict.fromkeys(self.allowed_cards(g, t, hand)))
        return g.refuse(ZERO_CARD_LEAD, allowed_cards=allowed, offending_cards=(card,))


def on_pictures(t: Table, led: str) -> bool:
    """Return whether a picture was led, and not as the trionfo."""
    return led == PICTURES and t.trick[0] != t.turn_up


def on_no_lead(t: Table, led: str) -> bool:
    """Return False: a picture that counts nothing may always be laid on a picture."""
    return False


def with_trionfo(cards: Hand, trionfo: Card | None) -> Hand:
    """Return ``cards``: the trionfo belongs to its suit in the hand, and may be the only card to follow with."""
    return cards


def without_trionfo(cards: Hand, trionfo: Card | None) -> Hand:
    """Return ``cards`` without the trionfo."""
    return tuple(card for card in cards if card != trionfo) if trionfo in cards else cards


@dataclass(frozen=True)
class FollowButTrionfo(Following):
    """A seat that has the suit led, or declared, must follow it; the trionfo may be played all the same.

    Where ``keeps_zeros`` the lead requires a picture that counts while the hand has one. ``in_suit`` returns the cards
    of a hand that belong to the suit led, given those with that suit printed, and the trionfo.
    """

    keeps_zeros: Callable[[Table, str], bool] = on_pictures
    in_suit: Callable[[Hand, Card | None], Sequence[Card]] = without_trionfo

    reasons = (MUST_FOLLOW_SUIT, ZERO_CARD_FOLLOW)

    def fitting_cards(self, g: Rules, t: Table, hand: Hand) -> Sequence[Card]:
        """Return the cards of ``hand`` that follow as they should; the trionfo may be missing."""
        led = suit_led(g, t)
        fitting = self.in_suit(g.of_suit(hand, led), t.turn_up)
        if self.keeps_zeros(t, led):
            return [held for held in fitting if has_points(g, held)] or fitting
        return fitting

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Allow the cards that fit and the trionfo; where none fits the whole hand."""
        fitting, trionfo = self.fitting_cards(g, t, hand), t.turn_up
        return tuple([held for held in hand if held in fitting or held == trionfo]) if fitting else hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse another suit, and a picture that counts nothing where a better one is due."""
        fitting, trionfo, led = self.fitting_cards(g, t, hand), t.turn_up, suit_led(g, t)
        allowed = (*fitting, trionfo) if trionfo in hand and trionfo not in fitting else tuple(fitting)
        reason = ZERO_CARD_FOLLOW if g.suit[card] == led else MUST_FOLLOW_SUIT
        return g.refuse(reason, allowed_cards=allowed, offending_cards=(card,), word=led)


def suit_led(g: Rules, t: Table) -> str:
    """Return the suit to be followed: that of the first card, or the one declared with the trionfo."""
    declared: str = t.own.declared
    return declared if t.trick[0] == t.turn_up else g.suit[t.trick[0]]
