"""Who must follow, who takes a trick, and what a revoke is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import EVERYBODY, Fact, Reason, Refusal, Seat
from chitarrella.tricks.card_values import Computed, Count, Order
from chitarrella.tricks.parts import Fault, Following, Rules, Taking
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
class FollowSuit(Following):
    """A seat that has the suit led must follow it."""

    reasons = (MUST_FOLLOW_SUIT,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        return g.cards.of_suit(hand, g.cards.suit[t.trick[0]]) or hand


@dataclass(frozen=True)
class Duties(Following):
    """Several duties: each one binds what those before it leave of the hand."""

    duties: tuple[Following, ...]

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:  # type: ignore[override]  # computed once
        """The reasons of all of them."""
        return tuple(dict.fromkeys(reason for duty in self.duties for reason in duty.reasons))

    @property
    def reads_tricks(self) -> bool:  # type: ignore[override]  # a property in place of the class variable
        """Whether any of the duties depends on earlier tricks of the deal."""
        return any(duty.reads_tricks for duty in self.duties)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        for duty in self.duties:
            hand = duty.allowed_cards(g, t, hand)
        return hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse ``card`` as the first duty does that does not allow it, and name what all of them allow."""
        allowed = self.allowed_cards(g, t, hand)
        hands = [*accumulate(self.duties, lambda left, duty: duty.allowed_cards(g, t, left), initial=hand)]
        duty, hand = next((duty, hands[at]) for at, duty in enumerate(self.duties) if card not in hands[at + 1])
        return duty.refusal(g, t, hand, card)._replace(allowed_cards=allowed)


