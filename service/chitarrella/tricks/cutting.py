"""Cutting: the stock for trumps, which the card that is laid bare names, or the whole pack before it is dealt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.table import Table
from chitarrella.words import ANY_NUMBER, Event, Form, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

CUT_OUT_OF_RANGE = Reason("cut_out_of_range", "A cut of {amount} cards is not possible here.")


@dataclass(frozen=True)
class CutStock(Act):
    """The cutter lifts some cards off the stock and shows the lowest of them; they go under the rest."""

    form = Form("cut_stock", "Lift so many cards off the stock.", frozenset(), amounts=ANY_NUMBER)
    reasons = (CUT_OUT_OF_RANGE,)

    def most(self, t: Table) -> int:
        """Say how many cards may be lifted."""
        return len(t.stock)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every height."""
        return [Move(self.form.verb, amount=count) for count in range(1, self.most(t) + 1)]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to lifting nothing, or more than there is."""
        count = move.amount or 0
        return () if 1 <= count <= self.most(t) else (g.refuse(CUT_OUT_OF_RANGE, amount=count),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Complete the cut: the card shown is the last of the stock, and its suit is trumps."""
        count = move.amount or 0
        shown = t.stock[count - 1]
        tell.append(public("stock_cut", seat, amount=count))
        tell.append(public("turned_up", cards=(shown,), word=g.suit[shown]))
        stock = t.stock[count:] + t.stock[:count]
        return g.leave(t._replace(stock=stock, turn_up=shown, trump=g.suit[shown]), tell)


@dataclass(frozen=True)
class CutPack(CutStock):
    """The cutter lifts some cards off the pack, but not all; they go under the rest, and nobody sees any of them.

    The game's own record remembers in ``lifted`` how many they were.
    """

    form = Form("cut", "Lift so many cards off the pack.", frozenset(), amounts=ANY_NUMBER)

    def most(self, t: Table) -> int:
        """Leave one card at least."""
        return len(t.stock) - 1

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Complete the cut."""
        count = move.amount or 0
        tell.append(public("pack_cut", seat, amount=count))
        stock = t.stock[count:] + t.stock[:count]
        return g.leave(t._replace(stock=stock, own=t.own._replace(lifted=count)), tell)


@dataclass(frozen=True)
class CutBeforeDeal(Phase):
    """The phase in which the seat before the dealer cuts the pack; unless ``by_hand`` it came cut, all of it lifted."""

    by_hand: bool = True
    name: str = "cut"

    @property
    def acts(self) -> tuple[Act, ...]:
        """The cut, and nothing else."""
        return (CutPack(),)

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the cut; a pack that came cut is left as it is."""
        t = t._replace(phase=self.name)
        return t if self.by_hand else g.leave(t._replace(own=t.own._replace(lifted=len(t.stock))), tell)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the cutter."""
        return (t.standing.dealer - 1) % g.seats


@dataclass(frozen=True)
class Cut(Phase):
    """The phase in which the seat before the dealer cuts the stock."""

    name: str = "cut"
    turns_up = True

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the cut; where a card was turned up already there is nothing to cut for."""
        t = t._replace(phase=self.name)
        return t if t.turn_up is None else g.leave(t, tell)

    @property
    def acts(self) -> tuple[Act, ...]:
        """The cut, and nothing else."""
        return (CutStock(),)

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the cutter."""
        return (t.standing.dealer - 1) % g.seats
