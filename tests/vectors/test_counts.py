"""Card perft: the published counts, the counter held against what can be worked out by hand, and its files."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import play
from chitarrella.core.model import CHANCE, Move
from chitarrella_testing.perft import (
    Case,
    InvalidCase,
    divide,
    fixed_decision,
    is_deal_running,
    lay_out,
    over_every_pack,
    perft,
    stride_pack,
)
from chitarrella_testing.perft_files import (
    Entry,
    Written,
    check,
    read_case,
    read_cases,
    write_case,
    write_heading,
    write_section,
)
from tests.vectors.counts import LAST, PUBLISHED, SILENT, SMALL, kept
from tests.walks import CATALOGUE, name

LARGE = ("coteccio-3-whole-k7", "coteccio-4-whole-k7")
"""They have hundreds of thousands of nodes; `make vectors ARGS=--check` counts them too."""


@pytest.mark.parametrize("title", [title for title in PUBLISHED if title not in LARGE])
def test_the_published_cases_are_counted_alike(title: str) -> None:
    """Counting what others have published gives every figure that is written."""
    assert [] == check(CATALOGUE, kept()[title])


def test_every_published_case_is_written() -> None:
    """The file has the published cases and no other."""
    assert PUBLISHED.keys() == kept().keys()


def test_the_published_counts_of_briscola() -> None:
    """Twelve cards of Briscola can be played in 26,244 ways: seat 0 wins 19,322 and loses 6,922 of them."""
    _, case, lines, _ = kept()["briscola-2-first-12-k7"]
    assert PUBLISHED["briscola-2-first-12-k7"] == case._replace(rule_set=case.rule_set._replace(edition=0))
    assert "ends won 19322 drawn 0 lost 6922 results 64cb00d022f4a80d" in lines
    assert "level 12 26244 26244 0 -" in lines


@pytest.mark.parametrize(
    ("title", "leaves", "refused", "forced", "digest"),
    [
        ("coteccio-2-whole-k7", 2_456, 1_423, 5_934, "8374209669e7bfa2"),
        ("coteccio-2-whole-k13", 1_376, 768, 3_270, "b6f39b2bba1bf114"),
        ("coteccio-3-whole-k7", 120_096, 38_521, 392_702, "dfcdb0009a3ee8fb"),
        ("coteccio-4-whole-k7", 22_584, 25_238, 112_219, "de6dcedf76b24fa8"),
    ],
)
def test_the_published_counts_of_coteccio(title: str, leaves: int, refused: int, forced: int, digest: str) -> None:
    """Whole deals of Coteccio without annulling: leaves, refusals, forced cards and results are the published ones."""
    _, case, lines, _ = kept()[title]
    assert PUBLISHED[title] == case._replace(rule_set=case.rule_set._replace(edition=0))
    levels = [line.split() for line in lines if line.startswith("level")]
    assert (leaves, forced) == (sum(int(level[3]) for level in levels), sum(int(level[4]) for level in levels))
    refusals = [level[5].partition(":") for level in levels if level[5] != "-"]
    assert {"CC-10/must_follow_suit"} == {clause for clause, _, _ in refusals}
    assert refused == sum(int(count) for _, _, count in refusals)
    assert any(line.startswith("ends ") and line.endswith(f"results {digest}") for line in lines)


def test_a_match_goes_on_deal_by_deal() -> None:
    """The second deal of a case is the one after the first was played out by the fixed rule; so are its decisions."""
    rule_set = RuleSet("coteccio", 3)
    game, p = lay_out(CATALOGUE, Case(rule_set, strides=(7,)))
    number = 0
    while is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, number))
        number += 1
    p, _ = play(game, p, CHANCE, Move("start_deal", stride_pack(game.pack, 9)))
    for decision in range(2):
        p, _ = play(game, p, *fixed_decision(game, p, decision))
    assert lay_out(CATALOGUE, Case(rule_set, strides=(7, 9), played=2)) == (game, p)


def test_lots_are_drawn_by_a_rule() -> None:
    """The first lot of a match is the least: the first dealer is seat 0 where nothing else is agreed."""
    case = Case(RuleSet("coech", 4), strides=(7,))
    agreed = case._replace(rule_set=RuleSet("coech", 4, (("first_dealer", "0"),)))
    assert perft(*lay_out(CATALOGUE, case), 3) == perft(*lay_out(CATALOGUE, agreed), 3)


def test_verbs_may_be_left_out() -> None:
    """Where annulling is left out the winner of four tricks has one decision, not two; nothing else changes."""
    case = PUBLISHED["coteccio-2-whole-k13"]
    game, p = lay_out(CATALOGUE, case)
    whole, less = perft(game, p), perft(game, p, None, case.without)
    assert whole.refused == less.refused
    assert (whole.leaves - less.leaves) == (less.forced - whole.forced) > 0


def test_hands_without_duties_are_played_in_every_order() -> None:
    """Eight cards of Briscola: three choices each, a draw, then the three last cards in any order."""
    game, p = lay_out(CATALOGUE, SMALL)
    report = perft(game, p)
    assert report.leaves == 3 * 3 * factorial(3) ** 2
    assert report.refused == 0
    assert report.won + report.drawn + report.lost == report.leaves == sum(count for _, count in report.results)


def test_the_parts_add_up_to_the_whole() -> None:
    """What follows each first decision, added up, is all that follows."""
    game, p = lay_out(CATALOGUE, SMALL)
    whole, parts = divide(game, p)
    assert [text for text, _ in parts] == ["play_card Ab", "play_card 5c", "play_card Cd"]
    assert whole == perft(game, p)
    assert whole.leaves == sum(part.leaves for _, part in parts)
    nodes = [sum(level.nodes for level in report.levels) for report in (whole, *(part for _, part in parts))]
    assert nodes[0] == 1 + sum(nodes[1:])


def test_a_depth_cuts_the_count_off() -> None:
    """To a depth of two there are the position, three first decisions and nine second ones, and no deal is over."""
    game, p = lay_out(CATALOGUE, SMALL)
    report = perft(game, p, 2)
    assert [level.nodes for level in report.levels] == [1, 3, 9]
    assert report.leaves == 0


@pytest.mark.parametrize(
    "case",
    [
        Case(RuleSet("cucu", 2, (SILENT,)), weighted=True, among=("II", "XIII", "XV")),
        pytest.param(
            Case(
                RuleSet("cucu", 2, (SILENT, ("horse_dealer_draw", "next"))), weighted=True, among=("NUL", "XI", "XIII")
            ),
            marks=pytest.mark.unmeasured,
        ),
        pytest.param(
            Case(RuleSet("cucu", 3, (LAST,)), weighted=True, among=("NUL", "XII", "XIV")),
            marks=pytest.mark.unmeasured,
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
    every = over_every_pack(game, start)
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


def test_what_is_dealt_out_at_once_has_no_chance() -> None:
    """A game whose pack is dealt out at once, and a pack too short for a deal, cannot be counted over every pack."""
    for rule_set, among in ((RuleSet("briscola", 2), ()), (RuleSet("cucu", 8), ("II", "X"))):
        with pytest.raises(InvalidCase):
            write_case(CATALOGUE, Case(rule_set, weighted=True, among=among))


def test_a_pack_is_for_who_waits_for_one() -> None:
    """In the middle of a deal no pack can be supplied."""
    whole = Case(RuleSet("briscola", 2), strides=(7,))
    game, p = lay_out(CATALOGUE, whole)
    with pytest.raises(InvalidCase, match=r"^no pack is wanted here$"):
        lay_out(CATALOGUE, whole._replace(position=game.encode(p)))


def test_a_stride_pack_reaches_every_card() -> None:
    """Every seventh card, round and round, is the whole pack; every fifth is not, and is no pack."""
    pack = CATALOGUE.game("briscola").pack
    assert [str(card) for card in stride_pack(pack, 7)[:7]] == ["Ab", "Fb", "5c", "2d", "Cd", "6s", "3b"]
    assert pack.holds_exactly(stride_pack(pack, 7))
    with pytest.raises(InvalidCase):
        stride_pack(pack, 5)


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (Case(RuleSet("briscola", 2), strides=(5,)), "steps of 5 do not reach all 40 cards"),
        (SMALL._replace(strides=(7, 9)), "a short pack is for a single deal"),
        (SMALL._replace(played=9), "the deal is over after 8 decisions"),
        (Case(RuleSet("cuccu-a-trionfo", 4), strides=(7, 9)), "the match is finished"),
    ],
)
def test_what_cannot_be_laid_out(case: Case, message: str) -> None:
    """A pack that misses cards, a short pack for several deals, more decisions or deals than there are: no case."""
    with pytest.raises(InvalidCase, match=message):
        lay_out(CATALOGUE, case)


def test_a_wrong_figure_is_named() -> None:
    """A figure that is not what is counted is named, with what is."""
    case = SMALL._replace(played=2)
    text = write_case(CATALOGUE, case)
    right = next(line for line in text.splitlines() if line.startswith("ends"))
    wrong = right.replace("won ", "won 1")
    (written,) = read_cases(text.replace(right, wrong))
    assert check(CATALOGUE, written) == [f"written but not counted: {wrong}", f"counted but not written: {right}"]


def test_several_cases_in_a_file() -> None:
    """Cases of one rule set share a heading; each is read back as it is alone, under its name."""
    cases = [(f"after {played}", SMALL._replace(played=played)) for played in (3, 4)]
    entries = [Entry(case, name, "a line for the reader") for name, case in cases]
    heading = write_heading(CATALOGUE, "briscola", "What stands here")
    found = read_cases(f"{heading}\n{write_section(CATALOGUE, SMALL.rule_set, entries)}")
    assert [name for name, _ in cases] == [written.name for written in found]
    for (_, case), written in zip(cases, found, strict=True):
        (alone,) = read_cases(write_case(CATALOGUE, case))
        assert (alone.case, alone.lines, alone.figures) == (written.case, written.lines, written.figures)
    with pytest.raises(InvalidCase, match=r"^the cases of a section are of one rule set$"):
        write_section(CATALOGUE, SMALL.rule_set, [Entry(Case(RuleSet("briscolone", 2), strides=(7,), depth=1))])


DEALT = Case(RuleSet("madrasso", 4), strides=(7, 9), played=30)


def test_a_deal_is_a_line() -> None:
    """A line gives the nodes of every level, and of the other counts the sums that the levels have in a block."""
    heading, section = (
        write_heading(CATALOGUE, "madrasso", ""),
        write_section(CATALOGUE, DEALT.rule_set, [Entry(DEALT)]),
    )
    (brief,), (whole,) = read_cases(heading + section), read_cases(write_case(CATALOGUE, DEALT))
    assert (brief.case, brief.name) == (whole.case, "deal 7 9 played 30")
    levels = [line.split() for line in whole.lines if line.startswith("level")]
    refused = Counter[str]()
    for clause, _, number in (
        each.partition(":") for level in levels[:-1] for each in level[5].split(",") if each != "-"
    ):
        refused[clause] += int(number)
    assert refused
    assert brief.lines == (
        " ".join(["nodes", *(level[2] for level in levels)]),
        f"leaves {sum(int(level[3]) for level in levels)}",
        f"forced {sum(int(level[4]) for level in levels)}",
        f"refused {','.join(f'{clause}:{number}' for clause, number in sorted(refused.items()))}",
        next(line for line in whole.lines if line.startswith("ends")),
    )
    assert brief.figures == len(levels) + 2 + len(refused) + 4
    assert check(CATALOGUE, brief) == []
    wrong = brief._replace(lines=(*brief.lines[:1], "leaves 1", *brief.lines[2:]))
    assert check(CATALOGUE, wrong) == [
        "written but not counted: leaves 1",
        f"counted but not written: {brief.lines[1]}",
    ]


@pytest.mark.parametrize(
    "case",
    [
        Case(RuleSet("briscola", 2)),
        SMALL,
        DEALT._replace(without=("claim_777",)),
        Case(RuleSet("cucu", 2), weighted=True),
    ],
)
def test_a_line_is_for_stride_deals_of_whole_packs(case: Case) -> None:
    """What a line cannot say is not written into one."""
    with pytest.raises(InvalidCase, match=r"^a line is for stride deals of whole packs"):
        write_section(CATALOGUE, case.rule_set, [Entry(case)])


def test_counts_are_counted() -> None:
    """A level has three counts and one for each clause, the ends four, a first decision two."""
    lines = ("level 0 1 0 0 CO-1/a:2,CO-2/b:1", "level 1 2 2 0 -", "ends won 1 drawn 0 lost 1 results 00", "divide x")
    assert 5 + 3 + 4 + 2 == Written("", SMALL, lines).figures


TABLE = "game cucu\nplayers 2\nedition 1\n"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "'game'"),
        ("moon full", "'game'"),
        ("game cucu", "'players'"),
        (f"{TABLE}pack 7", "7"),
        (f"{TABLE}pack stride", "stride"),
        (f"{TABLE}pack stride 7 first", "stride 7 first"),
        (f"{TABLE}chance heavy", "heavy"),
        (f"{TABLE}chance weighted among", "weighted among"),
        (f"{TABLE}chance weighted II NUL", "weighted II NUL"),
        (f"{TABLE}pack stride 7\nchance weighted", "a pack, or every pack"),
    ],
)
def test_what_is_no_case_is_refused(text: str, wrong: str) -> None:
    """A text without a game, with half a pack, with a pack and every pack, or with words of its own is no case."""
    with pytest.raises(InvalidCase, match=f"^a heading is missing or wrong: {wrong}$"):
        read_case(text)


def test_counts_belong_to_a_case() -> None:
    """Where a file has cases, no count stands before the first."""
    with pytest.raises(InvalidCase, match=r"^there are counts before the first case$"):
        read_case(f"{TABLE}divide keep nodes 1 leaves 1\ncase 1\npack stride 7")


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("deal | nodes 1", "a heading is missing or wrong: stride"),
        ("deal seven | nodes 1", "a heading is missing or wrong: invalid literal"),
        ("deal 7 played | nodes 1", "a heading is missing or wrong: invalid literal"),
        ("deal 7 | nodes 1\ndepth 3", "a deal is a single line, not followed by 'depth 3'"),
    ],
)
def test_what_is_no_deal_is_refused(line: str, wrong: str) -> None:
    """A line that begins as a deal, but does not give the steps of its packs, or goes on in the next line."""
    with pytest.raises(InvalidCase, match=f"^{wrong}"):
        read_cases(f"{TABLE}{line}")


def test_a_file_may_be_of_several_games() -> None:
    """Each rule set has what is said of its game, and nothing that is said of another rule set."""
    briscola = "game briscola\nedition 1\nplayers 2\noption rubber_games 1\ndeal 7\nplayers 3\ndeal 9\n"
    assert [one.case.rule_set for one in read_cases(f"{briscola}game cucu\nedition 1\nplayers 2\ndeal 7")] == [
        RuleSet("briscola", 2, (("rubber_games", "1"),), 1),
        RuleSet("briscola", 3, (), 1),
        RuleSet("cucu", 2, (), 1),
    ]
