"""Every law of the book, for every game, every number of players and every option of the catalogue.

The number of deals is small here; ``CHITARRELLA_DEALS=100 pytest tests/laws`` or ``python -m tests.laws.soak`` play
more.
"""

from __future__ import annotations

import os

import pytest

from chitarrella.catalogue import Agreement
from tests.kit import defaults, known_walk, name, variants
from tests.laws.book import LAWS, hold

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))


@pytest.mark.parametrize("agreement", defaults(), ids=name)
@pytest.mark.parametrize("law", LAWS)
def test_every_game_keeps_the_law(law: str, agreement: Agreement) -> None:
    """A game as it stands in the book keeps the law, with every number of players."""
    for number in range(max(DEALS, 2)):
        hold(law, known_walk(agreement, str(number), deals=2, effort=6))


@pytest.mark.parametrize("agreement", variants(), ids=name)
@pytest.mark.parametrize("law", LAWS)
def test_every_option_keeps_the_law(law: str, agreement: Agreement) -> None:
    """A game keeps the law with any one option that is not the default."""
    for number in range(max(DEALS, 1)):
        hold(law, known_walk(agreement, str(number), deals=2 - number % 2, effort=3))
