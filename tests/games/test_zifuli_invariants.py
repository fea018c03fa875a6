"""Zifuli: what is true of every deal, held against deals played at random (ZI-I1 to ZI-I12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Card, Hand
from chitarrella.core.game import legal_moves, play, validate_move, view_for, visible_to
from chitarrella.core.model import Seat, Viewer
from chitarrella.tricks.auction import Ally, ally, soloist
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.table import seat
from tests.games.support.zifuli_tables import deal_table
from tests.walks import Step, Walk, known_walk, name, universe

DEALS = 6
TABLES = [
    RuleSet("zifuli", 5, (("match_deals", "6"),)),
    RuleSet("zifuli", 5, (("bidding_direction", "clockwise"), ("match_deals", "6"), ("stake", "3"))),
]
EVERY = pytest.mark.parametrize(
    "walk",
    [pytest.param((table, seed), id=f"{name(table)}-{seed}") for table in TABLES for seed in ("one", "two", "three")],
    indirect=True,
)
ORDER = {
    "numbers": ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"],
    "pictures": ["MAS", "SEC", "NUL", "MAT", "XI", "XII", "XIII", "XIV", "XV", "LEO"],
}


@pytest.fixture
def walk(request: pytest.FixtureRequest) -> Walk:
    """Play some deals of a rule set."""
    rule_set, seed = request.param
    return known_walk(rule_set, seed, DEALS, 6)


def game_of(walk: Walk) -> TrickGame:
    """The game of a walk."""
    assert isinstance(walk.game, TrickGame)
    return walk.game


def running(walk: Walk) -> list[Table]:
    """The positions in which somebody is to play."""
    return [p for p in walk.positions if p.phase == "play"]


def ended(walk: Walk) -> list[Step]:
    """The last card of each deal."""
    return [step for step in walk.steps if step.before.phase == "play" != step.after.phase]


def by_deal(walk: Walk) -> Iterator[list[Step]]:
    """Go through the walk deal by deal."""
    deal: list[Step] = []
    for step in walk.steps:
        if step.move.verb == "start_deal" and deal:
            yield deal
            deal = []
        deal.append(step)
    yield deal


@pytest.mark.clause("ZI-2", "ZI-5", "ZI-20")
@EVERY
def test_forty_cards(walk: Walk) -> None:
    """ZI-I1: hands, trick and tricks are the forty cards, each face twice; hands are level between tricks."""
    for p in running(walk) + [step.after for step in ended(walk)]:
        cards = Counter([*p.trick, *(card for hand in p.hands for card in hand)])
        cards.update(card for trick in p.tricks for card in trick.cards)
        assert dict.fromkeys(game_of(walk).pack.faces.values(), 2) == cards
        if not p.trick:
            assert {8 - len(p.tricks)} == {len(hand) for hand in p.hands}


@pytest.mark.clause("ZI-8", "ZI-9", "ZI-10", "ZI-14")
@EVERY
def test_auctions(walk: Walk) -> None:
    """ZI-I2, ZI-I3: calls of one suit, falling, of faces held; ten at most; nobody speaks after his pass (ZI-R8)."""
    calls = 0
    for step in walk.steps:
        if step.move.verb == "call_card":
            assert step.move.cards[0] in step.before.hands[step.actor]
            calls += 1
        said = step.after.own.talk.bids
        assert not [bid for at, bid in enumerate(said) if bid.seat in {old.seat for old in said[:at] if not old.word}]
        words = [bid.word for bid in said if bid.word]
        (suit,) = [order for order in ORDER.values() if set(words) <= set(order)][:1]
        assert all(suit.index(after) < suit.index(before) for before, after in pairwise(words))
        assert (len(words) <= 10, len(said) - len(words) <= 5) == (True, True)
    assert calls > 0


@pytest.mark.clause("ZI-15", "ZI-18")
@EVERY
def test_one_caller_and_his_ally(walk: Walk) -> None:
    """ZI-I4: a deal is passed out, or the caller has one ally, or he holds both copies and is alone."""
    for deal in by_deal(walk):
        (first,) = [step.after for step in deal if step.before.phase == "auction" != step.after.phase] or [None]
        if first is None or first.phase != "play":
            continue
        game = game_of(walk)
        called, caller = first.own.called(game, first), first.own.talk.bidder
        holders = [place for place, hand in enumerate(first.hands) for card in hand if card == called]
        assert 2 == len(holders)
        friend = next((place for place in holders if place != caller), caller)
        assert (Ally(friend, known=False), 1 + (friend == caller)) == (ally(game, first), holders.count(caller))


@pytest.mark.clause("ZI-4", "ZI-25", "ZI-26", "ZI-27")
@EVERY
def test_counts_and_payments(walk: Walk) -> None:
    """ZI-I5, ZI-I6, ZI-I11: 38 and 82 in all, payments of the one table, and balances that add up to nothing."""
    game, stake = game_of(walk), int(dict(walk.rule_set.options).get("stake", "1"))
    balance = [0] * 5
    for step in ended(walk):
        p = step.after
        assert [(38, 82)] == [tuple(sum(game.card_points(p, place)) for place in (0, 1))]
        (scored,) = [event for event in step.events if event.kind == "deal_scored"]
        amounts = [amount for _, amount in scored.shares]
        patterns = ([-2, -1, 1, 1, 1], [-1, -1, -1, 1, 2], [-8, 2, 2, 2, 2], [-2, -2, -2, -2, 8])
        pattern = sorted(amount // stake for amount in amounts)
        assert pattern in patterns if any(amounts) else drawn(game, p)
        assert 0 == sum(amounts) == sum(amount % stake for amount in amounts)
        balance = [old + new for old, new in zip(balance, amounts, strict=True)]
        assert tuple(balance) == game.scores(p)


def drawn(game: TrickGame, p: Table) -> bool:
    """Whether the caller's side has 19 half-points and 41 units."""
    side = {p.own.talk.bidder, ally(game, p).seat}
    return [19, 41] == [sum(game.card_points(p, place)[who] for who in side if who is not None) for place in (0, 1)]


