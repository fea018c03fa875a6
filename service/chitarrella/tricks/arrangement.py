"""How a table of tricks is laid out: where its cards lie, who sees them, and what no table can look like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chitarrella.tricks.dealing import Lot
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, NOBODY, Fact, Zone

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

MOST = 1_000_000
"""No match comes near this number of deals or chips; all that is counted from it still goes into 32 bits."""


def zones(g: TrickGame, t: Table) -> Iterator[Zone]:
    """Lay out every card of the pack, each in one place."""
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


def facts(g: TrickGame, t: Table) -> Iterator[Fact]:
    """Say what is true of the table beside its cards."""
    standing = t.standing
    yield Fact("deal", standing.deal, seen_by=EVERYBODY)
    if t.phase != Lot.name:
        yield Fact("dealer", standing.dealer, seen_by=EVERYBODY)
    if t.trump:
        yield Fact("trump", t.trump, seen_by=EVERYBODY)
    if t.turn_up is not None:
        yield Fact("turn_up", t.turn_up, seen_by=EVERYBODY)
    if t.hands:
        yield Fact("stock", len(t.stock), seen_by=EVERYBODY)
        for place, count in enumerate(g.order.counts):
            for seat, points in enumerate(g.tally(t, place)):
                yield Fact(count.name, points, seat, EVERYBODY)
    for seat, side in enumerate(g.sides):
        yield Fact("deals_won", standing.wins[side], seat, EVERYBODY)
    for seat, balance in enumerate(standing.chips):
        yield Fact("chips", balance, seat, EVERYBODY)
    for signal in t.signals:
        yield Fact("signal", signal.rank, signal.seat, g.partners(signal.seat))


def fault(g: TrickGame, t: Table) -> tuple[str, str] | None:
    """Name the field and the reason why ``t`` cannot be, None where it can be played on."""
    return _seats_fault(g, t) or _cards_fault(g, t) or _shape_fault(g, t)


def _seats_fault(g: TrickGame, t: Table) -> tuple[str, str] | None:
    """Check everything that counts or names seats."""
    if t.phase not in g.stages and t.phase != g.series.over:
        return "phase", f"this game has the phases {', '.join([*g.stages, g.series.over])}"
    named = [t.standing.dealer, t.leader, *t.shown, *[signal.seat for signal in t.signals]]
    for trick in t.tricks:
        named += trick.leader, trick.winner
    if min(named) < 0 or max(named) >= g.seats:
        return "seat", f"seats are numbered from 0 to {g.seats - 1}"
    rows = {"wins": (t.standing.wins, max(g.sides) + 1), "chips": (t.standing.chips, len(opening_chips(g)))}
    for name, (row, length) in rows.items():
        if len(row) != length:
            return name, f"there must be {length} numbers"
    if not all(0 <= number <= MOST for number in (t.standing.deal, *t.standing.wins)):
        return "deal", f"deals and wins are numbers from 0 to {MOST}"
    if any(abs(balance) > MOST for balance in t.standing.chips):
        return "chips", f"nobody wins or loses more than {MOST}"
    if any(signal.rank not in g.order.ranks for signal in t.signals):
        return "signals", "there is no such rank"
    if t.trump and t.trump not in g.suit.values():
        return "trump", "there is no such suit"
    return None


def opening_chips(g: TrickGame) -> tuple[int, ...]:
    """Give the balances before the first deal: none where no chips are paid."""
    return (0,) * g.seats if g.payments else ()


def _cards_fault(g: TrickGame, t: Table) -> tuple[str, str] | None:
    """Check that every card lies somewhere, and only once."""
    dealt = t.phase in {phase.name for phase in g.phases}
    if not t.hands:
        loose = dealt or t.stock or t.trick or t.tricks or t.turn_up or t.trump
        return ("hands", "cards lie on the table, so every seat has a hand") if loose else None
    if len(t.hands) != g.seats:
        return "hands", f"there must be {g.seats} hands"
    tricks = [card for trick in t.tricks for card in trick.cards]
    cards = [*(card for hand in t.hands for card in hand), *t.stock, *t.trick, *tricks]
    if not g.pack.holds_exactly(cards):
        return "hands", "hands, stock, trick and tricks must hold the whole pack, each card as often as it has it"
    if g.dealing.start.turns_up != (t.turn_up is not None):
        return "turn_up", "a card is turned up exactly in the games that turn one up"
    if t.turn_up is not None and t.stock and t.stock[-1] != t.turn_up:
        return "turn_up", "the turn-up is the last card of the stock"
    if t.trump != (g.suit[t.turn_up] if t.turn_up is not None else ""):
        return "trump", "the suit of the turn-up is trumps, and there are none without it"
    if not dealt and (any(t.hands) or t.trick or t.stock):
        return "hands", "between deals all cards lie in the tricks"
    return None


def _shape_fault(g: TrickGame, t: Table) -> tuple[str, str] | None:
    """Check the sizes of hands, stock and tricks, which the number of cards played so far decides."""
    if not t.hands:
        return None
    if any(len(trick.cards) != g.seats for trick in t.tricks):
        return "tricks", f"a trick has {g.seats} cards"
    if len(t.stock) % g.seats:
        return "stock", f"the stock is drawn {g.seats} cards at a time"
    played = {(t.leader + place) % g.seats for place in range(len(t.trick))}
    full = {len(hand) + (seat in played) for seat, hand in enumerate(t.hands)}
    if len(t.trick) >= g.seats or len(full) != 1:
        return "hands", "hands are level once the cards of the present trick are given back"
    size = sum(g.dealing.start.packets)
    if t.phase in {phase.name for phase in g.phases} and not 0 < max(full) <= size:
        return "hands", f"a hand has at most {size} cards, and between deals none"
    if t.stock and max(full) != size:
        return "hands", f"while there is a stock a hand has {size} cards"
    return None
