"""Cutting and dealing, and the end of a match."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from chitarrella.core.cards import Hand
from chitarrella.core.model import (
    ANY_AMOUNT,
    BAD_DEALER,
    BAD_PACK,
    CHANCE,
    Event,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    hidden_cards_event,
    public_event,
)
from chitarrella.tricks.parts import Action, Fault, Phase, Rules
from chitarrella.tricks.table import LOT_PHASE, MatchState, Table

Packet = int | tuple[int, ...]
"""The number of cards that every seat gets at once, or the numbers seat by seat, eldest first."""


def turn_up_none(g: Rules, t: Table, events: list[Event]) -> Table:
    """Return ``t``: no card is turned up after the deal."""
    return t


def turn_up_next(g: Rules, t: Table, events: list[Event]) -> Table:
    """Turn up the next card for trumps and lay it under the stock."""
    card = t.stock[0]
    events.append(public_event("turned_up", cards=(card,), word=g.cards.suit[card]))
    return t._replace(stock=(*t.stock[1:], card), turn_up=card, trump=g.cards.suit[card])


def turn_up_of_dealer(place: int) -> Callable[[Rules, Table, list[Event]], Table]:
    """Return what turns up the card at index ``place`` of the dealer's hand for trumps; it stays in that hand."""

    def turn_up(g: Rules, t: Table, events: list[Event]) -> Table:
        dealer = t.match_state.dealer
        card = t.hands[dealer][place]
        events.append(public_event("turned_up", dealer, (card,), g.cards.suit[card]))
        return t._replace(turn_up=card, trump=g.cards.suit[card])

    return turn_up


@dataclass(frozen=True)
class StartDeal(Action):
    """The service gives the shuffled pack, top card first; everything up to the first decision follows by itself.

    ``turn_up`` turns up the card that names the trumps, after the hands were dealt.
    """

    packets: tuple[Packet, ...]
    turn_up: Callable[[Rules, Table, list[Event]], Table] = turn_up_none

    @property
    def turns_up(self) -> bool:
        """Whether a card is turned up for trumps."""
        return self.turn_up is not turn_up_none

    spec = MoveSpec("start_deal", "Hand in the pack, first card first.", frozenset(), (0, 104), by_chance=True)
    reasons = (BAD_PACK,)

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return g.refuse_pack(g.pack, move.cards)

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
        """Deal the packets from the stock, eldest first."""
        order = deal_order(g, t)
        hands, rest = self.split_packets(order, t.stock)
        for to in order:
            events.append(hidden_cards_event("dealt", to, hands[to], g.seating.watchers(to)))
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
    return g.controllers[seat] == seat


