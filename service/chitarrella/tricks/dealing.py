"""Dealing: packets, the card turned up for trumps, and the lot that names the first dealer."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from chitarrella.cards import Card, Hand
from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.table import Standing, Table
from chitarrella.words import BAD_DEALER, BAD_PACK, CHANCE, Event, Form, Move, Refusal, Seat, covert, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

Packet = int | tuple[int, ...]
"""How many cards every seat gets at once, or how many each, eldest first."""


@dataclass(frozen=True)
class StartDeal(Act):
    """The table hands in the pack, top card first; everything up to the first decision follows by itself."""

    packets: tuple[Packet, ...]
    turns_up: bool = False

    form = Form("start_deal", "Hand in the pack, first card first.", frozenset(), (0, 104), by_chance=True)
    reasons = (BAD_PACK,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer nothing: there are more packs than anybody can list."""
        return ()

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to nothing: the pack belongs to the table."""
        return ()

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a pack that is not exactly the game's."""
        return () if g.pack.holds_exactly(move.cards) else (g.refuse(BAD_PACK),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Deal, and clear away what lay there from the deal before."""
        fresh = self.dealt(g, self.laid(g, t, move.cards, tell), tell)
        return g.phases[0].enter(g, self.turned(g, fresh, tell), tell)

    def laid(self, g: TrickGame, t: Table, cards: Hand, tell: list[Event]) -> Table:
        """Clear the table, and lay the whole pack on it for a stock."""
        standing = t.standing._replace(deal=t.standing.deal + 1)
        tell.append(public("deal_started", standing.dealer, amount=standing.deal))
        empty: tuple[Hand, ...] = ((),) * g.seats
        eldest = after_dealer(g, t)[0]
        return Table(g.phases[0].name, standing, empty, cards, leader=eldest, own=g.renewed(t.own))

    def dealt(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Hand out the packets from the top of the stock."""
        order = after_dealer(g, t)
        hands, rest = self.packed(order, t.stock)
        for to in order:
            tell.append(covert("dealt", to, hands[to], g.watchers(to)))
        return t._replace(hands=tuple(hands.get(to, ()) for to in range(g.seats)), stock=rest)

    def packed(self, order: tuple[Seat, ...], cards: Hand) -> tuple[dict[Seat, Hand], Hand]:
        """Hand out the packets to ``order``; gives the hands by seat, and the rest."""
        hands: dict[Seat, list[Card]] = {seat: [] for seat in order}
        at = 0
        for packet in self.packets:
            sizes = (packet,) * len(order) if isinstance(packet, int) else packet
            for seat, size in zip(order, sizes, strict=True):
                hands[seat].extend(cards[at : at + size])
                at += size
        return {seat: tuple(hand) for seat, hand in hands.items()}, cards[at:]

    def turned(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Turn up the next card for trumps and lay it under the stock, where the game has that."""
        if not self.turns_up:
            return t
        card = t.stock[0]
        tell.append(public("turned_up", cards=(card,), word=g.suit[card]))
        return t._replace(stock=(*t.stock[1:], card), turn_up=card, trump=g.suit[card])

    @cached_property
    def size(self) -> int:
        """The number of cards in the largest hand."""
        return max(
            sum(packet if isinstance(packet, int) else packet[place] for packet in self.packets)
            for place in range(max(len(packet) if isinstance(packet, tuple) else 1 for packet in self.packets))
        )


def after_dealer(g: TrickGame, t: Table) -> tuple[Seat, ...]:
    """Name the seats in the order of the deal: eldest first, the dealer last."""
    sitting, dealer = g.sitting(g, t), t.standing.dealer
    eldest = bisect_right(sitting, dealer)
    return sitting[eldest:] + sitting[:eldest]


@dataclass(frozen=True)
class Dealing(Phase):
    """The phase in which a pack is wanted."""

    name: str
    start: StartDeal
    passes_to_dummies: bool = True

    @property
    def acts(self) -> tuple[Act, ...]:
        """The pack, and nothing else."""
        return (self.start,)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the pack; the seat after the dealer, of those that take part, is going to lead."""
        return t._replace(phase=self.name, leader=after_dealer(g, t)[0])

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Wait for chance."""
        return CHANCE

    def next_dealer(self, g: TrickGame, dealer: Seat) -> Seat:
        """Name the seat after ``dealer`` that deals."""
        dealer = (dealer + 1) % g.seats
        while dealer not in self.dealers(g):
            dealer = (dealer + 1) % g.seats
        return dealer

    def dealers(self, g: TrickGame) -> tuple[Seat, ...]:
        """Name the seats that deal in turn."""
        return tuple(s for s in range(g.seats) if self.passes_to_dummies or g.controllers[s] == s)


@dataclass(frozen=True)
class DrawDealer(Act):
    """The table draws the first dealer by lot."""

    form = Form("draw_dealer", "Draw the first dealer by lot.", frozenset(), amounts=range(20), by_chance=True)
    reasons = (BAD_DEALER,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer nothing: the lot is the table's."""
        return ()

    def possession(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to nothing."""
        return ()

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to a seat that never deals."""
        return () if move.amount in g.dealing.dealers(g) else (g.refuse(BAD_DEALER, amount=move.amount),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Seat the dealer and wait for the pack."""
        dealer = move.amount or 0
        tell.append(public("dealer_drawn", dealer))
        return g.dealing.enter(g, t._replace(standing=t.standing._replace(dealer=dealer)), tell)


@dataclass(frozen=True)
class Lot(Phase):
    """The phase in which the first dealer is drawn."""

    name: str = "await_dealer"

    @property
    def acts(self) -> tuple[Act, ...]:
        """The lot, and nothing else."""
        return (DrawDealer(),)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Wait for chance."""
        return CHANCE


def opening(g: TrickGame) -> Table:
    """Give the table before the first card."""
    sides = max(g.sides) + 1
    standing = Standing(0, g.first_dealer or 0, (0,) * sides, (0,) * g.chip_holders, (0,) * g.totals)
    table = Table(g.lot, standing, own=g.series.begun(g))
    return table if g.first_dealer is None else g.dealing.enter(g, table, [])
