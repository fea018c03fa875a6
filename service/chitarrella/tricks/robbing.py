"""Robbing the turn-up, and discarding: the moves, the phases, and where the cards lie."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Final, NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import (
    EVERYBODY,
    NOT_IN_HAND,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    Viewer,
    Visibility,
    hidden_cards_event,
    public_event,
)
from chitarrella.core.visibility import can_see
from chitarrella.tricks.checks import cards_played_by, first_fault
from chitarrella.tricks.dealing import CutBeforeDeal, EndPhase, StartDeal
from chitarrella.tricks.layout import TURN_UP, CommonLayout
from chitarrella.tricks.parts import Action, Fault, Phase, Place, Rules, is_deal_running
from chitarrella.tricks.play import Play
from chitarrella.tricks.table import Table

NOT_ROBBABLE = Reason("not_robbable", "{word} may not be robbed; it must be left where it is.", duty=True)
NOBODY_CUTS = ("lifted", "nobody cuts by a move")  # why no cards were lifted
CUTTER, DEALER = 0, 1  # the roles of the robbers, in the order in which they rob


class Robber(NamedTuple):
    """The record of a robber: the cards that he took, whether he has seen one he did not take, what he laid aside."""

    robbed: Hand = ()
    looked: bool = False
    discarded: Hand = ()


class Robbery(NamedTuple):
    """The own record of a deal with robbing: cards lifted at the cut, both robbers, the declared suit."""

    lifted: int = 0
    robbers: tuple[Robber, ...] = (Robber(), Robber())
    declared: str = ""


def replace_robber(t: Table, role: int, robber: Robber) -> Table:
    cutter, dealer = t.own.robbers
    return t._replace(own=t.own._replace(robbers=(robber, dealer) if role == CUTTER else (cutter, robber)))


@dataclass(frozen=True)
class StartRobbing(StartDeal):
    """The service gives the shuffled pack, which is cut and robbed before it is dealt; no card is turned up yet."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        return g.phases[0].enter(g, self.lay_pack(g, t, move.cards, events), events)


class RobbingAction(Action):
    """A move of a robber, who either has a card to decide on, or is free to look at one."""

    looking = False  # whether the robber has a card to decide on

    def is_available(self, g: Rules, t: Table) -> bool:
        rob = g.phases_by_name[t.phase]
        return isinstance(rob, Rob) and t.own.robbers[rob.role].looked == self.looking

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        return (Move(self.spec.verb),) if self.is_available(g, t) else ()


@dataclass(frozen=True)
class LookAtStock(RobbingAction):
    """The robber looks at the next card; nobody else sees it."""

    spec = MoveSpec("rob_look", "Look at the next card that may be robbed.", frozenset())

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        rob = current_rob(g, t)
        events.append(hidden_cards_event("rob_looked", seat, (rob.next_card(t),), g.seating.watchers(seat)))
        return replace_robber(t, rob.role, t.own.robbers[rob.role]._replace(looked=True))


@dataclass(frozen=True)
class PassRobbing(RobbingAction, EndPhase):
    """The robber does not look at another card."""

    spec = MoveSpec("rob_pass", "Do not look at another card.", frozenset(), timeout_default=True)
    event_kind = "rob_passed"