@dataclass(frozen=True)
class TrumpIfVoid(Following):
    """A seat that has none of the suit led must play a trump if it holds one."""

    reasons = (MUST_TRUMP,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        return (not g.cards.of_suit(hand, g.cards.suit[t.trick[0]]) and g.cards.of_suit(hand, t.trump)) or hand


@dataclass(frozen=True)
class HeadTheTrick(Following):
    """A seat that follows suit must head the cards of that suit in the trick where it can."""

    reasons = (MUST_HEAD_TRICK,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        suit, order = g.cards.suit, g.order
        led = suit[t.trick[0]]
        best = order.highest([played.rank for played in t.trick if suit[played] == led])
        return tuple([held for held in hand if suit[held] == led and order.is_lower(best, held.rank)]) or hand

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Refuse a lower card; it needs no word."""
        return g.refuse(MUST_HEAD_TRICK, allowed_cards=self.allowed_cards(g, t, hand), offending_cards=(card,))


FOLLOW_ELSE_TRUMP = Duties((FollowSuit(), TrumpIfVoid()))
"""A seat that has the suit led must follow it; one that has not must play a trump if it holds one."""
FOLLOW_AND_HEAD = Duties((FollowSuit(), HeadTheTrick()))
"""A seat that has the suit led must follow it, and head the cards of that suit in the trick where it can."""


@dataclass(frozen=True)
class FollowOrTrump(Following):
    """A seat that has the plain suit led must follow it or trump; a trump led binds nobody."""

    reasons = (MUST_FOLLOW_OR_TRUMP,)

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        suit, trump = g.cards.suit, t.trump
        led = suit[t.trick[0]]
        if led == trump or not g.cards.of_suit(hand, led):
            return hand
        return tuple([held for held in hand if suit[held] == led or suit[held] == trump])


@dataclass(frozen=True)
class HeadTheTrumpLed(Duties):
    """A trump led must be followed, and headed where the hand can; a plain lead binds nobody."""

    duties: tuple[Following, ...] = FOLLOW_AND_HEAD.duties

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        return super().allowed_cards(g, t, hand) if g.cards.suit[t.trick[0]] == t.trump else hand


# Revokes that are penalized
class Offence(NamedTuple):
    """A revoke: the seat, the card, and the reason code of the duty that it broke."""

    seat: Seat
    card: Card
    code: str


@dataclass(frozen=True)
class PenalizedFollowing(Following):
    """The same duty, but a card that breaks it is accepted at a penalty."""

    duty: Following

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:  # type: ignore[override]  # computed once
        """The reasons of the duty, as penalties."""
        return tuple(map(as_penalty, self.duty.reasons))

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        return self.duty.allowed_cards(g, t, hand)

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Return the refusal of the duty as a penalty."""
        against = self.duty.refusal(g, t, hand, card)
        return against._replace(reason=as_penalty(against.reason))


def as_penalty(reason: Reason) -> Reason:
    """Return ``reason`` as a penalty: the move is accepted."""
    return reason._replace(penalty=True)


def offence_facts(t: Table) -> tuple[Fact, ...]:
    """Return who revoked in this deal, with which card and against which duty; empty where nobody did."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return ()
    card = Fact("revoke", offence.card, offence.seat, EVERYBODY)
    return (card, Fact("revoke_code", offence.code, offence.seat, EVERYBODY))


def offence_fault(g: Rules, t: Table) -> Fault | None:
    """Return why the revoke is impossible: unknown seat or code, or a card that is not the last of an untaken trick."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return None
    if not 0 <= offence.seat < g.seats:
        return "offence", "there is no such seat"
    if offence.code not in [reason.code for reason in g.following.reasons if reason.penalty]:
        return "offence", "nobody can revoke in this way here"
    if t.phase in g.deal_phases or len(t.trick) < 2 or t.trick[-1] != offence.card:
        return "offence", "a revoke ends the deal, and its card is the last of its trick"
    return None


def trick_leader(g: Rules, t: Table) -> Seat:
    """Return who led to the present trick; after a revoke it follows from the seat that revoked."""
    offence: Offence | None = t.own.offence
    return t.leader if offence is None else (offence.seat + 1 - len(t.trick)) % g.seats


def undo_revoke(g: Rules, t: Table) -> Table:
    """Return the table before the revoke; ``t`` itself where there was none."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return t
    seat, leader = offence.seat, trick_leader(g, t)
    hands = (*t.hands[:seat], (*t.hands[seat], offence.card), *t.hands[seat + 1 :])
    return t._replace(hands=hands, trick=t.trick[:-1], leader=leader, own=t.own._replace(offence=None))


# Right and left Jack
class Jacks(NamedTuple):
    """The rank of the Jacks, and of each suit the other one of its colour."""

    rank: str
    same_colour: Mapping[str, str]

    def is_top(self, card: Card, trump: str) -> bool:
        """Return whether a card is the right or the left Jack."""
        return card.rank == self.rank and card.suit in (trump, self.same_colour.get(trump))

    def effective_suit(self, card: Card, trump: str) -> str:
        """Return which suit a card belongs to: the left Jack belongs to the trumps."""
        return trump if self.is_top(card, trump) else card.suit


@dataclass(frozen=True)
class JackOrder(Order):
    """An order in which the two Jacks of the trump colour are above all other trumps, the right one highest."""

    jacks: Jacks = field(kw_only=True)

    __hash__ = Order.__hash__  # the decorator would put one in its place

    def suit_and_strength(self, card: Card, trump: str) -> tuple[str, int]:
        """Return the suit and the strength of ``card``: the left Jack is above every rank, the right one above it."""
        suit, strength = self.jacks.effective_suit(card, trump), self.strengths[card.rank]
        return suit, len(self.strengths) + 1 + (card.suit == trump) if self.jacks.is_top(card, trump) else strength


@dataclass(frozen=True)
class AllBeaten(Taking):
    """The follower takes a trick of several cards where each card led can be paired with one that beats it."""

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
        """Return the index of the first card of the winner: 0 for the leader, whose cards come first."""
        led = len(cards) // 2
        return led if led and g.order.can_beat_all(g.cards.ranks[t.trump], cards[:led], cards[led:], t.trump) else 0


@dataclass(frozen=True)
class JackPoints(Count):
    """A count in which the two top Jacks are worth more than the others."""

    jacks: Jacks
    top: int = 12

    @cached_property
    def by_trump(self) -> Computed[str, Computed[Card, int]]:
        """What each card is worth, by the trumps."""
        jacks, top, plain = self.jacks, self.top, self.by_card
        return Computed(lambda trump: Computed(lambda card: top if jacks.is_top(card, trump) else plain[card]))

    def of(self, cards: Iterable[Card], trump: str = "") -> int:
        worth = self.by_trump[trump]
        return sum([worth[card] for card in cards])


# The trionfo
NUMBERS, PICTURES = "numbers", "pictures"  # the kinds of cards, which stand in place of suits
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
    return card.rank in g.order.counts[0].worth


@dataclass(frozen=True)
class TrionfoTakes(Taking):
    """The trionfo, else the highest card of the suit led; of two equal cards the one played first."""

    has_trump_card = True

    def best(self, g: Rules, t: Table, cards: Hand) -> int:
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
    return tuple(card for card in cards if card != trionfo) if trionfo in cards else cards


@dataclass(frozen=True)
class FollowButTrionfo(Following):
    """A seat that has the suit led, or declared, must follow it; the trionfo may be played all the same.

    Where ``keeps_zeros`` the lead requires a picture that counts while the hand has one. ``in_suit`` returns the cards
    of a hand that belong to the suit led, given those with that suit printed, and the trionfo.
    """

    keeps_zeros: Callable[[Table, str], bool]
    in_suit: Callable[[Hand, Card | None], Sequence[Card]]

    reasons = (MUST_FOLLOW_SUIT, ZERO_CARD_FOLLOW)

    def fitting_cards(self, g: Rules, t: Table, hand: Hand) -> Sequence[Card]:
        """Return the cards of ``hand`` that follow as they should; the trionfo may be missing."""
        led = suit_led(g, t)
        fitting = self.in_suit(g.cards.of_suit(hand, led), t.turn_up)
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
        reason = ZERO_CARD_FOLLOW if g.cards.suit[card] == led else MUST_FOLLOW_SUIT
        return g.refuse(reason, allowed_cards=allowed, offending_cards=(card,), word=led)


def suit_led(g: Rules, t: Table) -> str:
    """Return the suit to be followed: that of the first card, or the one declared with the trionfo."""
    declared: str = t.own.declared
    return declared if t.trick[0] == t.turn_up else g.cards.suit[t.trick[0]]
