"""Dealing: packets, the card turned up for trumps, and the lot that names the first dealer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import Card
from chitarrella.tricks.act import Act
from chitarrella.tricks.table import Standing, Table
from chitarrella.words import (
    BAD_DEALER,
    BAD_PACK,
    CHANCE,
    Event,
    Form,
    Move,
    Refusal,
    Seat,
    covert,
    public,
)

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class StartDeal:
    """The table hands in the pack, top card first; everything up to the first decision follows by itself."""

    packets: tuple[int, ...]
    turns_up: bool = False

    form = Form("start_deal", "Hand in the pack, first card first.", frozenset(), (1, 104), by_chance=True)
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
        dealer = t.standing.dealer
        hands: list[list[Card]] = [[] for _ in range(g.seats)]
        at = 0
        for size in self.packets:
            for place in range(1, g.seats + 1):
                hands[(dealer + place) % g.seats].extend(move.cards[at : at + size])
                at += size
        stock = move.cards[at:]
        standing = t.standing._replace(deal=t.standing.deal + 1)
        tell.append(public("deal_started", dealer, amount=standing.deal))
        for place in range(1, g.seats + 1):
            to = (dealer + place) % g.seats
            tell.append(covert("dealt", to, tuple(hands[to]), g.watchers(to)))
        turn_up, trump = None, ""
        if self.turns_up:
            turn_up, stock = stock[0], (*stock[1:], stock[0])
            trump = g.suit[turn_up]
            tell.append(public("turned_up", cards=(turn_up,), word=trump))
        fresh = Table(
            g.phases[0].name, standing, tuple(map(tuple, hands)), stock, turn_up, trump, (dealer + 1) % g.seats
        )
        return g.phases[0].enter(g, fresh, tell)


@dataclass(frozen=True)
class Dealing:
    """The phase in which a pack is wanted."""

    name: str
    start: StartDeal
    passes_to_dummies: bool = True

    @property
    def acts(self) -> tuple[Act, ...]:
        """The pack, and nothing else."""
        return (self.start,)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the pack; the seat after the dealer is going to lead."""
        return t._replace(phase=self.name, leader=(t.standing.dealer + 1) % g.seats)

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
class DrawDealer:
    """The table draws the first dealer by lot."""

    form = Form("draw_dealer", "Draw the first dealer by lot.", frozenset(), amounts=range(20), by_chance=True)
    reasons = (BAD_DEALER,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every seat that deals."""
        return [Move("draw_dealer", amount=dealer) for dealer in g.dealing.dealers(g)]

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
class Lot:
    """The phase in which the first dealer is drawn."""

    name: str = "await_dealer"
    acts: tuple[Act, ...] = (DrawDealer(),)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the lot."""
        return t._replace(phase=self.name)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Wait for chance."""
        return CHANCE


def opening(g: TrickGame) -> Table:
    """Give the table before the first card."""
    sides = max(g.sides) + 1
    standing = Standing(0, g.first_dealer or 0, (0,) * sides, (0,) * g.seats if g.payments else ())
    table = Table(Lot.name, standing)
    return table if g.first_dealer is None else g.dealing.enter(g, table, [])
