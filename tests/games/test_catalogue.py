"""The catalogue: what it has, what it says of what it has not, and which games it does not take."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from chitarrella.catalogue import Agreement, Catalogue, EditionNotKept, UnknownGame
from chitarrella.game import AnyGame
from chitarrella.games.coech import COECH
from chitarrella.notation import pattern
from chitarrella.option import BadChoice
from tests.kit import CATALOGUE


def shelf(*games: AnyGame) -> Catalogue:
    """A catalogue of these games only."""
    module = ModuleType("shelf")
    module.GAMES = games  # type: ignore[attr-defined]  # a module is what it is given
    return Catalogue(iter([module]))


def test_what_is_not_said_is_the_usual() -> None:
    """An agreement that names a game only is of its current edition, its best number of players and no options."""
    assert Agreement("coech", 0, (), 0) == Agreement("coech")
    assert Agreement("coech", 4, (), COECH.edition) == CATALOGUE.settle(Agreement("coech"))
    assert CATALOGUE.seat(Agreement("coech")) == CATALOGUE.seat(Agreement("coech", 4, (), COECH.edition))


@pytest.mark.parametrize("game", tuple(CATALOGUE), ids=lambda game: game.key)
def test_the_book_is_of_the_usual_rules(game: AnyGame) -> None:
    """A game as it stands in the book is the one that is played where no option is chosen."""
    assert [] == [option.name for option in game.options if option.spend(game, option.default) != game]


def test_every_table_has_its_moves_in_the_book() -> None:
    """The moves of a game are those of all its tables, each once: seats are drawn only where that was agreed."""
    told = [form.verb for form in CATALOGUE.forms("cucu")]
    assert len(set(told)) == len(told)
    assert {"draw_seats"} == set(told) - CATALOGUE.seat(Agreement("cucu")).forms.keys()
    for table in CATALOGUE.tables(CATALOGUE.game("lu-stu")):
        assert table.forms.keys() <= {form.verb for form in CATALOGUE.forms("lu-stu")}


@pytest.mark.parametrize(
    ("game", "written"),
    [
        ("coech", "play_card CARD [@SEAT]"),
        ("harjan", "follow_cards [CARD ...]"),
        ("brisca", "signal A|3|R|C|F"),
        ("cuccu-a-trionfo", "play_card CARD [numbers|pictures]"),
        ("lu-stu", "make_offer NUMBER [PERSON:AMOUNT ...]"),
        ("cucu", "keep"),
    ],
)
def test_how_a_move_is_written(game: str, written: str) -> None:
    """Small letters stay, capitals are filled in, what stands in brackets may be left out."""
    assert written in [pattern(form) for form in CATALOGUE.forms(game)]


def test_what_is_not_there_is_said() -> None:
    """A game that there is not, an edition that is not kept and a number that cannot play are told apart."""
    with pytest.raises(UnknownGame, match=r"there is no game 'skat'; games: .*briscola.*zifuli"):
        CATALOGUE.seat(Agreement("skat"))
    later = COECH.edition + 1
    with pytest.raises(EditionNotKept, match=f"edition {later} of coech is not kept; the current one is {later - 1}"):
        CATALOGUE.seat(Agreement("coech", edition=later))
    with pytest.raises(BadChoice):
        CATALOGUE.seat(Agreement("coech", 19))
    assert CATALOGUE.keeps("coech", COECH.edition)
    assert not CATALOGUE.keeps("coech", later)
    assert not CATALOGUE.keeps("skat", 1)


def test_a_name_is_not_repeated_at_any_length() -> None:
    """What somebody sent for a game is told back in forty signs at most."""
    with pytest.raises(UnknownGame, match=f"no game '{'x' * 40}'; games"):
        CATALOGUE.game("x" * 41)


def test_games_lie_in_the_order_of_their_keys() -> None:
    """Whatever order they were found in."""
    other = replace(COECH, key="asino")
    assert ["asino", "coech"] == [game.key for game in shelf(COECH, other)]


@pytest.mark.parametrize(
    ("games", "because"),
    [
        ((COECH, COECH), "two games have one key and one edition"),
        ((replace(COECH, own_clauses=COECH.own_clauses[:1] * 2),), "coech: two clauses have one key"),
        ((replace(COECH, cites={}),), "coech: no clause stands behind"),
    ],
)
def test_a_game_that_is_not_sound_is_not_taken(games: tuple[AnyGame, ...], because: str) -> None:
    """Two games of one name, two clauses of one name, and a refusal without a clause are found at once."""
    with pytest.raises(ValueError, match=because):
        shelf(*games)
