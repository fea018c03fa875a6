"""The layout of a game with robbing: the turn-up and the discards lie apart, and nobody draws from the stock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chitarrella.core.cards import Card
from chitarrella.core.model import Fact, Inference, Zone, ZoneSpec
from chitarrella.core.visibility import EVERYBODY, Viewer, can_see, seen_by_word
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.common_layout import CommonLayout
from chitarrella.tricks.layouts.robbing_faults import (
    cards_of_robber,
    cards_played_by,
    cut_fault,
    discard_fault,
    hands_fault,
    is_before_deal,
    robbers,
    robbery_fault,
)
from chitarrella.tricks.layouts.trick_faults import tricks_fault
from chitarrella.tricks.layouts.zone_specs import TURN_UP
from chitarrella.tricks.phases.cutting import CutBeforeDeal
from chitarrella.tricks.phases.robbing import CUTTER, DEALER, Rob, replace_robber
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class RobbingLayout(CommonLayout):
    """The common layout, but for the turn-up, which belongs to nobody, and for the cards of the robbers."""

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        """Return the kinds of zones with the turn-up and those of the robbers."""
        (robbed,) = {seen_by_word(phase.visibility(g, 0)) for phase in g.phases if isinstance(phase, Rob)}
        return (
            *super().zone_specs(g),
            TURN_UP,
            ZoneSpec("robbed", "The cards that a seat has robbed before the deal.", robbed),
            ZoneSpec("discards", "The cards that a robber has laid aside.", seen_by_word(g.watchers(0))),
        )

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Return the zones with the turn-up, the cards robbed before the deal, and the discards."""
        yield from super().zones(g, t._replace(turn_up=None))
        if t.turn_up is not None:
            yield Zone("turn_up", None, (t.turn_up,), EVERYBODY)
        for rob, seat, robber in robbers(g, t):
            if robber.robbed and is_before_deal(g, t):
                yield Zone("robbed", seat, robber.robbed, rob.visibility(g, seat))
            if robber.discarded:
                yield Zone("discards", seat, robber.discarded, g.watchers(seat))

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the height of the cut, what each robber took and saw, and the declared suit."""
        yield from super().facts(g, t)
        if t.own.lifted:
            yield Fact("lifted", t.own.lifted, seen_by=EVERYBODY)
        for rob, seat, robber in robbers(g, t):
            yield Fact("robbed", len(robber.robbed), seat, EVERYBODY)
            for card in robber.robbed:
                yield Fact("robbed_card", card, seat, rob.visibility(g, seat))
            if robber.looked:
                yield Fact("looked", 1, seat, EVERYBODY)
                yield Fact("looked_at", card_left(t, rob), seat, g.watchers(seat))
        if t.own.declared:
            yield Fact("declared_suit", t.own.declared, seen_by=EVERYBODY)

    # ------------------------------------------------------------------ what can be concluded about hidden cards

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Return the inferences with the cards that a robber has or had, and for him the card that he looked at."""
        yield from super().inferences(g, t, viewer)
        for rob, seat, robber in robbers(g, t):
            if robber.looked and can_see(g.watchers(seat), viewer) and revealed_card(t, rob) is None:
                yield Inference(("stock",), None, frozenset({card_left(t, rob)}), place=rob.stock_index)
            known = (
                [{card} for card in dict.fromkeys(robber.robbed)] if can_see(rob.visibility(g, seat), viewer) else []
            )
            for cards in known or [{card for card in g.pack.faces.values() if card.rank in rob.robbable}]:
                took = sum(card in cards for card in robber.robbed) if known else len(robber.robbed)
                many = took - sum(card in cards for card in cards_played_by(g, t, seat))
                if many > 0:
                    yield Inference(("robbed", "hand", "discards"), seat, frozenset(cards), many)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        """Return ``t`` with its hidden cards as in ``zones``, those that were robbed and laid aside included."""
        there = {(zone.name, zone.seat): zone.cards for zone in zones}
        for rob, seat, robber in tuple(robbers(g, t)):
            robbed = there.get(("robbed", seat), robber.robbed)
            discarded = there.get(("discards", seat), robber.discarded)
            t = replace_robber(t, rob.role, robber._replace(robbed=robbed, discarded=discarded))
        return super().redeal(g, t, [zone for zone in zones if zone.name != "turn_up"])

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` in which a robber whose cards ``viewer`` cannot see robbed cards that he has, or had."""
        t = super().forget_private(g, t, viewer)
        for rob, seat, robber in robbers(g, t):
            if not is_before_deal(g, t) and not can_see(rob.visibility(g, seat), viewer):
                fitting = [card for card in cards_of_robber(g, t, seat, robber) if card.rank in rob.robbable]
                t = replace_robber(t, rob.role, robber._replace(robbed=tuple(fitting[: len(robber.robbed)])))
        return t

    # ------------------------------------------------------------------ impossible positions

    def cards(self, t: Table) -> list[Card]:
        """Return the cards of every zone."""
        apart = [] if t.turn_up is None else [t.turn_up]
        for robber in t.own.robbers:
            apart += robber.discarded if any(t.hands) or t.tricks else robber.robbed
        return [*super().cards(t), *apart]

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the seats, and the game's own record as far as it stands alone."""
        own = t.own
        if len(own.robbers) != len((CUTTER, DEALER)):
            return "robbers", "there are two of them, the cutter and the dealer"
        if own.declared and own.declared not in g.suit.values():
            return "declared", "there is no such suit"
        if not t.hands and own != g.own():
            return "robbers", "nothing is cut or robbed before there are cards"
        return super().seats_fault(g, t)

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up, and the suit that was declared with the trionfo."""
        before = is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | Rob)
        if before != (t.turn_up is None):
            return "turn_up", "a card is turned up when the robbing is over, and not before"
        if t.trump:
            return "trump", "there is a single trump card, and no trump suit"
        leads = [trick.cards[0] for trick in t.tricks if trick.cards] + list(t.trick[:1])
        if bool(t.own.declared) != (t.turn_up in leads):
            return "declared", "a suit is asked for when the trionfo is led, and not else"
        return None

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the sizes of hands and tricks, and what the robbers can have done by now."""
        if not t.hands:
            return None
        tricks = tricks_fault(g, t, g.everybody)
        return tricks or cut_fault(g, t) or robbery_fault(g, t) or discard_fault(g, t) or hands_fault(g, t)


def card_left(t: Table, rob: Rob) -> Card:
    """Return the card that a robber has looked at and not taken, wherever it lies now."""
    return revealed_card(t, rob) or rob.next_card(t)


def revealed_card(t: Table, rob: Rob) -> Card | None:
    """Return the card that a robber has left once it is public: the dealer's is turned up next. None before."""
    return t.turn_up if rob.role == DEALER else None
