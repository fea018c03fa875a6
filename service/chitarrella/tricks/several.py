"""Tricks of several cards a seat, for two: many are led at once, as many follow, and every one must be beaten.

A set of cards is written in the order of the pack, so that it is one move however it was named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from chitarrella.cards import Card, Hand, minus
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.arrangement import Layout, running
from chitarrella.tricks.jacks import JacksOnTop, beats
from chitarrella.tricks.soundness import broken_off, lead_fault
from chitarrella.tricks.table import Table, Trick
from chitarrella.words import NOT_IN_HAND, Event, Form, Move, Reason, Refusal, Seat, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

WRONG_CARD_COUNT = Reason("wrong_card_count", "{amount} cards were led, and as many must follow.")
HAND = 6
"""How many cards a hand has while there is a stock."""


def without(hands: tuple[Hand, ...], seat: Seat, cards: Hand) -> tuple[Hand, ...]:
    """Take cards out of the hand of a seat."""
    hand = hands[seat]
    for card in cards:
        hand = minus(hand, card)
    return (*hands[:seat], hand, *hands[seat + 1 :])


def all_beaten(g: TrickGame, led: Hand, answer: Hand, trump: str) -> bool:
    """Tell whether every card of ``led`` can be paired with one of ``answer`` that beats it."""
    if not led:
        return True
    return any(beats(g, card, led[0], trump) and all_beaten(g, led[1:], minus(answer, card), trump) for card in answer)


@dataclass(frozen=True)
class AllBeaten(JacksOnTop):
    """The follower takes the trick, where each card that was led can be paired with one of his that beats it."""

    def best(self, g: TrickGame, t: Table, cards: Hand) -> int:
        """Give the place of the first card of the seat that takes the trick, the cards led coming first."""
        led = len(cards) // 2
        return led if led and all_beaten(g, cards[:led], cards[led:], t.trump) else 0


def taken_by(g: TrickGame, t: Table, leader: Seat, cards: Hand) -> Seat:
    """Name the seat that takes a trick of two."""
    return 1 - leader if g.taking.best(g, t, cards) else leader


@dataclass(frozen=True)
class FollowCards(Act):
    """As many cards follow as were led; the trick is resolved, and both draw."""

    form = Form("follow_cards", "Play as many cards as were led.", frozenset(), (0, 52))
    reasons = (NOT_IN_HAND, WRONG_CARD_COUNT)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every set of so many cards."""
        hand = g.pack.in_order(t.hands[seat])
        return [Move("follow_cards", cards) for cards in combinations(hand, len(t.trick) or 1)]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to cards not held, and to another number."""
        lacking = self.possession(g, t, seat, move)
        if len(move.cards) != len(t.trick):
            return (*lacking, g.refuse(WRONG_CARD_COUNT, held=move.cards, amount=len(t.trick)))
        return lacking

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Resolve the trick."""
        tell.append(public("cards_followed", seat, move.cards))
        cards = t.trick + move.cards
        winner = taken_by(g, t, t.leader, cards)
        trick = Trick(t.leader, cards, winner)
        tell.append(public("trick_taken", winner, trick.cards))
        hands = without(t.hands, seat, move.cards)
        t = t._replace(hands=hands, leader=winner, trick=(), tricks=(*t.tricks, trick))
        if any(after.ends(g, t) for after in g.after_tricks):
            return g.leave(t, tell)
        t = drawn(g, t, tell)
        return g.phases[0].enter(g, t, tell) if any(t.hands) else g.leave(t, tell)


def drawn(g: TrickGame, t: Table, tell: list[Event]) -> Table:
    """Let both draw one card in turn, the winner first, until they have six or the stock is gone."""
    hands: list[list[Card]] = [list(hand) for hand in t.hands]
    stock = list(t.stock)
    seat = t.leader
    while stock and len(hands[seat]) < HAND:
        card = stock.pop(0)
        hands[seat].append(card)
        last = public("card_drawn", seat, (card,))
        tell.append(covert("card_drawn", seat, (card,), g.watchers(seat)) if stock else last)
        seat = 1 - seat
    return t._replace(hands=tuple(map(tuple, hands)), stock=tuple(stock))


@dataclass(frozen=True)
class Lead(Phase):
    """The phase in which the winner of the last trick leads; ``act`` is how."""

    act: Act
    name: str = "lead"

    @cached_property
    def acts(self) -> tuple[Act, ...]:
        """Leading, and nothing else."""
        return (self.act,)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the leader."""
        return t.leader


@dataclass(frozen=True)
class Follow(Phase):
    """The phase in which the other seat answers."""

    name: str = "follow"
    acts = (FollowCards(),)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the follower."""
        return 1 - t.leader


@dataclass(frozen=True)
class ManyAtOnce(Layout):
    """The common layout, for tricks of several cards a seat."""

    def shape_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Check that hands are level but for the cards led, and that tricks are even."""
        if not t.hands:
            return None
        if any(not trick.cards or len(trick.cards) % 2 for trick in t.tricks) or len(t.stock) % 2:
            return "tricks", "tricks and the stock hold an even number of cards"
        if bool(t.trick) != (t.phase == "follow"):
            return "trick", "cards lie on the table only while the follower is to answer"
        if running(g, t) and not t.trump:
            return "trump", "there is always a trump suit"
        leader, follower = len(t.hands[t.leader]) + len(t.trick), len(t.hands[1 - t.leader])
        if leader != follower or follower > HAND:
            return "hands", f"hands are level, and hold at most {HAND} cards"
        return self._due_fault(g, t, follower) or self._taking_fault(g, t)

    def _taking_fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        if any(taken_by(g, t, *trick[:2]) != trick.winner for trick in t.tricks):
            return "tricks", "who beats every card that was led takes the trick"
        return lead_fault(g, t)

    def _due_fault(self, g: TrickGame, t: Table, held: int) -> tuple[str, str] | None:
        early = broken_off(g, t)
        if not running(g, t):
            due = early or not (held or t.stock)
            return None if due else ("hands", "between deals all cards lie in the tricks")
        if early:
            return "tricks", "the deal is over with this trick"
        if not held:
            return "hands", "a deal goes on only while there are cards to play"
        if t.stock and held != HAND:
            return "hands", f"while there is a stock hands hold {HAND} cards"
        return None
