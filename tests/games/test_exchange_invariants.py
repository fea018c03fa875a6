"""Cucù and Lu Stù: what is true of every deal of both, held against games played at random (CU-I, LS-I).

The laws of `chitarrella_testing` hold cards, tokens, money and secrecy; the reference programs hold every event.
"""

from typing import NamedTuple

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card
from chitarrella.core.game import legal_moves
from chitarrella.core.model import REFEREE, Event, Seat, Viewer
from chitarrella.core.visibility import view_for, visible_to
from chitarrella.exchange.round import MAX_MONEY
from chitarrella.exchange.rules import Rules
from tests.games.support.scenes import UNWRITTEN
from tests.walks import Step, Walk, known_walk, name, on_walks

PLAYERS = (2, 3, 5, 8, 12, 20)
ONE_FOOL = (("single_matto_from", "2"),)
CUCU = [
    *(RuleSet("cucu", players) for players in PLAYERS),
    *(RuleSet("cucu", players, (("cuckoo_protects", "comparison"), ("tokens", "2"))) for players in (3, 8)),
    RuleSet("cucu", 3, (("horse_dealer_draw", "next"), ("syndicates", "false"))),
    RuleSet("cucu", 2, (("agreement_forces_exchange", "false"), ("horse_dealer_draw", "next"))),
    RuleSet("cucu", 5, (("end_game_agreement", "false"), ("reentry", "false"))),
    RuleSet("cucu", 4, (("seating", "full_pack"), ("stake", "1000000000"))),
]
LU_STU = [
    *(RuleSet("lu-stu", players) for players in PLAYERS),
    *(RuleSet("lu-stu", players, ONE_FOOL) for players in (2, 5, 20)),
    RuleSet("lu-stu", 5, (("inn_offer_rounds", "1"),)),
    RuleSet("lu-stu", 8, (("inn_offer_rounds", "10"), ("inn_offer_kinds", "pool_share"))),
    RuleSet("lu-stu", 5, (("inn_offer_kinds", "money"),)),
    *(RuleSet("lu-stu", players, (("agreement_forces_exchange", "true"),)) for players in (2, 3)),
    RuleSet("lu-stu", 8, (("stake", "1000000000"), ("tokens", "1"))),
    RuleSet("lu-stu", 3, (("tokens", "1"),)),
    RuleSet("lu-stu", 5, (("reentry", "false"), ("end_game_agreement", "false"))),
    RuleSet("lu-stu", 12, (("seating", "full_pack"),)),
]
SEEDS = ("one", "two")
DEALS = {"cucu": 1, "lu-stu": 4}
EVERY = on_walks((table, seed, DEALS[table.game]) for table in (*CUCU, *LU_STU) for seed in SEEDS)
BETWEEN = ("await_seats", "new_deal", "game_over", "match_over")  # the phases between two deals


def walked(table: RuleSet, seed: str) -> Walk:
    return known_walk(table, seed, DEALS[table.game], 6)


def of(step: Step, *kinds: str) -> list[Event]:
    return [event for event in step.events if event.kind in kinds]


def seats(found: list[Event]) -> list[Seat]:
    return [event.seat for event in found if event.seat is not None]


def deals(walk: Walk) -> list[list[Step]]:
    """The steps deal by deal, the shuffle first; an unfinished deal is left out."""
    found: list[list[Step]] = []
    for step in walk.steps:
        if step.move.verb == "start_deal":
            found.append([])
        if found and step.before.phase not in ("game_over", "match_over"):
            found[-1].append(step)
    return [deal for deal in found if deal[-1].after.phase in BETWEEN]


KINDS = {
    *("seat_drawn", "dealt", "card_replaced", "swapped", "swap_reversed", "card_shown", "horse_jumped"),
    *("inn_announced", "offered", "paid", "promised", "token_lost", "guaranteed", "token_gained", "eliminated"),
    *("set_aside", "card_revealed", "all_reentered", "reentered", "dealer_set", "prize_paid", "proposed", "agreed"),
    "next_game_seated",
}
"""Everything that can happen at Lu Stù."""


