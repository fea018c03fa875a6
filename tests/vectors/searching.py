"""Where vectors are looked for: in all rule sets, on all processors."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing import Pool
from typing import TypeVar

from chitarrella.catalogue import Agreement
from tests.kit import CATALOGUE, defaults, tables, variants

T = TypeVar("T")


def rule_sets() -> list[Agreement]:
    """The rule sets that are looked at: of very many numbers of players the fewest, a middle number and the most."""
    usual = [agreement for agreement in defaults() if agreement.players in tables(CATALOGUE.game(agreement.game))]
    return [*usual, *variants()]


def everywhere(look: Callable[[Agreement], list[T]]) -> list[T]:
    """Look at every rule set, and put together what was found."""
    with Pool() as pool:
        return [one for found in pool.imap(look, rule_sets(), chunksize=4) for one in found]
