"""Impossible positions of a game with robbing: the cut, the robbers, the discards and the hands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from chitarrella.core.cards import Card, holds
from chitarrella.core.model import Seat
from chitarrella.tricks.base import Fault, Rules
from chitarrella.tricks.deal_state import is_deal_running
from chitarrella.tricks.phases.cutting import CutBeforeDeal
from chitarrella.tricks.phases.discarding import Discard, next_discarder
from chitarrella.tricks.phases.play import Play
from chitarrella.tricks.phases.robbing import Rob, RobBeforeDeal, Robber, robber_seat
from chitarrella.tricks.table import Table


def is_before_deal(g: Rules, t: Table) -> bool:
    """Return whether the cards are still to be dealt."""
    return is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | RobBeforeDeal)


def dealer_of_table(g: Rules, t: Table) -> Seat:
    """Return the dealer of the deal that lies on the table; after it `MatchState.dealer` is already the next one."""
    return (t.match_state.dealer - (t.phase == g.dealing.name)) % g.seats


def robbers(g: Rules, t: Table) -> Iterator[tuple[Rob, Seat, Robber]]:
    """Return the phase, the seat and the record of both robbers of the deal on the table."""
    if t.hands:
        for phase in g.phases:
            if isinstance(phase, Rob):
                yield phase, robber_seat(g, dealer_of_table(g, t), phase.role), t.own.robbers[phase.role]


def cut_fault(g: Rules, t: Table) -> Fault | None:
    """Check the number of cards that were lifted."""
    cut = g.phases[0]
    assert isinstance(cut, CutBeforeDeal), "the pack is cut first"
    return cut.cut_fault(g, t)


def robbery_fault(g: Rules, t: Table) -> Fault | None:
    """Check that each robber took only what he might, and has or had it."""
    turns, dealt = list(combinations(g.phases_by_name, 2)), not is_before_deal(g, t)
    for rob, seat, robber in robbers(g, t):
        early = is_deal_running(g, t) and (t.phase, rob.name) in turns
        if early and robber != Robber():
            return "robbers", "nobody robs before it is his turn"
        if any(card.rank not in rob.robbable for card in robber.robbed):
            return "robbers", "these cards may not be robbed"
        if len(robber.robbed) > rob.max_cards(t):
            return "robbers", "nobody robs more than he may"
        if rob.is_done(t) and (robber.looked or t.phase == rob.name):
            return "robbers", "who has robbed all that he may looks at no further card"
        if not early and dealt and not holds(cards_of_robber(g, t, seat, robber), robber.robbed):
            return "robbers", "a robber has, or had, the cards that he took"
    return None


def cards_of_robber(g: Rules, t: Table, seat: Seat, robber: Robber) -> list[Card]:
    """Return the cards of a robber: those he holds, laid aside and played."""
    return [*t.hands[seat], *robber.discarded, *cards_played_by(g, t, seat)]


def cards_played_by(g: Rules, t: Table, seat: Seat) -> list[Card]:
    """Return the cards that a seat has played."""
    played = [trick.cards[(seat - trick.leader) % g.seats] for trick in t.tricks if len(trick.cards) == g.seats]
    now = (seat - t.leader) % g.seats
    return [*played, *t.trick[now : now + 1]]


def discard_fault(g: Rules, t: Table) -> Fault | None:
    """Check that the robbers discard at the right time, and as many cards as they robbed."""
    counts = [(len(robber.discarded), len(robber.robbed)) for robber in t.own.robbers]
    if any(laid not in (0, took) for laid, took in counts):
        return "robbers", "as many cards are laid aside as were robbed"
    if t.phase == Discard.name:
        (first, took), (second, _) = counts
        order = first == took or not second
        return (
            None
            if order and next_discarder(g, t) is not None
            else ("robbers", "the cutter lays aside, then the dealer")
        )
    early = is_deal_running(g, t) and not isinstance(g.phases_by_name[t.phase], Play)
    if any(laid != (0 if early else took) for laid, took in counts):
        return "robbers", "cards are laid aside between the turn-up and the first trick"
    return None


def hands_fault(g: Rules, t: Table) -> Fault | None:
    """Check the sizes of hands and tricks, and who leads first."""
    if any(len(trick.cards) != g.seats for trick in t.tricks) or len(t.trick) >= g.seats:
        return "tricks", f"a trick has {g.seats} cards"
    play = is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], Play)
    if (t.trick or t.tricks) and is_deal_running(g, t) and not play:
        return "tricks", "no card is played before all have their hands"
    early = is_before_deal(g, t)
    full, more = 0, {}
    if not early:
        full = g.dealing.start.size
        more = {seat: len(robber.robbed) - len(robber.discarded) for _, seat, robber in robbers(g, t)}
    for seat, hand in enumerate(t.hands):
        played = len(t.tricks) + ((seat - t.leader) % g.seats < len(t.trick))
        if len(hand) + played != full + more.get(seat, 0):
            return "hands", f"a hand has {full} cards, what was robbed, and less what was played"
    if any(t.hands) != (is_deal_running(g, t) and not early):
        return "hands", "a deal goes on while there are cards to play, and no longer"
    return None
