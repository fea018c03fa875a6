"""Whether a position of a trick-taking game is possible."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from chitarrella.core.cards import Card, holds
from chitarrella.core.model import Seat
from chitarrella.tricks.dealing import CutBeforeDeal
from chitarrella.tricks.parts import MAX_COUNT, Fault, Rules, is_deal_running
from chitarrella.tricks.play import Play
from chitarrella.tricks.robbing import Discard, Rob, RobBeforeDeal, Robber, next_discarder, robber_seat
from chitarrella.tricks.table import MatchState, Table, Trick

# Impossible tricks
MAX_KNOWN_DEALS, MAX_KNOWN_TRICKS = 1024, 256
"""How many sets of `known_tricks` are cached, and how many tricks one of them holds."""


def tricks_fault(g: Rules, t: Table, participants: tuple[Seat, ...]) -> Fault | None:
    """Check who led and who took every trick of a deal in which the seats of ``participants`` took part."""
    tricks = t.tricks
    if tricks:
        known = known_tricks(g.identity, participants, t.trump, t.turn_up if g.taking.has_trump_card else None)
        if not known.issuperset(tricks):
            unknown = [trick for trick in tricks if trick not in known]
            if fault := taking_fault(g, t, participants, unknown):
                return fault
            remember_tricks(known, unknown)
    return lead_fault(g, t)


@lru_cache(MAX_KNOWN_DEALS)
def known_tricks(game: object, participants: tuple[Seat, ...], trump: str, trump_card: Card | None) -> set[Trick]:
    """Return the set of the tricks that were found possible lately among these seats and with these trumps.

    Nothing else decides who takes a trick. Nearly all tricks of a position were in the one before.
    """
    return set()


def remember_tricks(known: set[Trick], possible: Iterable[Trick]) -> None:
    """Add tricks that were found possible to a set of `known_tricks`."""
    if len(known) > MAX_KNOWN_TRICKS:
        known.clear()
    known.update(possible)


def taking_fault(g: Rules, t: Table, participants: tuple[Seat, ...], tricks: Iterable[Trick]) -> Fault | None:
    """Check the size of each of ``tricks``, and that its best card took it."""
    size, places = len(participants), {seat: place for place, seat in enumerate(participants)}
    for leader, cards, winner in tricks:
        if len(cards) != size or leader not in places:
            return "tricks", f"tricks of this deal have {size} cards, and only seats that take part lead"
        if participants[(places[leader] + g.taking.best(g, t, cards)) % size] != winner:
            return "tricks", "the best card takes a trick"
    return None


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
    for phase in g.first_lead_phases:
        seat: Seat | None = phase.first_lead(g, t)
        if seat is not None:
            return seat
    participants = g.dealt_in_seats(g, t)
    return participants[bisect_right(participants, t.match_state.dealer) % len(participants)]


def ends_early(g: Rules, t: Table) -> bool:
    """Return whether the deal is over with its last trick, whatever is still in the hands."""
    return bool(t.tricks) and not t.trick and any(after.ends_deal(g, t) for after in g.all_trick_effects)


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
            known = known and g.seating.seat_set.issuperset(named)
        if not known:
            return "seat", f"seats are numbered from 0 to {seats - 1}"
        if fault := match_state_fault(g, match_state, has_hands=bool(t.hands)):
            return fault
        if signals or shown or exchanged:
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
        """Check the sizes of hands, stock and tricks, which the number of cards played so far decides."""
        phase, hands, stock, trick, tricks = t.phase, t.hands, t.stock, t.trick, t.tricks
        if not hands:
            return None
        if fault := tricks_fault(g, t, g.seating.everybody):
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
        size = g.dealing.start.size
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


# Impossible positions of a game with robbing
def is_before_deal(g: Rules, t: Table) -> bool:
    return is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | RobBeforeDeal)


def has_discards(g: Rules) -> bool:
    """Return whether a card is turned up after the robbing, and robbers lay cards aside for those that they took."""
    return Discard.name in g.phases_by_name


def robbers(g: Rules, t: Table) -> Iterator[tuple[Rob, Seat, Robber]]:
    """Return the phase, the seat and the record of both robbers of the deal on the table."""
    if t.hands:
        dealer = (t.match_state.dealer - (t.phase == g.dealing.name)) % g.seats  # after the deal it is the next one
        for phase in g.phases:
            if isinstance(phase, Rob):
                yield phase, robber_seat(g, dealer, phase.role), t.own.robbers[phase.role]


def cut_fault(g: Rules, t: Table) -> Fault | None:
    """Check the number of cards that were lifted."""
    cut = g.phases[0]
    if isinstance(cut, CutBeforeDeal):
        return cut.cut_fault(g, t)
    return ("lifted", "nobody cuts by a move") if t.own.lifted else None


def robbery_fault(g: Rules, t: Table) -> Fault | None:
    """Check that each robber took only what he might, and has or had it."""
    phases, dealt = [*g.phases_by_name], not is_before_deal(g, t)
    later = phases[phases.index(t.phase) + 1 :] if is_deal_running(g, t) else []
    for rob, seat, robber in robbers(g, t):
        early = rob.name in later
        if early and robber != Robber():
            return "robbers", "nobody robs before it is his turn"
        if any(card.rank not in rob.robbable for card in robber.robbed):
            return "robbers", "these cards may not be robbed"
        if len(robber.robbed) > rob.max_cards(t):
            return "robbers", "nobody robs more than he may"
        if rob.is_done(t) and (robber.looked or t.phase == rob.name):
            return "robbers", "who has robbed all that he may looks at no further card"
        if robber.looked and not t.stock:
            return "robbers", "the card that a robber has looked at lies in the stock"
        if not early and dealt and not holds(cards_of_robber(g, t, seat, robber), robber.robbed):
            return "robbers", "a robber has, or had, the cards that he took"
    return None


def cards_of_robber(g: Rules, t: Table, seat: Seat, robber: Robber) -> list[Card]:
    """Return the cards of a robber: those he holds, laid aside and played."""
    return [*t.hands[seat], *robber.discarded, *cards_played_by(g, t, seat)]


def cards_played_by(g: Rules, t: Table, seat: Seat) -> list[Card]:
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
    early = not has_discards(g) or (is_deal_running(g, t) and not isinstance(g.phases_by_name[t.phase], Play))
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
    full, more = 0 if early else g.dealing.start.size, {}
    if not early and has_discards(g):
        more = {seat: len(robber.robbed) - len(robber.discarded) for _, seat, robber in robbers(g, t)}
    for seat, hand in enumerate(t.hands):
        played = len(t.tricks) + ((seat - t.leader) % g.seats < len(t.trick))
        if len(hand) + played != full + more.get(seat, 0):
            return "hands", f"a hand has {full} cards, what was robbed, and less what was played"
    if any(t.hands) != (is_deal_running(g, t) and not early):
        return "hands", "a deal goes on while there are cards to play, and no longer"
    return None
