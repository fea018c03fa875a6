"""The check for impossible positions: seats, phases, the match format, the cards, and the sizes of hands and tricks."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import Card
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.trick_faults import ends_early, tricks_fault
from chitarrella.tricks.match_formats.match_format import MAX_COUNT
from chitarrella.tricks.phases.play import Play
from chitarrella.tricks.table import MatchState, Table


@dataclass(frozen=True)
class PositionValidation:
    """Finds out why a position is impossible; a layout with cards in other places overrides single checks."""

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why ``t`` is impossible, None where it can be played on."""
        if fault := self.seats_fault(g, t):
            return fault
        has_records = t.signals or t.shown or t.exchanged
        for check in g.phase_checks if has_records else g.phase_checks_without_records:
            if fault := check(g, t):
                return fault
        return g.series.fault(g, t) or self.cards_fault(g, t) or self.shape_fault(g, t)

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check everything that counts or names seats."""
        match_state, signals, shown, exchanged = t.match_state, t.signals, t.shown, t.exchanged
        if t.phase not in g.phases_by_name:
            return "phase", f"this game has the phases {', '.join(g.phases_by_name)}"
        seats = g.seats
        known = 0 <= t.leader < seats and 0 <= match_state.dealer < seats
        for led_by, _, taken_by in t.tricks:
            known = known and 0 <= led_by < seats and 0 <= taken_by < seats
        if signals or shown or exchanged:
            named = [*shown, *[signal.seat for signal in signals], *[seat for seat, _ in exchanged]]
            known = known and g.seat_set.issuperset(named)
        if not known:
            return "seat", f"seats are numbered from 0 to {seats - 1}"
        if fault := match_state_fault(g, match_state, has_hands=bool(t.hands)):
            return fault
        if signals or shown or exchanged:
            for name in ("signals", "shown", "exchanged"):
                if getattr(t, name) and name not in g.recorded_fields:
                    return name, "no move of this game leaves such a thing"
        if t.trump and t.trump not in g.suits:
            return "trump", "there is no such suit"
        return None

    def cards_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that every card lies somewhere, and only once."""
        hands = t.hands
        if not hands:
            loose = is_deal_running(g, t) or t.stock or t.trick or t.tricks or t.turn_up or t.trump
            return ("hands", "cards lie on the table, so every seat has a hand") if loose else None
        if len(hands) != g.seats:
            return "hands", f"there must be {g.seats} hands"
        if not g.pack.holds_exactly(self.cards(t)):
            return "hands", "hands, stock, trick and tricks must hold the whole pack, each card as often as it has it"
        return self.trump_fault(g, t)

    def cards(self, t: Table) -> list[Card]:
        """Return the cards of every zone; faster than `zones`."""
        cards = [*t.stock, *t.trick]
        for hand in t.hands:
            cards += hand
        for _, played, _ in t.tricks:
            cards += played
        return cards

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up against the stock, and the trump suit against the turn-up."""
        phases, phase, turn_up = g.turn_up_phases, t.phase, t.turn_up
        if phase in phases and (turn_up is not None or t.tricks or t.trick or not t.stock):
            return "phase", f"in the phase {phase} a card is still to be turned up, and none has been played"
        turned = g.turns_up_at_start or (phases and phase not in phases)
        if turned and turn_up is None:
            return "turn_up", "a card is turned up in every deal of this game"
        if turn_up is not None and not turned:
            return "turn_up", "no card is turned up in this game"
        if turn_up is not None and t.stock and t.stock[-1] != turn_up:
            return "turn_up", "the turn-up is the last card of the stock"
        if not g.names_trumps and t.trump != ("" if turn_up is None else g.suit[turn_up]):
            return "trump", "the suit of the turn-up is trumps, and there are none without it"
        return None

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the sizes of hands, stock and tricks, which the number of cards played so far decides."""
        phase, hands, stock, trick, tricks = t.phase, t.hands, t.stock, t.trick, t.tricks
        if not hands:
            return None
        if fault := tricks_fault(g, t, g.everybody):
            return fault
        early, running = bool(tricks) and not trick and ends_early(g, t), phase in g.deal_phases
        if not running and not (early or g.breaks_off_deals) and (any(hands) or trick or stock):
            return "hands", "between deals all cards lie in the tricks"
        if running and early:
            return "tricks", "the deal is over with this trick"
        seats = g.seats
        if len(stock) % seats:
            return "stock", f"the stock is drawn {seats} cards at a time"
        sizes = [*map(len, hands)]
        for place in range(len(trick)):
            sizes[(t.leader + place) % seats] += 1  # as before the present trick
        full = sizes[0]
        if len(trick) >= seats or sizes.count(full) != seats:
            return "hands", "hands are level once the cards of the present trick are given back"
        size = g.hand_size
        if running and not (isinstance(g.phases_by_name[phase], Play) <= full <= size):
            return "hands", f"a hand has at most {size} cards, and between deals none"
        size -= not running  # nobody draws after the trick with which a deal is broken off
        if stock and full != size:
            return "hands", f"while there is a stock a hand has {size} cards"
        return None


def match_state_fault(g: Rules, match_state: MatchState, *, has_hands: bool) -> Fault | None:
    """Check the numbers that go on from deal to deal, beside a table on which cards lie or do not."""
    deal, draws = match_state.deal, match_state.draws
    wins, chips, totals = match_state.wins, match_state.chips, match_state.totals
    lengths = g.row_lengths
    if len(wins) != lengths["wins"] or len(chips) != lengths["chips"] or len(totals) != lengths["totals"]:
        name = next(name for name, length in lengths.items() if len(getattr(match_state, name)) != length)
        return name, f"there must be {lengths[name]} numbers"
    if not (0 <= deal <= MAX_COUNT and 0 <= draws <= MAX_COUNT and min(wins) >= 0 and max(wins) <= MAX_COUNT):
        return "deal", f"deals and wins are numbers from 0 to {MAX_COUNT}"
    if has_hands and not deal:
        return "deal", "cards lie on the table, so it is the first deal at least"
    if (chips or totals) and max(map(abs, chips + totals)) > g.series.max_balance:
        return "chips", f"nobody wins or loses more than {g.series.max_balance}"
    if sum(chips):
        return "chips", "what one has won another has paid"
    return None
