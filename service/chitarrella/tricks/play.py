"""Playing cards: the phase of the tricks, revoking, declaring a suit, and tricks of several cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import ClassVar

from chitarrella.core.cards import Card, Hand, minus, put
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    held_card,
    new_record,
    public_event,
)
from chitarrella.tricks.following import NUMBERS, PICTURES, Offence
from chitarrella.tricks.parts import Action, Phase, Rules, TrickEffect
from chitarrella.tricks.table import Table, Trick


@dataclass(frozen=True)
class PlayCard(Action):
    """A card of the hand goes to the trick."""

    spec = MoveSpec("play_card", "Play a card to the trick.", frozenset(), (1, 1))
    reasons: ClassVar[tuple[Reason, ...]] = (NOT_IN_HAND,)
    reveals: ClassVar[bool] = False  # whether a card can reveal more than itself; if so, `on_card_played` appends it

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        plays = g.moves_by_card[seat]
        return [plays[card] for card in dict.fromkeys(t.hands[seat])]

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        cards = (g.following if t.trick else g.leading).allowed_cards(g, t, t.hands[seat])
        plays = g.moves_by_card[seat]
        if g.pack.copies == 1:
            return [plays[card] for card in cards]
        return [plays[card] for card in dict.fromkeys(cards)]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return () if move.cards[0] in t.hands[seat] else self.possession(g, t, seat, move)

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card of the hand that breaks the duty of the seat that leads, or follows."""
        duty, card, hand = g.following if t.trick else g.leading, move.cards[0], t.hands[seat]
        return duty.refusals(g, t, hand, card) if duty.reasons and card in hand else ()

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        hands, card = t.hands, move.cards[0]
        hand, left = hands[seat], list(hands)
        at = hand.index(card)
        left[seat] = hand[:at] + hand[at + 1 :]
        trick = t.trick + move.cards
        events.append(g.play_events[seat][card])
        if self.reveals:
            self.on_card_played(g, t.with_play(tuple(left), trick), seat, events)
        full = g.seats if g.everybody_plays else len(g.dealt_in_seats(g, t))
        return t.with_play(tuple(left), trick) if len(trick) < full else take_trick(g, t, left, trick, events)

    def on_card_played(self, g: Rules, t: Table, seat: Seat, events: list[Event]) -> None:
        """Append what the card just played reveals beside itself; called only where it `reveals` anything."""


@dataclass(frozen=True)
class PlayForDummy(PlayCard):
    """The same where dummies may sit: the move may name the seat whose card is played."""

    spec = PlayCard.spec._replace(seat=True)


def take_trick(g: Rules, t: Table, hands: list[Hand], cards: Hand, events: list[Event]) -> Table:
    """Move a full trick to its winner; its effects come next, such as that everybody draws.

    ``t`` is the table before the last of the ``cards``, ``hands`` are those after it.
    """
    leader, stock, orders, draws_at_once = t.leader, t.stock, g.seating.rotations, g.draws_at_once
    winner = (orders[leader] if g.everybody_plays else order_from(g, t, leader))[g.taking.best(g, t, cards)]
    trick: Trick = new_record(Trick, (leader, cards, winner))
    events.append(new_record(Event, ("trick_taken", winner, cards, "", None, None, (), EVERYBODY, EVERYBODY, 0)))
    if stock and draws_at_once:
        stock = deal_round(orders[winner], stock, t.turn_up is not None, hands, g.draw_events, events)
    t = t.with_cards(tuple(hands), stock, winner, (), (*t.tricks, trick))
    if draws_at_once:
        return t if any(hands) else g.next_phase(t, events)
    for after in g.all_trick_effects:
        t = after.apply(g, t, trick, events)
        if after.ends_deal(g, t):
            return g.next_phase(t, events)
    return t if any(t.hands) else g.next_phase(t, events)


def order_from(g: Rules, t: Table, first: Seat) -> tuple[Seat, ...]:
    """Return the seats of this deal in order of play, from ``first`` on."""
    if g.everybody_plays:
        return g.seating.rotations[first]
    return rotate(g.dealt_in_seats(g, t), first)