def test_everything_happens() -> None:
    """The games held against the laws below are no tame ones: all that can happen does, every loss and phase too."""
    walks = [walked(table, seed) for table in LU_STU for seed in (*SEEDS, "three")]
    steps = [step for walk in walks for step in walk.steps]
    assert KINDS | UNWRITTEN == {event.kind for step in steps for event in step.events}
    assert {"low", "matto", "inn", "cat", "hunter"} == {one.word for step in steps for one in of(step, "token_lost")}
    games = [walk.game for walk in walks if isinstance(walk.game, Rules)]
    assert {phase for game in games for phase in game.phases} == {step.before.phase for step in steps} | {"match_over"}


@pytest.mark.clause("CU-31", "CU-46", "CU-62", "LS-31", "LS-66")
@EVERY
def test_cards_leave_the_pack_in_order(walk: Walk) -> None:
    """What is left of the pack is its end, less at most one card; at most two cards more than players are gone."""
    for deal in deals(walk):
        pack = deal[0].move.cards
        for step in deal:
            left = step.after.pack
            gone = len(pack) - len(left)
            assert left == pack[gone:] or (walk.rule_set.game == "cucu" and left == pack[gone - 1 : -1])
            assert gone <= len(step.after.order) + 2


@pytest.mark.clause("CU-24", "CU-41", "LS-24", "LS-62")
@EVERY
def test_who_was_dealt_a_card_has_one(walk: Walk) -> None:
    """Everybody whom the deal has reached, and who is not out since, has one card; nobody else has any."""
    for deal in deals(walk):
        holding: set[Seat] = set()
        for step in deal:
            holding = (holding | set(seats(of(step, "dealt")))) - set(seats(of(step, "set_aside")))
            assert holding == {place for place, held in enumerate(step.after.held) if held}


@pytest.mark.clause("CU-33", "CU-34", "CU-45", "CU-60", "LS-34", "LS-43", "LS-45", "LS-65")
@EVERY
def test_everybody_decides_once(walk: Walk) -> None:
    """At most one turn each, in the order of speech; who had none holds a jumped horse; the dealer is last."""
    for deal in deals(walk):
        order = deal[0].after.order
        spoken = [step.actor for step in deal if step.move.verb in ("keep", "exchange", "draw")]
        assert [place for place in order if place in spoken] == spoken
        if any(of(step, "card_revealed") for step in deal):
            assert order[-1] == spoken[-1]
            assert set(order) - set(spoken) == {event.other for step in deal for event in of(step, "horse_jumped")}


@pytest.mark.clause("CU-33", "CU-66", "LS-33", "LS-68")
@EVERY
def test_one_decider(walk: Walk) -> None:
    """There is exactly one decider, who has a legal move, and nobody else has any."""
    for p in walk.positions:
        if p.phase not in BETWEEN:
            decider = [place for place in range(walk.game.seats) if legal_moves(walk.game, p, place)]
            assert [walk.game.turn(p)] == decider


@pytest.mark.clause("CU-7", "CU-99", "LS-63", "LS-99")
@EVERY
def test_a_game_has_one_winner(walk: Walk) -> None:
    """A game is over when one player has tokens and nobody is left who may buy himself back; that one has won."""
    for p in walk.positions:
        left = {place for place, tokens in enumerate(p.match_state.tokens) if tokens}
        agreeing = *BETWEEN, "agreement_offer", "agreement_answer"
        asked = p.phase in ("reentry", "reentry_now") or p.phase not in agreeing
        assert walk.game.is_finished(p) == (len(left) == 1 and not asked)
        assert (left if walk.game.is_finished(p) else None) == walk.game.outcome(p)
        assert p.match_state.pool <= MAX_MONEY == 2**53 - 1


@pytest.mark.clause("CU-56", "CU-74")
@pytest.mark.parametrize("table", CUCU, ids=name)
def test_nobody_loses_a_token_with_a_cuckoo(table: RuleSet) -> None:
    """CU-I19: who has a cuckoo loses no token; under the narrow reading he loses none for it in the comparison."""
    walk = walked(table, "three")
    assert isinstance(walk.game, Rules)
    for step in walk.steps:
        for event in of(step, "token_lost"):
            lying = step.before if event.word in ("hunter", "cat") else step.after
            held = lying.held[event.seat or 0]
            assert held is not None
            assert held.card.rank != "XV" or not (walk.game.protectors or event.word in ("low", "matto"))


