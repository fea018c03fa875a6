"""Bohemian Schneider, Hundredogen and Elfern: scores, matches, and what is true of every deal (clauses SN, HU, EL)."""

from itertools import combinations, pairwise
from typing import cast

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, validate_move
from chitarrella.tricks.following import JackOrder
from chitarrella.tricks.match_formats import TieredMatch
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.scoring import deal_points
from tests.games.support.chosen_deals import Script, Wanted, contrive, points
from tests.games.support.table import Match, events_of, facts, seat, taker, worth
from tests.walks import known_walk

SCHNEIDER = "bohemian-schneider"
RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
SAME = {"ace_by_seven": "same_suit"}
SUITLESS = {"any_suit_captures": "true"}
ANY = {**SUITLESS, "ace_by_seven": "any_suit"}
VARIATIONS = [{}, SAME, SUITLESS, {**SUITLESS, **SAME}, ANY, {"scoring": "honours"}, {**ANY, "scoring": "honours"}]
"""The variations, each alone and together."""


def endless(key: str, /, **options: str) -> Rules:
    """Seat a game whose match has no end, so that games are counted however many are won."""
    return seat(key, **{"match_games": "0", **options})


def captures(game: Rules, led: str, played: str) -> bool:
    """Whether the second card takes the first."""
    cards = game.pack.hand((led, played))
    return taker(game, cards) == 1


def with_points(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these points, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, points(*result)).perform(match)
    return match


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("SN-3.1", "SN-3.2", "SN-3.3")
def test_cards_and_points() -> None:
    """The Ten counts ten and captures below the Jack (SN-R14): 120 points, or twenty honours, in 32 cards."""
    game, honours = seat(SCHNEIDER), seat(SCHNEIDER, scoring="honours")
    cards = game.pack.hand(f"{rank}h" for rank in RANKS)
    assert [0, 0, 0, 10, 2, 3, 4, 11] == [worth(game, (card,)) for card in cards]
    assert [0, 0, 0, 1, 1, 1, 1, 1] == [worth(honours, (card,)) for card in cards]
    assert (32, 120, 20) == (len(game.pack.cards), worth(game, game.pack.cards), worth(honours, game.pack.cards))
    next_higher = {low: top for low in RANKS for top in RANKS if low != top and captures(game, f"{low}h", f"{top}h")}
    assert dict(pairwise(RANKS)) == next_higher


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("SN-6.1", "SN-6.2", "SN-6.3", "SN-3.3")
@pytest.mark.parametrize("options", VARIATIONS, ids=lambda options: "-".join(options) or "default")
def test_which_cards_capture(options: dict[str, str]) -> None:
    """SN 4 to 6: one card captures each that is led, four where suits do not matter; an Ace falls only by agreement."""
    game = seat(SCHNEIDER, **options)
    mode, suitless = options.get("ace_by_seven", "off"), "any_suit_captures" in options
    for led in game.pack.cards:
        found = {played for played in game.pack.cards if played != led and captures(game, led, played)}
        if led.rank == "A":
            expected = {f"7{suit}" for suit in {"off": "", "same_suit": led.suit, "any_suit": "cdhs"}[mode]}
        else:
            higher = RANKS[RANKS.index(led.rank) + 1]
            expected = {higher + suit for suit in ("cdhs" if suitless else led.suit)}
        assert expected == found


# ---------------------------------------------------------------------- scores and matches


@pytest.mark.clause("SN-7.1")
@pytest.mark.parametrize(
    ("taken", "score"), [(60, 0), (61, 1), (90, 1), (91, 2), (118, 2), (120, 3)], ids=lambda n: f"SN-EX9-{n}"
)
@pytest.mark.parametrize("winner", [0, 1])
def test_scores_by_points(taken: int, score: int, winner: int) -> None:
    """61 points score one game, 91 two, 120 three (even if worthless tricks were lost), 60 none (SN-R7, R8, R20)."""
    result = (taken, 120 - taken) if winner == 0 else (120 - taken, taken)
    match = with_points(Match(seat(SCHNEIDER)), result)
    assert (score if winner == 0 else 0, score if winner == 1 else 0) == match.game.scores(match.p)
    scored = [event.shares for event in events_of(match, "deal_scored", None)]
    assert ([((str(winner), score),)] if score else []) == scored
    assert (0 if score else 1) == len(events_of(match, "deal_drawn")) == match.p.match_state.draws