@pytest.mark.clause("ZI-21", "ZI-18")
@EVERY
def test_sides_are_an_event_once(walk: Walk) -> None:
    """ZI-I7, ZI-R20: once in every deal that is played, at the card of the clause, which is the called one."""
    kinds = ("ally_revealed", "alone_revealed")
    for deal in by_deal(walk):
        events_text = [(step, event) for step in deal for event in step.events if event.kind in kinds]
        played = [step for step in deal if step.move.verb == "play_card"]
        assert len(events_text) == bool(played)
        for step, event in events_text:
            copies = [each for each in played if each.move.cards[0] == step.before.own.talk.bid]
            others = [each for each in copies if each.actor != step.before.own.talk.bidder]
            assert (others or copies)[-1] == step
            assert step.actor == event.seat
            public = [each for each in played if public_events(game_of(walk), each.after)]
            assert played[played.index(step) :] == public


def public_events(game: TrickGame, p: Table) -> bool:
    """Whether the public knows the sides."""
    return any(fact.name == "ally" for fact in view_for(game, p, None).facts)


@pytest.mark.clause("ZI-9", "ZI-10", "ZI-16", "ZI-20")
@EVERY
def test_legal_moves(walk: Walk) -> None:
    """ZI-I9: calls are of the own hand, a pass is always there, and nobody on turn is without a move."""
    for p in walk.positions:
        turn = walk.game.turn(p)
        if turn is None or turn < 0:
            continue
        moves = legal_moves(walk.game, p, turn)
        assert moves
        assert {card for move in moves for card in move.cards} <= set(p.hands[turn])
        if p.phase == "auction":
            assert "pass_bid" in [move.verb for move in moves]


@pytest.mark.clause("ZI-19", "ZI-20")
@EVERY
def test_plays_do_not_depend_on_the_call(walk: Walk) -> None:
    """ZI-I10: with another caller of another face the same cards may be played."""
    compared = 0
    for p in running(walk):
        if p.tricks or p.trick:
            continue
        eldest = walk.game.turn(p) or 0
        other = next(card for card in p.hands[eldest] if card != p.own.talk.bid)
        (row,) = [order for order in ORDER.values() if other in order]
        q = deal_table({place: " ".join(hand) for place, hand in enumerate(p.hands)}, p.match_state.dealer).p
        game = seat("zifuli", first_dealer=str(p.match_state.dealer))
        q, _ = play(game, q, eldest, next(m for m in legal_moves(game, q, eldest) if m.cards == (other,)))
        while q.phase == "auction":
            turn = game.turn(q)
            q, _ = play(game, q, turn or 0, legal_moves(game, q, turn or 0)[-1])
        compared += q.own.talk.bid == other or other == row[0]
        assert legal_moves(walk.game, p, eldest) == legal_moves(game, q, eldest)
    assert compared > 0


@pytest.mark.clause("ZI-7", "ZI-20", "ZI-27")
@EVERY
def test_the_direction_has_no_effect_after_the_auction(walk: Walk) -> None:
    """ZI-I12: the same hands, caller and face, named in either direction, give the same plays and payments."""
    deal = next(deal for deal in by_deal(walk) if deal[-1].before.phase == "play")
    dealer, pack = deal[0].before.match_state.dealer, deal[0].move.cards
    caller, face = deal[-1].before.own.talk.best
    cards = [(step.actor, step.move) for step in deal if step.move.verb == "play_card"]
    ends = []
    for direction in ("anticlockwise", "clockwise"):
        game = seat("zifuli", first_dealer=str(dealer), bidding_direction=direction)
        p, _ = play(game, game.start(), -1, deal[0].move._replace(cards=pack))
        while p.phase == "auction":
            turn = game.turn(p) or 0
            wanted = ("call_card", (face,)) if turn == caller else ("pass_bid", ())
            p, _ = play(game, p, turn, next(m for m in legal_moves(game, p, turn) if (m.verb, m.cards) == wanted))
        listed, announcements = [], []
        for actor, move in cards:
            listed.append(legal_moves(game, p, actor))
            p, events = play(game, p, actor, move)
            announcements.append(events)
        ends.append((listed, announcements, game.scores(p)))
    assert ends[0] == ends[1]


# ---------------------------------------------------------------------- zifuli secrecy


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
            offers = [
                card for card in p.hands[other] if card not in said and game.cards.suit[card] == game.cards.suit[face]
            ]
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
