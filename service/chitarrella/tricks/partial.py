"""Partial deals: only some seats take part, and the part of the pack that they do not need is seen by nobody.

Nobody draws; a game's own record keeps the cards that were not dealt as ``undealt``, and as ``dealt_in`` the seats
that took part in the deal whose tricks lie there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import Card
from chitarrella.tricks.arrangement import Layout, running
from chitarrella.tricks.dealing import StartDeal
from chitarrella.tricks.soundness import Fault, tricks_fault
from chitarrella.tricks.table import Table
from chitarrella.words import DEALT_IN, EVERYBODY, NOBODY, Event, Fact, Seat, Zone

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class PartialDeal(StartDeal):
    """The deal of a part of the pack; the rest is laid aside, face down, for the whole deal."""

    def turned(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Lay the rest aside, and turn nothing up."""
        return t._replace(stock=(), own=t.own._replace(undealt=t.stock, dealt_in=g.sitting(g, t)))


def round_from(sitting: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """Go once round ``sitting``, beginning with ``first``."""
    at = sitting.index(first)
    return sitting[at:] + sitting[:at]


@dataclass(frozen=True)
class PartialLayout(Layout):
    """The common layout with the cards that were not dealt, and the seats that were; the last trick may be missing."""

    def zones(self, g: TrickGame, t: Table) -> Iterator[Zone]:
        """Lay the undealt cards out as well, seen by nobody."""
        yield from super().zones(g, t)
        if t.hands:
            yield Zone("undealt", None, t.own.undealt, NOBODY)

    def facts(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say who takes part in the deal that lies on the table, where not all do."""
        yield from super().facts(g, t)
        if t.own.dealt_in != g.everybody:
            for seat in t.own.dealt_in:
                yield Fact(DEALT_IN, 1, seat, EVERYBODY)

    def cards(self, t: Table) -> list[Card]:
        """Gather the undealt cards too."""
        return [*super().cards(t), *t.own.undealt]

    def shape_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check who took part, the sizes of hands and tricks, and who led and took them."""
        sat: tuple[Seat, ...] = t.own.dealt_in
        if not t.hands:
            early = t.phase in (g.lot, g.dealing.name) and not (t.own.undealt or sat)
            return None if early else ("hands", "before the first deal all cards lie in the pack")
        if t.stock:
            return "stock", "nobody draws in this game"
        if len(sat) < 2 or sat != tuple(seat for seat in g.everybody if seat in sat):
            return DEALT_IN, "two seats or more take part in a deal, each named once, in order"
        return tricks_fault(g, t, sat) or self._hands_fault(g, t, sat)

    def _hands_fault(self, g: TrickGame, t: Table, sat: tuple[Seat, ...]) -> Fault | None:
        left = g.dealing.start.size - len(t.tricks)
        at_play = running(g, t)
        if (at_play or left) and sat != g.sitting(g, t):
            return DEALT_IN, "while cards are held the seats of the deal are the ones that take part"
        played = round_from(sat, t.leader)[: len(t.trick)] if at_play else ()
        due = tuple(left - (seat in played) if seat in sat else 0 for seat in g.everybody)
        if len(t.trick) != len(played) or len(played) == len(sat) or due != tuple(map(len, t.hands)):
            return "hands", "hands are level once the cards of the present trick are given back, and others hold none"
        if at_play != bool(left) and not (left and self.broken_off and t.phase == g.dealing.name):
            return "hands", "a deal goes on while cards are held, unless it was broken off"
        return None
