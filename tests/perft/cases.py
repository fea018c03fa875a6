"""The perft cases: stride deals of the rule sets, counted from some decision on to the end of the deal.

What is kept has a section for every game with every number of players, and one for every value of every option, with
the number of players at which the option changes the counts of most deals (`chosen`). The full set has a section for
every rule set. A section has so many deals as its `Extent` says, of matches that begin with one stride pack after the
other; an ending of each is counted, and of the first of them the opening too. The counts of the `PUBLISHED` cases were
published before by others, those of `EVERY_PACK` are sums over all packs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import gcd
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, play
from chitarrella.perft.case import Case, InvalidCase, lay_out
from chitarrella.perft.count import decisions, fixed_decision, is_deal_running
from chitarrella.perft.files import Entry, Written, read_cases, write_heading, write_section
from chitarrella.perft.lines import sums
from chitarrella.testing.steady_play import strides
from tests.walks import CATALOGUE, defaults, variants

FOLDER = Path(__file__).parent.parent / "vectors" / "perft"
COMMAND = "make vectors"
PUBLISHED_FILE = "published.perft"

MATCH = 4
"""Deals of a match, before the next one begins; fewer where the match is over."""


class Extent(NamedTuple):
    """How much is counted of a rule set.

    ``deals`` are counted to their end, from as early as it can be done with ``nodes``; ``openings`` of the first of
    them, as far as a match begins with them, also as deep as it can be done with ``opening_nodes``.
    """

    deals: int
    nodes: int
    openings: int = 2
    opening_nodes: int = 600


KEPT = Extent(deals=40, nodes=120)
"""A line a deal, with the sums of its counts."""
FULL = Extent(deals=20, nodes=500)
"""A block a deal, with all counts of every level and of each first decision."""
TRIED = Extent(deals=12, nodes=30, openings=0)
"""The deals by which the number of players is chosen for an option."""

PUBLISHED = {
    "briscola-2-first-12-k7": Case(
        RuleSet("briscola", 2, (("deal_packets", "1-1-1"), ("first_dealer", "1"))), strides=(7,), first=12
    ),
} | {
    f"coteccio-{players}-whole-k{step}": Case(
        RuleSet("coteccio", players, (("first_dealer", str(players - 1)),)), strides=(step,), without=("annul_deal",)
    )
    for players, step in ((2, 7), (2, 13), (3, 7), (4, 7))
}
"""Briscola for two with the first twelve cards of a stride pack: seat 0 wins 19,322 of 26,244 ways to play it.