@dataclass(frozen=True)
class TakeCard(RobbingAction):
    """The robber takes the card that he has looked at."""

    looking = True

    spec = MoveSpec("rob_take", "Take the card that you have looked at.", frozenset())
    reasons = (NOT_ROBBABLE,)

    def duties(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a card that may not be robbed; the robber, who is to move, must leave it, and nobody else sees it."""
        rob = current_rob(g, t)
        card = rob.next_card(t)
        return () if card.rank in rob.robbable else (g.refuse(NOT_ROBBABLE, word=card),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Take the card; the robber goes on unless it was the last that he may have."""
        rob = current_rob(g, t)
        card, took = rob.next_card(t), t.own.robbers[rob.role].robbed
        events.append(hidden_cards_event("robbed", seat, (card,), rob.visibility(g, seat)))
        t = replace_robber(t, rob.role, Robber((*took, card)))
        t = rob.pick_up(t._replace(stock=t.stock[1:] if rob.stock_index == 0 else t.stock[:-1]), seat, card)
        return g.next_phase(t, events) if rob.is_done(t) else t


@dataclass(frozen=True)
class LeaveCard(RobbingAction, EndPhase):
    """The robber leaves the card that he has looked at, whether he might have taken it or not; nobody learns which."""

    looking = True

    spec = MoveSpec("rob_leave", "Leave the card that you have looked at.", frozenset(), timeout_default=True)
    event_kind = "rob_left"


def seen_by_robber(g: Rules, seat: Seat) -> Visibility:
    """Return who sees the hand of the robber at ``seat``."""
    return g.seating.watchers(seat)


def seen_by_all(g: Rules, seat: Seat) -> Visibility:
    return EVERYBODY


@dataclass(frozen=True)
class Rob(Phase):
    """The phase in which one robber may take cards, at most ``limit``.

    ``robbable`` are the ranks that may be taken. ``visibility`` returns who sees what a seat has taken.
    """

    robbable: frozenset[str]
    limit: int = 3
    visibility: Callable[[Rules, Seat], Visibility] = seen_by_robber

    role = CUTTER
    stock_index = -1  # where in the stock the next card lies: at the bottom, or on the top

    actions = (LookAtStock(), PassRobbing(), TakeCard(), LeaveCard())

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        t = t._replace(phase=self.name)
        return g.next_phase(t, events) if self.is_done(t) else t

    def turn(self, g: Rules, t: Table) -> Seat:
        return robber_seat(g, t.match_state.dealer, self.role)

    def next_card(self, t: Table) -> Card:
        return t.stock[self.stock_index]

    def max_cards(self, t: Table) -> int:
        """Return how many cards the robber may take."""
        return self.limit

    def is_done(self, t: Table) -> bool:
        """Return whether the robber has taken as many cards as he may."""
        return len(t.own.robbers[self.role].robbed) >= self.max_cards(t)

    def pick_up(self, t: Table, seat: Seat, card: Card) -> Table:
        """Put the card where it belongs for now."""
        return t


@dataclass(frozen=True)
class RobBeforeDeal(Rob):
    """The cutter robs from the bottom of the cards that he has lifted; they lie before him until the deal."""

    name: str = "cutter_rob"

    def max_cards(self, t: Table) -> int:
        """Return how many cards the cutter may take: no more than he has lifted, where he cuts by a move."""
        return min(self.limit, t.own.lifted or self.limit)


@dataclass(frozen=True)
class RobAfterDeal(Rob):
    """The cards are dealt; then the dealer robs from the top of the stock, into his hand."""

    name: str = "dealer_rob"

    role = DEALER
    stock_index = 0

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Deal, let the cutter pick up what he robbed, and wait for the dealer."""
        t = g.dealing.start.deal_hands(g, t, events)
        for card in t.own.robbers[CUTTER].robbed:
            t = self.pick_up(t, robber_seat(g, t.match_state.dealer, CUTTER), card)
        return super().enter(g, t, events)

    def pick_up(self, t: Table, seat: Seat, card: Card) -> Table:
        return t._replace(hands=(*t.hands[:seat], (*t.hands[seat], card), *t.hands[seat + 1 :]))


def current_rob(g: Rules, t: Table) -> Rob:
    rob = g.phases_by_name[t.phase]
    assert isinstance(rob, Rob), f"nobody robs in the phase {t.phase}"
    return rob


def robber_seat(g: Rules, dealer: Seat, role: int) -> Seat:
    """Return the seat of a robber: the dealer's own, or the one before it."""
    return dealer if role == DEALER else (dealer - 1) % g.seats


def robbers(g: Rules, t: Table) -> Iterator[tuple[Rob, Seat, Robber]]:
    """Return the phase, the seat and the record of each robber of the deal on the table."""
    if t.hands:
        dealer = (t.match_state.dealer - (t.phase == g.dealing.name)) % g.seats  # after the deal it is the next one
        for phase in g.phases:
            if isinstance(phase, Rob):
                yield phase, robber_seat(g, dealer, phase.role), t.own.robbers[phase.role]


# Discarding
WRONG_DISCARD_COUNT = Reason(
    "wrong_discard_count", "As many cards are laid aside as were robbed, and that is {amount}.", depends_on_seat=True
)


def cards_due(g: Rules, t: Table, seat: Seat) -> int:
    """Return how many cards a seat has still to lay aside."""
    return sum(len(robber.robbed) - len(robber.discarded) for _, at, robber in robbers(g, t) if at == seat)


@dataclass(frozen=True)
class LayAside(Action):
    """A robber lays aside as many cards as he has robbed; nobody else sees them."""

    spec = MoveSpec("discard", "Lay aside as many cards as you have robbed.", frozenset(), (0, 40))
    reasons = (WRONG_DISCARD_COUNT, NOT_IN_HAND)

    def offers(self, g: Rules, t: Table, seat: Seat) -> Iterable[Move]:
        if not (number := cards_due(g, t, seat)):
            return ()
        hand = g.pack.in_order(t.hands[seat])
        return [Move("discard", cards) for cards in dict.fromkeys(combinations(hand, number))]

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse another number of cards, then cards not held."""
        number, lacking = cards_due(g, t, seat), self.possession(g, t, seat, move)
        if len(move.cards) == number:
            return lacking
        return (g.refuse(WRONG_DISCARD_COUNT, verb="discard", offending_cards=move.cards, amount=number), *lacking)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Lay the cards aside, face down; when both robbers have done so the play begins."""
        hand, role = list(t.hands[seat]), DEALER if seat == t.match_state.dealer else CUTTER
        laid = tuple(hand.pop(hand.index(card)) for card in move.cards)
        events.append(hidden_cards_event("discarded", seat, laid, g.seating.watchers(seat)))
        t = t._replace(hands=(*t.hands[:seat], tuple(hand), *t.hands[seat + 1 :]))
        t = replace_robber(t, role, t.own.robbers[role]._replace(discarded=laid))
        return t if next_discarder(g, t) is not None else g.next_phase(t, events)


def next_discarder(g: Rules, t: Table) -> Seat | None:
    """Return the seat that lays cards aside next: the cutter, then the dealer; None when both have done so."""
    return next((seat for _, seat, _ in robbers(g, t) if cards_due(g, t, seat)), None)


@dataclass(frozen=True)
class Discard(Phase):
    """The phase in which the first card that nobody robbed is turned up and laid apart, and the robbers discard."""

    name: str = "discard"
    actions = (LayAside(),)

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        card = t.stock[0]
        events.append(public_event("trionfo_turned", cards=(card,)))
        t = t._replace(phase=self.name, stock=t.stock[1:], turn_up=card)
        return t if next_discarder(g, t) is not None else g.next_phase(t, events)

    def turn(self, g: Rules, t: Table) -> Seat:
        seat = next_discarder(g, t)
        assert seat is not None, "the phase is left when nobody has cards to lay aside"
        return seat


# Where the cards lie
def is_before_deal(g: Rules, t: Table) -> bool:
    return is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | RobBeforeDeal)


