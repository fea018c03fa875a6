"""Briscola Chiamata: the ally whom nobody knows, the play, and a complete deal (clauses BC-5.8 to BC-6.1)."""

from __future__ import annotations

import re
from random import Random

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, play, validate_move, view_for, visible_to
from chitarrella.core.model import REFEREE, Seat, Viewer
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.table import Table
from tests.games.support.chiamata_tables import chiamata, scored, talk
from tests.games.support.examples import HAND, TRICK, blocks
from tests.games.support.table import Match, events_of, facts, first_cards, pack_for, reveals, seat, worth
from tests.walks import accepted, known_walk, name, universe

SWORDS = {
    0: "As 3s Rs Cs Fs 7s 6s 5s",
    1: "5b 4b 2b 4s 2s Ad 3d Rd",
    2: "Ac 3c Rc Cc Fc Cd Fd 7d",
    3: "4d Ab 3b Rb Cb Fb 7b 6b",
    4: "7c 6c 5c 4c 2c 6d 5d 2d",
}
"""Seat 0 leads swords and wins with them as long as nobody plays a coin."""


def events_before(match: Match) -> dict[Viewer, dict[Seat | None, str | int]]:
    """What each viewer knows of the ally."""
    return {viewer: facts(match.view(viewer), "ally") for viewer in (None, REFEREE, *range(match.game.seats))}


def swords(hands: dict[int, str]) -> Match:
    """Deal those hands; s2 calls the Four of coins; four tricks of swords without a coin."""
    match = chiamata(first_dealer="4")
    match.deal(pack_for(match.game, hands, dealer=4))
    talk(match, "0 R, 1 pass, 2 4, 3 pass, 4 pass, 0 pass")
    match.say(2, "announce_trump d")
    for place in range(4):
        match.play(f"0 {SWORDS[0].split()[place]}")
        for other in (1, 2, 3, 4):
            match.play(f"{other} {next(card for card in match.p.hands[other] if card.suit != 'd')}")
    return match


@pytest.mark.clause("BC-5.8", "BC-5.10")
def test_the_ally_is_secret_until_the_card_falls() -> None:
    """BC-EX7: s3 holds 4d and alone knows, also the soloist does not, till s3 ruffs in trick 5 (BC-R25, BC-R26)."""
    match = swords(SWORDS)
    assert [{}, {}, {}, {3: 3}, {}, {}, {3: 3}] == [
        events_before(match)[viewer] for viewer in (0, 1, 2, 3, 4, None, REFEREE)
    ]
    match.play("0 Fs, 1 Ad, 2 Fc")
    assert ({}, []) == (events_before(match)[2], reveals(match))
    match.play("3 4d")
    assert [("ally_revealed", 3, 2)] == reveals(match)
    assert [{3: 3}] * 7 == list(events_before(match).values())
    match.play("4 2d")
    assert (1, [{3: 3}] * 7) == (match.p.tricks[-1].winner, list(events_before(match).values()))


@pytest.mark.clause("BC-5.8", "BC-5.10", "ALL-5")
@pytest.mark.parametrize("holder", [1, 4])
def test_the_called_card_in_another_hand_looks_the_same(holder: Seat) -> None:
    """With 4d in the hand of another seat, whoever holds neither card sees no difference."""
    swap = {"4d": "5d", "5d": "4d"} if holder == 4 else {"4d": "Ad", "Ad": "4d"}
    other = {place: " ".join(swap.get(card, card) for card in hand.split()) for place, hand in SWORDS.items()}
    one, two = swords(SWORDS), swords(other)
    assert [{3: 3}, {holder: holder}] == [facts(match.view(REFEREE), "ally") for match in (one, two)]
    for viewer in (None, *({0, 1, 2, 4} - {holder})):
        assert one.view(viewer) == two.view(viewer)
        assert [visible_to(event, viewer) for event in one.events] == [
            visible_to(event, viewer) for event in two.events
        ]


@pytest.mark.clause("BC-5.8", "BC-5.10")
def test_a_soloist_may_call_his_own_card() -> None:
    """BC-EX8: s1 calls Fb and holds it: he knows; for s0, s2 and s3 it is as if s4 held it, until he plays it."""
    views = []
    for held in (1, 4):
        match = chiamata(first_dealer="4")
        mine, theirs = ("Fb", "Fc") if held == 1 else ("Fc", "Fb")
        match.deal(pack_for(match.game, {1: f"{mine} 2c", 4: f"{theirs} 2d", 0: "Ab 3b"}, dealer=4))
        talk(match, "0 pass, 1 F, 2 pass, 3 pass, 4 pass")
        match.say(1, "announce_trump b")
        assert {held: held} == facts(match.view(held), "ally")
        views.append([match.view(viewer) for viewer in (0, 2, 3, None)])
        match.play("0 Ab")
        if held == 1:
            assert {} == facts(match.view(4), "ally")
            assert [{}, {1: 1}] == [facts(match.view(viewer), "alone") for viewer in (4, 1)]
            assert [] == reveals(match)
            match.play("1 Fb")
            assert [{1: 1}] * 5 == [facts(match.view(viewer), "ally") for viewer in range(5)]
            assert [{1: 1}] * 5 == [facts(match.view(viewer), "alone") for viewer in range(5)]
            assert [("alone_revealed", 1, None)] == reveals(match)
    assert views[0] == views[1]