@dataclass(frozen=True)
class Dealing(Phase):
    """The phase ``name``, which waits for a pack; ``deals`` says whether a seat takes its turn as dealer."""

    name: str
    start: StartDeal
    deals: Callable[[Rules, Seat], bool] = every_seat

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.start,)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the pack; the seat after the dealer, of those that take part, is going to lead."""
        return t._replace(phase=self.name, leader=deal_order(g, t)[0])

    def turn(self, g: Rules, t: Table) -> Seat:
        return CHANCE

    def next_dealer(self, g: Rules, dealer: Seat) -> Seat:
        """Return the next seat after ``dealer`` that takes its turn as dealer."""
        dealer = (dealer + 1) % g.seats
        while not self.deals(g, dealer):
            dealer = (dealer + 1) % g.seats
        return dealer

    def dealers(self, g: Rules) -> tuple[Seat, ...]:
        """Return the seats that take their turns as dealer."""
        return tuple(s for s in range(g.seats) if self.deals(g, s))


@dataclass(frozen=True)
class DrawDealer(Action):
    """The service draws the first dealer by lot."""

    spec = MoveSpec("draw_dealer", "Draw the first dealer by lot.", frozenset(), amounts=range(20), by_chance=True)
    reasons = (BAD_DEALER,)

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a seat that never deals."""
        return () if move.amount in g.dealing.dealers(g) else (g.refuse(BAD_DEALER, amount=move.amount),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        dealer = move.amount or 0
        events.append(public_event("dealer_drawn", dealer))
        return g.dealing.enter(g, t._replace(match_state=t.match_state._replace(dealer=dealer)), events)


@dataclass(frozen=True)
class DealerLot(Phase):
    """The phase in which the first dealer is drawn."""

    name: str = LOT_PHASE
    actions = (DrawDealer(),)

    def turn(self, g: Rules, t: Table) -> Seat:
        return CHANCE


def initial_table(g: Rules) -> Table:
    sides = max(g.sides) + 1
    chips, totals = ((0,) * g.row_lengths[name] for name in ("chips", "totals"))
    match_state = MatchState(0, g.first_dealer or 0, (0,) * sides, chips, totals)
    table = Table(LOT_PHASE, match_state, own=g.series.initial_record(g))
    return table if g.first_dealer is None else g.dealing.enter(g, table, [])


# Cutting
CUT_OUT_OF_RANGE = Reason("cut_out_of_range", "A cut of {amount} cards is not possible here.")
CUT_TWICE = ("phase", "a pack is cut once, and not where it comes cut")  # why a pack cannot wait for a cut
WRONG_CUT = ("lifted", "some cards were lifted, but not all; of a pack that comes cut all")
"""Why the number of cards lifted is impossible."""


@dataclass(frozen=True)
class CutStock(Action):
    """The cutter lifts some cards off the stock and shows the lowest of them; they go under the rest."""

    spec = MoveSpec("cut_stock", "Lift so many cards off the stock.", frozenset(), amounts=ANY_AMOUNT)
    reasons = (CUT_OUT_OF_RANGE,)
    left: ClassVar[int] = 0  # the number of cards that must not be lifted

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return [Move(self.spec.verb, amount=count) for count in range(1, len(t.stock) - self.left + 1)]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse to lift nothing, or more than there is."""
        count = move.amount or 0
        return () if 1 <= count <= len(t.stock) - self.left else (g.refuse(CUT_OUT_OF_RANGE, amount=count),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Complete the cut: the card shown is the last of the stock, and its suit is trumps."""
        count = move.amount or 0
        shown = t.stock[count - 1]
        events.append(public_event("stock_cut", seat, amount=count))
        events.append(public_event("turned_up", cards=(shown,), word=g.cards.suit[shown]))
        stock = t.stock[count:] + t.stock[:count]
        return g.next_phase(t._replace(stock=stock, turn_up=shown, trump=g.cards.suit[shown]), events)


@dataclass(frozen=True)
class CutPack(CutStock):
    """The cutter lifts some cards off the pack, but not all; they go under the rest unseen.

    The game's own record keeps their number as ``lifted``.
    """

    spec = MoveSpec("cut", "Lift so many cards off the pack.", frozenset(), amounts=ANY_AMOUNT)
    left = 1

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        count = move.amount or 0
        events.append(public_event("pack_cut", seat, amount=count))
        stock = t.stock[count:] + t.stock[:count]
        return g.next_phase(t._replace(stock=stock, own=t.own._replace(lifted=count)), events)


@dataclass(frozen=True)
class CutBeforeDeal(Phase):
    """The phase in which the seat before the dealer cuts the pack."""

    name: str = "cut"
    actions = (CutPack(),)

    def turn(self, g: Rules, t: Table) -> Seat:
        return (t.match_state.dealer - 1) % g.seats

    def cut_fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the number of cards lifted in ``t`` is impossible."""
        if t.phase == self.name:
            return CUT_TWICE if t.own.lifted else None
        return None if 1 <= t.own.lifted < len(g.pack.cards) else WRONG_CUT


@dataclass(frozen=True)
class PackComesCut(CutBeforeDeal):
    """The pack was cut before it was supplied; all its cards count as lifted."""

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        lifted = t.own._replace(lifted=len(t.stock))
        return g.next_phase(t._replace(phase=self.name, own=lifted), events)

    def cut_fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the number of cards lifted in ``t`` is impossible: nobody cuts, and all count as lifted."""
        if t.phase == self.name:
            return CUT_TWICE
        return None if t.own.lifted == len(g.pack.cards) else WRONG_CUT


@dataclass(frozen=True)
class Cut(Phase):
    """The phase in which the seat before the dealer cuts the stock."""

    name: str = "cut"
    turns_up = True
    actions = (CutStock(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the cut; where a card was turned up already there is nothing to cut for."""
        t = t._replace(phase=self.name)
        return t if t.turn_up is None else g.next_phase(t, events)

    def turn(self, g: Rules, t: Table) -> Seat:
        return (t.match_state.dealer - 1) % g.seats


@dataclass(frozen=True)
class MatchOver(Phase):
    """The end of the match: no move is accepted any more."""

    name: str

    def turn(self, g: Rules, t: Table) -> None:
        return


class EndPhase(Action):
    """A move that reports ``event_kind`` of its seat and goes on to the next phase."""

    event_kind: ClassVar[str]

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Report the decision, and enter the next phase."""
        events.append(public_event(self.event_kind, seat))
        return g.next_phase(t, events)
