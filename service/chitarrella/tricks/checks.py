"""Whether a position of a trick-taking game is possible."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from chitarrella.core.cards import Card
from chitarrella.core.model import Seat
from chitarrella.tricks.dealing import deal_order
from chitarrella.tricks.parts import MAX_COUNT, Fault, Place, Rules, is_deal_running
from chitarrella.tricks.play import Play
from chitarrella.tricks.table import MatchState, Table


def first_fault(*rows: tuple[object, str, str]) -> Fault | None:
    """Return the field and the reason of the first of ``rows`` that begins with something true."""
    for is_wrong, field, why in rows:
        if is_wrong:
            return field, why
    return None


def cards_played_by(g: Rules, t: Table, seat: Seat) -> list[Card]:
    played = [trick.cards[(seat - trick.leader) % g.seats] for trick in t.tricks]
    now = (seat - t.leader) % g.seats
    return [*played, *t.trick[now : now + 1]]


def lead_fault(g: Rules, t: Table) -> Fault | None:
    """Check that the seat that takes a trick leads to the next, and that the right seat led to the first."""
    tricks, leads = t.tricks, t.leader
    first = last = tricks[0][0] if tricks else leads
    for leader, _, winner in tricks:
        if leader != last:
            return "tricks", "who takes a trick leads to the next"
        last = winner
    if t.phase not in g.deal_phases:  # the deal has passed on
        return None
    if last != leads:
        return "leader", "who takes a trick leads to the next"
    if first != first_leader_seat(g, t):
        return "tricks" if tricks else "leader", "another seat leads to the first trick"
    return None


def first_leader_seat(g: Rules, t: Table) -> Seat:
    """Return the seat that leads to the first trick: eldest, unless a phase decides it (`Phase.first_lead`)."""
    for phase in g.phases:
        seat: Seat | None = phase.first_lead(g, t)
        if seat is not None:
            return seat
    return deal_order(g, t)[0]


@dataclass(frozen=True)
class PositionValidation:
    """Finds out why a position is impossible; a layout with cards in other places overrides single checks.

    ``places`` are where cards lie beside the fields of `Table`. ``plays_several`` says that a seat plays several cards
    at once, and the next as many.
    """

    places: tuple[Place, ...] = ()
    plays_several: ClassVar[bool] = False

    def participants(self, g: Rules, t: Table) -> tuple[Seat, ...]:
        """Return the seats that take part in the deal on the table, in order."""
        return g.seating.everybody

    def hand_size(self, g: Rules, t: Table) -> int:
        """Return how many cards were dealt to each of them by now."""
        return g.dealing.start.size

    def held(self, g: Rules, t: Table) -> list[int]:
        """Return how many of the cards that were dealt, or drawn, each of them holds."""
        return [*map(len, t.hands)]

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why ``t`` is impossible, None where it can be played on."""
        if fault := self.seats_fault(g, t):
            return fault
        for check in g.phase_checks:
            if fault := check(g, t):
                return fault
        return g.series.fault(g, t) or self.cards_fault(g, t) or self.shape_fault(g, t)

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check everything that counts or names seats."""
        match_state = t.match_state
        if t.phase not in g.phases_by_name:
            return "phase", f"this game has the phases {', '.join(g.phases_by_name)}"
        named = [t.leader, match_state.dealer, *t.shown, *[seat for seat, _ in (*t.signals, *t.exchanged)]]
        for leader, _, winner in t.tricks:
            named += (leader, winner)
        if not g.seating.seat_set.issuperset(named):
            return "seat", f"seats are numbered from 0 to {g.seats - 1}"
        if fault := match_state_fault(g, match_state, has_hands=bool(t.hands)):
            return fault
        for name in ("signals", "shown", "exchanged"):
            if getattr(t, name) and name not in g.recorded_fields:
                return name, "no move of this game leaves such a thing"
        if t.trump and t.trump not in g.cards.suits:
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
        if not g.pack.holds_exactly(self.cards(g, t)):
            return "hands", "hands, stock, trick and tricks must hold the whole pack, each card as often as it has it"
        return self.trump_fault(g, t)

    def cards(self, g: Rules, t: Table) -> list[Card]:
        """Return the cards of every zone, ten times as fast as `zones`."""
        lying = [t.stock, t.trick, *t.hands, *[trick.cards for trick in t.tricks]]
        lying += [cards for place in self.places for _, cards in place.read(g, t)]
        return [*chain.from_iterable(lying)]

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up against the stock, and the trump suit against the turn-up."""
        phases, phase, turn_up = g.turn_up_phases, t.phase, t.turn_up
        if phase in phases and (turn_up is not None or t.tricks or t.trick or not t.stock):
            return "phase", f"in the phase {phase} a card is still to be turned up, and none has been played"
        turned = g.dealing.start.turns_up or (phases and phase not in phases)
        if turned and turn_up is None:
            return "turn_up", "a card is turned up in every deal of this game"
        if turn_up is not None and not turned:
            return "turn_up", "no card is turned up in this game"
        if turn_up is not None and t.stock and t.stock[-1] != turn_up:
            return "turn_up", "the turn-up is the last card of the stock"
        if not g.names_trumps and t.trump != ("" if turn_up is None else g.cards.suit[turn_up]):
            return "trump", "the suit of the turn-up is trumps, and there are none without it"
        return None

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the tricks, and the sizes of hands and stock, which the number of cards played so far decides."""
        phase, stock, trick, tricks = t.phase, t.stock, t.trick, t.tricks
        if not t.hands:
            return None
        if fault := self.tricks_fault(g, t):
            return fault
        running = phase in g.deal_phases
        early = bool(tricks) and not trick and any(after.ends_deal(g, t) for after in g.all_trick_effects)
        undrawn = bool(self.places) and not g.draws  # then cards lie elsewhere for the whole deal
        held, drawn = self.held(g, t), () if undrawn else stock
        if not running and not (early or g.breaks_off_deals) and (any(held) or trick or drawn):
            return "hands", "between deals all cards lie in the tricks"
        if running and early:
            return "tricks", "the deal is over with this trick"
        seats = len(held)
        if len(drawn) % seats:
            return "stock", f"the stock is drawn {seats} cards at a time"
        at = self.participants(g, t).index(t.leader) if trick else 0
        for place in range(len(trick)):
            held[at if self.plays_several else (at + place) % seats] += 1  # as before the present trick
        full, size = held[0], self.hand_size(g, t)
        if held.count(full) != seats or (len(trick) >= seats and not self.plays_several):
            return "hands", "hands are level once the cards of the present trick are given back"
        if running and not ((self.plays_several or isinstance(g.phases_by_name[phase], Play)) <= full <= size):
            return "hands", f"a hand has at most {size} cards, and between deals none"
        if undrawn and full != size - len(tricks):
            return "hands", f"a hand has {size} cards, less those that were played"
        size -= not running  # nobody draws after the trick with which a deal is broken off
        if drawn and full != size and (running or not self.plays_several):
            return "hands", f"while there is a stock a hand has {size} cards"
        return None

    def tricks_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the size of every trick, who led to it, and that its best card took it."""
        participants = self.participants(g, t)
        size, places = len(participants), {seat: place for place, seat in enumerate(participants)}
        for leader, cards, winner in t.tricks:
            each = len(cards) // size if self.plays_several else 1
            if len(cards) != size * each or leader not in places:
                return "tricks", f"tricks of this deal have {size} cards, and only seats that take part lead"
            if participants[(places[leader] + g.taking.best(g, t, cards) // each) % size] != winner:
                return "tricks", "the best card takes a trick"
        return lead_fault(g, t)


def match_state_fault(g: Rules, match_state: MatchState, *, has_hands: bool) -> Fault | None:
    """Check the numbers that go on from deal to deal, beside a table on which cards lie or do not."""
    deal, chips, totals = match_state.deal, match_state.chips, match_state.totals
    for name, length in g.row_lengths.items():
        if len(getattr(match_state, name)) != length:
            return name, f"there must be {length} numbers"
    counts = (deal, match_state.draws, *match_state.wins)
    if min(counts) < 0 or max(counts) > MAX_COUNT:
        return "deal", f"deals and wins are numbers from 0 to {MAX_COUNT}"
    if has_hands and not deal:
        return "deal", "cards lie on the table, so it is the first deal at least"
    if (chips or totals) and max(map(abs, chips + totals)) > g.series.max_balance:
        return "chips", f"nobody wins or loses more than {g.series.max_balance}"
    if sum(chips):
        return "chips", "what one has won another has paid"
    return None
