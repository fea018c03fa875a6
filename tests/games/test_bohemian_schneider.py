"""Bohemian Schneider: only the next higher card captures, the three variations, the score (clauses SN)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import InvalidPosition
from chitarrella.games.bohemian_schneider import tiered_match_of
from chitarrella.tricks.game import TrickGame
from tests.games.support.scripted_deals import Script, contrive, points
from tests.games.support.table import Match, events_of, facts, seat, table, taker, worth
from tests.walks import known_walk

KEY = "bohemian-schneider"
RANKS = ["7", "8", "9", "T", "J", "Q", "K", "A"]
SAME = {"ace_by_seven": "same_suit"}
SUITLESS = {"any_suit_captures": "true"}
ANY = {**SUITLESS, "ace_by_seven": "any_suit"}
EVERY = [{}, SAME, SUITLESS, {**SUITLESS, **SAME}, ANY, {"scoring": "honours"}, {**ANY, "scoring": "honours"}]
"""The variations, each alone and together."""


def captures(game: TrickGame, led: str, played: str) -> bool:
    """Whether the second card takes the first."""
    cards = game.pack.hand((led, played))
    return taker(game, cards) == 1


def deals(match: Match, *results: tuple[int, int]) -> Match:
    """Play deals with these points, seat by seat."""
    for result in results:
        contrive(match.game, match.p.match_state.dealer, points(*result)).perform(match)
    return match


# ---------------------------------------------------------------------- cards and deal


@pytest.mark.clause("SN-3.1", "SN-3.2", "SN-3.3")
def test_cards_and_points() -> None:
    """The Ten counts ten and captures below the Jack (SN-R14): 120 points, or twenty honours, in 32 cards."""
    game, honours = seat(KEY), seat(KEY, scoring="honours")
    cards = game.pack.hand(f"{rank}h" for rank in RANKS)
    assert [0, 0, 0, 10, 2, 3, 4, 11] == [worth(game, (card,)) for card in cards]
    assert [0, 0, 0, 1, 1, 1, 1, 1] == [worth(honours, (card,)) for card in cards]
    assert (32, 120, 20) == (len(game.pack.cards), worth(game, game.pack.cards), worth(honours, game.pack.cards))
    next_higher = {
        low: high for low in RANKS for high in RANKS if low != high and captures(game, f"{low}h", f"{high}h")
    }
    assert dict(pairwise(RANKS)) == next_higher


# ---------------------------------------------------------------------- tricks


@pytest.mark.clause("SN-6.1", "SN-6.2", "SN-6.3", "SN-6.4", "SN-3.3", "SN-5.2")
@pytest.mark.parametrize(
    ("options", "led", "played", "winner", "points"),
    [
        pytest.param({}, "Ts", "Js", 0, 12, id="SN-EX1"),
        pytest.param({}, "Ts", "Qs", 1, 13, id="SN-EX2-queen"),
        pytest.param({}, "Ts", "As", 1, 21, id="SN-EX2-ace"),
        pytest.param({}, "9h", "Th", 0, 10, id="SN-EX3-of the suit"),
        pytest.param({}, "9h", "Td", 1, 10, id="SN-EX3-of another"),
        pytest.param({}, "Ac", "7c", 1, 11, id="SN-EX4"),
        pytest.param(SAME, "Ac", "7c", 0, 11, id="SN-EX4-of the suit"),
        pytest.param(SAME, "Ac", "7d", 1, 11, id="SN-EX4-of another"),
        pytest.param(SUITLESS, "Kd", "As", 0, 15, id="SN-EX5-king"),
        pytest.param(SUITLESS, "7d", "8c", 0, 0, id="SN-EX5-seven"),
        pytest.param(SUITLESS, "7d", "8d", 0, 0, id="SN-R18"),
        pytest.param({**SUITLESS, **SAME}, "Ah", "7s", 1, 11, id="SN-EX6-of another"),
        pytest.param({**SUITLESS, **SAME}, "Ah", "7h", 0, 11, id="SN-EX6-of the suit"),
        pytest.param(ANY, "Ah", "7s", 0, 11, id="SN-EX6-any"),
        pytest.param(SAME, "7h", "Ah", 1, 11, id="SN-EX8"),
        pytest.param(SAME, "7h", "8h", 0, 0, id="SN-R5"),
        pytest.param({**ANY, "scoring": "honours"}, "Ad", "7s", 0, 1, id="SN-EX16-ace"),
        pytest.param({**ANY, "scoring": "honours"}, "Td", "Jc", 0, 2, id="SN-EX16-ten"),
    ],
)
def test_a_trick(options: dict[str, str], led: str, played: str, winner: int, points: int) -> None:
    """Who takes a trick that s1 leads, and what it counts (SN-R1 to SN-R6, SN-R15)."""
    match = table(seat(KEY, **options), {1: led, 0: played})
    assert (winner, points) == match.one_trick(f"1 {led}, 0 {played}")
    assert (winner, winner) == (match.game.turn(match.p), match.p.leader)


@pytest.mark.clause("SN-6.1", "SN-6.2", "SN-6.3", "SN-3.3")
@pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")
def test_which_cards_capture(options: dict[str, str]) -> None:
    """SN 4 to 6: one card captures each that is led, four where suits do not matter; an Ace falls only by agreement."""
    game = seat(KEY, **options)
    mode, suitless = options.get("ace_by_seven", "off"), "any_suit_captures" in options
    for led in game.pack.cards:
        found = {played for played in game.pack.cards if played != led and captures(game, led, played)}
        if led.rank == "A":
            expected = {f"7{suit}" for suit in {"off": "", "same_suit": led.suit, "any_suit": "cdhs"}[mode]}
        else:
            higher = RANKS[RANKS.index(led.rank) + 1]
            expected = {higher + suit for suit in ("cdhs" if suitless else led.suit)}
        assert expected == found


@pytest.mark.clause("SN-6.1")
def test_nothing_moves_up() -> None:
    """SN-EX7: when Kd is gone no card captures Qd, not even Ad (SN-R2)."""
    match = table(seat(KEY), {1: "Kd Qd", 0: "7c Ad"})
    match.play("1 Kd, 0 7c")
    assert (1, 14) == match.one_trick("1 Qd, 0 Ad")


# ---------------------------------------------------------------------- scores and matches


@pytest.mark.clause("SN-7.1")
@pytest.mark.parametrize(
    ("taken", "score"), [(60, 0), (61, 1), (90, 1), (91, 2), (118, 2), (120, 3)], ids=lambda n: f"SN-EX9-{n}"
)
@pytest.mark.parametrize("winner", [0, 1])
def test_scores_by_points(taken: int, score: int, winner: int) -> None:
    """61 points score one game, 91 two, 120 three (even if worthless tricks were lost), 60 none (SN-R7, R8, R20)."""
    result = (taken, 120 - taken) if winner == 0 else (120 - taken, taken)
    match = deals(Match(seat(KEY)), result)
    assert (score if winner == 0 else 0, score if winner == 1 else 0) == match.game.scores(match.p)
    scored = [event.shares for event in events_of(match, "deal_scored", None)]
    assert ([((str(winner), score),)] if score else []) == scored
    assert (0 if score else 1) == len(events_of(match, "deal_drawn")) == match.p.match_state.draws


@pytest.mark.clause("SN-7.1")
def test_worthless_tricks_do_not_save_the_loser() -> None:
    """SN-EX9, end: with two tricks of 9c 8d and 7s 8h the loser has no point, and the winner his 120 (SN-R9)."""
    game = seat(KEY)

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
    match = deals(Match(seat(KEY, scoring="honours")), (taken, 20 - taken))
    assert (score, 0) == match.game.scores(match.p)


@pytest.mark.clause("SN-7.1", "SN-7.2")
def test_points_and_honours_may_differ() -> None:
    """SN-EX10: four Aces, a Ten and two Kings are 62 points but 7 honours: either count has another winner."""
    won = "Ac Ad Ah As Tc Kc Kd"
    counts = [worth(seat(KEY, scoring=way), seat(KEY).pack.hand(won.split())) for way in ("points", "honours")]
    assert [62, 7] == counts
    by_points, by_honours = (tiered_match_of(seat(KEY, scoring=way)) for way in ("points", "honours"))
    assert [1, 0] == [by_points.score_for(62), by_points.score_for(120 - 62)]
    assert [0, 1] == [by_honours.score_for(7), by_honours.score_for(20 - 7)]


@pytest.mark.clause("SN-7.3", "ALL-7")
@pytest.mark.parametrize(
    ("second", "score", "winners"),
    [((100, 20), (2, 0), frozenset({0})), ((20, 100), (0, 2), frozenset({1})), ((60, 60), (0, 0), frozenset())],
)
def test_a_match_of_two(second: tuple[int, int], score: tuple[int, int], winners: frozenset[int]) -> None:
    """SN-EX14: a deal without a score counts (SN-R22); then the higher score wins, and level scores are a draw."""
    match = deals(Match(seat(KEY, match_deals="2")), (60, 60))
    assert (None, 1) == (match.game.outcome(match.p), match.p.match_state.dealer)
    deals(match, second)
    assert ("match_over", score, winners) == (match.p.phase, match.game.scores(match.p), match.game.outcome(match.p))
    assert sorted(winners) == [event.seat for event in events_of(match, "match_won")]
    assert (not winners) == bool(events_of(match, "match_drawn"))
    assert ["match_over"] == match.codes(-1, "start_deal " + " ".join(match.game.pack.cards))


@pytest.mark.clause("SN-7.3", "ALL-7")
def test_an_open_score() -> None:
    """SN-EX15: after 80-40, 29-91 and 60-60 the score is 1-2, nothing is over, and s1 deals the fourth (SN-R13)."""
    match = deals(Match(seat(KEY)), (80, 40), (29, 91), (60, 60))
    assert ((1, 2), None, "await_deal", 1) == (
        match.game.scores(match.p),
        match.game.outcome(match.p),
        match.p.phase,
        match.p.match_state.dealer,
    )
    assert {0: 1, 1: 2} == facts(match.view(None), "total")


# ---------------------------------------------------------------------- options


@pytest.mark.clause("ALL-8", "SN-7.3")
@pytest.mark.parametrize("number", [2, 4, 10])
def test_match_deals(number: int) -> None:
    """An even number of deals makes the match, not one more and not one less."""
    match = Match(seat(KEY, match_deals=str(number)))
    match.play_out(number - 1)
    assert "await_deal" == match.p.phase
    match.play_out()
    assert ("match_over", number) == (match.p.phase, match.p.match_state.deal)


# ---------------------------------------------------------------------- refusals and positions


@pytest.mark.parametrize(
    "spoilt", ["phase=match_over", "phase=game_over", "totals=4,0", "totals=-1,0", "doubled=yes", "totals=1"]
)
def test_impossible_positions(spoilt: str) -> None:
    """A score of more than three a deal, a doubling or the end of an endless match can be at no table."""
    match = deals(Match(seat(KEY)), (61, 59))
    line = match.game.encode(match.p)
    name = spoilt.partition("=")[0]
    words = [word for word in line.split() if not word.startswith(f"{name}=")]
    with pytest.raises(InvalidPosition):
        match.game.decode(" ".join([*words, spoilt]))


# ---------------------------------------------------------------------- invariants


@pytest.mark.clause("SN-4.1", "SN-5.3", "SN-3.2", "SN-7.1", "SN-7.2")
@pytest.mark.parametrize("options", EVERY, ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("seed", ["one", "two"])
def test_what_is_true_of_every_deal(options: dict[str, str], seed: str) -> None:
    """SN 5, 6 and 8: 120 points or 20 honours, a score of 0 to 3, and who takes a trick of two suits."""
    walk = known_walk(RuleSet(KEY, 2, tuple(sorted(options.items()))), seed, 2, 6)
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
