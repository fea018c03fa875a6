"""Cutting: the stock for trumps, which the card shown names, or the whole pack before the deal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chitarrella.core.model import ANY_AMOUNT, Event, Move, MoveSpec, Reason, Refusal, Seat, public_event
from chitarrella.tricks.base import Action, Fault, Phase, Rules
from chitarrella.tricks.table import Table

CUT_OUT_OF_RANGE = Reason("cut_out_of_range", "A cut of {amount} cards is not possible here.")
CUT_TWICE = ("phase", "a pack is cut once, and not where it comes cut")
"""Why a pack cannot wait for a cut."""
WRONG_CUT = ("lifted", "some cards were lifted, but not all; of a pack that comes cut all")
"""Why the number of cards lifted is impossible."""


@dataclass(frozen=True)
class CutStock(Action):
    """The cutter lifts some cards off the stock and shows the lowest of them; they go under the rest."""

    spec = MoveSpec("cut_stock", "Lift so many cards off the stock.", frozenset(), amounts=ANY_AMOUNT)
    reasons = (CUT_OUT_OF_RANGE,)

    def max_cut(self, t: Table) -> int:
        """Return how many cards may be lifted."""
        return len(t.stock)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        """Return one move for each number of cards."""
        return [Move(self.spec.verb, amount=count) for count in range(1, self.max_cut(t) + 1)]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse to lift nothing, or more than there is."""
        count = move.amount or 0
        return () if 1 <= count <= self.max_cut(t) else (g.refuse(CUT_OUT_OF_RANGE, amount=count),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Complete the cut: the card shown is the last of the stock, and its suit is trumps."""
        count = move.amount or 0
        shown = t.stock[count - 1]
        events.append(public_event("stock_cut", seat, amount=count))
        events.append(public_event("turned_up", cards=(shown,), word=g.suit[shown]))
        stock = t.stock[count:] + t.stock[:count]
        return g.next_phase(t._replace(stock=stock, turn_up=shown, trump=g.suit[shown]), events)


@dataclass(frozen=True)
class CutPack(CutStock):
    """The cutter lifts some cards off the pack, but not all; they go under the rest unseen.

    The game's own record keeps their number as ``lifted``.
    """

    spec = MoveSpec("cut", "Lift so many cards off the pack.", frozenset(), amounts=ANY_AMOUNT)

    def max_cut(self, t: Table) -> int:
        """Return how many cards may be lifted: all but one."""
        return len(t.stock) - 1

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Complete the cut."""
        count = move.amount or 0
        events.append(public_event("pack_cut", seat, amount=count))
        stock = t.stock[count:] + t.stock[:count]
        return g.next_phase(t._replace(stock=stock, own=t.own._replace(lifted=count)), events)


@dataclass(frozen=True)
class CutBeforeDeal(Phase):
    """The phase in which the seat before the dealer cuts the pack."""

    name: str = "cut"

    @property
    def actions(self) -> tuple[Action, ...]:
        """The cut."""
        return (CutPack(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the cut."""
        return t._replace(phase=self.name)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the cutter."""
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
        """Go on to the next phase."""
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

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the cut; where a card was turned up already there is nothing to cut for."""
        t = t._replace(phase=self.name)
        return t if t.turn_up is None else g.next_phase(t, events)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The cut."""
        return (CutStock(),)

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the cutter."""
        return (t.match_state.dealer - 1) % g.seats