@pytest.mark.clause("SN-7.1")
def test_worthless_tricks_do_not_save_the_loser() -> None:
    """SN-EX9, end: with two tricks of 9c 8d and 7s 8h the loser has no point, and the winner his 120 (SN-R9)."""
    game = seat(SCHNEIDER)

    def wanted(script: Script) -> int:
        return points(0, 120)(script) + 10 * abs(script.winners.count(0) - 2)

    match = contrive(game, 0, wanted).perform(Match(game))
    assert 2 == sum(trick.winner == 0 for trick in match.p.tricks)
    assert (0, 3) == game.scores(match.p)


@pytest.mark.clause("SN-7.2", "SN-3.2")
@pytest.mark.parametrize(
    ("taken", "score"), [(10, 0), (11, 1), (15, 1), (16, 2), (20, 3)], ids=lambda n: f"SN-EX10-{n}"
)
def test_scores_by_honours(taken: int, score: int) -> None:
    """11 honours score one game, 16 two, 20 three, 10 none; points do not matter (SN-R19)."""
    match = with_points(Match(seat(SCHNEIDER, scoring="honours")), (taken, 20 - taken))
    assert (score, 0) == match.game.scores(match.p)


@pytest.mark.clause("SN-7.1", "SN-7.2")
def test_points_and_honours_may_differ() -> None:
    """SN-EX10: four Aces, a Ten and two Kings are 62 points but 7 honours: either count has another winner."""
    won = "Ac Ad Ah As Tc Kc Kd"
    counts = [
        worth(seat(SCHNEIDER, scoring=way), seat(SCHNEIDER).pack.hand(won.split())) for way in ("points", "honours")
    ]
    assert [62, 7] == counts
    by_points, by_honours = (cast(TieredMatch, seat(SCHNEIDER, scoring=way).series) for way in ("points", "honours"))
    assert [1, 0] == [by_points.score_for(62), by_points.score_for(120 - 62)]
    assert [0, 1] == [by_honours.score_for(7), by_honours.score_for(20 - 7)]


