"""Hundredogen: to a hundred and one, ten for the last trick, Jacks on top, games of one to three (clauses HU)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.tricks.scoring import deal_points
from tests.games.support.complete_deals import only_deal, play_example
from tests.games.support.hundredogen_helpers import JACKS, KEY, games
from tests.games.support.scripted_deals import last_draw
from tests.games.support.table import Match, events_of, facts, first_cards, seat, table, worth, zone
from tests.games.support.tricks import taker

# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("HU-3.1", "HU-3.2")
def test_ranks_and_points() -> None:
    """A T K Q J 9 8 7 6 rank in this order, Jacks above the Nine (HU-R16) at 2 each (HU-R2): 120 in 36 cards."""
    game = seat(KEY)
    for suit in "cdhs":
        cards = game.pack.hand(f"{rank}{suit}" for rank in "ATKQJ9876")
        assert [11, 10, 4, 3, 2, 0, 0, 0, 0] == [worth(game, (card,)) for card in cards]
        for high, low in combinations(cards, 2):
            assert 0 == taker(game, (high, low), "c")
            assert 1 == taker(game, (low, high), "c")
    assert (36, 120) == (len(game.pack.cards), worth(game, game.pack.cards))


@pytest.mark.clause("HU-3.3", "HU-6.1")
@pytest.mark.parametrize(("trump", "left"), [("c", "s"), ("s", "c"), ("d", "h"), ("h", "d")])
def test_the_jacks_on_top(trump: str, left: str) -> None:
    """`jacks_top`: ten trumps, the right Jack first, the left one second, at 12 each: 140 points (HU-R3, HU-R8)."""
    game = seat(KEY, jacks_top="true")
    order = [f"J{trump}", f"J{left}", *(f"{rank}{trump}" for rank in "ATKQ9876")]
    cards = game.pack.hand(order)
    for high, low in combinations(cards, 2):
        assert 0 == taker(game, (high, low), trump)
        assert 1 == taker(game, (low, high), trump)
    plain = game.pack.card(f"A{left}")
    assert 1 == taker(game, (plain, cards[1]), trump)
    counts = {suit: dict(game.count((game.pack.card(f"J{suit}"),), trump))["card_points"] for suit in "cdhs"}
    assert counts == {suit: 12 if suit in (trump, left) else 2 for suit in "cdhs"}
    assert 140 == dict(game.count(game.pack.cards, trump))["card_points"]


@pytest.mark.clause("HU-4.1", "HU-4.2", "HU-5.1", "ALL-1", "ALL-2")
def test_the_deal() -> None:
    """HU-EX16: dealer s1: s0 gets cards 1 to 3, s1 4 to 6, card 7 is turned and lies last (HU-R6, HU-R7, HU-R15)."""
    match = Match(seat(KEY, first_dealer="1"))
    pack = match.game.pack.cards
    match.deal(pack)
    assert (pack[:3], pack[3:6]) == match.p.hands
    assert ((*pack[7:], pack[6]), pack[6], pack[6].suit) == (match.p.stock, match.p.turn_up, match.p.trump)
    assert (30, 0) == (len(match.p.stock), match.game.turn(match.p))


@pytest.mark.clause("HU-5.3", "HU-5.4", "HU-6.1", "HU-7.1", "HU-3.2")
def test_a_complete_deal() -> None:
    """HU-EX12: trick by trick; s0 has 85 points and ten for the last trick, s1 35."""
    match = play_example(KEY, only_deal("hundredogen.txt"))
    assert ("await_deal", (0, 0), (95, 35)) == games(match)
    assert ((85, 35), (95, 35)) == (match.game.points(match.p), deal_points(match.game, match.p))
    assert [(("0", 95), ("1", 35))] == [event.shares for event in events_of(match, "deal_scored", None)]


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("HU-6.1", "HU-3.3", "HU-5.2")
@pytest.mark.parametrize(
    ("options", "up", "led", "played", "winner", "points"),
    [
        pytest.param({}, "8h", "Ks", "As", 0, 15, id="HU-EX1"),
        pytest.param({}, "8h", "Ks", "Ad", 1, 15, id="HU-EX2"),
        pytest.param({}, "8h", "Ks", "6h", 0, 4, id="HU-EX3"),
        pytest.param({}, "8c", "Jc", "Qc", 0, 5, id="HU-EX4-queen"),
        pytest.param({}, "8c", "Jc", "Js", 1, 4, id="HU-EX4-jack"),
        pytest.param(JACKS, "8c", "Ac", "Js", 0, 23, id="HU-EX5-left"),
        pytest.param(JACKS, "8c", "Js", "Jc", 0, 24, id="HU-EX5-right"),
        pytest.param(JACKS, "8c", "9s", "Js", 0, 12, id="HU-EX6-trumps"),
        pytest.param(JACKS, "8c", "Js", "As", 1, 23, id="HU-EX6-led"),
        pytest.param(JACKS, "8c", "Jd", "Jh", 1, 4, id="two plain Jacks"),
    ],
)
def test_a_trick(options: dict[str, str], up: str, led: str, played: str, winner: int, points: int) -> None:
    """Who takes a trick that s1 leads and what it counts; anything may follow (HU-R5)."""
    match = table(seat(KEY, **options), {1: led, 0: f"{played} 7s"}, up)
    match.play(f"1 {led}")
    assert 3 == len(match.moves(0))
    match.play(f"0 {played}")
    trick = match.p.tricks[-1]
    count = dict(match.game.count(trick.cards, match.p.trump))["card_points"]
    assert (winner, winner, points) == (trick.winner, match.game.turn(match.p), count)


@pytest.mark.clause("HU-5.3", "HU-5.4", "HU-4.2")
def test_the_last_draw() -> None:
    """HU-EX7: stock 8d Qh, s0 wins trick 15: s0 draws 8d, s1 the turn-up Qh, three tricks remain (HU-R12)."""
    match, drawn = last_draw(seat(KEY), 0, "0 8d, 1 Qh")
    assert ("0 8d, 1 Qh", 15, "Qh", 0) == (drawn, len(match.p.tricks), match.p.turn_up, len(match.p.stock))
    assert (3, 3) == tuple(map(len, match.p.hands))


@pytest.mark.clause("HU-5.2")
@pytest.mark.parametrize("tricks", [0, 1, 14, 15, 17])
def test_every_card_may_be_played(tricks: int) -> None:
    """Leading or following, before the stock is gone and after, every single card may be played (HU-R13)."""
    match = first_cards(table(seat(KEY), {}), tricks)
    for _ in range(2):
        turn = match.game.turn(match.p)
        assert turn is not None
        assert sorted(f"play_card {card}" for card in match.p.hands[turn]) == match.moves(turn)
        match.say(turn, match.moves(turn)[0])


@pytest.mark.clause("HU-5.5", "ALL-5", "ALL-6")
def test_what_is_seen() -> None:
    """Turn-up, tricks, totals and games are for all; hands for their seat; points are told when the deal is over."""
    match = table(seat(KEY), {1: "Ac", 0: "7c"}, "8h")
    match.play("1 Ac, 0 7c")
    for viewer in (None, 0, 1):
        view = match.view(viewer)
        assert [viewer == place for place in (0, 1)] == [bool(zone(view, "hand", place).cards) for place in (0, 1)]
        assert ((), 27, ("8h",)) == (zone(view, "stock").cards, zone(view, "stock").size, zone(view, "turn_up").cards)
        assert ("Ac", "7c") == zone(view, "taken", 1).cards
        assert ({}, {0: 0, 1: 0}, {0: 0, 1: 0}) == tuple(facts(view, f) for f in ("card_points", "total", "games"))
        drawn = [event for event in match.events_for(viewer) if event.kind == "card_drawn"]
        assert [event.seat == viewer for event in drawn] == [bool(event.cards) for event in drawn]
    match.play_out()
    assert 120 == sum(int(points) for points in facts(match.view(None), "card_points").values())
