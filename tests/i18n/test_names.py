"""The system's language, and the names of cards and suits in each."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import (
    LANGUAGES,
    language_of_locale,
    translator_for,
)

GAMES = Catalogue()


@pytest.mark.parametrize(
    ("locale", "code"),
    [
        *[("it_IT.UTF-8", "it"), ("de", "de"), ("de_AT@euro", "de"), ("en-GB", "en")],
        *[("C", None), ("C.UTF-8", None), ("POSIX", None), ("fr_FR", None), ("", None), ("ita", None)],
    ],
)
def test_the_language_of_the_system(locale: str, code: str | None) -> None:
    """The system's locale names a language, which may be one of ours."""
    assert code == language_of_locale(locale)


@pytest.mark.parametrize(
    ("game", "card", "named"),
    [
        ("briscola", "Ab", ("ace of batons", "asso di bastoni", "Ass der Stäbe")),
        ("briscola", "7d", ("7 of coins", "7 di denari", "7 der Münzen")),
        ("harjan", "Qh", ("queen of hearts", "donna di cuori", "Herz-Dame")),
        ("cucu", "XIV", ("hunter", "cacciatore", "Jäger")),
        ("cucu", "VII", ("VII", "VII", "VII")),
    ],
)
def test_names_of_cards(game: str, card: str, named: tuple[str, ...]) -> None:
    """A card has the name that players use in their language; a card of the Cucco pack without a name its number."""
    pack = GAMES.game(game).pack
    assert named == tuple(translator_for(code).card(pack.card(card), pack) for code in LANGUAGES)


def test_names_of_suits() -> None:
    """A suit is named as printed, or as the rules of a game call it."""
    briscola, coech = (GAMES.game(key).pack for key in ("briscola", "coech"))
    assert "Kelche" == translator_for("de").suit("c", briscola)
    assert "figure" == translator_for("it").suit("pictures", coech)