def holder_of(p: Table, called: str) -> Seat | None:
    """The seat that has not yet played the called card."""
    return next((place for place, hand in enumerate(p.hands) if called in hand), None)


WALKS = [
    *(RuleSet("briscola-chiamata", players) for players in (4, 5)),
    RuleSet("briscola-chiamata", 5, (("variant_a", "true"),)),
    RuleSet("briscola-chiamata", 5, (("first_lead", "soloist"),)),
]


@pytest.mark.clause("BC-5.8", "BC-5.10", "BC-5.11", "ALL-5")
@pytest.mark.parametrize("rule_set", WALKS, ids=name)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_no_view_depends_on_where_the_called_card_lies(rule_set: RuleSet, seed: str) -> None:
    """BC 7: put the called card into any other hand; whoever holds neither card sees no difference."""
    walk = known_walk(rule_set, seed, 2, 6)
    game, rng, compared = walk.game, Random(0), 0
    assert isinstance(game, TrickGame)
    for step in walk.steps:
        p = step.before
        called = p.own.called(game, p)
        holder = holder_of(p, called) if called and p.phase == "play" else None
        if holder is None or rng.random() < 0.6:
            continue
        for other in (place for place, hand in enumerate(p.hands) if place != holder and hand):
            card = rng.choice(p.hands[other])
            exchanged = {game.pack.card(called): card, card: game.pack.card(called)}
            hands = tuple(tuple(exchanged.get(each, each) for each in hand) for hand in p.hands)
            twin = game.decode(game.encode(p._replace(hands=hands)))
            for viewer in (None, *(place for place in range(game.seats) if place not in (holder, other))):
                compared += 1
                assert view_for(game, p, viewer) == view_for(game, twin, viewer)
                if viewer is not None:
                    assert legal_moves(game, p, viewer) == legal_moves(game, twin, viewer)
                    for move in universe(game, rng, 12):
                        assert validate_move(game, p, viewer, move) == validate_move(game, twin, viewer, move)
                if step.actor not in (holder, other) and any(p.hands[holder][1:]):
                    both = [play(game, table, step.actor, step.move) for table in (p, twin)]
                    assert view_for(game, both[0][0], viewer) == view_for(game, both[1][0], viewer)
                    assert [visible_to(e, viewer) for e in both[0][1]] == [visible_to(e, viewer) for e in both[1][1]]
    assert compared > 20


@pytest.mark.clause("BC-5.10", "ALL-5")
def test_no_totals_by_side_before_the_end() -> None:
    """Points are told seat by seat, and what the sides have together only when the deal is over (BC-R31)."""
    match = swords(SWORDS)
    for viewer in (None, *range(5)):
        counted = facts(match.view(viewer), "card_points")
        assert dict(enumerate(match.game.points(match.p))) == counted
    assert not [event for event in match.events if event.kind in ("deal_counted", "contract_made", "contract_lost")]


@pytest.mark.clause("BC-5.10", "ALL-6", "ALL-7")
def test_views_at_the_end_of_a_deal() -> None:
    """After the deal auction, contract, ally and tricks stay in view for all until the next pack is dealt."""
    match = swords(SWORDS)
    first_cards(match, 4)
    assert ("await_deal", 0) == (match.p.phase, match.p.match_state.dealer)
    for viewer in (None, *range(5)):
        view = match.view(viewer)
        assert ({3: 3}, {2: "4d"}, {2: 61}, {2: 2}) == tuple(
            facts(view, name) for name in ("ally", "called_card", "required", "bidder")
        )
        assert 8 == sum(each.name == "taken" for each in view.zones)
        assert 120 == sum(int(points) for points in facts(view, "card_points").values())
    match.deal(match.game.pack.cards)
    assert [{}] * 4 == [facts(match.view(REFEREE), name) for name in ("ally", "called_card", "required", "bid")]


