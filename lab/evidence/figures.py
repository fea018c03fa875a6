"""The figures of the proofs: what there is to show that the rules are right, counted from the files that show it.

`make evidence` writes them to where the service shows them, and into the pages; tests keep them true. What
takes hours to measure is measured by its own command, which leaves a line in `measured.json`.
"""

import json
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from chitarrella.transports.rest.website.website import FIGURES
from chitarrella_testing.checks import LAW_TEXTS, LAWS
from lab.evidence.pages import write_pages
from lab.soak.progress import SoakProgress
from tests.games.test_rulebook import CLAUSES, EXAMPLES, marked
from tests.vectors import digests
from tests.walks import CATALOGUE, defaults, variants

HERE = Path(__file__).parent
MEASURED = HERE / "measured.json"
COMMAND = "make evidence"
CHECK = "make vectors ARGS=--check"  # what makes all vectors and compares their digests


class Figure(NamedTuple):
    """What is proved, the figure, the command by which anybody can see it, and a sentence on it."""

    what: str
    figure: str
    command: str
    says: str


@lru_cache(maxsize=1)
def figures() -> tuple[Figure, ...]:
    """Count everything that can be counted at once, then give what was measured."""
    return tuple(_figures())


def _figures() -> Iterator[Figure]:
    yield Figure(
        "games", f"{len(list(CATALOGUE)):,} games, {len([*defaults(), *variants()]):,} rule sets",
        ".venv/bin/chitarrella games",
        "A rule set is a game with a number of players and at most one option that is not the usual one.",
    )  # fmt: skip
    tests = {test for _, test in marked()}
    yield Figure(
        "rule book", f"{len(CLAUSES):,} clauses, all with a test that names them, {len(tests):,} such tests",
        ".venv/bin/pytest tests/games/test_rulebook.py",
        "Every clause of every game has a test or a worked example that says it proves it.",
    )  # fmt: skip
    yield Figure(
        "worked examples", f"{sum(EXAMPLES.values()):,} examples",
        ".venv/bin/pytest tests/games/test_scenes.py",
        "Examples worked out by hand from the sources, each with its number.",
    )  # fmt: skip
    yield Figure(
        "laws", f"{len(LAWS)} laws over every rule set", ".venv/bin/pytest tests/properties",
        "; ".join(LAW_TEXTS.values()),
    )  # fmt: skip
    yield _soak()
    yield from _vectors()
    for one in json.loads(MEASURED.read_text(encoding="utf-8")):
        yield Figure(**one)


def _soak() -> Figure:
    progress = SoakProgress.read()
    deals, laws = zip(*(progress.most(rule_set) for rule_set in (*defaults(), *variants())), strict=True)
    return Figure(
        "soak", f"{sum(deals):,} random deals, {min(deals):,} at least of each of the {len(deals):,} rule sets",
        "make soak",
        f"At least {min(laws)} of the same laws over deal after deal: a game, a number of players, and at most one "
        "option that is not the usual one. A broken law names the seed that shows it. What held is kept by rule set in "
        "lab/soak/progress.txt.",
    )  # fmt: skip


def _vectors() -> Iterator[Figure]:
    found = digests.amounts()
    counts, deals = found["counts"]
    played = found["match"][0] + found["deals"][0]
    refusals, invalid, views = (found[kind][0] for kind in ("refusals", "invalid", "views"))
    for what, figure, says in (
        ("card perft", f"{counts:,} counts of {deals:,} stride deals",
         "All the ways in which a deal can go on, counted; no random generator is needed to repeat them."),
        ("playthroughs", f"{played:,} golden playthroughs",
         "Matches and deals, move by move, with all that happened; each plays itself again."),
        ("refusals", f"{refusals:,} moves and what is against them",
         "For every reason and every clause that a game can refuse with, moves that are refused for it."),
        ("invalid positions", f"{invalid:,} lines that no table can come to",
         "For every game every fault that was met among positions corrupted at random, with the field at fault."),
        ("views", f"{views:,} views of positions",
         "What the public, a seat and the referee see of a position: for every game every kind of zone and fact."),
    ):  # fmt: skip
        yield Figure(what, figure, CHECK, says)


def written() -> str:
    """Write the figures as the page reads them."""
    return json.dumps([figure._asdict() for figure in figures()], ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FIGURES.write_text(written(), encoding="utf-8")
    write_pages()
    for figure in figures():
        print(f"{figure.what:<16} {figure.figure}\n{'':<16} {figure.command}")
