"""The layout that most games share: zones, facts and inferences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from chitarrella.core.model import Fact, Inference, Zone, ZoneSpec
from chitarrella.core.visibility import EVERYBODY, NOBODY, Viewer, can_see
from chitarrella.tricks.base import Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.inference import draw_inferences, play_inferences
from chitarrella.tricks.layouts.position_validation import PositionValidation
from chitarrella.tricks.layouts.zone_specs import common_zone_specs
from chitarrella.tricks.table import LOT_PHASE, Table


def always(g: Rules, t: Table) -> bool:
    """Return True."""
    return True


def after_deal(g: Rules, t: Table) -> bool:
    """Return whether the deal is over."""
    return not is_deal_running(g, t)


@dataclass(frozen=True)
class CommonLayout(PositionValidation):
    """The layout that most games share; a game with cards in other places adds its own.

    ``shows_points`` says whether the points of a deal are public now; its tricks lie open.
    """

    shows_points: Callable[[Rules, Table], bool] = always

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        """Return every kind of zone that `zones` may yield."""
        return common_zone_specs(g)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Return the zones of the table; before the first deal all cards lie in the pack."""
        if not t.hands:
            yield Zone("pack", None, g.pack.cards, NOBODY)
            return
        for seat, hand in enumerate(t.hands):
            watchers = g.watchers(seat)
            if seat in t.shown and watchers is not EVERYBODY:
                watchers |= g.partners(seat)
            yield Zone("hand", seat, hand, watchers)
        if t.turn_up is None:
            yield Zone("stock", None, t.stock, NOBODY)
        else:
            yield Zone("stock", None, t.stock[:-1], NOBODY)
            yield Zone("turn_up", None, t.stock[-1:], EVERYBODY)
        yield Zone("trick", None, t.trick, EVERYBODY, t.leader)
        for trick in t.tricks:
            yield Zone("taken", trick.winner, trick.cards, EVERYBODY, trick.leader)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return what is true of the table beside its cards."""
        match_state = t.match_state
        yield Fact("deal", match_state.deal, seen_by=EVERYBODY)
        if g.first_dealer is not None or t.phase != LOT_PHASE:
            yield Fact("dealer", match_state.dealer, seen_by=EVERYBODY)
        if t.trump:
            yield Fact("trump", t.trump, seen_by=EVERYBODY)
        if t.turn_up is not None:
            yield Fact("turn_up", t.turn_up, seen_by=EVERYBODY)
        if t.hands:
            yield Fact("stock", len(t.stock), seen_by=EVERYBODY)
            if self.shows_points(g, t):
                yield from self.points(g, t)
        yield from g.series.facts(g, t)
        for seat, person in enumerate(g.controllers):
            if seat != person:
                yield Fact("controller", person, seat, EVERYBODY)
        for seat, balance in enumerate(match_state.chips):
            yield Fact("chips", balance, seat, EVERYBODY)
        for seat, card in t.exchanged:
            yield Fact("exchanged", card, seat, EVERYBODY)
        for signal in t.signals:
            yield Fact("signal", signal.rank, signal.seat, g.partners(signal.seat))

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Return what everybody can conclude about the hands from the cards that were played and drawn."""
        if is_deal_running(g, t):
            yield from play_inferences(g, t)
            yield from draw_inferences(g, t)
            yield from (Inference(("hand",), seat, frozenset({card}), 1) for seat, card in t.exchanged)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        """Return ``t`` with its hidden cards as in ``zones``, which are those of `zones` in the same order."""
        if not t.hands:
            return t
        hands = tuple(zone.cards for zone in zones if zone.name == "hand")
        stock = tuple(chain.from_iterable(zone.cards for zone in zones if zone.name in ("stock", "turn_up")))
        return t._replace(hands=hands, stock=stock)

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` without the signals and shown hands that ``viewer`` did not see."""
        if not t.signals and not t.shown:
            return t
        signals = tuple(signal for signal in t.signals if can_see(g.partners(signal.seat), viewer))
        return t._replace(signals=signals, shown=tuple(seat for seat in t.shown if can_see(g.partners(seat), viewer)))

    def points(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return what each seat has taken in this deal, count by count."""
        for place, count in enumerate(g.order.counts):
            for seat, points in enumerate(g.card_points(t, place)):
                yield Fact(count.name, points, seat, EVERYBODY)
