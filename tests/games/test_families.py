"""What belongs to one family of games says so when it is given a game of another."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.exchange.bargain import terms
from chitarrella.exchange.turns import parties
from chitarrella.games import bohemian_schneider, hundredogen, zifuli
from chitarrella.tricks.choices import series
from chitarrella.tricks.claiming import claims
from chitarrella.tricks.lives import last_alive
from chitarrella.tricks.solo import solo_with
from tests.kit import CATALOGUE

MISPLACED: list[tuple[Callable[..., object], str]] = [
    (terms, "cucu"),
    (series, "coteccio"),
    (solo_with(), "coteccio"),
    (hundredogen.race, "coteccio"),
    (bohemian_schneider.taking, "coteccio"),
    (bohemian_schneider.tally, "coteccio"),
    (zifuli.stakes, "coteccio"),
    (claims, "coteccio"),
    (last_alive, "briscola"),
]


@pytest.mark.parametrize(("part", "key"), MISPLACED)
def test_a_part_is_not_given_to_a_game_of_another_family(part: Callable[..., object], key: str) -> None:
    """A choice that a game does not have cannot be spent there by mistake: it is a `TypeError`."""
    with pytest.raises(TypeError):
        part(CATALOGUE.seat(Agreement(key)))


def test_nobody_exchanges_before_the_deal() -> None:
    """Where no exchange is going on there are no parties to it."""
    with pytest.raises(LookupError):
        parties(CATALOGUE.seat(Agreement("cucu")).start())
