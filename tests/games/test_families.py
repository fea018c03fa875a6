"""What belongs to one family of games says so when it is given a game of another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella.exchange.effects import bargain_terms
from chitarrella.exchange.turns import asker_and_target
from chitarrella.games import bohemian_schneider, hundredogen, zifuli
from chitarrella.tricks.claims import claim_match
from chitarrella.tricks.lives import last_alive_match
from chitarrella.tricks.option_builders import series_of, with_contract
from tests.walks import CATALOGUE

MISPLACED: list[tuple[Callable[..., object], str]] = [
    (bargain_terms, "cucu"),
    (series_of, "coteccio"),
    (with_contract(), "coteccio"),
    (hundredogen.race_of, "coteccio"),
    (bohemian_schneider.next_higher_of, "coteccio"),
    (bohemian_schneider.tiered_match_of, "coteccio"),
    (zifuli.stakes_match_of, "coteccio"),
    (claim_match, "coteccio"),
    (last_alive_match, "briscola"),
]


@pytest.mark.parametrize(("part", "key"), MISPLACED)
def test_a_part_is_not_given_to_a_game_of_another_family(part: Callable[..., object], key: str) -> None:
    """A choice that a game does not have cannot be spent there by mistake: it is a `TypeError`."""
    with pytest.raises(TypeError):
        part(CATALOGUE.game_for(RuleSet(key)))


def test_nobody_exchanges_before_the_deal() -> None:
    """Where no exchange is going on there are no parties to it."""
    with pytest.raises(LookupError):
        asker_and_target(CATALOGUE.game_for(RuleSet("cucu")).start())
