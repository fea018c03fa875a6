"""The rule sets of the own games, and reproducible random play of them: `chitarrella_testing` with their catalogue."""

from collections.abc import Iterable
from functools import lru_cache
from random import Random

import pytest

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move, Seat
from chitarrella_testing import walks
from chitarrella_testing.exchange_expectations import EXCHANGE, EXCHANGE_SHARE_MOVES
from chitarrella_testing.walks import BOUND, Step, Walk, accepted, name, shuffled, some, tables, universe, values
from tests.games.support.examples import stated

__all__ = [
    "BOUND", "CATALOGUE", "Step", "Walk", "accepted", "choose", "combined_variants", "defaults", "ends", "known_walk",
    "name", "shuffled", "some", "tables", "universe", "values", "variants", "walk",
]  # fmt: skip

CATALOGUE = Catalogue()
_RULE_SETS = walks.RuleSets(CATALOGUE)

TOTALS = {
    key: {name: int(total) for name, total in (word.split("=") for word in words)}
    for key, words in stated("totals").items()
}
"""The totals of a whole pack that the rule books state, by game."""
EXPECTED = EXCHANGE._replace(totals=TOTALS, reveals=EXCHANGE.reveals | {"rob_looked", "cards_laid"})

defaults, variants, combined_variants = _RULE_SETS.defaults, _RULE_SETS.variants, _RULE_SETS.combined_variants
ends = _RULE_SETS.ends


def walk(rule_set: RuleSet, seed: str, deals: int = 1, effort: int = 6) -> Walk:
    """Play at random until ``deals`` deals are over, or the match and what follows it; the seed decides everything."""
    return walks.walk(CATALOGUE, rule_set, seed, deals, effort, EXPECTED)


def choose(game: AnyGame, p: Position, rng: Random) -> tuple[Seat, Move]:
    """Choose a seat and a move at random: mostly the seat to move, now and then another one out of turn."""
    return walks.choose(game, p, rng, EXCHANGE_SHARE_MOVES)


@lru_cache(maxsize=64)
def known_walk(rule_set: RuleSet, seed: str, deals: int, effort: int) -> Walk:
    """The same walk, played once for all laws."""
    return walk(rule_set, seed, deals, effort)


def on_walks(played: Iterable[tuple[RuleSet, str, int]]) -> pytest.MarkDecorator:
    """Mark a test to run on walks, of which rule sets, seeds and deals are given, as the fixture ``walk``."""
    params = [pytest.param(one, id=f"{name(one[0])}-{one[1]}") for one in played]
    return pytest.mark.parametrize("walk", params, indirect=True)
