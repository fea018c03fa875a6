"""The layout of tricks of several cards a seat."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.common_layout import CommonLayout
from chitarrella.tricks.layouts.trick_faults import ends_early, known_tricks, lead_fault, remember_tricks
from chitarrella.tricks.phases.multi_card_tricks import HAND_SIZE, trick_winner
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class MultiCardLayout(CommonLayout):
    """The common layout, for tricks of several cards a seat."""

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that hands are level but for the cards led, and that tricks are even."""
        if not t.hands:
            return None
        if any(not cards or len(cards) % 2 for _, cards, _ in t.tricks) or len(t.stock) % 2:
            return "tricks", "tricks and the stock hold an even number of cards"
        if bool(t.trick) != (t.phase == "follow"):
            return "trick", "cards lie on the table only while the follower is to answer"
        if is_deal_running(g, t) and not t.trump:
            return "trump", "there is always a trump suit"
        leader, follower = len(t.hands[t.leader]) + len(t.trick), len(t.hands[1 - t.leader])
        if leader != follower or follower > HAND_SIZE:
            return "hands", f"hands are level, and hold at most {HAND_SIZE} cards"
        return self._due_fault(g, t, follower) or self._taking_fault(g, t)

    def _taking_fault(self, g: Rules, t: Table) -> Fault | None:
        known = known_tricks(g.identity, g.everybody, t.trump, None)
        unknown = [trick for trick in t.tricks if trick not in known]
        if any(trick_winner(g, t, leader, cards) != winner for leader, cards, winner in unknown):
            return "tricks", "who beats every card that was led takes the trick"
        remember_tricks(known, unknown)
        return lead_fault(g, t)

    def _due_fault(self, g: Rules, t: Table, held: int) -> Fault | None:
        early = ends_early(g, t)
        if not is_deal_running(g, t):
            due = early or not (held or t.stock)
            return None if due else ("hands", "between deals all cards lie in the tricks")
        if early:
            return "tricks", "the deal is over with this trick"
        if not held:
            return "hands", "a deal goes on only while there are cards to play"
        if t.stock and held != HAND_SIZE:
            return "hands", f"while there is a stock hands hold {HAND_SIZE} cards"
        return None
