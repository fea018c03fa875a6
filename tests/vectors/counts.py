"""The perft cases: stride deals of every rule set, counted from some decision on to the end of the deal.

A rule set has twenty deals, of matches that begin with one stride pack after the other; an ending of each is counted,
and of the first of them the opening too. The counts of the `PUBLISHED` cases were published before by others, those of
`EVERY_PACK` are sums over all packs.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from math import gcd
from pathlib import Path

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import AnyGame, Position, play
from chitarrella_testing.expectations import strides
from chitarrella_testing.perft import Case, InvalidCase, decisions, fixed_decision, is_deal_running, lay_out
from chitarrella_testing.perft_files import Entry, Written, read_cases, write_heading, write_section
from tests.walks import CATALOGUE

PUBLISHED_FILE = Path(__file__).with_name("published.perft")

MATCH = 4  # deals of a match, before the next one begins; fewer if the match is over
DEALS, NODES = 20, 500
"""Deals of a rule set, each counted to its end from as early as it can be done with so many nodes."""
OPENINGS, OPENING_NODES, DEEPEST = 2, 600, 12
"""Of so many deals the opening is counted too, if a match begins with them, as deep as the nodes allow."""

PUBLISHED = {
    "briscola-2-first-12-k7": Case(
        RuleSet("briscola", 2, (("deal_packets", "1-1-1"), ("first_dealer", "1"))), strides=(7,), first=12
    )
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


# ---------------------------------------------------------------------- files


def section(rule_set: RuleSet, most: int = DEALS) -> str:
    """Count the stride deals of a rule set, or the first of them, and write them."""
    return write_section(CATALOGUE, rule_set, stride_deals(rule_set, most))


def every_pack(name: str) -> str:
    case = EVERY_PACK[name]
    return write_section(CATALOGUE, case.rule_set, [Entry(case, f"{name} every pack")])


def published() -> str:
    note = "Counts that others had published before. Written by make vectors; how to read it: README.md"
    texts: list[str] = []
    for game, cases in groupby(PUBLISHED.items(), key=lambda one: one[1].rule_set.game):
        texts.append(write_heading(CATALOGUE, game, "" if texts else note))
        texts += [write_section(CATALOGUE, case.rule_set, [Entry(case, name)]) for name, case in cases]
    return "\n".join(texts)


@lru_cache(maxsize=1)
def kept() -> dict[str, Written]:
    """The published cases as they stand in their file, by name."""
    return {written.name: written for written in read_cases(PUBLISHED_FILE.read_text(encoding="utf-8"))}


# ---------------------------------------------------------------------- cases


def stride_deals(rule_set: RuleSet, most: int = DEALS) -> Iterator[Entry]:
    """The cases of a rule set: of match after match, each begun with the next stride pack, the first deals."""
    pack = CATALOGUE.game(rule_set.game).pack
    steps = strides(pack)
    steps += [step for step in range(steps[0] - 1, 0, -1) if gcd(step, len(pack.cards)) == 1]
    number = 0
    for first in range(len(steps)):
        for last in range(first + 1, first + 1 + MATCH):
            case = Case(rule_set, strides=tuple(steps[place % len(steps)] for place in range(first, last)))
            if number == most:
                break
            try:
                game, p = lay_out(CATALOGUE, case)
            except InvalidCase:  # the match is over before the deal
                break
            number += 1
            played = ending(game, p)
            if played and number <= OPENINGS and len(case.strides) == 1:
                yield Entry(case._replace(depth=opening(game, p)), f"{number} opening")
            yield Entry(case._replace(played=played), f"{number} ending")


def ending(game: AnyGame, p: Position) -> int:
    """Decisions by the fixed rule after which the rest of the deal is counted: as few as the nodes allow.

    From the end back, a position adds itself and what the other decisions lead to.
    """
    positions = [p]
    while is_deal_running(game, p):
        p, _ = play(game, p, *fixed_decision(game, p, len(positions) - 1))
        positions.append(p)
    nodes = 1
    for played in range(len(positions) - 1, 0, -1):
        others = list(after(game, positions[played - 1]))
        others.remove(positions[played])
        nodes += 1
        while others and nodes <= NODES:
            nodes += 1
            others += after(game, others.pop())
        if nodes > NODES:
            return played
    return 0


def opening(game: AnyGame, p: Position) -> int:
    """The depth to which an opening is counted: as deep as the nodes allow."""
    level, nodes, depth = [p], 1, 0
    while nodes <= OPENING_NODES and depth <= DEEPEST:
        level = [below for one in level for below in after(game, one)]
        nodes, depth = nodes + len(level), depth + 1
    return max(1, depth - 1)


def after(game: AnyGame, p: Position) -> Iterator[Position]:
    for actor, move in decisions(game, p)[0] if is_deal_running(game, p) else ():
        yield game.apply(p, actor if move.seat is None else move.seat, move, [])