def cards_of_robber(g: Rules, t: Table, seat: Seat, robber: Robber) -> list[Card]:
    """Return the cards of a robber: those he holds, laid aside and played."""
    return [*t.hands[seat], *robber.discarded, *cards_played_by(g, t, seat)]


def card_left(t: Table, rob: Rob) -> Card:
    """Return the card that a robber has looked at and not taken, wherever it lies now."""
    return revealed_card(t, rob) or rob.next_card(t)


def revealed_card(t: Table, rob: Rob) -> Card | None:
    """Return the card that a robber has left once it is public: the dealer's is turned up next. None before."""
    return t.turn_up if rob.role == DEALER else None


def lay_before_robbers(field: str, g: Rules, t: Table, cards: dict[Seat | None, Hand]) -> Table:
    """Return ``t`` with other cards in a ``field`` of the robbers that are among those of ``cards``."""
    for rob, seat, robber in tuple(robbers(g, t)):
        if seat in cards:
            t = replace_robber(t, rob.role, Robber(**robber._asdict() | {field: cards[seat]}))
    return t


def discarded_cards(g: Rules, t: Table) -> list[tuple[Seat | None, Hand]]:
    """Return the cards that were laid aside, by seat; most often there are none."""
    if not any(robber.discarded for robber in t.own.robbers):
        return []
    return [(seat, robber.discarded) for _, seat, robber in robbers(g, t) if robber.discarded]


