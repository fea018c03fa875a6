"""Perft files: what is written is read again, and what is no case is refused."""

from __future__ import annotations

from collections import Counter

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.perft import Case, InvalidCase
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
from tests.vectors.counts import SMALL
from tests.walks import CATALOGUE


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
