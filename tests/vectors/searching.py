"""Where vectors are looked for: in all rule sets, on all processors."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from multiprocessing import Pool
from typing import TypeVar

from chitarrella.catalogue.registry import RuleSet
from tests.walks import CATALOGUE, defaults, tables, variants

T = TypeVar("T")


def chosen_games(description: str | None) -> list[str]:
    """The keys of the games that the command line names; without any those of all games."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("keys", nargs="*", help="keys of games; without any, all games")
    keys: list[str] = parser.parse_args().keys
    return [CATALOGUE.game(key).key for key in keys] or [game.key for game in CATALOGUE]


def rule_sets(keys: Sequence[str]) -> list[RuleSet]:
    """The rule sets of the games ``keys`` that are looked at.

    Of very many numbers of players they are the fewest, a middle number and the most.
    """
    usual = [rule_set for rule_set in defaults() if rule_set.players in tables(CATALOGUE.game(rule_set.game))]
    return [rule_set for rule_set in (*usual, *variants()) if rule_set.game in keys]


def everywhere(search: Callable[[RuleSet], list[T]], keys: Sequence[str]) -> list[T]:
    """Look at every rule set of the games ``keys``, and put together what was found."""
    with Pool() as pool:
        return [one for found in pool.imap(search, rule_sets(keys), chunksize=4) for one in found]
