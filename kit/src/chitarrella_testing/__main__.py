"""``python -m chitarrella_testing KEY``: a first report on a game, of an installed package or of this one."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from importlib import import_module

from chitarrella.catalogue.registry import Catalogue, RuleSet, UnknownGame
from chitarrella.i18n.translator import LANGUAGES
from chitarrella_testing.checks import checks_of, installed
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.perft import Case, sums

DEPTH = 3  # how many decisions of a deal the report counts


def report(
    catalogue: Catalogue,
    key: str,
    deals: int,
    expected: Expectations | None = None,
    languages: Sequence[str] = LANGUAGES[1:],
) -> int:
    """Print what holds for the game ``key`` and what does not; returns the number of failed checks."""
    game = catalogue.game(key)
    print(f"{game.entry.title} ({key}), edition {game.edition}, from {' '.join(catalogue.origin(key))}")
    print(f"{len(game.clauses)} clauses, {len(catalogue.reasons(key))} reasons, {len(game.entry.options)} options")
    case = Case(RuleSet(key, game.entry.players[0]), strides=(7,), depth=DEPTH)
    print(f"perft of {DEPTH} decisions: {' | '.join(sums(catalogue, case))}")
    passed, failed = Counter[str](), 0
    for check in checks_of(key, deals=deals, expected=expected, languages=languages, catalogue=catalogue):
        try:
            check()
            passed[check.subject] += 1
        except Exception as error:  # of the game: a report names every one
            failed += 1
            print(f"FAILED {check}: {type(error).__name__}: {' '.join(str(error).split())[:300]}")
    for subject, number in passed.items():
        print(f"{subject}: {number} checks passed")
    print(f"{failed} checks failed" if failed else "every check passed")
    return failed


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
    parser.add_argument(
        "--expected",
        type=named_expectations,
        metavar="MODULE:NAME",
        help="the Expectations of the game: what the laws cannot read off it",
    )
    parser.add_argument(
        "--languages", nargs="*", default=LANGUAGES[1:], choices=LANGUAGES[1:], help="those with all translations"
    )
    chosen = parser.parse_args()
    try:
        return min(report(installed(), chosen.key, chosen.deals, chosen.expected, chosen.languages), 1)
    except (UnknownGame, AssertionError) as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