@pytest.mark.clause("LS-69", "LS-110")
@pytest.mark.parametrize("table", LU_STU, ids=name)
def test_order_of_the_events(table: RuleSet) -> None:
    """Showdown, gains in order of speech, a loss for each losing card in that order, then who is out, then the end."""
    ranks = {
        "card_replaced": 1, "card_revealed": 2, "token_gained": 3, "token_lost": 4, "all_reentered": 5, "eliminated": 5,
    }  # fmt: skip
    last = {"dealer_set": 6, "prize_paid": 6}
    for step in (step for step in walked(table, "one").steps if of(step, "card_revealed")):
        kinds = [(ranks | last)[event.kind] for event in step.events if event.kind not in UNWRITTEN]
        assert sorted(kinds) == kinds
        for kind in ("card_revealed", "token_gained", "eliminated"):
            places = [step.before.order.index(seat) for seat in seats(of(step, kind))]
            assert sorted(places) == places
        assert 6 not in kinds or (step.after.phase in BETWEEN and settled(step))


def settled(step: Step) -> bool:
    """Whether a deal ends with one next dealer, or with prizes, each person named once, nobody with nothing."""
    if step.after.phase == "new_deal":
        return [step.after.match_state.dealer] == seats(of(step, "dealer_set"))
    prizes = [event.shares[0] for event in of(step, "prize_paid")]
    return len({person for person, _ in prizes}) == len(prizes) and all(amount > 0 for _, amount in prizes)


# ---------------------------------------------------------------------- who sees what


class Lying(NamedTuple):
    """A card before a seat as the rule book says it lies: whether everybody sees it."""

    card: Card
    is_open: bool = False


class Watcher:
    """An independent record of the deal: from the referee's events it derives what each viewer must see."""

    def __init__(self) -> None:
        self.before: dict[Seat, Lying] = {}
        self.aside: list[tuple[Seat, Lying]] = []

    def event_for(self, event: Event) -> None:
        seat, other = event.seat, event.other
        if event.kind == "deal_started":
            self.before, self.aside = {}, []
        elif seat is None:
            return
        elif event.kind in ("dealt", "card_replaced"):
            if event.kind == "card_replaced":
                self.aside.append((seat, self.before[seat]))
            self.before[seat] = Lying(event.cards[0])
        elif event.kind in ("swapped", "swap_undone", "swap_reversed") and other is not None:
            self.before[seat], self.before[other] = self.before[other], self.before[seat]
            assert event.cards == (self.before[seat].card, self.before[other].card)
        elif event.kind in ("card_shown", "inn_announced", "card_revealed"):
            self.before[seat] = self.before[seat]._replace(is_open=True)
            assert (event.word or event.cards[0]) == self.before[seat].card
        elif event.kind == "set_aside":
            self.aside.append((seat, self.before.pop(seat)))

    def sees(self, viewer: Viewer) -> tuple[dict[Seat, Card], list[tuple[Seat, tuple[Card, ...]]]]:
        """What the viewer must see: cards before seats, and cards aside."""
        hands = {seat: lying.card for seat, lying in self.before.items() if lying.is_open or viewer in (seat, REFEREE)}
        return hands, [
            (place, (lying.card,) if lying.is_open or viewer in (place, REFEREE) else ()) for place, lying in self.aside
        ]


@pytest.mark.unmeasured
@pytest.mark.clause("CU-65", "CU-67", "LS-67", "LS-68", "LS-69", "LS-70")
@EVERY
def test_everybody_sees_what_he_may(walk: Walk) -> None:
    """A seat sees its own card and what was shown, named or turned up; the public only that, the referee all."""
    watcher = Watcher()
    for step in walk.steps:
        for event in step.events:
            watcher.event_for(event)
            two = {event.seat, event.other}
            knowing = {"dealt": {event.seat}, "card_replaced": {event.seat}}.get(event.kind)
            knowing = two if event.kind in ("swapped", "swap_undone", "swap_reversed") else knowing
            for viewer in (None, *range(walk.game.seats)):
                private = knowing is not None and viewer not in knowing
                hidden = event._replace(cards=(), hidden=len(event.cards))
                assert (hidden if private else event) == visible_to(event, viewer)
        for viewer in (None, REFEREE, *range(walk.game.seats)):
            zones = view_for(walk.game, step.after, viewer).zones
            hands = {zone.seat: zone.cards[0] for zone in zones if zone.name == "hand" and zone.cards}
            aside = [(zone.seat, zone.cards) for zone in zones if zone.name == "aside"]
            assert watcher.sees(viewer) == (hands, aside)
            assert all(viewer == REFEREE or not zone.cards for zone in zones if zone.name == "pack")
