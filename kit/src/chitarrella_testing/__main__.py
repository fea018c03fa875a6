"""``python -m chitarrella_testing KEY``: a first report on a game, of an installed package or of this one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.i18n.translator import LANGUAGES
from chitarrella_testing.checks import MINUTE, MOST_SEEDS, checks_of, installed
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.perft import Case, sums

MOST_WORDS = 2_000  # of what is wrong
DEPTH, MOST_NODES = 3, 50_000  # how many decisions of a deal the report counts, if there are no more ways


def report(
    catalogue: Catalogue,
    key: str,
    deals: int,
    expected: Expectations | None = None,
    languages: Sequence[str] = LANGUAGES[1:],
    seconds: float = MINUTE,
    seeds: int = MOST_SEEDS,
) -> int:
    """Print what holds for the game ``key`` and what does not; returns the number of failed checks."""
    game = catalogue.game(key)
    say = partial(print, flush=True)
    say(f"{game.entry.title} ({key}), edition {game.edition}, from {' '.join(catalogue.origin(key))}")
    say(f"{len(game.clauses)} clauses, {len(catalogue.reasons(key))} reasons, {len(game.entry.options)} options")
    say(f"perft of {' | '.join(counted(catalogue, key))}")
    failed = 0
    every = checks_of(
        key,
        deals=deals,
        seconds=seconds,
        seeds=seeds,
        expected=expected,
        languages=languages,
        catalogue=catalogue,
        say=say,
    )
    for subject, checks in groupby(every, key=attrgetter("subject")):
        passed = 0
        for check in checks:
            try:
                check()
                passed += 1
            except Exception as error:  # of the game: a report names every one
                failed += 1
                say(f"FAILED {check}: {type(error).__name__}: {str(error)[:MOST_WORDS]}")
        say(f"{subject}: {passed} checks passed")
    say(f"{failed} checks failed" if failed else "every check passed")
    return failed


def counted(catalogue: Catalogue, key: str) -> list[str]:
    """Count the first decisions of a deal, at most `DEPTH` of them, and no more than about `MOST_NODES` ways."""
    case = Case(RuleSet(key, catalogue.entry(key).players[0]), strides=(7,), depth=1)
    found = list(sums(catalogue, case))
    while len(nodes := [int(number) for number in found[0].split()[1:]]) <= DEPTH:
        if nodes[-1] ** 2 / nodes[-2] > MOST_NODES:
            break
        case = case._replace(depth=len(nodes))
        found = list(sums(catalogue, case))
    return [f"{case.depth} decisions: {found[0]}", *found[1:]]


def named_expectations(text: str) -> Expectations:
    """Import the `Expectations` that are named ``MODULE:NAME``; raises `ValueError` where there are none."""
    module, _, name = text.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(text) from error
    if not isinstance(found, Expectations):
        raise ValueError(text)
    return found


def main() -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m chitarrella_testing", description=report.__doc__)
    parser.add_argument("key", help="the key of the game")
    parser.add_argument("--deals", type=int, default=2, help="deals of each rule set that the laws are held against")
    parser.add_argument("--seconds", type=float, default=MINUTE, help="how long more deals are played")
    parser.add_argument(
        "--seeds", type=int, default=MOST_SEEDS, help="how many seeds of each rule set, if there is time"
    )
    parser.add_argument(
        "--expected",
        type=named_expectations,
        metavar="MODULE:NAME",
        help="the Expectations of the game: what the laws cannot read off it",
    )
    parser.add_argument(
        "--languages", nargs="*", default=LANGUAGES[1:], choices=LANGUAGES[1:], help="those with all translations"
    )
    parser.add_argument(
        "--mutants",
        type=int,
        nargs="?",
        const=100,
        metavar="MOST",
        help="change the package of the game in so many small ways, and name those that no check and no test notices",
    )
    parser.add_argument("--tests", type=Path, default=Path("tests"), help="the folder of the own tests, for mutants")
    chosen = parser.parse_args()
    try:
        if chosen.mutants:
            try:
                mutants = import_module("chitarrella_testing.mutants")  # needs mutmut, which nothing else does
            except ImportError as error:
                raise ImportError(
                    f'{error}; --mutants needs: pip install "chitarrella-testing[mutants]" pytest'
                ) from error
            return int(mutants.try_mutants(chosen.key, chosen.mutants, chosen.expected, chosen.tests) > 0)
        asked = (chosen.key, chosen.deals, chosen.expected, chosen.languages, chosen.seconds, chosen.seeds)
        return min(report(installed(), *asked), 1)
    except (LookupError, AssertionError, ImportError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
