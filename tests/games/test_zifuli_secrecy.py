"""Zifuli: no view, event or legal move tells where the other copy of the called face lies."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import legal_moves, play, validate_move, view_for, visible_to
from chitarrella.core.model import Seat, Viewer
from chitarrella.tricks.auction import ally, soloist
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.walks import Step, known_walk, name, universe

DEALS = 6
WALKS = [
    RuleSet("zifuli", 5, (("match_deals", "6"),)),
    RuleSet("zifuli", 5, (("bidding_direction", "clockwise"), ("match_deals", "6"))),
]


@pytest.mark.clause("ZI-23", "ZI-18", "ZI-22", "ALL-5")
@pytest.mark.parametrize("rule_set", WALKS, ids=name)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_no_view_depends_on_where_the_other_copy_lies(rule_set: RuleSet, seed: str) -> None:
    """ZI-I8: put it into another hand, also out of a lone caller's; the others see no difference."""
    walk = known_walk(rule_set, seed, DEALS, 6)
    game, rng, compared = walk.game, Random(0), 0
    assert isinstance(game, TrickGame)
    for step in walk.steps:
        if rng.random() < 0.5:
            continue
        for twin, viewer in twins(game, step.before, rng):
            compared += 1
            compare(game, step, twin, viewer, rng)
    assert compared > 30


def twins(game: TrickGame, p: Table, rng: Random) -> Iterator[tuple[Table, tuple[Viewer, ...]]]:
    """Exchange the other copy for a card of its suit in each other hand; the viewers see neither hand."""
    face, caller = p.own.called(game, p), p.own.talk.bidder
    if not face or p.phase != "play" or ally(game, p).known:
        return
    said = {bid.word for bid in p.own.talk.bids}
    places = [place for place, hand in enumerate(p.hands) if face in hand and (place != caller or alone(game, p))]
    for holder in places:
        for other in {0, 1, 2, 3, 4} - {holder, caller}:
            offers = [card for card in p.hands[other] if card not in said and game.suit[card] == game.suit[face]]
            if offers:
                card = rng.choice(offers)
                hands = list(p.hands)
                hands[holder], hands[other] = given(hands[holder], face, card), given(hands[other], card, face)
                twin = game.decode(game.encode(p._replace(hands=tuple(hands))))
                yield twin, (None, *(place for place in range(5) if place not in (holder, other)))


def alone(game: TrickGame, p: Table) -> bool:
    """Whether the caller has no ally."""
    return ally(game, p).seat == soloist(p)


def given(hand: Hand, old: Card, new: Card) -> Hand:
    """Put a card into the place of one copy of another."""
    at = hand.index(old)
    return (*hand[:at], new, *hand[at + 1 :])


def compare(game: TrickGame, step: Step, twin: Table, viewer: tuple[Viewer, ...], rng: Random) -> None:
    """Hold the table of a step against its twin, before and after the step, through each of the viewers."""
    p, seats = step.before, [each for each in viewer if each is not None]
    for each in viewer:
        assert view_for(game, p, each) == view_for(game, twin, each)
    for place in seats:
        assert legal_moves(game, p, place) == legal_moves(game, twin, place)
        for move in universe(game, rng, 12):
            assert validate_move(game, p, place, move) == validate_move(game, twin, place, move)
    if step.actor in seats and not ends_deal(p):
        one, two = (play(game, table, step.actor, step.move) for table in (p, twin))
        for each in viewer:
            assert view_for(game, one[0], each) == view_for(game, two[0], each)
            assert [visible_to(event, each) for event in one[1]] == [visible_to(event, each) for event in two[1]]


def ends_deal(p: Table) -> bool:
    """Whether the next card is the last."""
    return sum(map(len, p.hands)) == 1


@pytest.mark.clause("ZI-23", "ZI-11", "ZI-16")
def test_auction_reveals_only_the_bids() -> None:
    """Before the call nobody's view holds more than bids: whether somebody could have called is nowhere to be seen."""
    walk = known_walk(WALKS[0], "one", DEALS, 6)
    seen: set[str] = set()
    for p in walk.positions:
        if p.phase == "auction":
            for place in range(5):
                view = view_for(walk.game, p, place)
                seen |= {fact.name for fact in view.facts}
                others: list[Seat | None] = [zone.seat for zone in view.zones if zone.cards and zone.name == "hand"]
                assert [place] == others
    assert {"bid", "bidder", "deal", "dealer", "stock", "half_points", "units"} == seen
