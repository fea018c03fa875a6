"""Cucù: the worked examples of its rule book, and rulings on what the page leaves open, each played and checked."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.support.exchange_examples import examples, run


@pytest.mark.parametrize("said", examples("cucu"))
def test_worked_example(said: Any) -> None:
    """The moves of the example are legal, and all that it says of events, cards, tokens, money and views holds."""
    run("cucu", said)


@pytest.mark.parametrize("said", examples("cucu-rulings"))
def test_ruling(said: Any) -> None:
    """The case of a ruling comes out as the ruling says."""
    run("cucu", said)
