"""The check for impossible positions: seats, phases, the match format, the cards, and the sizes of hands and tricks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from chitarrella.core.cards import Card
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.layouts.trick_faults import ends_early, tricks_fault
from chitarrella.tricks.match_formats.match_format import MAX_COUNT
from chitarrella.tricks.phases.play import Play
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class PositionValidation:
    """Finds out why a position is impossible; a layout with cards in other places overrides single checks.

    With ``allows_early_end`` somebody may end a deal before its last trick; what was not played stays hidden where it
    is. A deal that ends with a trick (`TrickEffect.ends_deal`) does not need it. With ``named_trumps`` a seat names the
    trumps, and no card.
    """

    allows_early_end: bool = False
    named_trumps: bool = False

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why ``t`` is impossible, None where it can be played on."""
        return (
            self.seats_fault(g, t)
            or next(filter(None, (phase.fault(g, t) for phase in g.phases)), None)
            or g.series.fault(g, t)
            or self.cards_fault(g, t)
            or self.shape_fault(g, t)
        )

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check everything that counts or names seats."""
        match_state = t.match_state
        if t.phase not in g.phases_by_name:
            return "phase", f"this game has the phases {', '.join(g.phases_by_name)}"
        leaders, winners = [leader for leader, _, _ in t.tricks], [winner for _, _, winner in t.tricks]
        signalling = [signal.seat for signal in t.signals]
        exchanging = [seat for seat, _ in t.exchanged]
        named = [match_state.dealer, t.leader, *t.shown, *signalling, *exchanging, *leaders, *winners]
        if not g.seat_set.issuperset(named):
            return "seat", f"seats are numbered from 0 to {g.seats - 1}"
        for name, length in g.row_lengths.items():
            if len(getattr(match_state, name)) != length:
                return name, f"there must be {length} numbers"
        counts = (match_state.deal, match_state.draws, *match_state.wins)
        if min(counts) < 0 or max(counts) > MAX_COUNT:
            return "deal", f"deals and wins are numbers from 0 to {MAX_COUNT}"
        if t.hands and not match_state.deal:
            return "deal", "cards lie on the table, so it is the first deal at least"
        balances = (*match_state.chips, *match_state.totals)
        if balances and max(map(abs, balances)) > g.series.max_balance:
            return "chips", f"nobody wins or loses more than {g.series.max_balance}"
        if sum(match_state.chips):
            return "chips", "what one has won another has paid"
        for name in ("signals", "shown", "exchanged"):
            if getattr(t, name) and name not in g.recorded_fields:
                return name, "no move of this game leaves such a thing"
        if t.trump and t.trump not in g.suits:
            return "trump", "there is no such suit"
        return None

    def cards_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that every card lies somewhere, and only once."""
        if not t.hands:
            loose = is_deal_running(g, t) or t.stock or t.trick or t.tricks or t.turn_up or t.trump
            return ("hands", "cards lie on the table, so every seat has a hand") if loose else None
        if len(t.hands) != g.seats:
            return "hands", f"there must be {g.seats} hands"
        if not g.pack.holds_exactly(self.cards(t)):
            return "hands", "hands, stock, trick and tricks must hold the whole pack, each card as often as it has it"
        return self.trump_fault(g, t)

    def cards(self, t: Table) -> list[Card]:
        """Return the cards of every zone; faster than `zones`."""
        tricks = chain.from_iterable([cards for _, cards, _ in t.tricks])
        return [*chain.from_iterable(t.hands), *t.stock, *t.trick, *tricks]

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up against the stock, and the trump suit against the turn-up."""
        phases = [phase.name for phase in g.phases if phase.turns_up]
        if t.phase in phases and (t.turn_up is not None or t.tricks or t.trick or not t.stock):
            return "phase", f"in the phase {t.phase} a card is still to be turned up, and none has been played"
        turned = g.dealing.start.turns_up or (phases and t.phase not in phases)
        if turned and t.turn_up is None:
            return "turn_up", "a card is turned up in every deal of this game"
        if t.turn_up is not None and not turned:
            return "turn_up", "no card is turned up in this game"
        if t.turn_up is not None and t.stock and t.stock[-1] != t.turn_up:
            return "turn_up", "the turn-up is the last card of the stock"
        if not self.named_trumps and t.trump != ("" if t.turn_up is None else g.suit[t.turn_up]):
            return "trump", "the suit of the turn-up is trumps, and there are none without it"
        return None

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the sizes of hands, stock and tricks, which the number of cards played so far decides."""
        if not t.hands:
            return None
        if fault := tricks_fault(g, t, g.everybody):
            return fault
        early = ends_early(g, t)
        if not is_deal_running(g, t) and not (self.allows_early_end or early) and (any(t.hands) or t.trick or t.stock):
            return "hands", "between deals all cards lie in the tricks"
        if is_deal_running(g, t) and early:
            return "tricks", "the deal is over with this trick"
        if len(t.stock) % g.seats:
            return "stock", f"the stock is drawn {g.seats} cards at a time"
        played = {(t.leader + place) % g.seats for place in range(len(t.trick))}
        full = {len(hand) + (seat in played) for seat, hand in enumerate(t.hands)}
        if len(t.trick) >= g.seats or len(full) != 1:
            return "hands", "hands are level once the cards of the present trick are given back"
        size = g.dealing.start.size
        if is_deal_running(g, t) and not (isinstance(g.phases_by_name[t.phase], Play) <= max(full) <= size):
            return "hands", f"a hand has at most {size} cards, and between deals none"
        size -= not is_deal_running(g, t)  # nobody draws after the trick with which a deal is broken off
        if t.stock and max(full) != size:
            return "hands", f"while there is a stock a hand has {size} cards"
        return None
