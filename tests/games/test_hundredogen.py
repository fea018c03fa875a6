"""Hundredogen: to a hundred and one, ten for the last trick, Jacks on top, games of one to three (clauses HU)."""

from __future__ import annotations

from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import InvalidPosition
from chitarrella.tricks.scoring import deal_points
from tests.games.support.scripted_deals import Script, contrive
from tests.games.support.table import Match, events_of, facts, pack_for, seat, table, taker, zone
from tests.walks import known_walk

KEY = "hundredogen"
JACKS = {"jacks_top": "true"}
AT_ONCE = {"target_check": "immediate"}
SLAM = (130, 0)


def wanted(match: Match, result: tuple[int, int], lost: int | None) -> Script:
    """Find a deal with these points, ten for the last trick among them; the loser wins ``lost`` tricks, or some."""
    loser = int(result[0] > result[1])

    def distance(script: Script) -> int:
        have = [taken + 10 * (script.winners[-1] == place) for place, taken in enumerate(script.points)]
        tricks = script.winners.count(loser)
        near = sum(abs(one - other) for one, other in zip(have, result, strict=True))
        return near + 10 * (int(not tricks) if lost is None else abs(tricks - lost))

    return contrive(match.game, match.p.match_state.dealer, distance)


def deal(match: Match, *result: int, lost: int | None = None) -> Match:
    """Play a deal with these points."""
    one, other = result
    return wanted(match, (one, other), lost).perform(match)


def games(match: Match) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The phase, the games counted and the totals."""
    return match.p.phase, match.game.scores(match.p), match.p.match_state.totals


# ---------------------------------------------------------------------- cards and deal


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
    counts = {suit: dict(game.cards.count((game.pack.card(f"J{suit}"),), trump))["card_points"] for suit in "cdhs"}
    assert counts == {suit: 12 if suit in (trump, left) else 2 for suit in "cdhs"}
    assert 140 == dict(game.cards.count(game.pack.cards, trump))["card_points"]


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
    count = dict(match.game.cards.count(trick.cards, match.p.trump))["card_points"]
    assert (winner, winner, points) == (trick.winner, match.game.turn(match.p), count)


# ---------------------------------------------------------------------- games


@pytest.mark.clause("HU-3.2", "HU-7.1")
def test_ten_for_the_last_trick() -> None:
    """HU-EX11: 71 points in cards and the last trick are 81, the other seat has 49: 130 together (HU-R1)."""
    match = Match(seat(KEY))
    contrive(match.game, 0, lambda each: abs(each.points[0] - 71) + 10 * each.winners[-1]).perform(match)
    assert ((71, 49), (81, 49)) == (match.game.points(match.p), match.p.match_state.totals)


@pytest.mark.clause("HU-7.2", "HU-7.1", "HU-7.3")
@pytest.mark.parametrize(
    ("result", "lost", "score"),
    [
        pytest.param((101, 29), None, 2, id="HU-EX8-jan"),
        pytest.param((100, 30), None, 0, id="HU-EX8-not over"),
        pytest.param(SLAM, 0, 3, id="HU-EX8-harjan"),
        pytest.param(SLAM, 1, 2, id="HU-EX8-a worthless trick"),
    ],
)
def test_the_first_deal(result: tuple[int, int], lost: int | None, score: int) -> None:
    """A game won in its first deal counts two, or three where the loser has no trick; 100 win nothing."""
    match = deal(Match(seat(KEY)), *result, lost=lost)
    assert ("game_over" if score else "await_deal", (score, 0), result) == games(match)
    won = [(event.seat, event.word, event.amount) for event in events_of(match, "game_won", None)]
    assert ([(0, {2: "jan", 3: "slam"}[score], score)] if score else []) == won


@pytest.mark.clause("HU-7.2")
def test_the_second_deal() -> None:
    """HU-EX9: both have reached 101, and the higher total wins one; level at 130 they play on (HU-R9)."""
    match = deal(deal(Match(seat(KEY)), 100, 30), 40, 90)
    assert ("game_over", (1, 0), (140, 120)) == games(match)
    match = deal(deal(Match(seat(KEY)), 65, 65), 65, 65)
    assert ("await_deal", (0, 0), (130, 130)) == games(match)
    assert 0 == match.p.match_state.dealer
    deal(match, 70, 60)
    assert ("game_over", (1, 0), (200, 190)) == games(match)


@pytest.mark.clause("HU-7.2")
def test_exactly_thirty_is_no_jan() -> None:
    """HU-EX13: 100-30, then 130-0: 30 is not below 30, and the loser has tricks in the game: one (HU-R10)."""
    match = deal(deal(Match(seat(KEY)), 100, 30), *SLAM, lost=0)
    assert ("game_over", (1, 0), (230, 30)) == games(match)


@pytest.mark.clause("HU-7.4", "HU-5.1", "HU-4.3")
@pytest.mark.parametrize(("second", "score"), [(SLAM, (5, 0)), ((0, 130), (2, 3))], ids=["HU-EX14-a", "HU-EX14-b"])
def test_a_second_game(second: tuple[int, int], score: tuple[int, int]) -> None:
    """HU-EX14: totals and tricks begin anew with the next pack, games and the turn to deal go on."""
    match = deal(Match(seat(KEY)), 101, 29)
    assert {0: 101, 1: 29} == facts(match.view(None), "total")
    script = wanted(match, second, 0)
    match.deal(script.pack)
    assert ("play", (2, 0), (0, 0)) == games(match)
    assert (1, {0: 0, 1: 0}) == (match.p.match_state.dealer, facts(match.view(None), "total"))
    for place, card in script.plays:
        match.say(place, f"play_card {card}")
    assert ("game_over", score, second) == games(match)
    match.deal(match.game.pack.cards)
    assert 0 == match.p.match_state.dealer


@pytest.mark.clause("HU-7.2", "ALL-8")
@pytest.mark.parametrize(
    ("options", "results", "score"),
    [
        pytest.param({"target": "200"}, [SLAM], 0, id="HU-EX15-a, one deal"),
        pytest.param({"target": "200"}, [SLAM, SLAM], 3, id="HU-EX15-a"),
        pytest.param({"target": "20"}, [(111, 19)], 2, id="HU-EX15-b, jan"),
        pytest.param({"target": "20"}, [(110, 20)], 1, id="HU-EX15-b"),
        pytest.param({"jan_threshold": "0"}, [(101, 29)], 1, id="HU-EX15-c"),
        pytest.param({**JACKS, "jan_threshold": "50"}, [(101, 49)], 2, id="HU-EX15-d, jan"),
        pytest.param({**JACKS, "jan_threshold": "50"}, [(100, 50)], 0, id="HU-EX15-d"),
        pytest.param(JACKS, [(101, 49)], 1, id="HU-R14"),
    ],
)
def test_other_targets(options: dict[str, str], results: list[tuple[int, int]], score: int) -> None:
    """`target`, `jan_threshold` and `jacks_top` (HU-R4, HU-R14) change what a game needs and counts."""
    match = Match(seat(KEY, **options))
    for result in results:
        contrived(match, result)
    assert (score, 0) == match.game.scores(match.p)


def contrived(match: Match, result: tuple[int, int]) -> None:
    """Play a deal with these points; of the Jacks' points `worth` knows nothing, so they are counted here."""
    if "Jacks" not in type(match.game.taking).__name__:
        deal(match, *result, lost=0 if result == SLAM else None)
        return

    def distance(script: Script) -> int:
        have = [0, 0]
        for trick, winner in enumerate(script.winners):
            cards = tuple(card for _, card in script.plays[2 * trick : 2 * trick + 2])
            have[winner] += dict(match.game.cards.count(cards, script.trump))["card_points"]
        have[script.winners[-1]] += 10
        return sum(abs(one - other) for one, other in zip(have, result, strict=True))

    contrive(match.game, match.p.match_state.dealer, distance).perform(match)