def rotate(participants: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """Return ``participants`` in order of play, beginning with ``first``."""
    at = participants.index(first)
    return participants[at:] + participants[:at]


@dataclass(frozen=True)
class Draw(TrickEffect):
    """After a trick every seat draws a card of the stock while there is one, the winner first, in order of play."""

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        if not t.stock:
            return t
        hands = list(t.hands)
        order = order_from(g, t, t.leader)
        stock = deal_round(order, t.stock, t.turn_up is not None, hands, g.draw_events, events)
        return t.with_cards(tuple(hands), stock, t.leader, t.trick, t.tricks)


def deal_round(
    order: tuple[Seat, ...],
    stock: Hand,
    has_turn_up: bool,
    hands: list[Hand],
    drawings: tuple[dict[Card, Event], ...],
    events: list[Event],
) -> Hand:
    """Add a card of the stock, which is not empty, to the hand of each seat in ``order``; return the rest of the stock.

    The turn-up, its last card, is drawn openly. Changes ``hands`` and ``events`` in place.
    """
    for seat, card in zip(order, stock, strict=False):
        hands[seat] += (card,)
        events.append(drawings[seat][card])
    if has_turn_up and len(stock) <= len(order):  # the last card of the stock is the turn-up
        events[-1] = public_event("card_drawn", seat, (card,))
    return stock[len(order) :]


@dataclass(frozen=True)
class Play(Phase):
    """The phase in which tricks are played; ``side_actions`` may be taken beside them."""

    side_actions: tuple[Action, ...] = ()
    name: str = "play"
    play_action: Action = PlayCard()

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return (self.play_action, *self.side_actions)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        return (self.play_action,)

    def turn(self, g: Rules, t: Table) -> Seat:
        if g.everybody_plays:
            return (t.leader + len(t.trick)) % g.seats
        participants = g.dealt_in_seats(g, t)
        return participants[(participants.index(t.leader) + len(t.trick)) % len(participants)]


@dataclass(frozen=True, kw_only=True)
class HolderLeads(Play):
    """The play of tricks in which the seat that holds ``card`` leads to the first one, with whatever it may lead."""

    card: Card

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        return super().enter(g, t, events)._replace(leader=seat_of_card(g, t, self.card))

    def first_lead(self, g: Rules, t: Table) -> Seat | None:
        """Return the seat that held the card when the play began."""
        return seat_of_card(g, t, self.card) if t.phase == self.name else None

    def inferences(self, g: Rules, t: Table) -> Iterable[Inference]:
        """Return that the first leader has the card until it was played."""
        leader = t.tricks[0].leader if t.tricks else t.leader
        if t.phase == self.name and self.card in t.hands[leader]:
            yield held_card(leader, self.card)


def seat_of_card(g: Rules, t: Table, card: Card) -> Seat:
    """Return the seat that holds ``card``, or has played it in this deal; the leader where it was not dealt."""
    held = [seat for seat, hand in enumerate(t.hands) if card in hand]
    return (*held, *seats_that_played(g, t, card), t.leader)[0]


def seats_that_played(g: Rules, t: Table, face: Card | None) -> list[Seat]:
    """Return the seats that have played a card of ``face`` in this deal, in order of play."""
    tricks = [(leader, cards) for leader, cards, _ in t.tricks if face in cards] + [(t.leader, t.trick)]
    return [(leader + place) % g.seats for leader, cards in tricks for place, card in enumerate(cards) if card == face]


@dataclass(frozen=True)
class PlayOrRevoke(PlayCard):
    """A card goes to the trick; one that breaks a duty ends the deal, and nobody takes its trick."""

    breaks_off_deal = True

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        card = move.cards[0]
        against = g.following.refusals(g, t, t.hands[seat], card) if t.trick else ()
        if not against:
            return super().apply(g, t, seat, move, events)
        hands = (*t.hands[:seat], minus(t.hands[seat], card), *t.hands[seat + 1 :])
        events.append(public_event("card_played", seat, move.cards))
        events.append(public_event("revoked", seat, move.cards, against[0].code))
        own = t.own._replace(offence=Offence(seat, card, against[0].code))
        return g.series.close_deal(g, t._replace(hands=hands, trick=t.trick + move.cards, own=own), events)


# Playing a card where leading the trionfo declares the suit to be followed
DECLARATION_MISSING = Reason(
    "declaration_missing", "Who leads the trionfo says which suit is to be followed.", duty=True
)
DECLARATION_NOT_ALLOWED = Reason("declaration_not_allowed", "A suit is declared with the trionfo, when it is led.")


def with_declarations(t: Table, moves: Iterable[Move]) -> Iterable[Move]:
    """Return the moves that play a card; the lead of the trionfo is replaced by one for each suit, at the end."""
    trionfo = t.turn_up
    if t.trick or trionfo is None:
        return moves
    plain = [move for move in moves if move.cards[0] != trionfo]
    leads = [move for move in moves if move.cards[0] == trionfo]
    return [*plain, *(move._replace(choice=suit) for move in leads for suit in (NUMBERS, PICTURES))]


@dataclass(frozen=True)
class PlayOrDeclare(PlayCard):
    """A card of the hand goes to the trick; leading the trionfo declares the suit to be followed."""

    spec = MoveSpec("play_card", "Play a card to the trick.", frozenset(), (1, 1), choices=("", NUMBERS, PICTURES))
    reasons = (NOT_IN_HAND, DECLARATION_MISSING, DECLARATION_NOT_ALLOWED)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return with_declarations(t, super().offers(g, t, seat))

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each face that may be played; leading the trionfo is one move for each suit."""
        return with_declarations(t, super().legal_moves(g, t, seat))

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card that is not held, and a declaration with another card than the trionfo, or during a trick."""
        lacking = super().conditions(g, t, seat, move)
        if not move.choice or (move.cards[0] == t.turn_up and not t.trick):
            return lacking
        return (*lacking, g.refuse(DECLARATION_NOT_ALLOWED, word=move.choice))

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse the trionfo led without a declaration, then what `PlayCard` refuses."""
        against = super().duties(g, t, seat, move)
        if move.choice or t.trick or move.cards[0] != t.turn_up:
            return against
        return (g.refuse(DECLARATION_MISSING), *against)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        if not move.choice:
            return super().apply(g, t, seat, move, events)
        t = super().apply(g, t._replace(own=t.own._replace(declared=move.choice)), seat, move, events)
        events.append(public_event("suit_declared", seat, word=move.choice))
        return t


# Tricks of several cards a seat, for two seats
WRONG_CARD_COUNT = Reason("wrong_card_count", "{amount} cards were led, and as many must follow.")
HAND_SIZE = 6  # the number of cards in a hand while there is a stock


def remove_cards(hands: tuple[Hand, ...], seat: Seat, cards: Hand) -> tuple[Hand, ...]:
    hand = list(hands[seat])
    for card in cards:
        hand.remove(card)
    return put(hands, seat, tuple(hand))


@dataclass(frozen=True)
class FollowCards(Action):
    """As many cards follow as were led; the trick is taken, and both draw."""

    spec = MoveSpec("follow_cards", "Play as many cards as were led.", frozenset(), (0, 52))
    reasons = (NOT_IN_HAND, WRONG_CARD_COUNT)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        sets = combinations(g.pack.in_order(t.hands[seat]), len(t.trick) or 1)
        return [new_record(Move, ("follow_cards", cards, "", None, None, ())) for cards in sets]

    def legal_moves(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return all offers: each is a set of held cards, and as many as were led."""
        return self.offers(g, t, seat) if t.trick else ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards not held, and another number of cards."""
        lacking = self.possession(g, t, seat, move)
        if len(move.cards) != len(t.trick):
            return (*lacking, g.refuse(WRONG_CARD_COUNT, offending_cards=move.cards, amount=len(t.trick)))
        return lacking

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        events.append(public_event("cards_followed", seat, move.cards))
        cards = t.trick + move.cards
        winner = 1 - t.leader if g.taking.best(g, t, cards) else t.leader
        trick = Trick(t.leader, cards, winner)
        events.append(public_event("trick_taken", winner, trick.cards))
        hands = remove_cards(t.hands, seat, move.cards)
        t = t.with_cards(hands, t.stock, winner, (), (*t.tricks, trick))
        if any(after.ends_deal(g, t) for after in g.all_trick_effects):
            return g.next_phase(t, events)
        t = refill_hands(g, t, events)
        return g.phases[0].enter(g, t, events) if any(t.hands) else g.next_phase(t, events)


def refill_hands(g: Rules, t: Table, events: list[Event]) -> Table:
    """Draw one card for each seat in turn, the winner first, until both have six or the stock is empty."""
    hands, drawings, seat, drawn = list(t.hands), g.draw_events, t.leader, 0
    for card in t.stock:
        if len(hands[seat]) >= HAND_SIZE:
            break
        hands[seat] += (card,)
        events.append(drawings[seat][card])
        drawn += 1
        seat = 1 - seat
    if 0 < drawn == len(t.stock):  # the last card of the stock is the turn-up
        events[-1] = public_event("card_drawn", 1 - seat, t.stock[-1:])
    return t.with_cards(tuple(hands), t.stock[drawn:], t.leader, t.trick, t.tricks)


@dataclass(frozen=True)
class Lead(Phase):
    """The phase in which the winner of the last trick leads; ``lead_action`` is the move."""

    lead_action: Action
    name: str = "lead"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return (self.lead_action,)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        return () if trick else self.actions


@dataclass(frozen=True)
class Follow(Phase):
    """The phase in which the other seat follows."""

    name: str = "follow"
    actions = (FollowCards(),)

    def card_actions(self, trick: Hand) -> tuple[Action, ...]:
        return self.actions if trick else ()

    def turn(self, g: Rules, t: Table) -> Seat:
        return 1 - t.leader
