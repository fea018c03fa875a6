"""Cut and show: the card that the cut lays bare names the trump suit and is drawn last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.table import Table
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

CUT_OUT_OF_RANGE = Reason("cut_out_of_range", "A cut of {amount} cards is not possible here.")
ANY_NUMBER = range(-(2**31), 2**31)


@dataclass(frozen=True)
class CutStock(Act):
    """The cutter lifts some cards off the stock and shows the lowest of them; they go under the rest."""

    form = Form("cut_stock", "Lift so many cards off the stock.", frozenset(), amounts=ANY_NUMBER)
    reasons = (CUT_OUT_OF_RANGE,)

    def offers(self, g: TrickGame, t: Table, seat: Seat) -> Iterable[Move]:
        """Offer every height."""
        return [Move("cut_stock", amount=count) for count in range(1, len(t.stock) + 1)]

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to lifting nothing, or more than there is."""
        count = move.amount or 0
        return () if 1 <= count <= len(t.stock) else (g.refuse(CUT_OUT_OF_RANGE, amount=count),)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Complete the cut: the card shown is the last of the stock, and its suit is trumps."""
        count = move.amount or 0
        shown = t.stock[count - 1]
        tell.append(public("stock_cut", seat, amount=count))
        tell.append(public("turned_up", cards=(shown,), word=g.suit[shown]))
        stock = t.stock[count:] + t.stock[:count]
        return g.leave(t._replace(stock=stock, turn_up=shown, trump=g.suit[shown]), tell)


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