@pytest.mark.clause("HU-7.4")
def test_the_target_reached_in_a_deal() -> None:
    """HU-EX17: 90-40, then 11 points in the first trick: over at once, nobody draws, and the deal counts as dealt."""
    match = deal(Match(seat(KEY, **AT_ONCE)), 90, 40)
    match.deal(pack_for(match.game, {0: "As", 1: "6s"}, "8h", dealer=1))
    match.play("0 As, 1 6s")
    assert ("game_over", (1, 0), (101, 40)) == games(match)
    assert ((2, 2), 30, 0) == (*[tuple(map(len, match.p.hands))], len(match.p.stock), match.p.match_state.dealer)
    assert ["card_played", "trick_taken", "deal_counted", "deal_scored", "game_won"] == [e.kind for e in match.last]
    assert match.p == match.game.decode(match.game.encode(match.p))
    assert [False, False] == [bool(zone(match.view(None), "hand", place).cards) for place in (0, 1)]


@pytest.mark.clause("HU-7.4", "HU-7.2")
def test_only_the_winner_of_a_trick_reaches_the_target() -> None:
    """HU-EX10: from 95-35 s1 wins 21, then s0 wins 10: 105 to 56, and s0 has won one at once."""
    match = deal(Match(seat(KEY, **AT_ONCE)), 95, 35)
    match.deal(pack_for(match.game, {0: "Ts 7c Td", 1: "As 6c 6d"}, "8h", dealer=1))
    match.play("0 Ts, 1 As")
    assert ("play", (0, 0), (95, 35)) == games(match)
    match.play("1 6d, 0 Td")
    assert ("game_over", (1, 0), (105, 56)) == games(match)


# ---------------------------------------------------------------------- options, refusals, positions


@pytest.mark.parametrize(
    "spoilt", ["phase=match_over", "phase=game_over", "totals=101,0", "totals=-1,0", "games=1", "tricks_before=1,-1"]
)
def test_impossible_positions(spoilt: str) -> None:
    """A game that goes on after it was won, or is over before, can be at no table; nor a score of one seat."""
    match = deal(Match(seat(KEY)), 65, 65)
    words = [w for w in match.game.encode(match.p).split() if not w.startswith(f"{spoilt.partition('=')[0]}=")]
    with pytest.raises(InvalidPosition):
        match.game.decode(" ".join([*words, spoilt]))


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("HU-3.2", "HU-3.3", "HU-4.2", "HU-4.3", "HU-5.3", "HU-5.4", "HU-7.1", "HU-7.3")
@pytest.mark.parametrize("options", [{}, JACKS], ids=["default", "jacks"])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_what_is_true_of_every_deal(options: dict[str, str], seed: str) -> None:
    """HU 5, 7 and 8: 130 or 150 points a deal, short games, and the deal alternates."""
    walk = known_walk(RuleSet(KEY, 2, tuple(options.items())), seed, 5, 6)
    game, total, deals = seat(KEY, **options), 150 if options else 130, 0
    for step in walk.steps:
        p = step.after
        if p.phase != "play":
            assert (18, total) == (len(p.tricks), sum(deal_points(game, p)))
            deals += 1
            assert (deals % 2, (deals - 1) % 2) == (p.match_state.dealer, 1 - p.match_state.dealer)
            level = p.match_state.totals[0] == p.match_state.totals[1]
            assert p.phase == "game_over" or level or max(p.match_state.totals) < 101
