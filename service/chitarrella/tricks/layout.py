"""Where the cards of a trick-taking game lie, and who sees them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Final

from chitarrella.core.cards import Card, Hand, minus
from chitarrella.core.model import DEALT_IN, EVERYBODY, NOBODY, Fact, Inference, Seat, Viewer, Zone, ZoneSpec
from chitarrella.core.visibility import can_see, seen_by_word
from chitarrella.tricks import checks
from chitarrella.tricks.auction import ally, auction_facts, soloist
from chitarrella.tricks.dealing import CutBeforeDeal
from chitarrella.tricks.parts import Fault, Rules, is_deal_running
from chitarrella.tricks.play import HAND_SIZE, Play, rotate, trick_winner
from chitarrella.tricks.robbing import CUTTER, DEALER, Rob, replace_robber
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
UNDEALT: Final = ZoneSpec("undealt", "The cards that nobody was dealt.", seen_by_word(NOBODY))


def hand(g: Rules) -> ZoneSpec:
    """Return the hand of a seat; with partners, or a dummy, single hands are seen by more than their owner."""
    return ZoneSpec("hand", "The cards that a seat holds.", seen_by_word(g.seating.watchers(0)))


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
            yield Inference(("hand",), last, frozenset({t.turn_up}), 1)
            return
        drawn -= number


def always(g: Rules, t: Table) -> bool:
    return True


def after_deal(g: Rules, t: Table) -> bool:
    return not is_deal_running(g, t)


def nothing_open(g: Rules, t: Table, seat: Seat) -> Hand:
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
        return (PACK, hand(g), STOCK, *((TURN_UP,) if turns_up(g) else ()), TRICK, TAKEN)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
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
        if t.turn_up is None or self.open_cards is not nothing_open:
            yield Zone("stock", None, t.stock, NOBODY)
        else:
            yield Zone("stock", None, t.stock[:-1], NOBODY)
            yield Zone("turn_up", None, t.stock[-1:], EVERYBODY)
        yield Zone("trick", None, t.trick, EVERYBODY, t.leader)
        for trick in t.tricks:
            yield Zone("taken", trick.winner, trick.cards, EVERYBODY, trick.leader)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
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
        if is_deal_running(g, t):
            yield from play_inferences(g, t)
            yield from draw_inferences(g, t)
            yield from (Inference(("hand",), seat, frozenset({card}), 1) for seat, card in t.exchanged)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        if not t.hands:
            return t
        covered = (zone.cards for zone in zones if zone.name == "hand")
        hands = tuple(with_open(t.hands[at], self.open_cards(g, t, at), cards) for at, cards in enumerate(covered))
        undrawn = (zone.cards for zone in zones if zone.seat is None and zone.name in ("stock", "turn_up"))
        stock = tuple(chain.from_iterable(undrawn))
        return t._replace(hands=hands, stock=stock)

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` without the signals and shown hands that ``viewer`` did not see."""
        if not t.signals and not t.shown:
            return t
        signals = tuple(signal for signal in t.signals if can_see(g.seating.partners(signal.seat), viewer))
        return t._replace(
            signals=signals, shown=tuple(seat for seat in t.shown if can_see(g.seating.partners(seat), viewer))
        )

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also that the turn-up lies open in no hand but the dealer's."""
        if self.open_cards is not nothing_open and is_deal_running(g, t):
            others = (seat for seat in g.seating.everybody if seat != t.match_state.dealer)
            if any(t.turn_up in self.open_cards(g, t, seat) for seat in others):
                return "turn_up", "the faced card is the dealer's"
        return super().trump_fault(g, t)

    def points(self, g: Rules, t: Table) -> Iterator[Fact]:
        for place, count in enumerate(g.order.counts):
            for seat, points in enumerate(g.card_points(t, place)):
                yield Fact(count.name, points, seat, EVERYBODY)


