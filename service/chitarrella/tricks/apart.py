"""How a table with robbing is laid out: the turn-up and what was laid aside lie apart, and the stock is never drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.cards import Card, holds
from chitarrella.tricks.arrangement import Layout, running
from chitarrella.tricks.cutting import CutBeforeDeal
from chitarrella.tricks.discarding import Discard, discarding
from chitarrella.tricks.play import Play
from chitarrella.tricks.robbing import CUTTER, DEALER, Rob, RobBeforeDeal, Robber, robber_seat, robber_with
from chitarrella.tricks.soundness import Fault, tricks_fault
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Clue, Eyes, Fact, Seat, Zone, sees

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class Apart(Layout):
    """The common layout, but for the turn-up, which belongs to nobody, and for what the robbers have."""

    def zones(self, g: TrickGame, t: Table) -> Iterator[Zone]:
        """Lay these places out beside the common ones."""
        yield from super().zones(g, t._replace(turn_up=None))
        if t.turn_up is not None:
            yield Zone("turn_up", None, (t.turn_up,), EVERYBODY)
        for rob, seat, robber in robbers(g, t):
            if robber.robbed and waiting(g, t):
                yield Zone("robbed", seat, robber.robbed, rob.sight(g, seat))
            if robber.discarded:
                yield Zone("discards", seat, robber.discarded, g.watchers(seat))

    def facts(self, g: TrickGame, t: Table) -> Iterator[Fact]:
        """Say how high the cut was, who robbed how much, what a robber has seen, and which suit was asked for."""
        yield from super().facts(g, t)
        if t.own.lifted:
            yield Fact("lifted", t.own.lifted, seen_by=EVERYBODY)
        for rob, seat, robber in robbers(g, t):
            yield Fact("robbed", len(robber.robbed), seat, EVERYBODY)
            for card in robber.robbed:
                yield Fact("robbed_card", card, seat, rob.sight(g, seat))
            if robber.looked:
                yield Fact("looked", 1, seat, EVERYBODY)
                yield Fact("looked_at", left(t, rob), seat, g.watchers(seat))
        if t.own.declared:
            yield Fact("declared_suit", t.own.declared, seen_by=EVERYBODY)

    # ------------------------------------------------------------------ what can be told of cards that are not seen

    def clues(self, g: TrickGame, t: Table, eyes: Eyes) -> Iterator[Clue]:
        """Say that a robber has, or had, such cards as may be robbed, and which card he looked at, if he asks."""
        yield from super().clues(g, t, eyes)
        for rob, seat, robber in robbers(g, t):
            if robber.looked and sees(g.watchers(seat), eyes) and turned_up(t, rob) is None:
                yield Clue(("stock",), None, frozenset({left(t, rob)}), place=rob.place)
            told = [{card} for card in dict.fromkeys(robber.robbed)] if sees(rob.sight(g, seat), eyes) else []
            for cards in told or [{card for card in g.pack.faces.values() if card.rank in rob.robbable}]:
                took = sum(card in cards for card in robber.robbed) if told else len(robber.robbed)
                many = took - sum(card in cards for card in played_by(g, t, seat))
                if many > 0:
                    yield Clue(("robbed", "hand", "discards"), seat, frozenset(cards), many)

    def squared(self, g: TrickGame, t: Table, eyes: Eyes) -> Table:
        """Let a robber whose cards those eyes cannot see have robbed some that he has, or had."""
        t = super().squared(g, t, eyes)
        for rob, seat, robber in robbers(g, t):
            if not waiting(g, t) and not sees(rob.sight(g, seat), eyes):
                fitting = [card for card in had_by(g, t, seat, robber) if card.rank in rob.robbable]
                t = robber_with(t, rob.role, robber._replace(robbed=tuple(fitting[: len(robber.robbed)])))
        return t

    # ------------------------------------------------------------------ what no table can look like

    def cards(self, t: Table) -> list[Card]:
        """Gather the cards of every zone."""
        apart = [] if t.turn_up is None else [t.turn_up]
        for robber in t.own.robbers:
            apart += robber.discarded if any(t.hands) or t.tricks else robber.robbed
        return [*super().cards(t), *apart]

    def seats_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the game's own record too, as far as it stands for itself."""
        own = t.own
        if len(own.robbers) != len((CUTTER, DEALER)):
            return "robbers", "there are two of them, the cutter and the dealer"
        if own.declared and own.declared not in g.suit.values():
            return "declared", "there is no such suit"
        if not t.hands and own != g.own():
            return "robbers", "nothing is cut or robbed before there are cards"
        return super().seats_fault(g, t)

    def trump_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the turn-up, and the suit that a led trionfo asked for."""
        before = running(g, t) and isinstance(g.stages[t.phase], CutBeforeDeal | Rob)
        if before != (t.turn_up is None):
            return "turn_up", "a card is turned up when the robbing is over, and not before"
        if t.trump:
            return "trump", "there is a single trump card, and no trump suit"
        leads = [trick.cards[0] for trick in t.tricks if trick.cards] + list(t.trick[:1])
        if bool(t.own.declared) != (t.turn_up in leads):
            return "declared", "a suit is asked for when the trionfo is led, and not else"
        return None

    def shape_fault(self, g: TrickGame, t: Table) -> Fault | None:
        """Check the sizes of hands and tricks, and what the robbers can have done by now."""
        if not t.hands:
            return None
        tricks = tricks_fault(g, t, g.everybody)
        return tricks or cut_fault(g, t) or robbed_fault(g, t) or discarded_fault(g, t) or hands_fault(g, t)


def waiting(g: TrickGame, t: Table) -> bool:
    """Tell whether the cards are still to be dealt."""
    return running(g, t) and isinstance(g.stages[t.phase], CutBeforeDeal | RobBeforeDeal)


def dealt_by(g: TrickGame, t: Table) -> Seat:
    """Name the dealer of the deal that lies on the table; once it is counted the dealer is already the next one."""
    return (t.standing.dealer - (t.phase == g.dealing.name)) % g.seats


def robbers(g: TrickGame, t: Table) -> Iterator[tuple[Rob, Seat, Robber]]:
    """Go through both robbers of the deal on the table: the phase, the seat, and what was done."""
    if t.hands:
        for phase in g.phases:
            if isinstance(phase, Rob):
                yield phase, robber_seat(g, dealt_by(g, t), phase.role), t.own.robbers[phase.role]


def left(t: Table, rob: Rob) -> Card:
    """Give the card that a robber has looked at and not taken, wherever it lies now."""
    return turned_up(t, rob) or rob.next_card(t)


def turned_up(t: Table, rob: Rob) -> Card | None:
    """Give the card that a robber has left, once it no longer lies in the stock: the dealer's is turned up next."""
    return t.turn_up if rob.role == DEALER else None