@pytest.mark.clause("SN-7.3", "ALL-7")
@pytest.mark.parametrize(
    ("second", "score", "winners"),
    [((100, 20), (2, 0), frozenset({0})), ((20, 100), (0, 2), frozenset({1})), ((60, 60), (0, 0), frozenset())],
)
def test_a_match_of_two(second: tuple[int, int], score: tuple[int, int], winners: frozenset[int]) -> None:
    """SN-EX14: a deal without a score counts (SN-R22); then the higher score wins, and level scores are a draw."""
    match = with_points(Match(seat(SCHNEIDER, match_deals="2")), (60, 60))
    assert (None, 1) == (match.game.outcome(match.p), match.p.match_state.dealer)
    with_points(match, second)
    assert ("match_over", score, winners) == (match.p.phase, match.game.scores(match.p), match.game.outcome(match.p))
    assert sorted(winners) == [event.seat for event in events_of(match, "match_won")]
    assert (not winners) == bool(events_of(match, "match_drawn"))
    assert ["match_over"] == match.codes(-1, "start_deal " + " ".join(match.game.pack.cards))


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("SN-4.1", "SN-5.3", "SN-3.2", "SN-7.1", "SN-7.2")
@pytest.mark.parametrize("options", VARIATIONS, ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("seed", ["one", "two"])
def test_every_deal_of_schneider(options: dict[str, str], seed: str) -> None:
    """SN 5, 6 and 8: 120 points or 20 honours, a score of 0 to 3, and who takes a trick of two suits."""
    walk = known_walk(RuleSet(SCHNEIDER, 2, tuple(sorted(options.items()))), seed, 2, 6)
    game, total = walk.game, 20 if "scoring" in options else 120
    before: tuple[int, ...] = (0, 0)
    for step in walk.steps:
        p = step.after
        if p.phase != "play":
            assert (16, total) == (len(p.tricks), sum(game.points(p)))
            gained = [new - old for new, old in zip(game.scores(p), before, strict=True)]
            assert (0, True) == (min(gained), max(gained) <= 3)
            assert total == 20 or max(gained) == sum(max(game.points(p)) >= least for least in (61, 91, 120))
            before = game.scores(p)
    for trick in walk.positions[-1].tricks:
        if trick.winner != trick.leader and not options:
            assert (1, True) == (len({card.suit for card in trick.cards}), trick.cards[0].rank != "A")


HUNDREDOGEN = "hundredogen"
JACKS = {"jacks_top": "true"}
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
    game = endless(HUNDREDOGEN, jacks_top="true")
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


# ---------------------------------------------------------------------- games


@pytest.mark.clause("HU-3.2", "HU-7.1")
def test_ten_for_the_last_trick() -> None:
    """HU-EX11: 71 points in cards and the last trick are 81, the other seat has 49: 130 together (HU-R1)."""
    match = Match(endless(HUNDREDOGEN))
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
    match = deal(Match(endless(HUNDREDOGEN)), *result, lost=lost)
    assert ("game_over" if score else "await_deal", (score, 0), result) == games(match)
    won = [(event.seat, event.word, event.amount) for event in events_of(match, "game_won", None)]
    assert ([(0, {2: "jan", 3: "slam"}[score], score)] if score else []) == won


@pytest.mark.clause("HU-7.2")
def test_the_second_deal() -> None:
    """HU-EX9: both have reached 101, and the higher total wins one; level at 130 they play on (HU-R9)."""
    match = deal(deal(Match(endless(HUNDREDOGEN)), 100, 30), 40, 90)
    assert ("game_over", (1, 0), (140, 120)) == games(match)
    match = deal(deal(Match(endless(HUNDREDOGEN)), 65, 65), 65, 65)
    assert ("await_deal", (0, 0), (130, 130)) == games(match)
    assert 0 == match.p.match_state.dealer
    deal(match, 70, 60)
    assert ("game_over", (1, 0), (200, 190)) == games(match)


@pytest.mark.clause("HU-7.2")
def test_exactly_thirty_is_no_jan() -> None:
    """HU-EX13: 100-30, then 130-0: 30 is not below 30, and the loser has tricks in the game: one (HU-R10)."""
    match = deal(deal(Match(endless(HUNDREDOGEN)), 100, 30), *SLAM, lost=0)
    assert ("game_over", (1, 0), (230, 30)) == games(match)


@pytest.mark.clause("HU-7.4", "HU-5.1", "HU-4.3")
@pytest.mark.parametrize(("second", "score"), [(SLAM, (5, 0)), ((0, 130), (2, 3))], ids=["HU-EX14-a", "HU-EX14-b"])
def test_a_second_game(second: tuple[int, int], score: tuple[int, int]) -> None:
    """HU-EX14: totals and tricks begin anew with the next pack, games and the turn to deal go on."""
    match = deal(Match(endless(HUNDREDOGEN)), 101, 29)
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
    match = Match(endless(HUNDREDOGEN, **options))
    for result in results:
        contrived(match, result)
    assert (score, 0) == match.game.scores(match.p)


def contrived(match: Match, result: tuple[int, int]) -> None:
    """Play a deal with these points; of the Jacks' points `worth` knows nothing, so they are counted here."""
    if not isinstance(match.game.order, JackOrder):
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


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("HU-3.2", "HU-3.3", "HU-4.2", "HU-4.3", "HU-5.3", "HU-5.4", "HU-7.1", "HU-7.3")
@pytest.mark.parametrize("options", [{}, JACKS], ids=["default", "jacks"])
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_deal_of_hundredogen(options: dict[str, str], seed: str) -> None:
    """HU 5, 7 and 8: 130 or 150 points a deal, short games, and the deal alternates."""
    walk = known_walk(RuleSet(HUNDREDOGEN, 2, tuple({**options, "match_games": "0"}.items())), seed, 5, 6)
    game, total, deals = endless(HUNDREDOGEN, **options), 150 if options else 130, 0
    for step in walk.steps:
        p = step.after
        if p.phase != "play":
            assert (18, total) == (len(p.tricks), sum(deal_points(game, p)))
            deals += 1
            assert (deals % 2, (deals - 1) % 2) == (p.match_state.dealer, 1 - p.match_state.dealer)
            level = p.match_state.totals[0] == p.match_state.totals[1]
            assert p.phase == "game_over" or level or max(p.match_state.totals) < 101


TRUMPS = {"trump_variant": "true"}
HEADS = {"head_in_endgame": "true"}
EVERY = [{}, TRUMPS, HEADS, {**TRUMPS, **HEADS}]
FREE_TRICKS = 10
NAMES = pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")


def honours(game: Rules, *wanted: int) -> Wanted:
    """A condition on honours by seat, for a deal whose last six tricks follow suit."""
    near = points(*wanted)

    def distance(script: Script) -> int:
        rows = [script.plays[at : at + 2] for at in range(2 * FREE_TRICKS, len(script.plays), 2)]
        late = [card for row in rows for card in row]
        broken = 0
        for number, ((_, led), (follower, card)) in enumerate(rows):
            held = [later for owner, later in late[2 * number :] if owner == follower]
            broken += card.suit != led.suit and any(other.suit == led.suit for other in held)
        return near(script) + 3 * broken

    return distance


def with_honours(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these honours, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, honours(match.game, *result)).perform(match)
    return match


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("EL-3.1", "EL-3.2", "EL-6.1")
def test_ranks_and_honours() -> None:
    """A K Q J T 9 8 7 rank in this order, and the first five count one each: twenty in 32 cards (EL-R12)."""
    game = endless("elfern")
    cards = game.pack.hand(f"{rank}d" for rank in "AKQJT987")
    for place, high in enumerate(cards):
        for low in cards[place + 1 :]:
            assert 0 == taker(game, (high, low))
            assert 1 == taker(game, (low, high))
    assert [1, 1, 1, 1, 1, 0, 0, 0] == [worth(game, (card,)) for card in cards]
    assert (32, 20) == (len(game.pack.cards), worth(game, game.pack.cards))


# ---------------------------------------------------------------------- scores and dealers


@pytest.mark.clause("EL-7.1", "EL-7.3")
@pytest.mark.parametrize(
    ("taken", "score"), [(10, 0), (11, 1), (14, 1), (15, 2), (19, 2), (20, 3)], ids=lambda n: f"EL-EX9-{n}"
)
def test_scores(taken: int, score: int) -> None:
    """11 honours win a single game, 15 a double, 20 a treble; 10 each nothing (EL-R9, EL-R11, EL-R13, EL-R19)."""
    match = with_honours(Match(endless("elfern")), (taken, 20 - taken))
    assert ((score, 0), None) == (match.game.scores(match.p), match.game.outcome(match.p))
    assert (16, 0 if score else 1) == (len(match.p.tricks), match.p.match_state.draws)
    assert {None: 0 if score else 1} == facts(match.view(None), "draws")


@pytest.mark.clause("EL-7.2", "EL-5.4")
def test_a_stand_off_doubles_once() -> None:
    """EL-EX10: 10-10, 10-10, then 16-4 scores 2 x 2; the fourth deal counts singly again (EL-R10)."""
    match = Match(endless("elfern", stand_off="double_next"))
    scores, pending = [], []
    for result in ((10, 10), (10, 10), (16, 4), (11, 9)):
        with_honours(match, result)
        scores.append(match.game.scores(match.p))
        pending.append(bool(facts(match.view(None), "doubled")))
    assert [(0, 0), (0, 0), (4, 0), (5, 0)] == scores
    assert [True, True, False, False] == pending


@pytest.mark.clause("EL-4.3")
def test_the_loser_deals() -> None:
    """EL-EX11: s0 dealt and won 12-8: s1 deals next and again when it loses; after a stand-off the other seat."""
    match = Match(endless("elfern", next_dealer="loser"))
    dealers = []
    for result in ((12, 8), (13, 7), (10, 10), (11, 9)):
        with_honours(match, result)
        dealers.append(match.p.match_state.dealer)
        assert 1 - dealers[-1] == match.p.leader
    assert [1, 1, 0, 1] == dealers


@pytest.mark.clause("EL-7.2", "EL-4.3", "EL-7.1")
@pytest.mark.parametrize(("mode", "score"), [("double_next", 6), ("none", 3)])
def test_options_together(mode: str, score: int) -> None:
    """EL-EX14: from s1, 10-10 and then 20-0 for s1 scores 2 x 3, or 3 without the doubling; s0 has lost and deals."""
    match = Match(endless("elfern", stand_off=mode, next_dealer="loser", first_dealer="1"))
    with_honours(match, (10, 10))
    assert (0, mode == "double_next") == (match.p.match_state.dealer, bool(facts(match.view(None), "doubled")))
    with_honours(match, (0, 20))
    assert ((0, score), 0) == (match.game.scores(match.p), match.p.match_state.dealer)
    assert {} == facts(match.view(None), "doubled")
    assert [((("1", score),))] == [event.shares for event in events_of(match, "deal_scored", None)]


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("EL-3.2", "EL-4.1", "EL-5.2", "EL-5.3", "EL-6.1", "EL-7.1")
@NAMES
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_every_deal_of_elfern(options: dict[str, str], seed: str) -> None:
    """EL 1 to 6 and 8: sixteen tricks, twenty honours, freedom for ten tricks, then duty, and always some card."""
    walk = known_walk(RuleSet("elfern", 2, tuple(options.items())), seed, 1, 6)
    game = walk.game
    for step in walk.steps:
        p = step.after
        if p.phase != "play":
            continue
        turn = game.turn(p)
        assert turn is not None
        allowed = {move.cards[0] for move in legal_moves(game, p, turn)}
        hand = set(p.hands[turn])
        assert allowed
        if len(p.tricks) < FREE_TRICKS or not p.trick:
            assert hand == allowed
        elif following := {card for card in hand if card.suit == p.trick[0].suit}:
            assert allowed <= following
            assert options.get("head_in_endgame") or allowed == following
    last = walk.positions[-1]
    assert (16, 20) == (len(last.tricks), sum(game.points(last)))
    assert (game.scores(last) == (0, 0)) == (game.points(last) == (10, 10))
    if not options.get("trump_variant"):
        assert all(t.winner == t.leader for t in last.tricks if t.cards[0].suit != t.cards[1].suit)


@pytest.mark.clause("EL-5.2")
@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_heading_only_takes_cards_away(seed: str) -> None:
    """EL 9: what may be played where the trick must be headed may be played where it need not."""
    strict, loose = endless("elfern", **HEADS), endless("elfern")
    for step in known_walk(RuleSet("elfern", 2), seed, 1, 6).steps:
        turn = loose.turn(step.after)
        if step.after.phase == "play" and turn is not None:
            assert set(legal_moves(strict, step.after, turn)) <= set(legal_moves(loose, step.after, turn))
            assert not validate_move(strict, step.after, turn, legal_moves(strict, step.after, turn)[0])