Whole deals of Coteccio led by seat 0, in which nobody annuls.
"""


SMALL = Case(RuleSet("briscola", 2, (("deal_packets", "1-1-1"), ("first_dealer", "1"))), strides=(7,), first=8)
"""A deal of eight cards, to try the counting on."""
SILENT = ("end_game_agreement", "false")
LAST = ("tokens", "1")
ONE_OFFER = ("inn_offer_rounds", "1")
ARRESTS = ("XI", "XII", "XIII", "XIV", "XV")
EVERY_PACK = {
    "cucu-2": Case(RuleSet("cucu", 2, (SILENT,)), weighted=True),
    "cucu-2-next": Case(RuleSet("cucu", 2, (SILENT, ("horse_dealer_draw", "next"))), weighted=True),
    "cucu-2-comparison": Case(RuleSet("cucu", 2, (("cuckoo_protects", "comparison"), SILENT)), weighted=True),
    "cucu-2-last-token": Case(RuleSet("cucu", 2, (SILENT, LAST)), weighted=True),
    "cucu-2-talk": Case(RuleSet("cucu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "cucu-3": Case(RuleSet("cucu", 3), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "cucu-4": Case(RuleSet("cucu", 4, (LAST,)), weighted=True, among=("NUL", "XI", "XII", "XIII")),
    "lu-stu-2": Case(RuleSet("lu-stu", 2, (SILENT,)), weighted=True),
    "lu-stu-2-one-fool": Case(RuleSet("lu-stu", 2, (SILENT, ("single_matto_from", "2"))), weighted=True),
    "lu-stu-2-last-token": Case(RuleSet("lu-stu", 2, (SILENT, LAST)), weighted=True),
    "lu-stu-2-talk": Case(RuleSet("lu-stu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "lu-stu-3": Case(RuleSet("lu-stu", 3, (ONE_OFFER,)), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "lu-stu-3-last-token": Case(RuleSet("lu-stu", 3, (ONE_OFFER, LAST)), weighted=True, among=("NUL", *ARRESTS)),
    "lu-stu-4": Case(RuleSet("lu-stu", 4, (ONE_OFFER, LAST)), weighted=True, among=("NUL", "XI", "XII", "XIV")),
}
"""Deals of Cucù and Lu Stù over every pack: with all faces for two, with some for more."""


# ---------------------------------------------------------------------- rule sets


def rule_sets() -> list[RuleSet]:
    """All rule sets, which the full set has."""
    return [*defaults(), *variants()]


def kept_rule_sets() -> list[RuleSet]:
    """The rule sets whose counts are kept: those without options, and of each option value the one in the files.

    An option value that is not yet in the files is tried with every number of players.
    """
    there = {written.case.rule_set._replace(edition=0) for written in all_kept()}
    return [*defaults(), *(chosen(several, there) for several in by_option().values())]


def by_option() -> dict[tuple[str, str, str], list[RuleSet]]:
    """The rule sets of each option value: game, option and value, then those with the same but for the players."""
    found: dict[tuple[str, str, str], list[RuleSet]] = {}
    for rule_set in variants():
        ((option, value),) = rule_set.options
        found.setdefault((rule_set.game, option, value), []).append(rule_set)
    return found


def chosen(several: list[RuleSet], there: set[RuleSet]) -> RuleSet:
    """Choose the rule set that is in the files; else the one whose option changes most counts, of equals the first."""
    return next((rule_set for rule_set in several if rule_set in there), None) or max(several, key=changed)


def changed(rule_set: RuleSet) -> int:
    """Of how many of some deals an option changes the counts."""
    usual = counted(rule_set._replace(options=()))
    return sum(usual.get(steps) != parts for steps, parts in counted(rule_set).items())


@lru_cache(maxsize=64)
def counted(rule_set: RuleSet) -> dict[tuple[int, ...], tuple[str, ...]]:
    """The counts of some deals of a rule set, by the steps of their packs."""
    return {entry.case.strides: tuple(sums(CATALOGUE, entry.case)) for entry in stride_deals(rule_set, TRIED)}


# ---------------------------------------------------------------------- files


def all_kept() -> list[Written]:
    """All cases in the files."""
    return [written for path in sorted(FOLDER.glob("*.perft")) for written in kept(path.name)]


@lru_cache(maxsize=32)
def kept(file: str) -> list[Written]:
    """The cases of a file."""
    return read_cases((FOLDER / file).read_text(encoding="utf-8"))


def clauses(cases: Iterable[Written]) -> set[str]:
    """Name the clauses, with the reason, by which something is refused in some cases."""
    return set(re.findall(r"([A-Z]+-[0-9.]+/\w+):[0-9]", "\n".join(line for one in cases for line in one.lines)))


def section(rule_set: RuleSet, extent: Extent) -> str:
    """Count the stride deals of a rule set and write them."""
    return write_section(CATALOGUE, rule_set, stride_deals(rule_set, extent))


def published() -> str:
    """Count the published cases and write their file."""
    note = f"Counts that others had published before. Written by {COMMAND}; how to read it: ../README.md"
    texts: list[str] = []
    for game in dict.fromkeys(case.rule_set.game for case in PUBLISHED.values()):
        texts.append(write_heading(CATALOGUE, game, note if not texts else ""))
        for name, case in PUBLISHED.items():
            if case.rule_set.game == game:
                texts.append(write_section(CATALOGUE, case.rule_set, [Entry(case, name)]))
    return "\n".join(texts)


def of_game(key: str, sections: Iterable[str]) -> str:
    """Put the sections of a game into one text, and count those over every pack."""
    title = CATALOGUE.game(key).title
    note = f"{title}: exact counts of what can follow. Written by {COMMAND}; how to read it: ../README.md"
    every = [
        write_section(CATALOGUE, case.rule_set, [Entry(case, f"{name} every pack")])
        for name, case in EVERY_PACK.items()
        if case.rule_set.game == key
    ]
    return "\n".join([write_heading(CATALOGUE, key, note), *sections, *every])


# ---------------------------------------------------------------------- cases


def stride_deals(rule_set: RuleSet, extent: Extent) -> Iterator[Entry]:
    """The cases of a rule set."""
    named = extent == FULL
    for number, case in enumerate(dealt(rule_set, extent.deals), 1):
        end = ending(case, extent.nodes)
        if end.played and number <= extent.openings and len(case.strides) == 1:
            yield Entry(opening(case, extent.opening_nodes), f"{number} opening" * named)
        yield Entry(end, f"{number} ending" * named)


def dealt(rule_set: RuleSet, deals: int) -> Iterator[Case]:
    """The deals of a rule set: match after match, each begun with the next stride pack."""
    pack = CATALOGUE.game(rule_set.game).pack
    steps = strides(pack)
    steps += [step for step in range(steps[0] - 1, 0, -1) if gcd(step, len(pack.cards)) == 1]
    number = 0
    for first in range(len(steps)):
        for last in range(first + 1, first + 1 + MATCH):
            case = Case(rule_set, strides=tuple(steps[place % len(steps)] for place in range(first, last)))
            if number == deals or is_over(case):
                break
            number += 1
            yield case


def is_over(case: Case) -> bool:
    """Whether the match is over before the last deal of a case."""
    try:
        lay_out(CATALOGUE, case)
    except InvalidCase:
        return True
    return False


def opening(case: Case, nodes: int) -> Case:
    """Count the first decisions, as deep as the nodes allow."""
    depth = 1
    while depth < 12 and size(case._replace(depth=depth + 1), nodes) <= nodes:
        depth += 1
    return case._replace(depth=depth)


def ending(case: Case, nodes: int) -> Case:
    """Count to the end of the deal, from as early as the nodes allow."""
    game, p = lay_out(CATALOGUE, case)
    decided = 0
    while is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, decided))
        decided += 1
    while decided and size(case._replace(played=decided - 1), nodes) <= nodes:
        decided -= 1
    return case._replace(played=decided)


def size(case: Case, most: int) -> int:
    """Count the nodes of a case, level by level, and stop where there are too many."""
    game, p = lay_out(CATALOGUE, case)
    level, total, depth = [p], 1, 0
    while level and total <= most and depth != case.depth:
        level = [after for p in level if is_deal_running(game, p) for after in following(game, p)]
        total += len(level)
        depth += 1
    return total


def following(game: AnyGame, p: Position) -> list[Position]:
    """The positions one decision on."""
    return [play(game, p, actor, move)[0] for actor, move in decisions(game, p)[0]]
