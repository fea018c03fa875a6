"""Hundredogen: to a hundred and one, ten for the last trick, Jacks on top, games of one to three (clauses HU)."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella.tricks.scoring import deal_points
from tests.games.support.complete_deals import only_deal, play_example
from tests.games.support.hundredogen_helpers import AT_ONCE, JACKS, KEY, SLAM, deal, games, wanted
from tests.games.support.scripted_deals import Script, contrive, last_draw
from tests.games.support.table import Match, events_of, facts, first_cards, pack_for, seat, table, worth, zone
from tests.games.support.tricks import taker
from tests.walks import CATALOGUE, known_walk

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
    counts = {suit: dict(game.cards.count((game.pack.card(f"J{suit}"),), trump))["card_points"] for suit in "cdhs"}
    assert counts == {suit: 12 if suit in (trump, left) else 2 for suit in "cdhs"}
    assert 140 == dict(game.cards.count(game.pack.cards, trump))["card_points"]


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
    count = dict(match.game.cards.count(trick.cards, match.p.trump))["card_points"]
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


# ---------------------------------------------------------------------- hundredogen games


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


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"target": "20", "jan_threshold": "30"}, "jan_threshold"),
        ({"jan_threshold": "102"}, "jan_threshold"),
        ({"jan_threshold": "-1"}, "jan_threshold"),
        ({"jan_threshold": "none"}, "jan_threshold"),
        ({"target": "0"}, "target"),
        ({"target": "1001"}, "target"),
        ({"target": "default"}, "target"),
        ({"jacks_top": "sometimes"}, "jacks_top"),
        ({"target_check": "true"}, "target_check"),
        ({"first_dealer": "2"}, "first_dealer"),
        ({"match_deals": "2"}, "match_deals"),
    ],
)
def test_options_refused(options: dict[str, str], field: str) -> None:
    """HU-EX15: a threshold above the target refuses the match, and so does every other value that is not allowed."""
    with pytest.raises(InvalidOption) as refused:
        seat(KEY, **options)
    assert f"options.{field}" == refused.value.field


@pytest.mark.clause("ALL-8")
@pytest.mark.parametrize(
    "options", [{"target": "1"}, {"target": "1000"}, {"jan_threshold": "101"}, {"target": "40", "jan_threshold": "40"}]
)
def test_options_at_their_ends(options: dict[str, str]) -> None:
    """The least and the greatest values make a match, and so does a threshold that is the target."""
    match = Match(seat(KEY, **options))
    match.play_out()
    assert 1 == match.p.match_state.deal


@pytest.mark.clause("ALL-8")
def test_options_offered() -> None:
    """Names and defaults are those of the specification; two may play, and what is left out has its default."""
    game = CATALOGUE.game(KEY)
    assert [
        ("jacks_top", "false"),
        ("target", "101"),
        ("jan_threshold", "default"),
        ("target_check", "end_of_deal"),
        ("first_dealer", "0"),
    ] == [(option.name, option.default) for option in game.options]
    assert [2] == sorted(game.seatings)
    spoken = Match(seat(KEY, **{option.name: option.default for option in game.options}))
    silent = Match(seat(KEY))
    for match in (spoken, silent):
        match.play_out(3)
    assert (silent.p, silent.events) == (spoken.p, spoken.events)


@pytest.mark.clause("HU-5.6", "ALL-4", "ALL-7")
def test_reason_codes() -> None:
    """HU-EX18: out of turn, not held, out of phase; a pack in the middle of a deal; nothing is ever over."""
    match = Match(seat(KEY, target="1"))
    assert ["wrong_phase"] == match.codes(1, "play_card Ac")
    pack = "start_deal " + " ".join(match.game.pack.cards)
    match = table(match.game, {1: "Ac", 0: "7c"})
    assert ["not_your_turn"] == match.codes(0, "play_card 7c")
    assert ["not_in_hand"] == match.codes(1, "play_card 7c")
    assert ["not_your_turn", "not_in_hand"] == match.codes(0, "play_card Ac")
    assert ["wrong_phase"] == match.codes(-1, pack)
    match.play_out()
    assert ("game_over", None) == (match.p.phase, match.game.outcome(match.p))
    assert ["wrong_phase"] == match.codes(1, "play_card Ac")
    assert [] == match.codes(-1, pack)


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
    """HU 1 to 5, 7 and 8: level hands, every card, eighteen tricks, 130 or 150 points, short games."""
    walk = known_walk(RuleSet(KEY, 2, tuple(options.items())), seed, 5, 6)
    game, total, deals = seat(KEY, **options), 150 if options else 130, 0
    for step in walk.steps:
        p = step.after
        if p.phase == "play":
            assert p.trick or len(p.hands[0]) == len(p.hands[1]) == min(3, 18 - len(p.tricks))
            turn = game.turn(p)
            assert turn is not None
            assert set(p.hands[turn]) == {move.cards[0] for move in legal_moves(game, p, turn)}
            cards = Counter([*p.hands[0], *p.hands[1], *p.stock, *p.trick, *(c for t in p.tricks for c in t.cards)])
            assert Counter(game.pack.cards) == cards
        else:
            assert (18, total) == (len(p.tricks), sum(deal_points(game, p)))
            deals += 1
            assert (deals % 2, (deals - 1) % 2) == (p.match_state.dealer, 1 - p.match_state.dealer)
            level = p.match_state.totals[0] == p.match_state.totals[1]
            assert p.phase == "game_over" or level or max(p.match_state.totals) < 101
        if step.before.stock and not step.after.stock and step.before.phase == "play":
            drawn = [(event.seat, event.cards) for event in step.events if event.kind == "card_drawn"]
            assert (1 - p.tricks[-1].winner, (step.before.turn_up,)) == drawn[-1]


@pytest.mark.clause("HU-6.1")
@pytest.mark.parametrize(
    ("options", "names"), [({}, "dhsc"), ({}, "sdhc"), (JACKS, "sdhc"), (JACKS, "chds"), (JACKS, "dcsh")]
)
def test_suits_are_alike(options: dict[str, str], names: str) -> None:
    """HU 6: renaming the suits changes no result, with the Jacks on top where pairs of a colour stay together."""
    game = seat(KEY, **options)
    other = dict(zip("cdhs", names, strict=True))
    walk = known_walk(RuleSet(KEY, 2, tuple(options.items())), "suits", 1, 6)
    match = Match(game)
    for actor, move in walk.moves:
        match.move(actor, move._replace(cards=game.pack.hand(card.rank + other[card.suit] for card in move.cards)))
    assert [trick.winner for trick in walk.positions[-1].tricks] == [trick.winner for trick in match.p.tricks]
    assert walk.positions[-1].match_state.totals == match.p.match_state.totals
