"""Positions of random play are read again as they were written, and each move is checked before it is applied."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import apply_checked, apply_move, check_move
from chitarrella.core.model import CHANCE
from chitarrella_testing.perft import Case, sums
from tests.walks import CATALOGUE, name, walk

RULE_SETS = [
    RuleSet("briscola-chiamata", 4),
    RuleSet("briscola-chiamata", 5, (("first_lead", "soloist"),)),
    RuleSet("madrasso", 4),
    RuleSet("zifuli", 5),
]


@pytest.mark.parametrize("rule_set", RULE_SETS, ids=name)
def test_every_position_of_two_deals_is_possible(rule_set: RuleSet) -> None:
    """Each position of two random deals is read as it was written."""
    played = walk(rule_set, "walked positions", deals=2)
    for p in played.positions:
        assert p == played.game.decode(played.game.encode(p))


def test_a_checked_move_is_applied() -> None:
    """A move that was checked leads where the move itself leads."""
    played = walk(RuleSet("briscola", 2), "walked positions")
    for step in played.steps:
        if step.actor != CHANCE:
            checked = check_move(played.game, step.before, step.actor, step.move)
            assert apply_move(played.game, step.before, step.actor, step.move) == apply_checked(
                played.game, step.before, checked
            )


def test_counts_are_summed_up() -> None:
    """A case without decisions has one node, no leaf and nothing refused."""
    assert ["nodes 1", "leaves 0", "forced 0"] == list(
        sums(CATALOGUE, Case(RuleSet("briscola", 2), strides=(7,), depth=0))
    )


def test_a_card_is_shown_as_its_notation() -> None:
    """A card in a message of a test is its notation; games of this package bring no folders of records."""
    assert "[Ab]" == str([CATALOGUE.game("briscola").pack.card("Ab")])
    assert () == CATALOGUE.records