# The layout of a partial deal
@dataclass(frozen=True)
class PartialLayout(CommonLayout):
    """The common layout with the cards that were not dealt and the seats that were; the last trick may be missing."""

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        return (*super().zone_specs(g), UNDEALT)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        yield from super().zones(g, t)
        if t.hands:
            yield Zone("undealt", None, t.own.undealt, NOBODY)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        for zone in zones:
            if zone.name == "undealt":
                t = t._replace(own=t.own._replace(undealt=zone.cards))
        return super().redeal(g, t, zones)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the seats that take part in the deal, where not all do."""
        yield from super().facts(g, t)
        if t.own.dealt_in != g.seating.everybody:
            for seat in t.own.dealt_in:
                yield Fact(DEALT_IN, 1, seat, EVERYBODY)

    def cards(self, t: Table) -> list[Card]:
        """Return the cards of every zone, the undealt ones included."""
        return [*super().cards(t), *t.own.undealt]

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        participants: tuple[Seat, ...] = t.own.dealt_in
        if not t.hands:
            early = t.phase in (LOT_PHASE, g.dealing.name) and not (t.own.undealt or participants)
            return None if early else ("hands", "before the first deal all cards lie in the pack")
        if t.stock:
            return "stock", "nobody draws in this game"
        if len(participants) < 2 or participants != tuple(seat for seat in g.seating.everybody if seat in participants):
            return DEALT_IN, "two seats or more take part in a deal, each named once, in order"
        return checks.tricks_fault(g, t, participants) or self._hands_fault(g, t, participants)

    def _hands_fault(self, g: Rules, t: Table, participants: tuple[Seat, ...]) -> Fault | None:
        left = g.dealing.start.size - len(t.tricks)
        at_play = is_deal_running(g, t)
        if (at_play or left) and participants != g.dealt_in_seats(g, t):
            return DEALT_IN, "while cards are held the seats of the deal are the ones that take part"
        played = rotate(participants, t.leader)[: len(t.trick)] if at_play else ()
        due = tuple(left - (seat in played) if seat in participants else 0 for seat in g.seating.everybody)
        if len(t.trick) != len(played) or len(played) == len(participants) or due != tuple(map(len, t.hands)):
            return "hands", "hands are level once the cards of the present trick are given back, and others hold none"
        if at_play != bool(left) and not (left and g.breaks_off_deals and t.phase == g.dealing.name):
            return "hands", "a deal goes on while cards are held, unless it was broken off"
        return None


# The layout of tricks of several cards a seat
@dataclass(frozen=True)
class MultiCardLayout(CommonLayout):
    """The common layout, for tricks of several cards a seat."""

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check that hands are level but for the cards led, and that tricks are even."""
        if not t.hands:
            return None
        if any(not cards or len(cards) % 2 for _, cards, _ in t.tricks) or len(t.stock) % 2:
            return "tricks", "tricks and the stock hold an even number of cards"
        if bool(t.trick) != (t.phase == "follow"):
            return "trick", "cards lie on the table only while the follower is to answer"
        if is_deal_running(g, t) and not t.trump:
            return "trump", "there is always a trump suit"
        leader, follower = len(t.hands[t.leader]) + len(t.trick), len(t.hands[1 - t.leader])
        if leader != follower or follower > HAND_SIZE:
            return "hands", f"hands are level, and hold at most {HAND_SIZE} cards"
        return self._due_fault(g, t, follower) or self._taking_fault(g, t)

    def _taking_fault(self, g: Rules, t: Table) -> Fault | None:
        known = checks.known_tricks(g.identity, g.seating.everybody, t.trump, None)
        unknown = [trick for trick in t.tricks if trick not in known]
        if any(trick_winner(g, t, leader, cards) != winner for leader, cards, winner in unknown):
            return "tricks", "who beats every card that was led takes the trick"
        checks.remember_tricks(known, unknown)
        return checks.lead_fault(g, t)

    def _due_fault(self, g: Rules, t: Table, held: int) -> Fault | None:
        early = checks.ends_early(g, t)
        if not is_deal_running(g, t):
            due = early or not (held or t.stock)
            return None if due else ("hands", "between deals all cards lie in the tricks")
        if early:
            return "tricks", "the deal is over with this trick"
        if not held:
            return "hands", "a deal goes on only while there are cards to play"
        if t.stock and held != HAND_SIZE:
            return "hands", f"while there is a stock hands hold {HAND_SIZE} cards"
        return None


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
            alone, friend = soloist(t), ally(g, t)
            # The name of a card: where that card lies is not known.
            yield Fact("called_card", str(called), alone, EVERYBODY)
            yield Fact("ally", friend.seat, friend.seat, EVERYBODY if friend.known else frozenset({friend.seat}))
            if friend.seat == alone:
                yield Fact("alone", 1, alone, EVERYBODY if friend.known else frozenset({alone}))
            if friend.known:
                yield from self.side_facts(g, t, frozenset({alone, friend.seat}))

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


