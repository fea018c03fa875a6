"""The layout of a partial deal: only some seats take part, and nobody sees the rest of the pack.

Nobody draws. A game's own record keeps the cards that were not dealt as ``undealt``, and as ``dealt_in`` the seats
that took part in the deal whose tricks lie on the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chitarrella.core.cards import Card
from chitarrella.core.model import DEALT_IN, Fact, Seat, Zone, ZoneSpec
from chitarrella.core.visibility import EVERYBODY, NOBODY
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.common_layout import CommonLayout
from chitarrella.tricks.layouts.trick_faults import tricks_fault
from chitarrella.tricks.layouts.zone_specs import UNDEALT
from chitarrella.tricks.table import LOT_PHASE, Table


def rotate(participants: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """Return ``participants`` in order of play, beginning with ``first``."""
    at = participants.index(first)
    return participants[at:] + participants[:at]


@dataclass(frozen=True)
class PartialLayout(CommonLayout):
    """The common layout with the cards that were not dealt and the seats that were; the last trick may be missing."""

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        """Return the kinds of zones with the undealt cards."""
        return (*super().zone_specs(g), UNDEALT)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Return the zones with the undealt cards, which nobody sees."""
        yield from super().zones(g, t)
        if t.hands:
            yield Zone("undealt", None, t.own.undealt, NOBODY)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        """Return ``t`` with its hidden cards as in ``zones``, the undealt ones included."""
        for zone in zones:
            if zone.name == "undealt":
                t = t._replace(own=t.own._replace(undealt=zone.cards))
        return super().redeal(g, t, zones)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the seats that take part in the deal, where not all do."""
        yield from super().facts(g, t)
        if t.own.dealt_in != g.everybody:
            for seat in t.own.dealt_in:
                yield Fact(DEALT_IN, 1, seat, EVERYBODY)

    def cards(self, t: Table) -> list[Card]:
        """Return the cards of every zone, the undealt ones included."""
        return [*super().cards(t), *t.own.undealt]

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check who took part, the sizes of hands and tricks, and who led and took them."""
        participants: tuple[Seat, ...] = t.own.dealt_in
        if not t.hands:
            early = t.phase in (LOT_PHASE, g.dealing.name) and not (t.own.undealt or participants)
            return None if early else ("hands", "before the first deal all cards lie in the pack")
        if t.stock:
            return "stock", "nobody draws in this game"
        if len(participants) < 2 or participants != tuple(seat for seat in g.everybody if seat in participants):
            return DEALT_IN, "two seats or more take part in a deal, each named once, in order"
        return tricks_fault(g, t, participants) or self._hands_fault(g, t, participants)

    def _hands_fault(self, g: Rules, t: Table, participants: tuple[Seat, ...]) -> Fault | None:
        left = g.dealing.start.size - len(t.tricks)
        at_play = is_deal_running(g, t)
        if (at_play or left) and participants != g.dealt_in_seats(g, t):
            return DEALT_IN, "while cards are held the seats of the deal are the ones that take part"
        played = rotate(participants, t.leader)[: len(t.trick)] if at_play else ()
        due = tuple(left - (seat in played) if seat in participants else 0 for seat in g.everybody)
        if len(t.trick) != len(played) or len(played) == len(participants) or due != tuple(map(len, t.hands)):
            return "hands", "hands are level once the cards of the present trick are given back, and others hold none"
        if at_play != bool(left) and not (left and g.breaks_off_deals and t.phase == g.dealing.name):
            return "hands", "a deal goes on while cards are held, unless it was broken off"
        return None