@pytest.mark.clause("BC-5.9", "BC-6.1")
def test_free_play() -> None:
    """BC-EX14: trump d, led As; 3s, 2d and Fb may all be played, and 7d takes 23 (BC-R14, BC-R15)."""
    match = chiamata(first_dealer="4")
    match.deal(pack_for(match.game, {0: "As", 1: "3s 2d Fb", 2: "6b", 3: "2c", 4: "7d"}, dealer=4))
    talk(match, "0 2")
    match.say(0, "announce_trump d")
    match.play("0 As")
    assert {"play_card 3s", "play_card 2d", "play_card Fb"} <= set(match.moves(1))
    assert 8 == len(match.moves(1))
    again = chiamata(first_dealer="4")
    again.deal(pack_for(again.game, {0: "As", 1: "3s", 2: "Fb", 3: "2d", 4: "7d"}, dealer=4))
    talk(again, "0 2")
    again.say(0, "announce_trump d")
    assert (4, 23) == again.one_trick("0 As, 1 3s, 2 Fb, 3 2d, 4 7d")


@pytest.mark.clause("BC-5.9", "BC-5.3", "BC-5.2", "BC-3.1", "BC-4.1")
@pytest.mark.parametrize("rule_set", WALKS, ids=name)
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_invariants(rule_set: RuleSet, seed: str) -> None:
    """BC 1 to 6, 8: cards, one called card, falling bids, silent passes, points, tricks, scores, free play."""
    walk = known_walk(rule_set, seed, 2, 6)
    game = walk.game
    assert isinstance(game, TrickGame)
    ladder = [*game.order.ranks, *map(str, range(66, 117, 5))]
    for step in walk.steps:
        p: Table = step.after
        bids = [ladder.index(bid.word) for bid in p.own.talk.bids if bid.word]
        assert sorted(set(bids)) == bids
        spoke_after = [bid for at, bid in enumerate(p.own.talk.bids) if bid.seat in passed(p, at)]
        assert not spoke_after
        if p.phase == "play" and not p.tricks and not p.trick:
            assert {40 // game.seats} == {len(hand) for hand in p.hands}
            assert 1 == sum(hand.count(p.own.called(game, p)) for hand in p.hands)
        if p.phase == "play":
            turn = game.turn(p)
            assert turn is not None
            assert set(p.hands[turn]) == {move.cards[0] for move in accepted(game, p, turn)}
        for event in step.events:
            if event.kind == "deal_scored" and p.tricks:
                assert (120, 40 // game.seats) == (sum(game.points(p)), len(p.tricks))
                total = sum(amount for _, amount in event.shares)
                assert total == 0 if game.seats == 5 else abs(total) in (1, 2)


def passed(p: Table, at: int) -> set[Seat]:
    """The seats that have passed before the word number ``at``."""
    return {bid.seat for bid in p.own.talk.bids[:at] if not bid.word}


@pytest.mark.clause("BC-4.1", "BC-5.3", "BC-5.7", "BC-5.8", "BC-5.9", "BC-6.1", "BC-7.2")
def test_a_complete_deal() -> None:
    """BC-EX15: hands, auction, every trick with its winner and worth, the ally known in trick 6, and the scores."""
    (block,) = blocks("briscola-chiamata.txt")
    text = "\n".join(block.lines)
    match = Match(seat("briscola-chiamata", 5, first_dealer="2"))
    match.deal(match.game.pack.hand(block.lines[1].partition(": ")[2].split()))
    deal_table = [(event.seat, event.cards) for event in events_of(match, "dealt")]
    assert [(int(who), tuple(hand.split())) for who, hand in HAND.findall(text)] == deal_table
    auction = next(line for line in block.lines if line.startswith("auction")).partition(";")[0]
    said = re.findall(r"s(\d) (?:passes|bids (\w+))", auction)
    talk(match, ", ".join(f"{who} {bid or 'pass'}" for who, bid in said))
    assert (1, "3") == (match.game.turn(match.p), match.p.own.rank)
    match.say(1, "announce_trump c")
    known = []
    for plays, winner, points, _, _ in TRICK.findall(text):
        match.play(re.sub(r"s(\d) ", r"\1 ", plays))
        trick = match.p.tricks[-1]
        assert (int(winner), int(points)) == (trick.winner, worth(match.game, trick.cards))
        known.append(facts(match.view(None), "ally"))
    assert [{}] * 5 + [{0: 0}] * 3 == known
    taken = match.game.points(match.p)
    assert (83, 5) == (taken[0] + taken[1], sum(trick.winner in (0, 1) for trick in match.p.tricks))
    assert (1, 2, -1, -1, -1) == scored(match) == match.game.scores(match.p)
    assert ("await_deal", 3) == (match.p.phase, match.p.match_state.dealer)
