"""Where the cards of a trick-taking game lie, and who sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

from chitarrella.core.cards import Card, Hand, minus
from chitarrella.core.model import DEALT_IN, EVERYBODY, NOBODY, Fact, Inference, Seat, Viewer, Zone, ZoneSpec, held_card
from chitarrella.core.visibility import can_see, seen_by_word
from chitarrella.tricks import checks
from chitarrella.tricks.auction import ally, auction_facts, soloist
from chitarrella.tricks.parts import Fault, Place, Rules, is_deal_running
from chitarrella.tricks.play import Play
from chitarrella.tricks.table import LOT_PHASE, Table

# The zones of trick-taking games, described for those who show a table
PACK: Final = ZoneSpec("pack", "The cards that are not dealt yet.", seen_by_word(NOBODY))
STOCK: Final = ZoneSpec("stock", "The rest of the pack after the deal, the top card first.", seen_by_word(NOBODY))
TURN_UP: Final = ZoneSpec(
    "turn_up",
    "The card that is turned up; where the zone has a seat, the card belongs to the hand of that seat.",
    seen_by_word(EVERYBODY),
)
TRICK: Final = ZoneSpec("trick", "The cards of the present trick, in order of play.", seen_by_word(EVERYBODY))
TAKEN: Final = ZoneSpec(
    "taken",
    "A trick of this deal with the seat that took it, its cards in order of play; one zone for each trick.",
    seen_by_word(EVERYBODY),
)
UNDEALT: Final = Place(
    "undealt",
    "The cards that nobody was dealt.",
    lambda g, seat: NOBODY,
    lambda g, t: [(None, t.own.undealt)],
    lambda g, t, cards: t._replace(own=t.own._replace(undealt=cards[None])),
)


def turns_up(g: Rules) -> bool:
    """Return whether a card is turned up in some phase of a deal."""
    return g.dealing.start.turns_up or any(phase.turns_up for phase in g.phases)


# What can be concluded about face-down cards from the cards that were played and drawn in the open
def play_inferences(g: Rules, t: Table) -> Iterator[Inference]:
    """Return the cards that each hand cannot hold, as a card that it played would have broken a duty beside them."""
    if not g.following.reasons and not g.leading.reasons:
        return
    every = frozenset(g.pack.faces.values())
    for seat, hand in enumerate(t.hands):
        if hand and (lacking := excluded_cards(g, t, seat, every)):
            yield Inference(("hand",), seat, every - lacking)


def excluded_cards(g: Rules, t: Table, seat: Seat, every: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that a seat cannot have held when it played; what it has drawn since is unknown."""
    participants = g.dealt_in_seats(g, t)
    held, lacking = len(t.hands[seat]), frozenset[Card]()
    for number in range(len(t.tricks), -1, -1):
        leader, cards = t.tricks[number][:2] if number < len(t.tricks) else (t.leader, t.trick)
        place = (participants.index(seat) - participants.index(leader)) % len(participants)
        if place >= len(cards):
            continue
        held += 1
        if held > g.dealing.start.size:
            break
        card = cards[place]
        before = t._replace(tricks=t.tricks[:number], leader=leader, trick=cards[:place])
        duty = g.following if place else g.leading
        lacking |= {other for other in every - lacking if duty.refusals(g, before, (card, other), card)}
    return lacking


