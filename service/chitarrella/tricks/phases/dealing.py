"""Dealing: packets, the card turned up for trumps, and the lot that decides the first dealer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from chitarrella.core.cards import Hand
from chitarrella.core.model import (
    BAD_DEALER,
    BAD_PACK,
    CHANCE,
    Event,
    Move,
    MoveSpec,
    Refusal,
    Seat,
    hidden_cards_event,
    public_event,
)
from chitarrella.tricks.base import Action, DealPhase, PackDeal, Phase, Rules
from chitarrella.tricks.table import LOT_PHASE, MatchState, Table

Packet = int | tuple[int, ...]
"""The number of cards that every seat gets at once, or the numbers seat by seat, eldest first."""


def turn_up_none(g: Rules, t: Table, events: list[Event]) -> Table:
    """Return ``t``: no card is turned up after the deal."""
    return t


def turn_up_next(g: Rules, t: Table, events: list[Event]) -> Table:
    """Turn up the next card for trumps and lay it under the stock."""
    card = t.stock[0]
    events.append(public_event("turned_up", cards=(card,), word=g.suit[card]))
    return t._replace(stock=(*t.stock[1:], card), turn_up=card, trump=g.suit[card])


@dataclass(frozen=True)
class StartDeal(PackDeal):
    """The service gives the shuffled pack, top card first; everything up to the first decision follows by itself.

    ``turn_up`` turns up the card that names the trumps, after the hands were dealt.
    """

    packets: tuple[Packet, ...]
    turn_up: Callable[[Rules, Table, list[Event]], Table] = turn_up_none

    @property
    def turns_up(self) -> bool:
        """Whether a card is turned up for trumps after the deal."""
        return self.turn_up is not turn_up_none

    spec = MoveSpec("start_deal", "Hand in the pack, first card first.", frozenset(), (0, 104), by_chance=True)
    reasons = (BAD_PACK,)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return nothing: there are too many packs to list."""
        return ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a pack that is not exactly the game's, with the cards it misses and those it has too often."""
        pack, cards = g.pack, move.cards
        if pack.holds_exactly(cards):
            return ()
        return (g.refuse(BAD_PACK, allowed_cards=pack.missing(cards), offending_cards=pack.surplus(cards)),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Clear the table, deal, and enter the first phase."""
        fresh = self.deal_hands(g, self.lay_pack(g, t, move.cards, events), events)
        return g.phases[0].enter(g, self.turn_up(g, fresh, events), events)

    def lay_pack(self, g: Rules, t: Table, cards: Hand, events: list[Event]) -> Table:
        """Return an empty table with the whole pack as its stock."""
        match_state = t.match_state._replace(deal=t.match_state.deal + 1)
        events.append(public_event("deal_started", match_state.dealer, amount=match_state.deal))
        empty: tuple[Hand, ...] = ((),) * g.seats
        eldest = deal_order(g, t)[0]
        return Table(g.phases[0].name, match_state, empty, cards, leader=eldest, own=g.carry_over(t.own))

    def deal_hands(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Deal the packets from the top of the stock."""
        order = deal_order(g, t)
        hands, rest = self.split_packets(order, t.stock)
        for to in order:
            events.append(hidden_cards_event("dealt", to, hands[to], g.watchers(to)))
        dealt = tuple([hands.get(to, ()) for to in range(g.seats)])
        return t.with_cards(dealt, rest, t.leader, t.trick, t.tricks)

    def split_packets(self, order: tuple[Seat, ...], cards: Hand) -> tuple[dict[Seat, Hand], Hand]:
        """Split ``cards`` into packets for ``order``; return the hands by seat, and the rest."""
        hands: dict[Seat, Hand] = dict.fromkeys(order, ())
        at = 0
        for packet in self.packets:
            sizes = (packet,) * len(order) if isinstance(packet, int) else packet
            for seat, size in zip(order, sizes, strict=True):
                hands[seat] += cards[at : at + size]
                at += size
        return hands, cards[at:]

    @cached_property
    def size(self) -> int:
        """The number of cards in the largest hand."""
        return max(
            sum(packet if isinstance(packet, int) else packet[place] for packet in self.packets)
            for place in range(max(len(packet) if isinstance(packet, tuple) else 1 for packet in self.packets))
        )


@dataclass(frozen=True)
class PartialDeal(StartDeal):
    """The deal of a part of the pack; the rest is laid aside, face down, for the whole deal."""

    def deal_hands(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Deal the packets, and lay the rest aside."""
        t = super().deal_hands(g, t, events)
        return t._replace(stock=(), own=t.own._replace(undealt=t.stock, dealt_in=g.dealt_in_seats(g, t)))


def deal_order(g: Rules, t: Table) -> tuple[Seat, ...]:
    """Return the seats in the order of the deal: eldest first, the dealer last."""
    participants, dealer = g.dealt_in_seats(g, t), t.match_state.dealer
    eldest = bisect_right(participants, dealer)
    return participants[eldest:] + participants[:eldest]


def every_seat(g: Rules, seat: Seat) -> bool:
    """Return True: dummies deal too."""
    return True


def no_dummy(g: Rules, seat: Seat) -> bool:
    """Return whether a person sits at ``seat``."""
    return g.controllers[seat] == seat


@dataclass(frozen=True)
class Dealing(DealPhase):
    """The phase that waits for a pack; ``deals`` says whether a seat takes its turn as dealer."""

    name: str
    start: StartDeal
    deals: Callable[[Rules, Seat], bool] = every_seat

    @property
    def actions(self) -> tuple[Action, ...]:
        """Dealing the pack."""
        return (self.start,)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the pack; the seat after the dealer, of those that take part, is going to lead."""
        return t._replace(phase=self.name, leader=deal_order(g, t)[0])

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return `CHANCE`."""
        return CHANCE

    def next_dealer(self, g: Rules, dealer: Seat) -> Seat:
        """Return the next seat after ``dealer`` that deals."""
        dealer = (dealer + 1) % g.seats
        while not self.deals(g, dealer):
            dealer = (dealer + 1) % g.seats
        return dealer

    def dealers(self, g: Rules) -> tuple[Seat, ...]:
        """Return the seats that deal in turn."""
        return tuple(s for s in range(g.seats) if self.deals(g, s))


@dataclass(frozen=True)
class DrawDealer(Action):
    """The service draws the first dealer by lot."""

    spec = MoveSpec("draw_dealer", "Draw the first dealer by lot.", frozenset(), amounts=range(20), by_chance=True)
    reasons = (BAD_DEALER,)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return nothing: the lot is a move of chance."""
        return ()

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a seat that never deals."""
        return () if move.amount in g.dealing.dealers(g) else (g.refuse(BAD_DEALER, amount=move.amount),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Set the dealer and wait for the pack."""
        dealer = move.amount or 0
        events.append(public_event("dealer_drawn", dealer))
        return g.dealing.enter(g, t._replace(match_state=t.match_state._replace(dealer=dealer)), events)


@dataclass(frozen=True)
class DealerLot(Phase):
    """The phase in which the first dealer is drawn."""

    name: str = LOT_PHASE

    @property
    def actions(self) -> tuple[Action, ...]:
        """The lot."""
        return (DrawDealer(),)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return `CHANCE`."""
        return CHANCE


def initial_table(g: Rules) -> Table:
    """Return the table before the first card."""
    sides = max(g.sides) + 1
    match_state = MatchState(0, g.first_dealer or 0, (0,) * sides, (0,) * g.row_lengths["chips"], (0,) * g.total_count)
    table = Table(LOT_PHASE, match_state, own=g.series.initial_record(g))
    return table if g.first_dealer is None else g.dealing.enter(g, table, [])
