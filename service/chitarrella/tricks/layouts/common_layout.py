"""The layout that most games share: zones, facts, inferences, and the check for impossible positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from chitarrella.core.cards import Card
from chitarrella.core.model import Fact, Inference, Zone
from chitarrella.core.visibility import EVERYBODY, NOBODY, Viewer, can_see
from chitarrella.tricks.base import Fault, Rules, is_deal_running
from chitarrella.tricks.layouts.inference import draw_inferences, play_inferences
from chitarrella.tricks.layouts.validation import ends_early, tricks_fault
from chitarrella.tricks.match_formats.match_format import MAX_COUNT
from chitarrella.tricks.phases.play import Play
from chitarrella.tricks.table import LOT_PHASE, Table


@dataclass(frozen=True)
class CommonLayout:
    """The layout that most games share; a game with cards in other places adds its own.

    With ``allows_early_end`` somebody may end a deal before its last trick; what was not played stays hidden where it
    is. A deal that ends with a trick (`TrickEffect.ends_deal`) does not need it. With ``named_trumps`` a seat names the
    trumps, and no card. Without ``public_points`` the points of a deal are public only when it is over, though its
    tricks lie open.
    """

    allows_early_end: bool = False
    public_points: bool = True
    named_trumps: bool = False

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Return the zones of the table; before the first deal all cards lie in the pack."""
        if not t.hands:
            yield Zone("pack", None, g.pack.cards, NOBODY)
            return
        for seat, hand in enumerate(t.hands):
            watchers = g.watchers(seat)
            if seat in t.shown and watchers is not None:
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
            if self.public_points or not is_deal_running(g, t):
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