TURN_UP_APART: Final = Place(
    *TURN_UP[:2],
    lambda g, seat: EVERYBODY,
    lambda g, t: () if t.turn_up is None else [(None, (t.turn_up,))],
    lambda g, t, cards: t,
)
ROBBED: Final = Place(
    "robbed",
    "The cards that a seat has robbed before the deal.",
    lambda g, seat: next(phase.visibility(g, seat) for phase in g.phases if isinstance(phase, Rob)),
    lambda g, t: () if any(t.hands) or t.tricks else [(at, one.robbed) for _, at, one in robbers(g, t) if one.robbed],
    partial(lay_before_robbers, "robbed"),
)
DISCARDS: Final = Place(
    "discards",
    "The cards that a robber has laid aside.",
    seen_by_robber,
    discarded_cards,
    partial(lay_before_robbers, "discarded"),
)


@dataclass(frozen=True)
class RobbingLayout(CommonLayout):
    """The common layout with the cards of the robbers, and a turn-up that belongs to nobody; a cut comes first."""

    places: tuple[Place, ...] = (TURN_UP_APART, ROBBED, DISCARDS)

    def facts(self, g: Rules, t: Table) -> Iterator[Fact]:
        """Return the facts with the height of the cut, what each robber took and saw, and the declared suit."""
        yield from super().facts(g, t)
        if t.own.lifted:
            yield Fact("lifted", t.own.lifted, seen_by=EVERYBODY)
        for rob, seat, robber in robbers(g, t):
            yield Fact("robbed", len(robber.robbed), seat, EVERYBODY)
            for card in robber.robbed:
                yield Fact("robbed_card", card, seat, rob.visibility(g, seat))
            if robber.looked:
                yield Fact("looked", 1, seat, EVERYBODY)
                yield Fact("looked_at", card_left(t, rob), seat, g.seating.watchers(seat))
        if t.own.declared:
            yield Fact("declared_suit", t.own.declared, seen_by=EVERYBODY)

    def inferences(self, g: Rules, t: Table, viewer: Viewer) -> Iterator[Inference]:
        """Return the inferences with the cards that a robber has or had, and for him the card that he looked at."""
        yield from super().inferences(g, t, viewer)
        for rob, seat, robber in robbers(g, t):
            if robber.looked and can_see(g.seating.watchers(seat), viewer) and revealed_card(t, rob) is None:
                yield Inference(("stock",), None, frozenset({card_left(t, rob)}), place=rob.stock_index)
            alike = [[card] for card in dict.fromkeys(robber.robbed)]
            if not can_see(rob.visibility(g, seat), viewer):
                alike = [[card for card in g.pack.faces.values() if card.rank in rob.robbable]]
            for cards in alike:
                took, played = robber.robbed, cards_played_by(g, t, seat)
                many = sum(card in cards for card in took) - sum(card in cards for card in played)
                if many > 0:
                    yield Inference(("robbed", "hand", "discards"), seat, frozenset(cards), many)

    def forget_private(self, g: Rules, t: Table, viewer: Viewer) -> Table:
        """Return ``t`` in which a robber whose cards ``viewer`` cannot see robbed cards that he has, or had."""
        t = super().forget_private(g, t, viewer)
        for rob, seat, robber in tuple(robbers(g, t)):
            if not is_before_deal(g, t) and not can_see(rob.visibility(g, seat), viewer):
                fitting = [card for card in cards_of_robber(g, t, seat, robber) if card.rank in rob.robbable]
                t = replace_robber(t, rob.role, robber._replace(robbed=tuple(fitting[: len(robber.robbed)])))
        return t

    # ------------------------------------------------------------------ impossible positions

    def hand_size(self, g: Rules, t: Table) -> int:
        return 0 if is_before_deal(g, t) else super().hand_size(g, t)

    def held(self, g: Rules, t: Table) -> list[int]:
        """Return the sizes of the hands, less what is still to be laid aside."""
        held = super().held(g, t)
        if DISCARDS in self.places and not is_before_deal(g, t):
            for _, seat, robber in robbers(g, t):
                held[seat] -= len(robber.robbed) - len(robber.discarded)
        return held

    def seats_fault(self, g: Rules, t: Table) -> Fault | None:
        own, two = t.own, (CUTTER, DEALER)
        return first_fault(
            (len(own.robbers) != len(two), "robbers", "there are two of them, the cutter and the dealer"),
            (own.declared and own.declared not in g.cards.suits, "declared", "there is no such suit"),
            (not t.hands and own != g.own(), "robbers", "nothing is cut or robbed before there are cards"),
        ) or super().seats_fault(g, t)

    def trump_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check the turn-up, and the suit that was declared with the trionfo."""
        early = is_deal_running(g, t) and isinstance(g.phases_by_name[t.phase], CutBeforeDeal | Rob)
        absent = early or TURN_UP_APART not in self.places
        leads = [*(cards[0] for _, cards, _ in t.tricks if cards), *t.trick[:1]]
        asked = t.turn_up in leads
        return first_fault(
            (absent != (t.turn_up is None), "turn_up", "a card is turned up when the robbing is over, and not before"),
            (t.trump, "trump", "there is a single trump card, and no trump suit"),
            (bool(t.own.declared) != asked, "declared", "a suit is asked for when the trionfo is led, and not else"),
        )

    def tricks_fault(self, g: Rules, t: Table) -> Fault | None:
        """Check also what the robbers can have done by now."""
        cut, running = g.phases[0], is_deal_running(g, t)
        if fault := super().tricks_fault(g, t):
            return fault
        if fault := cut.cut_fault(g, t) if isinstance(cut, CutBeforeDeal) else NOBODY_CUTS if t.own.lifted else None:
            return fault
        early = running and not isinstance(g.phases_by_name[t.phase], Play)
        if fault := robbery_fault(g, t) or discard_fault(g, t, before=early or DISCARDS not in self.places):
            return fault
        return first_fault(
            (len(t.trick) >= g.seats, "tricks", f"a trick has {g.seats} cards"),
            (early and (t.trick or t.tricks), "tricks", "no card is played before all have their hands"),
        )


def robbery_fault(g: Rules, t: Table) -> Fault | None:
    """Check that each robber took only what he might, and has or had it."""
    phases, dealt = [*g.phases_by_name], not is_before_deal(g, t)
    later = phases[phases.index(t.phase) + 1 :] if is_deal_running(g, t) else []
    for rob, seat, robber in robbers(g, t):
        early, took, looked = rob.name in later, robber.robbed, robber.looked
        looking, had = looked or t.phase == rob.name, cards_of_robber(g, t, seat, robber)
        lost = [card for card in took if took.count(card) > had.count(card)]
        if fault := first_fault(
            (early and robber != Robber(), "robbers", "nobody robs before it is his turn"),
            (any(card.rank not in rob.robbable for card in took), "robbers", "these cards may not be robbed"),
            (len(took) > rob.max_cards(t), "robbers", "nobody robs more than he may"),
            (rob.is_done(t) and looking, "robbers", "who has robbed all that he may looks at no further card"),
            (looked and not t.stock, "robbers", "the card that a robber has looked at lies in the stock"),
            (not early and dealt and lost, "robbers", "a robber has, or had, the cards that he took"),
        ):
            return fault
    return None


def discard_fault(g: Rules, t: Table, *, before: bool) -> Fault | None:
    """Check that the robbers lay aside as many cards as they robbed, one after the other, and none ``before``."""
    (first, took), (second, number) = ((len(one.discarded), len(one.robbed)) for one in t.own.robbers)
    laid, due, now = (first, second), (0, 0) if before else (took, number), t.phase == Discard.name
    in_order = not now or ((first == took or not second) and next_discarder(g, t) is not None)
    return first_fault(
        (first not in (0, took) or second not in (0, number), "robbers", "as many cards are laid aside as were robbed"),
        (not in_order, "robbers", "the cutter lays aside, then the dealer"),
        (not now and laid != due, "robbers", "cards are laid aside between the turn-up and the first trick"),
    )
