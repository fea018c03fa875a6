"""Card perft: the published counts, the counter held against what can be worked out by hand, and its files."""

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, Move
from chitarrella_testing import perft as counting
from chitarrella_testing.perft import Case, InvalidCase, divide, fixed_decision, lay_out, perft, stride_pack, sums
from chitarrella_testing.perft_files import Entry, check, read_case, read_cases, write_case, write_section
from tests.vectors.counts import LAST, PUBLISHED, SILENT, SMALL, kept
from tests.walks import CATALOGUE, name

LARGE = ("coteccio-3-whole-k7", "coteccio-4-whole-k7")
"""They have hundreds of thousands of nodes; `make vectors ARGS=--check` counts them too."""


@pytest.mark.parametrize("title", [title for title in PUBLISHED if title not in LARGE])
def test_the_published_cases_are_counted_alike(title: str) -> None:
    """Counting what others have published gives every figure that is written."""
    assert [] == check(CATALOGUE, kept()[title])


@pytest.mark.parametrize(
    ("title", "leaves", "refused", "forced", "ends"),
    [
        ("briscola-2-first-12-k7", 26_244, {}, 52_488, "won 19322 drawn 0 lost 6922 results 64cb00d022f4a80d"),
        ("coteccio-2-whole-k7", 2_456, {"CC-10": 1_423}, 5_934, "results 8374209669e7bfa2"),
        ("coteccio-2-whole-k13", 1_376, {"CC-10": 768}, 3_270, "results b6f39b2bba1bf114"),
        ("coteccio-3-whole-k7", 120_096, {"CC-10": 38_521}, 392_702, "results dfcdb0009a3ee8fb"),
        ("coteccio-4-whole-k7", 22_584, {"CC-10": 25_238}, 112_219, "results de6dcedf76b24fa8"),
    ],
)
def test_the_published_counts_are_kept(
    title: str, leaves: int, refused: dict[str, int], forced: int, ends: str
) -> None:
    """Twelve cards of Briscola, and whole deals of Coteccio without annulling, have the counts that were published."""
    assert PUBLISHED.keys() == kept().keys()
    _, case, lines = kept()[title]
    assert PUBLISHED[title] == case._replace(rule_set=case.rule_set._replace(edition=0))
    levels = [line.split() for line in lines if line.startswith("level")]
    assert (leaves, forced) == (sum(int(level[3]) for level in levels), sum(int(level[4]) for level in levels))
    found = Counter[str]()
    for clause, _, count in (level[5].partition("/must_follow_suit:") for level in levels if level[5] != "-"):
        found[clause] += int(count)
    assert refused == found
    assert [True] == [line.endswith(ends) for line in lines if line.startswith("ends ")]


def test_a_match_goes_on_deal_by_deal() -> None:
    """The second deal of a case is the one after the first was played out by the fixed rule; so are its decisions."""
    rule_set = RuleSet("coteccio", 3)
    game, p = lay_out(CATALOGUE, Case(rule_set, strides=(7,)))
    number = 0
    while counting.is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, number))
        number += 1
    p, _ = play(game, p, CHANCE, Move("start_deal", stride_pack(game.pack, 9)))
    for decision in range(2):
        p, _ = play(game, p, *fixed_decision(game, p, decision))
    assert lay_out(CATALOGUE, Case(rule_set, strides=(7, 9), played=2)) == (game, p)


def test_hands_without_duties_are_played_in_every_order() -> None:
    """Eight cards of Briscola: three choices each, a draw, the three last cards in any order; the parts add up."""
    game, p = lay_out(CATALOGUE, SMALL)
    whole, parts = divide(game, p)
    assert whole == perft(game, p)
    assert (3 * 3 * factorial(3) ** 2, 0) == (whole.leaves, whole.refused)
    assert whole.won + whole.drawn + whole.lost == whole.leaves == sum(count for _, count in whole.results)
    assert [text for text, _ in parts] == ["play_card Ab", "play_card 5c", "play_card Cd"]
    assert whole.leaves == sum(part.leaves for _, part in parts)
    nodes = [sum(level.nodes for level in report.levels) for report in (whole, *(part for _, part in parts))]
    assert nodes[0] == 1 + sum(nodes[1:])
    short = perft(game, p, 2)
    assert ([1, 3, 9], 0) == ([level.nodes for level in short.levels], short.leaves)