def draw_inferences(g: Rules, t: Table) -> Iterator[Inference]:
    """Return who drew the turn-up, which was the last card of the stock."""
    turn = g.phases_by_name[t.phase].turn(g, t)
    if t.turn_up is None or t.stock or turn is None or turn not in g.seating.seat_set:
        return
    participants = g.dealt_in_seats(g, t)
    played = [len(trick.cards) // len(participants) for trick in t.tricks]  # by each
    drawn = len(t.hands[turn]) + sum(played) - g.dealing.start.size  # by each, and with fewer the stock was not empty
    for trick, number in zip(t.tricks, played, strict=True):
        if 0 < drawn <= number:
            last = participants[participants.index(trick.winner) - 1]  # the winner draws first
            yield from [held_card(last, t.turn_up)] if t.turn_up in t.hands[last] else []
            return
        drawn -= number


def always(g: Rules, t: Table) -> bool:
    """Return True: the points of a deal are public while it is played."""
    return True


def after_deal(g: Rules, t: Table) -> bool:
    """Return whether no deal is being played: its points become public when it is over."""
    return not is_deal_running(g, t)


def nothing_open(g: Rules, t: Table, seat: Seat) -> Hand:
    """Return no cards: those of a hand are all hidden."""
    return ()


def turn_up_in_hand(g: Rules, t: Table, seat: Seat) -> Hand:
    """Return the turn-up while ``seat`` holds it; the pack has no second copy of it."""
    return () if t.turn_up is None or t.turn_up not in t.hands[seat] else (t.turn_up,)


def with_open(hand: Hand, open_: Hand, covered: Hand) -> Hand:
    """Return the ``covered`` cards with the open ones in between, in their places in ``hand``."""
    left, rest = list(open_), iter(covered)
    return tuple([left.pop(left.index(card)) if card in left else next(rest) for card in hand]) if left else covered


@dataclass(frozen=True)
class CommonLayout(checks.PositionValidation):
    """The layout that most games share; a game with cards in other places adds its own.

    ``shows_points`` says whether the points of a deal are public now; its tricks lie open. ``open_cards`` are those of
    a hand that lie open before its seat: the turn-up belongs to a hand where they are `turn_up_in_hand`.
    """

    shows_points: Callable[[Rules, Table], bool] = always
    open_cards: Callable[[Rules, Table, Seat], Hand] = nothing_open

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        """Return every kind of zone; with partners, or a dummy, single hands are seen by more than their owner."""
        hand = ZoneSpec("hand", "The cards that a seat holds.", seen_by_word(g.seating.watchers(0)))
        own = (ZoneSpec(one.name, one.description, seen_by_word(one.seen_by(g, 0))) for one in self.places)
        return (PACK, hand, STOCK, *((TURN_UP,) if turns_up(g) else ()), TRICK, TAKEN, *own)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Yield where each card lies, and who sees it; one zone for the whole pack before the first deal."""
        if not t.hands:
            yield Zone("pack", None, g.pack.cards, NOBODY)
            return
        for seat, hand in enumerate(t.hands):
            watchers = g.seating.watchers(seat)
            if seat in t.shown and watchers is not EVERYBODY:
                watchers |= g.seating.partners(seat)
            if open_ := self.open_cards(g, t, seat):
                yield Zone("hand", seat, reduce(minus, open_, hand), watchers)
                yield Zone("turn_up", seat, open_, EVERYBODY)
            else:
                yield Zone("hand", seat, hand, watchers)
        if t.turn_up is None or not g.draws or self.open_cards is not nothing_open:
            yield Zone("stock", None, t.stock, NOBODY)
        else:
            yield Zone("stock", None, t.stock[:-1], NOBODY)
            yield Zone("turn_up", None, t.stock[-1:], EVERYBODY)
        yield Zone("trick", None, t.trick, EVERYBODY, t.leader)
        for trick in t.tricks:
            yield Zone("taken", trick.winner, trick.cards, EVERYBODY, trick.leader)
        for place in self.places:
            for at, cards in place.read(g, t):
                yield Zone(place.name, at, cards, place.seen_by(g, at))

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Yield what is true of ``t`` beside where the cards lie."""
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
            if self.shows_points(g, t):
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
            yield Fact("signal", signal.rank, signal.seat, g.seating.partners(signal.seat))

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Yield what plays, draws, phases and exchanges show of hidden cards, while a deal is being played."""
        if is_deal_running(g, t):
            yield from play_inferences(g, t)
            yield from draw_inferences(g, t)
            for phase in g.phases:
                yield from phase.inferences(g, t)
            yield from (held_card(seat, card) for seat, card in t.exchanged if card in t.hands[seat])

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        """Return ``t`` with the cards of ``zones`` in place of the hidden ones; the turn-up stays where it lies."""
        if not t.hands:
            return t
        covered = (zone.cards for zone in zones if zone.name == "hand")
        hands = tuple(with_open(t.hands[at], self.open_cards(g, t, at), cards) for at, cards in enumerate(covered))
        stock = next(zone.cards for zone in zones if zone.name == "stock")
        t = t._replace(hands=hands, stock=(*stock, *t.stock[len(stock) :]))  # the turn-up lies where it lay
        for place in self.places:
            t = place.write(g, t, {zone.seat: zone.cards for zone in zones if zone.name == place.name})
        return t

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` without the signals and shown hands that ``viewer`` did not see."""
        if not t.signals and not t.shown:
            return t
        seen = {seat for seat in g.seating.everybody if can_see(g.seating.partners(seat), viewer)}
        signals, shown = (
            (signal for signal in t.signals if signal.seat in seen),
            (seat for seat in t.shown if seat in seen),
        )
        return t._replace(signals=tuple(signals), shown=tuple(shown))

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also that the turn-up lies open in no hand but the dealer's."""
        if self.open_cards is not nothing_open and is_deal_running(g, t):
            others = (seat for seat in g.seating.everybody if seat != t.match_state.dealer)
            if any(t.turn_up in self.open_cards(g, t, seat) for seat in others):
                return "turn_up", "the faced card is the dealer's"
        return super().trump_fault(g, t)

    def points(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Yield what each seat has taken in this deal, by each count of the order."""
        for place, count in enumerate(g.order.counts):
            for seat, points in enumerate(g.card_points(t, place)):
                yield Fact(count.name, points, seat, EVERYBODY)


# The layout of a partial deal
@dataclass(frozen=True)
class PartialLayout(CommonLayout):
    """The common layout with the cards that were not dealt and the seats that were; the last trick may be missing."""

    places: tuple[Place, ...] = (UNDEALT,)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the seats that take part in the deal, where not all do."""
        yield from super().facts(g, t)
        if t.own.dealt_in != g.seating.everybody:
            for seat in t.own.dealt_in:
                yield Fact(DEALT_IN, 1, seat, EVERYBODY)

    def participants(self, g: Rules, t: Table) -> tuple[Seat, ...]:
        dealt_in: tuple[Seat, ...] = t.own.dealt_in
        return dealt_in

    def held(self, g: Rules, t: Table) -> list[int]:
        return [len(t.hands[seat]) for seat in t.own.dealt_in]

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        if not t.hands and (t.own.undealt or t.own.dealt_in or t.phase not in (LOT_PHASE, g.dealing.name)):
            return "hands", "before the first deal all cards lie in the pack"
        return super().shape_fault(g, t)

    def tricks_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also the seats of the deal, and that others hold nothing; a deal is broken off between two tricks."""
        dealt_in, running, left = t.own.dealt_in, is_deal_running(g, t), g.dealing.start.size - len(t.tricks)
        if t.stock:
            return "stock", "nobody draws in this game"
        if len(dealt_in) < 2 or [*dealt_in] != sorted(g.seating.seat_set.intersection(dealt_in)):
            return DEALT_IN, "two seats or more take part in a deal, each named once, in order"
        if fault := super().tricks_fault(g, t):
            return fault
        if (running or left) and dealt_in != g.dealt_in_seats(g, t):
            return DEALT_IN, "while cards are held the seats of the deal are the ones that take part"
        if sum(self.held(g, t)) != sum(map(len, t.hands)) or (t.trick and not running):
            return "hands", "hands are level once the cards of the present trick are given back, and others hold none"
        if bool(left) != running and (running or t.phase != g.dealing.name):
            return "hands", "a deal goes on while cards are held, unless it was broken off"
        return None


# The layout of tricks of several cards a seat
@dataclass(frozen=True)
class MultiCardLayout(CommonLayout):
    """The common layout, for tricks of several cards a seat."""

    plays_several = True

    def tricks_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also that numbers of cards are even, and when cards lie on the table."""
        if any(not cards or len(cards) % 2 for _, cards, _ in t.tricks) or len(t.stock) % 2:
            return "tricks", "tricks and the stock hold an even number of cards"
        if bool(t.trick) != (t.phase == "follow"):
            return "trick", "cards lie on the table only while the follower is to answer"
        return super().tricks_fault(g, t)


# The layout of a game with an auction, a called card and a secret ally
@dataclass(frozen=True)
class SecretAllyLayout(CommonLayout):
    """The common layout, with the auction, the called card and the ally.

    The ally sees in its own hand that it is the ally. The soloist sees in its own hand whether it has one, and no more.
    """

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the contract; the ally and a lone soloist learn from their own hands what they are."""
        yield from super().facts(g, t)
        yield from auction_facts(t)
        if called := t.own.called(g, t):
            alone, (seat, known) = soloist(t), ally(g, t)
            # The name of a card: where that card lies is not known.
            yield Fact("called_card", str(called), alone, EVERYBODY)
            yield Fact("ally", seat, seat, EVERYBODY if known else frozenset({seat}))
            if seat == alone:
                yield Fact("alone", 1, alone, EVERYBODY if known else frozenset({alone}))
            if known:
                yield from self.side_facts(g, t, frozenset({alone, seat}))

    def side_facts(self, g: Rules, t: Table, side: frozenset[Seat]) -> Iterable[Fact]:
        """Return what is public as soon as the soloist's ``side`` is known: nothing more."""
        return ()

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        if fault := super().seats_fault(g, t):
            return fault
        playing = isinstance(g.phases_by_name.get(t.phase), Play)
        if t.phase in g.deal_phases and not playing and (t.trick or t.tricks):
            return "tricks", "no card is played before the auction is over"
        if g.names_trumps and bool(t.trump) != (playing or bool(t.tricks)):
            return "trump", "trumps are named after the auction, before a card is played"
        return None
