"""Harjan: how a game is won, a complete deal, and what is true of every deal (clauses HA-5.7 and HA-7)."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.core.model import CHANCE, REFEREE, Move
from chitarrella.core.notation import make_move
from chitarrella.games.harjan import legal_leads
from chitarrella.games.hundredogen import JACKS
from chitarrella.tricks.game import TrickGame
from tests.games.support.examples import blocks
from tests.games.support.harjan_tables import finish, laid, lead, trick
from tests.games.support.table import Match, events_of, facts, pack_for, seat, table, zone
from tests.walks import Walk, known_walk


def game(first_dealer: int = 1, /, **options: str) -> TrickGame:
    """Seat Harjan; s1 deals first, so that s0 leads."""
    return seat("harjan", first_dealer=str(first_dealer), **options)


# ---------------------------------------------------------------------- games


@pytest.mark.clause("HA-7.1", "HA-7.2", "HA-7.4")
@pytest.mark.parametrize(
    ("deals", "worthless", "games", "totals"),
    [
        pytest.param([121], False, (2, 0), (121, 29), id="HA-EX12a"),
        pytest.param([150], False, (3, 0), (150, 0), id="HA-EX12b"),
        pytest.param([150], True, (2, 0), (150, 0), id="HA-EX12c"),
        pytest.param([120], False, (0, 0), (120, 30), id="HA-EX12d/1"),
        pytest.param([120, 40], False, (1, 0), (160, 140), id="HA-EX12d"),
        pytest.param([120, 30], False, (0, 0), (150, 150), id="HA-EX12e"),
        pytest.param([120, 30, 76], False, (1, 0), (226, 224), id="HA-EX12e/2"),
        pytest.param([120, 150], False, (1, 0), (270, 30), id="HA-EX15"),
        pytest.param([0], False, (0, 3), (0, 150), id="harjan for s1"),
        pytest.param([29], False, (0, 2), (29, 121), id="jan for s1"),
    ],
)
def test_games(deals: list[int], worthless: bool, games: tuple[int, int], totals: tuple[int, int]) -> None:
    """HA-EX12, EX15: who wins a game after which deals, and what it counts (HA-R21 to HA-R25)."""
    match = Match(game())
    for first in deals:
        assert "await_deal" == match.p.phase
        finish(match, first, worthless=worthless)
    assert (games, totals) == (match.game.scores(match.p), match.p.match_state.totals)
    assert ("game_over" if any(games) else "await_deal", CHANCE) == (match.p.phase, match.game.turn(match.p))
    won = [(event.seat, event.amount) for event in events_of(match, "game_won", None)]
    assert [(place, worth) for place, worth in enumerate(games) if worth] == won
    assert match.game.outcome(match.p) is None


@pytest.mark.clause("HA-7.5", "HA-5.1", "HA-4.5", "ALL-6", "ALL-7")
@pytest.mark.parametrize(("second", "games"), [(150, (5, 0)), (0, (2, 3))])
def test_a_second_game(second: int, games: tuple[int, int]) -> None:
    """HA-EX16: the next pack opens a game from nothing, the deal goes on alternating (HA-R30, HA-R34)."""
    match = finish(Match(game(0)), 121)
    assert ("game_over", (121, 29), 1) == (match.p.phase, match.p.match_state.totals, match.p.match_state.dealer)
    for viewer in (None, 0, 1):
        assert ({0: 121, 1: 29}, {0: 2, 1: 0}) == (
            facts(match.view(viewer), "total"),
            facts(match.view(viewer), "games"),
        )
    match.deal(match.game.pack.cards)
    assert ((0, 0), (0, 0), (2, 0)) == (
        match.p.match_state.totals,
        match.p.own.tricks_before,
        match.game.scores(match.p),
    )
    assert (1, 0) == (match.p.match_state.dealer, match.game.turn(match.p))
    match = finish(finish(Match(game(0)), 121), second)
    assert (games, 0) == (match.game.scores(match.p), match.p.match_state.dealer)


@pytest.mark.clause("HA-7.2", "HA-7.4", "ALL-8")
@pytest.mark.parametrize(
    ("options", "deals", "worthless", "games"),
    [
        ({"target": "200"}, [150], False, (0, 0)),
        ({"target": "200"}, [150, 150], False, (3, 0)),
        ({"target": "20"}, [131], False, (2, 0)),
        ({"target": "20"}, [130], False, (1, 0)),
        ({"jan_threshold": "0"}, [121], False, (1, 0)),
        ({"jan_threshold": "0"}, [150], True, (1, 0)),
        ({"jan_threshold": "0"}, [150], False, (3, 0)),
        ({"jan_threshold": "60"}, [121], False, (2, 0)),
        ({"jan_threshold": "60"}, [110, 100], False, (1, 0)),
        ({"jan_threshold": "default"}, [121], False, (2, 0)),
    ],
)
def test_other_targets(options: dict[str, str], deals: list[int], worthless: bool, games: tuple[int, int]) -> None:
    """HA-EX17: other targets and thresholds; with a small target the threshold is the target (HA-R33)."""
    match = Match(game(**options))
    for first in deals:
        finish(match, first, worthless=worthless)
    assert games == match.game.scores(match.p)


@pytest.mark.clause("HA-7.3", "HA-5.7")
def test_immediate() -> None:
    """HA-EX13: totals 110 to 40; s1 wins 25, 30 and 20 (115), then s0 wins 11: his game at once, one game-point."""
    g = game(target_check="immediate")
    start = g.start()
    start = start._replace(
        match_state=start.match_state._replace(deal=2, totals=(110, 40)), own=start.own._replace(tricks_before=(5, 4))
    )
    taken = [(1, "2c 3c 4c Ac Tc Kc"), (1, "Ad Td Kd Qd Jd 2d"), (1, "Th 2h 6h Ts 6c 7c")]
    hands = ("Ah 9h 8h 3d 4d 2s", "3h 4h 5h 3s 4s 5s")
    match = laid(g, hands, "s", leader=1, stock=None, taken=taken, start=start)
    for viewer in (None, 0, 1):
        assert {0: 0, 1: 75} == facts(match.view(viewer), "card_points")
    assert (0, 11) == trick(match, "3h 4h 5h", "Ah 9h 8h")
    assert ("game_over", (121, 115), (1, 0)) == (match.p.phase, match.p.match_state.totals, g.scores(match.p))
    assert [3, 3, 22] == [len(cards) for cards in (*match.p.hands, match.p.stock)]
    assert [] == [event for event in match.last if event.kind == "card_drawn"]


@pytest.mark.clause("HA-7.3", "HA-4.5")
def test_immediate_and_the_draw() -> None:
    """HA-EX21: the first trick of deal 2 wins the game: nobody draws, no 10 (HA-R26), and the other seat deals next."""
    match = Match(game(0, target_check="immediate"))
    match.p = match.p._replace(
        match_state=match.p.match_state._replace(deal=1, dealer=1, totals=(100, 50)),
        leader=0,
        own=match.p.own._replace(tricks_before=(4, 4)),
    )
    match.deal(pack_for(match.game, {0: "Ah Kh 7h 5c 5d 2s", 1: "Td 2c 3c 4c 6d 7d"}, "8s", dealer=1))
    assert (0, 25) == trick(match, "Ah Kh 7h", "Td 2c 3c")
    assert ("game_over", (125, 50), (1, 0)) == (match.p.phase, match.p.match_state.totals, match.game.scores(match.p))
    assert ([3, 3, 40], 0) == ([len(cards) for cards in (*match.p.hands, match.p.stock)], match.p.match_state.dealer)
    assert match.p == match.game.decode(match.game.encode(match.p))
    for viewer in (None, 1):
        assert () == zone(match.view(viewer), "hand", 0).cards
    match.deal(match.game.pack.cards)
    assert (1, 3) == (match.game.turn(match.p), match.p.match_state.deal)


@pytest.mark.clause("HA-5.7", "ALL-5", "ALL-6")
def test_what_is_seen() -> None:
    """Own hands only; points are told when the deal is over, tricks at once (HA-R27, HA-R32)."""
    match = table(game(), {0: "Ah Kh 7h 5c 5d 2s"}, "8s", dealer=1)
    match.say(0, lead("Ah Kh 7h"))
    for viewer in (None, 0, 1, REFEREE):
        view = match.view(viewer)
        assert (("7h", "Kh", "Ah"), {}) == (zone(view, "trick").cards, facts(view, "card_points"))
        assert [("cards_led", 0, ("7h", "Kh", "Ah"))] == [(e.kind, e.seat, e.cards) for e in match.events_for(viewer)]
        assert (viewer in (0, REFEREE)) == (zone(view, "hand", 0).cards != ())
    match.play_out()
    assert 140 == sum(int(points) for points in facts(match.view(None), "card_points").values())


# ---------------------------------------------------------------------- a complete deal

TRICK = re.compile(r"^ *\d+  s(\d) leads (.+); s(\d) plays (.+) -> s(\d) +(\d+)(?: +draws (.+))?$", re.MULTILINE)


@pytest.mark.clause("HA-4.1", "HA-5.4", "HA-5.5", "HA-6.2", "HA-7.1")
def test_complete_deal() -> None:
    """HA-EX14: the deal as the specification tells it, trick by trick, 73 to 77."""
    (block,) = blocks("harjan.txt")
    lines = dict(line.partition(": ")[::2] for line in block.lines)
    match = Match(game(0))
    match.deal(match.game.pack.hand(lines["pack (top first)"].split()))
    assert [lines["s0 is dealt"], lines["s1 is dealt"]] == [" ".join(hand) for hand in match.p.hands]
    assert (lines["stock (top first)"], "4h", "h") == (" ".join(match.p.stock), match.p.turn_up, match.p.trump)
    rounds = TRICK.findall("\n".join(block.lines))
    assert 9 == len(rounds)
    for leader, led, _, played, winner, points, draws in rounds:
        assert int(leader) == match.game.turn(match.p)
        assert (int(winner), int(points)) == trick(match, led, played)
        drawn = [f"s{e.seat} {e.cards[0]}" for e in match.last if e.kind == "card_drawn"]
        assert draws == ", ".join(drawn)
    assert ((73, 77), "await_deal") == (match.p.match_state.totals, match.p.phase)


# ---------------------------------------------------------------------- invariants


@pytest.fixture(params=["one", "two", "three", "four"])
def walk(request: pytest.FixtureRequest) -> Walk:
    """Some deals at random."""
    return known_walk(RuleSet("harjan", 2), request.param, 8, 6)


@pytest.mark.clause("HA-5.2", "HA-5.5", "HA-5.6", "HA-7.2", "HA-7.4", "HA-3.6")
def test_what_is_true_of_every_deal(walk: Walk) -> None:
    """HA 1 to 6, 9 to 11: hands, stock, leads, points and lengths of games."""
    deals = 0
    for step in walk.steps:
        p = step.after
        if p.phase == "lead":
            sizes = {len(hand) for hand in p.hands}
            assert ({6} if p.stock else sizes, 0, 1) == (sizes, len(p.stock) % 2, len(sizes))
            for move in legal_moves(walk.game, p, p.leader):
                kinds = {JACKS.effective_suit(card, p.trump) for card in move.cards}
                assert len(move.cards) >= min(3, len(p.hands[p.leader]))
                assert len(move.cards) <= 3 or len(kinds) == 1
        if p.phase in ("lead", "follow"):
            cards = [*p.hands[0], *p.hands[1], *p.stock, *p.trick, *(card for each in p.tricks for card in each.cards)]
            assert (52, 52) == (len(cards), len(set(cards)))
            assert not p.stock or p.turn_up == p.stock[-1]
        for event in step.events:
            if event.kind == "deal_scored":
                deals += 1
                assert 150 == sum(amount for _, amount in event.shares)
            if event.kind == "game_won":
                assert deals > 1 or (event.amount or 0) >= 2
                deals = 0
        assert deals <= 2 or p.match_state.totals[0] + p.match_state.totals[1] > 300


@pytest.mark.clause("HA-5.2")
def test_the_list_of_leads_is_what_the_clause_says(walk: Walk) -> None:
    """HA 4, 5: of all sets of the hand exactly those are listed that the four cases of the clause allow."""
    for p in walk.positions:
        if p.phase == "lead":
            hand = p.hands[p.leader]
            groups = [JACKS.effective_suit(card, p.trump) for card in hand]
            largest = max(groups.count(suit) for suit in groups)
            for size in range(1, len(hand) + 1):
                for cards in combinations(hand, size):
                    suits = [JACKS.effective_suit(card, p.trump) for card in cards]
                    if largest >= 3:
                        right = size >= 3 and len(set(suits)) == 1
                    elif len(hand) < 3:
                        right = size == len(hand)
                    else:
                        right = size == 3 and len(set(suits)) == (2 if largest == 2 else 3)
                    move = make_move(walk.game, "lead_cards", cards)
                    assert right == (not validate_move(walk.game, p, p.leader, move))
                    assert right == (move.cards in legal_leads(hand, p.trump).sets)


@pytest.mark.clause("HA-6.1", "HA-3.2")
@pytest.mark.parametrize("suits", ["sdhc", "chds", "dcsh", "hscd"])
def test_suits_may_be_renamed(walk: Walk, suits: str) -> None:
    """HA 12: with the suits renamed inside or between the two colours the same tricks are won."""
    names = dict(zip("cdhs", suits, strict=True))
    match = Match(seat("harjan"))
    for actor, move in walk.moves:
        cards = tuple(match.game.pack.card(card.rank + names[card.suit]) for card in move.cards)
        match.move(actor, Move(move.verb, cards))
    assert walk.positions[-1].match_state == match.p.match_state
