"""What the rules offer to bots: values of moves, and hidden cards dealt again, in every game."""

from __future__ import annotations

from random import Random

import pytest

from chitarrella.bots import Effort, bot_for
from chitarrella.catalogue.registry import RuleSet
from tests.cli.test_bots import deal
from tests.walks import CATALOGUE, defaults, name


@pytest.mark.parametrize("kind", ["greedy", "search"])
@pytest.mark.parametrize("rule_set", defaults(), ids=name)
def test_bots_play_a_deal(rule_set: RuleSet, kind: str) -> None:
    """A bot that asks the rules for values, or for hidden cards dealt again, plays a deal with legal moves."""
    game = CATALOGUE.game_for(rule_set)
    deal(game, [bot_for(kind, game, Effort(None, 2))] * game.seats, Random(2))
