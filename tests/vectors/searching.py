"""Where vectors are looked for: in all rule sets, on all processors."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import Pool
from typing import TypeVar

from chitarrella.catalogue.registry import RuleSet
from tests.walks import CATALOGUE, defaults, tables, variants

T = TypeVar("T")


def rule_sets() -> list[RuleSet]:
    """The rule sets that are looked at: of very many numbers of players the fewest, a middle number and the most."""
    usual = [rule_set for rule_set in defaults() if rule_set.players in tables(CATALOGUE.game(rule_set.game))]
    return [*usual, *variants()]


def everywhere(search: Callable[[RuleSet], list[T]]) -> list[T]:
    """Look at every rule set, and put together what was found."""
    with Pool() as pool:
        return [one for found in pool.imap(search, rule_sets(), chunksize=4) for one in found]
