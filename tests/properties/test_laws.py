"""Every law, for every game, every number of players and every option of the catalogue.

The number of deals is small here; ``CHITARRELLA_DEALS=100 pytest tests/properties/test_laws.py`` or
``python -m lab.soak.run`` play more.
"""

from __future__ import annotations

import os

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_testing.checks import LAWS, check_law
from tests.walks import combined_variants, defaults, known_walk, name

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))


@pytest.mark.measured_sample("determinization")
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_every_game_keeps_the_law(law: str, rule_set: RuleSet) -> None:
    """A game with its default options keeps the law, with every number of players."""
    for number in range(max(DEALS, 2)):
        check_law(law, known_walk(rule_set, str(number), deals=2, effort=6))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("rule_set", combined_variants(), ids=name)
def test_every_option_keeps_the_law(law: str, rule_set: RuleSet) -> None:
    """A game keeps the law with every value of its options, several of them at once; `soak` plays each alone."""
    for number in range(max(DEALS, 1)):
        check_law(law, known_walk(rule_set, str(number), deals=2 - number % 2, effort=3))
