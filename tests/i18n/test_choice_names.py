"""The names of the values of options: no form shows an identifier, in any language."""

from __future__ import annotations

import pytest

from chitarrella.i18n.choice_names import CHOICE_NAMES, SEAT_OPTIONS, choice_names
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, translator_for
from tests.walks import CATALOGUE

NAMED = {f"{option.name}.{value}" for game in CATALOGUE for option in game.options for value in option.choices}
"""Every option of every game with each of its values that is a word."""

PLAIN = {"always", "anticlockwise", "clockwise", "eldest", "given", "honours", "lowest", "points"}
"""The values that are English words already."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_values_have_names_of_their_own(code: str) -> None:
    """Each value of an option has a name, without an underscore or notation, and no two have the same."""
    translator = translator_for(code)
    for game in CATALOGUE:
        cards: dict[str, str] = {card: translator.card(card, game.pack) for card in game.pack.cards}
        options = [(option.name, option.choices) for option in game.options]
        for option, names in choice_names(translator, options, cards).items():
            assert len(names) == len(set(names.values())), (game.key, option)
            assert all("_" not in name and (name != value or name in PLAIN) for value, name in names.items())


def test_every_name_is_used() -> None:
    """There is no name for an option or a value that no game has."""
    assert set(CHOICE_NAMES) <= NAMED
    assert {option.name for game in CATALOGUE for option in game.options} >= SEAT_OPTIONS


def test_packets_and_cards_are_named_by_their_notation() -> None:
    """Packets that are alike are named by their number, others one by one, and a card by its name."""
    options = [("deal_packets", ("3-3-3", "1x9", "5", "3-2")), ("removed_two", ("2b",)), ("house", ("no_fun", "true"))]
    assert {
        "deal_packets": {"3-3-3": "3 at once", "1x9": "1 at once", "5": "5 at once", "3-2": "by turns 3, 2"},
        "removed_two": {"2b": "2 of batons"},
        "house": {"no_fun": "no fun", "true": "yes"},
    } == choice_names(ENGLISH, options, {"2b": "2 of batons"})