@pytest.mark.parametrize(
    "case",
    [
        Case(RuleSet("cucu", 2, (SILENT,)), weighted=True, among=("II", "XIII", "XV")),
        pytest.param(
            Case(RuleSet("cucu", 3, (LAST,)), weighted=True, among=("NUL", "XII", "XIV")), marks=pytest.mark.unmeasured
        ),
    ],
    ids=lambda case: name(case.rule_set),
)
def test_over_every_pack_is_the_sum_over_all_packs(case: Case) -> None:
    """The counts over every pack are those of all 720 orders of six cards, laid out one by one and added up."""
    game, start = lay_out(CATALOGUE, case)
    nodes: Counter[int] = Counter()
    leaves: Counter[int] = Counter()
    results: Counter[tuple[int, ...]] = Counter()
    for order in permutations(game.pack.cards):
        p, _ = play(game, start, CHANCE, Move("start_deal", order))
        report = perft(game, p)
        nodes.update({at: level.nodes for at, level in enumerate(report.levels)})
        leaves.update({at: level.leaves for at, level in enumerate(report.levels)})
        results.update(dict(report.results))
    every = counting.over_every_pack(game, start)
    times = factorial(6 - every.cards)
    assert factorial(6) == every.orders * times
    assert nodes == {at: level.nodes * times for at, level in enumerate(every.report.levels)}
    assert +leaves == +Counter({at: level.leaves * times for at, level in enumerate(every.report.levels)})
    assert results == {points: count * times for points, count in every.report.results}
    assert every.report.leaves == sum(part.leaves for _, part in every.parts)


def test_over_every_pack_from_a_position() -> None:
    """With the hands as they lie and the dealer to decide, any of 38 cards may be drawn: so many orders of one card."""
    case = Case(RuleSet("cucu", 2, (SILENT,)), strides=(7,))
    game, p = lay_out(CATALOGUE, case)
    p, _ = play(game, p, 1, Move("keep"))
    text = write_case(CATALOGUE, Case(case.rule_set, game.encode(p), weighted=True))
    assert ["orders 38 of 1 cards"] == [line for line in text.splitlines() if line.startswith("orders")]
    (written,) = read_cases(text)
    assert [] == check(CATALOGUE, written)


BRISCOLA = Case(RuleSet("briscola", 2), strides=(7,))


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (BRISCOLA._replace(strides=(5,)), "steps of 5 do not reach all 40 cards"),
        (SMALL._replace(strides=(7, 9)), "a short pack is for a single deal"),
        (SMALL._replace(played=9), "the deal is over after 8 decisions"),
        (Case(RuleSet("cuccu-a-trionfo", 4), strides=(7, 9)), "the match is finished"),
        (BRISCOLA._replace(strides=(), weighted=True), "the pack of briscola is dealt out at once"),
        (Case(RuleSet("cucu", 8), weighted=True, among=("II", "X")), "there are too few cards for a deal"),
    ],
)
def test_what_cannot_be_counted(case: Case, message: str) -> None:
    """No case: a pack that misses cards, too few cards, decisions or deals, every pack of what is dealt out at once."""
    with pytest.raises(InvalidCase, match=message):
        write_case(CATALOGUE, case)


def test_a_section_is_of_one_rule_set() -> None:
    """The cases of two rule sets do not stand in one section."""
    with pytest.raises(InvalidCase, match="one rule set"):
        write_section(CATALOGUE, BRISCOLA.rule_set, [Entry(SMALL, "of another game")])


def test_the_sums_are_those_of_the_levels() -> None:
    """The sums of a deal are its positions level by level, its ends, refusals and scores as counted one by one."""
    case = Case(RuleSet("cucu", 2), strides=(3,))
    report = perft(*lay_out(CATALOGUE, case), None)
    nodes, leaves, forced, refused, ends = sums(CATALOGUE, case)
    assert "nodes 1 2 4 7 13 13 6" == nodes == " ".join(["nodes", *(str(level.nodes) for level in report.levels)])
    assert ["leaves 22", "forced 3", "refused CU-107/must_exchange:3"] == [leaves, forced, refused]
    assert f"ends won {report.won} drawn {report.drawn} lost {report.lost} results {report.digest}" == ends


TABLE = "game cucu\nplayers 2\nedition 1\n"
MISSING = "a heading is missing or wrong: "


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("moon full", f"{MISSING}'game'$"),
        ("game cucu", f"{MISSING}'players'$"),
        (f"{TABLE}pack stride 7 first", f"{MISSING}stride 7 first$"),
        (f"{TABLE}chance weighted II NUL", f"{MISSING}weighted II NUL$"),
        (f"{TABLE}pack stride 7\nchance weighted", f"{MISSING}a pack, or every pack$"),
        (f"{TABLE}divide keep nodes 1 leaves 1\ncase 1\npack stride 7", "there are counts before the first case$"),
    ],
)
def test_what_is_no_case_is_refused(text: str, wrong: str) -> None:
    """No case: a text without a game, half a pack or deal, a pack and every pack, counts before a case, other words."""
    with pytest.raises(InvalidCase, match=f"^{wrong}"):
        read_case(text)
