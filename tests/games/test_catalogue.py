"""The catalogue: what it has, what it says of what it has not, and which games it does not take."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from chitarrella.catalogue.registry import Catalogue, RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.game import AnyGame
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import InvalidOption
from chitarrella.games.coech import COECH
from tests.walks import CATALOGUE


def shelf(*games: AnyGame) -> Catalogue:
    """A catalogue of these games only."""
    module = ModuleType("shelf")
    module.GAMES = games  # type: ignore[attr-defined]  # a module is what it is given
    return Catalogue(iter([module]))


def test_rule_set_has_defaults() -> None:
    """A rule set that names only a game has its current edition, its best number of players and no options."""
    assert RuleSet("coech", 0, (), 0) == RuleSet("coech")
    assert RuleSet("coech", 4, (), COECH.edition) == CATALOGUE.normalize(RuleSet("coech"))
    assert CATALOGUE.game_for(RuleSet("coech")) == CATALOGUE.game_for(RuleSet("coech", 4, (), COECH.edition))


@pytest.mark.parametrize("game", tuple(CATALOGUE), ids=lambda game: game.key)
def test_the_book_is_of_the_usual_rules(game: AnyGame) -> None:
    """A game as it stands in the book is the one that is played where no option is chosen."""
    assert [] == [option.name for option in game.options if option.apply(game, option.default) != game]


def test_every_table_has_its_moves_in_the_book() -> None:
    """The moves of a game are those of all its tables, each once: seats are drawn only where that was agreed."""
    verbs = [spec.verb for spec in CATALOGUE.move_specs("cucu")]
    assert len(set(verbs)) == len(verbs)
    assert {"draw_seats"} == set(verbs) - CATALOGUE.game_for(RuleSet("cucu")).move_specs.keys()
    for table in CATALOGUE.configurations(CATALOGUE.game("lu-stu")):
        assert table.move_specs.keys() <= {spec.verb for spec in CATALOGUE.move_specs("lu-stu")}


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
    assert written in [move_pattern(spec) for spec in CATALOGUE.move_specs(game)]


def test_what_is_not_there_is_said() -> None:
    """A game that there is not, an edition that is not kept and a number that cannot play are told apart."""
    with pytest.raises(UnknownGame, match=r"there is no game 'skat'; games: .*briscola.*zifuli"):
        CATALOGUE.game_for(RuleSet("skat"))
    later = COECH.edition + 1
    with pytest.raises(UnknownEdition, match=f"edition {later} of coech is not kept; the current one is {later - 1}"):
        CATALOGUE.game_for(RuleSet("coech", edition=later))
    with pytest.raises(InvalidOption):
        CATALOGUE.game_for(RuleSet("coech", 19))
    assert CATALOGUE.has_edition("coech", COECH.edition)
    assert not CATALOGUE.has_edition("coech", later)
    assert not CATALOGUE.has_edition("skat", 1)


def test_a_name_is_not_repeated_at_any_length() -> None:
    """What somebody sent for a game is told back in forty signs at most."""
    with pytest.raises(UnknownGame, match=f"no game '{'x' * 40}'; games"):
        CATALOGUE.game("x" * 41)


def test_games_lie_in_the_order_of_their_keys() -> None:
    """Whatever order they were found in."""
    other = replace(COECH, key="asino")
    assert ["asino", "coech"] == [game.key for game in shelf(COECH, other)]


@pytest.mark.parametrize(
    ("games", "message"),
    [
        ((COECH, COECH), "two games have one key and one edition"),
        ((replace(COECH, own_clauses=COECH.own_clauses[:1] * 2),), "coech: two clauses have one key"),
        ((replace(COECH, citations={}),), "coech: no clause stands behind"),
    ],
)
def test_a_game_that_is_not_sound_is_not_taken(games: tuple[AnyGame, ...], message: str) -> None:
    """Two games of one name, two clauses of one name, and a refusal without a clause are found at once."""
    with pytest.raises(ValueError, match=message):
        shelf(*games)
