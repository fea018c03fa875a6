"""How a table of tricks is laid out: where its cards lie, who sees them, and what no table can look like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from chitarrella.cards import Card
from chitarrella.tricks.clues import draw_clues, play_clues
from chitarrella.tricks.play import Play
from chitarrella.tricks.reckoning import MOST
from chitarrella.tricks.soundness import Fault, broken_off, tricks_fault
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, NOBODY, Clue, Eyes, Fact, Zone, sees

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class Layout:
    """The layout that most games share; a game with cards in other places lays out more.

    ``broken_off`` allows for deals that somebody ends before their last trick; what was not played stays hidden where
    it is. That a deal may end with a trick is known without (`AfterTrick.ends`).
    With ``named_trumps`` a seat names the trumps, and no card.
    Without ``open_points`` the points of a deal are told when it is over, though its tricks lie open.
    """

    broken_off: bool = False
    open_points: bool = True
    named_trumps: bool = False

    def zones(self, g: TrickGame, t: Table) -> Iterator[Zone]:
        """Lay out every card of the pack, each in one place; before the first deal all of them in the pack."""
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

    def facts(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say what is true of the table beside its cards."""
        standing = t.standing
        yield Fact("deal", standing.deal, seen_by=EVERYBODY)
        if g.first_dealer is not None or t.phase != g.lot:
            yield Fact("dealer", standing.dealer, seen_by=EVERYBODY)
        if t.trump:
            yield Fact("trump", t.trump, seen_by=EVERYBODY)
        if t.turn_up is not None:
            yield Fact("turn_up", t.turn_up, seen_by=EVERYBODY)
        if t.hands:
            yield Fact("stock", len(t.stock), seen_by=EVERYBODY)
            if self.open_points or not running(g, t):
                yield from self.points(g, t)
        yield from g.series.facts(g, t)
        for seat, person in enumerate(g.controllers):
            if seat != person:
                yield Fact("controller", person, seat, EVERYBODY)
        for seat, balance in enumerate(standing.chips):
            yield Fact("chips", balance, seat, EVERYBODY)
        for seat, card in t.exchanged:
            yield Fact("exchanged", card, seat, EVERYBODY)
        for signal in t.signals:
            yield Fact("signal", signal.rank, signal.seat, g.partners(signal.seat))

    def clues(self, g: TrickGame, t: Table, eyes: Eyes) -> Iterator[Clue]:
        """Say what everybody can tell of the hands from how they were played and what was drawn."""
        if running(g, t):
            yield from play_clues(g, t)
            yield from draw_clues(g, t)
            yield from (Clue(("hand",), seat, frozenset({card}), 1) for seat, card in t.exchanged)

    def squared(self, g: TrickGame, t: Table, eyes: Eyes) -> Table:
        """Take away what partners have told each other alone, unless those eyes are one of them."""
        if not t.signals and not t.shown:
            return t
        signals = tuple(signal for signal in t.signals if sees(g.partners(signal.seat), eyes))
        return t._replace(signals=signals, shown=tuple(seat for seat in t.shown if sees(g.partners(seat), eyes)))

    def points(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say what each seat has taken in this deal, count by count; the tricks lie open."""
        for place, count in enumerate(g.order.counts):
            for seat, points in enumerate(g.tally(t, place)):
                yield Fact(count.name, points, seat, EVERYBODY)

    def fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Name the field and the reason why ``t`` cannot be, None where it can be played on."""
        return (
            self.seats_fault(g, t)
            or next(filter(None, (phase.fault(g, t) for phase in g.phases)), None)
            or g.series.fault(g, t)
            or self.cards_fault(g, t)
            or self.shape_fault(g, t)
        )

    def seats_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check everything that counts or names seats."""
        standing = t.standing
        if t.phase not in g.stages:
            return "phase", f"this game has the phases {', '.join(g.stages)}"
        leaders, winners = [leader for leader, _, _ in t.tricks], [winner for _, _, winner in t.tricks]
        signalling = [signal.seat for signal in t.signals]
        exchanging = [seat for seat, _ in t.exchanged]
        named = [standing.dealer, t.leader, *t.shown, *signalling, *exchanging, *leaders, *winners]
        if not g.numbers.issuperset(named):
            return "seat", f"seats are numbered from 0 to {g.seats - 1}"
        for name, length in g.rows.items():
            if len(getattr(standing, name)) != length:
                return name, f"there must be {length} numbers"
        counts = (standing.deal, standing.draws, *standing.wins)
        if min(counts) < 0 or max(counts) > MOST:
            return "deal", f"deals and wins are numbers from 0 to {MOST}"
        if t.hands and not standing.deal:
            return "deal", "cards lie on the table, so it is the first deal at least"
        balances = (*standing.chips, *standing.totals)
        if balances and max(map(abs, balances)) > g.series.most:
            return "chips", f"nobody wins or loses more than {g.series.most}"
        if sum(standing.chips):
            return "chips", "what one has won another has paid"
        for name in ("signals", "shown", "exchanged"):
            if getattr(t, name) and name not in g.remembered:
                return name, "no move of this game leaves such a thing"
        if t.trump and t.trump not in g.suits:
            return "trump", "there is no such suit"
        return None

    def cards_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check that every card lies somewhere, and only once."""
        if not t.hands:
            loose = running(g, t) or t.stock or t.trick or t.tricks or t.turn_up or t.trump
            return ("hands", "cards lie on the table, so every seat has a hand") if loose else None
        if len(t.hands) != g.seats:
            return "hands", f"there must be {g.seats} hands"
        if not g.pack.holds_exactly(self.cards(t)):
            return "hands", "hands, stock, trick and tricks must hold the whole pack, each card as often as it has it"
        return self.trump_fault(g, t)

    def cards(self, t: Table) -> list[Card]:
        """Gather the cards of every zone, more quickly than laying the zones out."""
        tricks = chain.from_iterable([cards for _, cards, _ in t.tricks])
        return [*chain.from_iterable(t.hands), *t.stock, *t.trick, *tricks]

    def trump_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the turn-up against the stock, and the trump suit against the turn-up."""
        phases = g.turning_up
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

    def shape_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the sizes of hands, stock and tricks, which the number of cards played so far decides."""
        if not t.hands:
            return None
        if fault := tricks_fault(g, t, g.everybody):
            return fault
        early = broken_off(g, t)
        if not running(g, t) and not (self.broken_off or early) and (any(t.hands) or t.trick or t.stock):
            return "hands", "between deals all cards lie in the tricks"
        if running(g, t) and early:
            return "tricks", "the deal is over with this trick"
        if len(t.stock) % g.seats:
            return "stock", f"the stock is drawn {g.seats} cards at a time"
        played = {(t.leader + place) % g.seats for place in range(len(t.trick))}
        full = {len(hand) + (seat in played) for seat, hand in enumerate(t.hands)}
        if len(t.trick) >= g.seats or len(full) != 1:
            return "hands", "hands are level once the cards of the present trick are given back"
        size = g.dealing.start.size
        if running(g, t) and not (isinstance(g.stages[t.phase], Play) <= max(full) <= size):
            return "hands", f"a hand has at most {size} cards, and between deals none"
        size -= not running(g, t)  # nobody draws after the trick with which a deal is broken off
        if t.stock and max(full) != size:
            return "hands", f"while there is a stock a hand has {size} cards"
        return None


def running(g: TrickGame, t: Table) -> bool:
    """Tell whether a deal is being played."""
    return t.phase in g.running
