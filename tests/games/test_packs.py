"""Packs: which cards are in play, and how often."""

from __future__ import annotations

import pytest

from chitarrella.core.cards import CUCCO, ITALIAN, Pack


@pytest.mark.parametrize(
    ("pack", "cards", "surplus"),
    [
        (ITALIAN, "Ab 3b Ac", ""),
        (ITALIAN, "Ab 3b Ab Ab Ac Ac", "Ab Ac"),
        (ITALIAN.without(ITALIAN.card("2b")), "2b 2c", "2b"),
        (CUCCO, "XV XV MAT MAT", ""),
        (CUCCO, "XV XV XV NUL", "XV"),
    ],
)
def test_surplus_are_the_faces_that_are_named_too_often(pack: Pack, cards: str, surplus: str) -> None:
    """A face may be named as often as the pack in play has it: once, twice with two copies, never if left out."""
    assert surplus == " ".join(pack.surplus(pack.hand(cards.split())))
