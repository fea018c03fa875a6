"""The perft cases: stride deals of every rule set, counted from some decision on to the end of the deal.

Of every rule set there are `DEALS` deals, of matches that begin with one stride pack after the other; an ending of
each is counted, and of the first of them the opening too. The counts of `FAMOUS` cases were published, those of
`EVERY_PACK` are sums over all packs.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue import Agreement
from chitarrella.game import AnyGame, Position, play
from chitarrella.perft import decisions, running, steady
from chitarrella.perft_case import BadCase, Case, lay_out
from chitarrella.perft_file import write_case, write_cases
from tests.kit import CATALOGUE, defaults, name, strides, variants

FOLDER = Path(__file__).parent.parent / "vectors" / "perft"
COMMAND = "python -m tests.perft.write"

DEALS = 20
"""Stride deals of every rule set."""
MATCH = 4
"""Deals of a match, before the next one begins; fewer where the match is over."""
OPENINGS = 2
"""Of so many of the first deals the opening is counted too, where a match begins with them."""
NODES, OPENING_NODES = 500, 600
"""A count begins as early, and an opening goes as deep, as it can with so many nodes."""

FAMOUS = {
    "briscola-2-first-12-k7": Case(
        Agreement("briscola", 2, (("deal_packets", "1-1-1"), ("first_dealer", "1"))), strides=(7,), first=12
    ),
} | {
    f"coteccio-{players}-whole-k{step}": Case(
        Agreement("coteccio", players, (("first_dealer", str(players - 1)),)), strides=(step,), without=("annul_deal",)
    )
    for players, step in ((2, 7), (2, 13), (3, 7), (4, 7))
}
"""Briscola for two with the first twelve cards of a stride pack: seat 0 wins 19,322 of 26,244 ways to play it.

Whole deals of Coteccio led by seat 0, in which nobody annuls.
"""


SILENT = ("end_game_agreement", "false")
LAST = ("tokens", "1")
ONE_OFFER = ("inn_offer_rounds", "1")
ARRESTS = ("XI", "XII", "XIII", "XIV", "XV")
EVERY_PACK = {
    "cucu-2": Case(Agreement("cucu", 2, (SILENT,)), weighted=True),
    "cucu-2-next": Case(Agreement("cucu", 2, (SILENT, ("horse_dealer_draw", "next"))), weighted=True),
    "cucu-2-comparison": Case(Agreement("cucu", 2, (("cuckoo_protects", "comparison"), SILENT)), weighted=True),
    "cucu-2-last-token": Case(Agreement("cucu", 2, (SILENT, LAST)), weighted=True),
    "cucu-2-talk": Case(Agreement("cucu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "cucu-3": Case(Agreement("cucu", 3), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "cucu-4": Case(Agreement("cucu", 4, (LAST,)), weighted=True, among=("NUL", "XI", "XII", "XIII")),
    "lu-stu-2": Case(Agreement("lu-stu", 2, (SILENT,)), weighted=True),
    "lu-stu-2-one-fool": Case(Agreement("lu-stu", 2, (SILENT, ("single_matto_from", "2"))), weighted=True),
    "lu-stu-2-last-token": Case(Agreement("lu-stu", 2, (SILENT, LAST)), weighted=True),
    "lu-stu-2-talk": Case(Agreement("lu-stu", 2, (LAST,)), weighted=True, among=("II", "NUL", "MAT", *ARRESTS)),
    "lu-stu-3": Case(Agreement("lu-stu", 3, (ONE_OFFER,)), weighted=True, among=("NUL", "MAT", *ARRESTS)),
    "lu-stu-3-last-token": Case(Agreement("lu-stu", 3, (ONE_OFFER, LAST)), weighted=True, among=("NUL", *ARRESTS)),
    "lu-stu-4": Case(Agreement("lu-stu", 4, (ONE_OFFER, LAST)), weighted=True, among=("NUL", "XI", "XII", "XIV")),
}
"""Deals of Cucù and Lu Stù over every pack: with all faces for two, with some for more."""


class File(NamedTuple):
    """A file of cases of one rule set; a single case without a name fills it alone."""

    file: str
    note: str
    cases: tuple[tuple[str, Case], ...]

    def text(self) -> str:
        """Count the cases and write them."""
        if len(self.cases) == 1:
            return write_case(CATALOGUE, self.cases[0][1], self.note)
        return write_cases(CATALOGUE, self.cases, self.note)


def rule_sets() -> list[Agreement]:
    """Every rule set, all of which have stride deals."""
    return [*defaults(), *variants()]


def singles() -> list[File]:
    """The files that hold a single case."""
    found = [
        File(f"{file}.perft", "The counts of this case were published before.", (("", case),))
        for file, case in FAMOUS.items()
    ]
    note = "All packs together, each face as often as there are copies of it."
    return found + [File(f"{file}-every-pack.perft", note, (("", case),)) for file, case in EVERY_PACK.items()]


def stride_deals(agreement: Agreement) -> File:
    """The file of a rule set."""
    cases: list[tuple[str, Case]] = []
    for number, case in enumerate(dealt(agreement), 1):
        end = ending(case)
        if end.played and number <= OPENINGS and len(case.strides) == 1:
            cases.append((f"{number} opening", opening(case)))
        cases.append((f"{number} ending", end))
    note = f"{CATALOGUE.game(agreement.game).title}: stride deals. Written by {COMMAND}."
    return File(f"{name(agreement)}.perft", note, tuple(cases))


def dealt(agreement: Agreement) -> Iterator[Case]:
    """Give the deals of a rule set: match after match, each begun with the next stride pack."""
    pack = CATALOGUE.game(agreement.game).pack
    steps = strides(pack)
    steps += [step for step in range(steps[0] - 1, 0, -1) if gcd(step, len(pack.cards)) == 1]
    number = 0
    for first in range(len(steps)):
        for last in range(first + 1, first + 1 + MATCH):
            case = Case(agreement, strides=tuple(steps[place % len(steps)] for place in range(first, last)))
            if number == DEALS or is_over(case):
                break
            number += 1
            yield case


def is_over(case: Case) -> bool:
    """Tell whether the match does not reach the last deal of a case."""
    try:
        lay_out(CATALOGUE, case)
    except BadCase:
        return True
    return False


def opening(case: Case) -> Case:
    """Count the first decisions, as deep as the nodes allow."""
    depth = 1
    while depth < 12 and size(case._replace(depth=depth + 1), OPENING_NODES) <= OPENING_NODES:
        depth += 1
    return case._replace(depth=depth)


def ending(case: Case) -> Case:
    """Count to the end of the deal, from as early as the nodes allow."""
    game, p = lay_out(CATALOGUE, case)
    decided = 0
    while running(game, p):
        p, _ = play(game, p, *steady(game, p, decided))
        decided += 1
    while decided and size(case._replace(played=decided - 1), NODES) <= NODES:
        decided -= 1
    return case._replace(played=decided)


def size(case: Case, most: int) -> int:
    """Count the nodes of a case, level by level, and stop where there are too many."""
    game, p = lay_out(CATALOGUE, case)
    level, total, depth = [p], 1, 0
    while level and total <= most and depth != case.depth:
        level = [after for p in level if running(game, p) for after in following(game, p)]
        total += len(level)
        depth += 1
    return total


def following(game: AnyGame, p: Position) -> list[Position]:
    """The positions one decision on."""
    return [play(game, p, actor, move)[0] for actor, move in decisions(game, p)[0]]
