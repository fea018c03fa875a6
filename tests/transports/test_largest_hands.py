"""The largest hands that the questions about a trick accept: how much there is to answer is bounded in every game."""

from __future__ import annotations

from itertools import groupby

import pytest

from chitarrella import errors
from chitarrella.catalogue.registry import RuleSet
from chitarrella.questions.single_trick import playable_cards
from tests.walks import CATALOGUE, name, variants

MOST_PLAYS = 64
"""Plays of the largest hand: every subset of the six cards of Harjan."""
GAMES = [
    (game, list(rule_sets))
    for game, rule_sets in groupby(variants(), lambda rule_set: rule_set.game)
    if CATALOGUE.game(game).trick_rules is not None
]


@pytest.mark.parametrize(("game", "rule_sets"), GAMES, ids=[game for game, _ in GAMES])
def test_hand_larger_than_any_that_is_dealt_is_refused(game: str, rule_sets: list[RuleSet]) -> None:
    """A hand of the largest size has few plays, and with one more card it is refused before any is found."""
    for rule_set in rule_sets:
        configured = CATALOGUE.game_for(rule_set)
        assert configured.trick_rules is not None, name(rule_set)
        most = configured.trick_rules.largest_hand
        cards = configured.pack.cards
        assert 0 < len(playable_cards(configured, cards[:most], ())) <= MOST_PLAYS, name(rule_set)
        if len(cards) > most:
            with pytest.raises(errors.BadRequest) as refused:
                playable_cards(configured, cards[: most + 1], ())
            assert ("bad_position", "hand") == (refused.value.code, refused.value.field), name(rule_set)