# The layout of a game with robbing
@dataclass(frozen=True)
class RobbingLayout(CommonLayout):
    """The common layout, but for the turn-up, which belongs to nobody, and for the cards of the robbers."""

    def zone_specs(self, g: Rules) -> tuple[ZoneSpec, ...]:
        (robbed,) = {seen_by_word(phase.visibility(g, 0)) for phase in g.phases if isinstance(phase, Rob)}
        specs: tuple[ZoneSpec, ...] = (ZoneSpec("robbed", "The cards that a seat has robbed before the deal.", robbed),)
        if checks.has_discards(g):
            watchers = seen_by_word(g.seating.watchers(0))
            specs = (TURN_UP, *specs, ZoneSpec("discards", "The cards that a robber has laid aside.", watchers))
        return (*super().zone_specs(g), *specs)

    def zones(self, g: Rules, t: Table) -> Iterator[Zone]:
        """Return the zones with the turn-up, the cards robbed before the deal, and the discards."""
        yield from super().zones(g, t._replace(turn_up=None))
        if t.turn_up is not None:
            yield Zone("turn_up", None, (t.turn_up,), EVERYBODY)
        for rob, seat, robber in checks.robbers(g, t):
            if robber.robbed and checks.is_before_deal(g, t):
                yield Zone("robbed", seat, robber.robbed, rob.visibility(g, seat))
            if robber.discarded:
                yield Zone("discards", seat, robber.discarded, g.seating.watchers(seat))

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the height of the cut, what each robber took and saw, and the declared suit."""
        yield from super().facts(g, t)
        if t.own.lifted:
            yield Fact("lifted", t.own.lifted, seen_by=EVERYBODY)
        for rob, seat, robber in checks.robbers(g, t):
            yield Fact("robbed", len(robber.robbed), seat, EVERYBODY)
            for card in robber.robbed:
                yield Fact("robbed_card", card, seat, rob.visibility(g, seat))
            if robber.looked:
                yield Fact("looked", 1, seat, EVERYBODY)
                yield Fact("looked_at", card_left(t, rob), seat, g.seating.watchers(seat))
        if t.own.declared:
            yield Fact("declared_suit", t.own.declared, seen_by=EVERYBODY)

    # ------------------------------------------------------------------ what can be concluded about hidden cards

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Return the inferences with the cards that a robber has or had, and for him the card that he looked at."""
        yield from super().inferences(g, t, viewer)
        for rob, seat, robber in checks.robbers(g, t):
            if robber.looked and can_see(g.seating.watchers(seat), viewer) and revealed_card(t, rob) is None:
                yield Inference(("stock",), None, frozenset({card_left(t, rob)}), place=rob.stock_index)
            known = (
                [{card} for card in dict.fromkeys(robber.robbed)] if can_see(rob.visibility(g, seat), viewer) else []
            )
            for cards in known or [{card for card in g.pack.faces.values() if card.rank in rob.robbable}]:
                took = sum(card in cards for card in robber.robbed) if known else len(robber.robbed)
                many = took - sum(card in cards for card in checks.cards_played_by(g, t, seat))
                if many > 0:
                    yield Inference(("robbed", "hand", "discards"), seat, frozenset(cards), many)

    def redeal(self, g: Rules, t: Table, zones: Sequence[Zone]) -> Table:
        """Return ``t`` with its hidden cards as in ``zones``, those that were robbed and laid aside included."""
        there = {(zone.name, zone.seat): zone.cards for zone in zones}
        for rob, seat, robber in tuple(checks.robbers(g, t)):
            robbed = there.get(("robbed", seat), robber.robbed)
            discarded = there.get(("discards", seat), robber.discarded)
            t = replace_robber(t, rob.role, robber._replace(robbed=robbed, discarded=discarded))
        return super().redeal(g, t, [zone for zone in zones if zone.name != "turn_up"])

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` in which a robber whose cards ``viewer`` cannot see robbed cards that he has, or had."""
        t = super().forget_private(g, t, viewer)
        for rob, seat, robber in checks.robbers(g, t):
            if not checks.is_before_deal(g, t) and not can_see(rob.visibility(g, seat), viewer):
                fitting = [card for card in checks.cards_of_robber(g, t, seat, robber) if card.rank in rob.robbable]
                t = replace_robber(t, rob.role, robber._replace(robbed=tuple(fitting[: len(robber.robbed)])))
        return t

    # ------------------------------------------------------------------ impossible positions

    def cards(self, t: Table) -> list[Card]:
        apart = [] if t.turn_up is None else [t.turn_up]
        for robber in t.own.robbers:
            apart += robber.discarded if any(t.hands) or t.tricks else robber.robbed
        return [*super().cards(t), *apart]

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        own = t.own
        if len(own.robbers) != len((CUTTER, DEALER)):
            return "robbers", "there are two of them, the cutter and the dealer"
        if own.declared and own.declared not in g.cards.suit.values():
            return "declared", "there is no such suit"
        if not t.hands and own != g.own():
            return "robbers", "nothing is cut or robbed before there are cards"
        return super().seats_fault(g, t)

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up, and the suit that was declared with the trionfo."""
        before = is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | Rob)
        if (before or not checks.has_discards(g)) != (t.turn_up is None):
            return "turn_up", "a card is turned up when the robbing is over, and not before"
        if t.trump:
            return "trump", "there is a single trump card, and no trump suit"
        leads = [trick.cards[0] for trick in t.tricks if trick.cards] + list(t.trick[:1])
        if bool(t.own.declared) != (t.turn_up in leads):
            return "declared", "a suit is asked for when the trionfo is led, and not else"
        return None

    def shape_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the sizes of hands and tricks, and what the robbers can have done by now."""
        if not t.hands:
            return None
        faults = (checks.cut_fault, checks.robbery_fault, checks.discard_fault, checks.hands_fault)
        tricks = checks.tricks_fault(g, t, g.seating.everybody)
        return tricks or next((found for fault in faults if (found := fault(g, t))), None)


def card_left(t: Table, rob: Rob) -> Card:
    """Return the card that a robber has looked at and not taken, wherever it lies now."""
    return revealed_card(t, rob) or rob.next_card(t)


def revealed_card(t: Table, rob: Rob) -> Card | None:
    """Return the card that a robber has left once it is public: the dealer's is turned up next. None before."""
    return t.turn_up if rob.role == DEALER else None
