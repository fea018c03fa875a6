"""The layout of a game with an auction, a called card and a secret ally."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from chitarrella.core.model import Fact, Seat
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.bidding import auction_facts, soloist
from chitarrella.tricks.layouts.common_layout import CommonLayout
from chitarrella.tricks.phases.play import Play
from chitarrella.tricks.secret_ally import ally
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class SecretAllyLayout(CommonLayout):
    """The common layout, with the auction, the called card and the ally.

    The ally sees in its own hand that it is the ally. The soloist sees in its own hand whether it has one, and no more.
    """

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the contract; the ally and a lone soloist learn from their own hands what they are."""
        yield from super().facts(g, t)
        yield from auction_facts(t)
        if called := t.own.called(g, t):
            alone, friend = soloist(t), ally(g, t)
            # The name of a card: where that card lies is not known.
            yield Fact("called_card", str(called), alone, EVERYBODY)
            yield Fact("ally", friend.seat, friend.seat, EVERYBODY if friend.known else frozenset({friend.seat}))
            if friend.seat == alone:
                yield Fact("alone", 1, alone, EVERYBODY if friend.known else frozenset({alone}))
            if friend.known:
                yield from self.side_facts(g, t, frozenset({alone, friend.seat}))

    def side_facts(self, g: Rules, t: Table, side: frozenset[Seat]) -> Iterable[Fact]:
        """Return what is public as soon as the soloist's ``side`` is known: nothing more."""
        return ()

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the seats, the auction, and that trumps are named after it."""
        if fault := super().seats_fault(g, t):
            return fault
        playing = isinstance(g.phases_by_name.get(t.phase), Play)
        if t.phase in g.deal_phases and not playing and (t.trick or t.tricks):
            return "tricks", "no card is played before the auction is over"
        if g.names_trumps and bool(t.trump) != (playing or bool(t.tricks)):
            return "trump", "trumps are named after the auction, before a card is played"
        return None