def cut_fault(g: TrickGame, t: Table) -> Fault | None:
    """Check how many cards were lifted."""
    cut = g.phases[0]
    assert isinstance(cut, CutBeforeDeal), "the pack is cut first"
    lifted, whole = t.own.lifted, len(g.pack.cards)
    if t.phase == cut.name:
        return None if cut.by_hand and not lifted else ("phase", "a pack is cut once, and not where it comes cut")
    if not (1 <= lifted < whole if cut.by_hand else lifted == whole):
        return "lifted", "some cards were lifted, but not all; of a pack that comes cut all"
    return None


def robbed_fault(g: TrickGame, t: Table) -> Fault | None:
    """Check that each robber took what he might, and has or had it."""
    names, dealt = list(g.stages), not waiting(g, t)
    for rob, seat, robber in robbers(g, t):
        early = running(g, t) and names.index(t.phase) < names.index(rob.name)
        if early and robber != Robber():
            return "robbers", "nobody robs before it is his turn"
        if any(card.rank not in rob.robbable for card in robber.robbed):
            return "robbers", "these cards may not be robbed"
        if len(robber.robbed) > rob.most(t):
            return "robbers", "nobody robs more than he may"
        if rob.done(t) and (robber.looked or t.phase == rob.name):
            return "robbers", "who has robbed all that he may looks at no further card"
        if not early and dealt and not holds(had_by(g, t, seat, robber), robber.robbed):
            return "robbers", "a robber has, or had, the cards that he took"
    return None


def had_by(g: TrickGame, t: Table, seat: Seat, robber: Robber) -> list[Card]:
    """Gather the cards of a robber: those he holds, those he laid aside, those he played."""
    return [*t.hands[seat], *robber.discarded, *played_by(g, t, seat)]


def played_by(g: TrickGame, t: Table, seat: Seat) -> list[Card]:
    """Gather the cards that a seat has played."""
    played = [trick.cards[(seat - trick.leader) % g.seats] for trick in t.tricks if len(trick.cards) == g.seats]
    now = (seat - t.leader) % g.seats
    return [*played, *t.trick[now : now + 1]]


def discarded_fault(g: TrickGame, t: Table) -> Fault | None:
    """Check that nobody lays aside too early, too late, or another number of cards than he robbed."""
    counts = [(len(robber.discarded), len(robber.robbed)) for robber in t.own.robbers]
    if any(laid not in (0, took) for laid, took in counts):
        return "robbers", "as many cards are laid aside as were robbed"
    if t.phase == Discard.name:
        (first, took), (second, _) = counts
        order = first == took or not second
        return None if order and discarding(g, t) is not None else ("robbers", "the cutter lays aside, then the dealer")
    early = running(g, t) and not isinstance(g.stages[t.phase], Play)
    if any(laid != (0 if early else took) for laid, took in counts):
        return "robbers", "cards are laid aside between the turn-up and the first trick"
    return None


def hands_fault(g: TrickGame, t: Table) -> Fault | None:
    """Check the sizes of hands and tricks, and who leads first."""
    if any(len(trick.cards) != g.seats for trick in t.tricks) or len(t.trick) >= g.seats:
        return "tricks", f"a trick has {g.seats} cards"
    play = running(g, t) and isinstance(g.stages[t.phase], Play)
    if (t.trick or t.tricks) and running(g, t) and not play:
        return "tricks", "no card is played before all have their hands"
    early = waiting(g, t)
    full, more = 0, {}
    if not early:
        full = g.dealing.start.size
        more = {seat: len(robber.robbed) - len(robber.discarded) for _, seat, robber in robbers(g, t)}
    for seat, hand in enumerate(t.hands):
        played = len(t.tricks) + ((seat - t.leader) % g.seats < len(t.trick))
        if len(hand) + played != full + more.get(seat, 0):
            return "hands", f"a hand has {full} cards, what was robbed, and less what was played"
    if any(t.hands) != (running(g, t) and not early):
        return "hands", "a deal goes on while there are cards to play, and no longer"
    return None
