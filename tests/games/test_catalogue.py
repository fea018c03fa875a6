"""The catalogue: what it has, what it says of what it has not, and which games it does not take."""

from __future__ import annotations

import hmac
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest

from chitarrella.catalogue import registry
from chitarrella.catalogue.registry import (
    Catalogue,
    Origin,
    RuleSet,
    UnknownEdition,
    UnknownGame,
    open_catalogue,
    own_origin,
)
from chitarrella.core import provable_shuffle
from chitarrella.core.cards import ITALIAN
from chitarrella.core.game import AnyGame, TrickState, legal_moves, play
from chitarrella.core.model import CHANCE, Event, Move
from chitarrella.core.notation import move_pattern
from chitarrella.core.options import InvalidOption
from chitarrella.core.provable_shuffle import commit, derive_nonce, shuffle, verify
from chitarrella.games.coech import COECH
from chitarrella.i18n.narration import narrate
from chitarrella.i18n.translator import ENGLISH, add_texts
from chitarrella.transports.webassembly import LocalRules
from chitarrella.tricks.base import everybody
from chitarrella.tricks.single_trick import SingleTrick
from chitarrella.v1.rules_pb2 import StartGameRequest, StartGameResponse
from chitarrella.v1.table_pb2 import RuleSet as RuleSetMessage
from chitarrella_testing.texts import game_texts
from tests.games.support.distributions import distribute, variant
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


# ---------------------------------------------------------------------- game packages


BROKEN = {
    "fails-to-import": ("raise RuntimeError('no such file')", "RuntimeError: no such file"),
    "exits": ("import sys\nsys.exit('bye')", "SystemExit: bye"),
    "has-no-games": ("", "there are no GAMES"),
    "signs-nothing": ("GAMES = (object(),)", "lacks"),
    "has-a-bad-key": (variant("Zwei"), "'Zwei' is no key of a game"),
    "has-a-house-game": (variant("briscola"), "there is a game briscola already"),
    "has-a-house-clause": (variant("drei", "BR-3.1"), "there is another clause BR-3.1 already"),
    "cites-nothing": (
        variant("vier").replace("dict.fromkeys(BRISCOLONE.citations", "dict.fromkeys(('no_code',)"),
        "no clause stands behind",
    ),
    "has-no-title": (variant("neun").replace('title="neun"', "title=9"), "the protocol has str for title, not 9"),
    "has-a-clause-without-text": (
        variant("zehn").replace('"Any card may be played."', "None"),
        "the protocol has tuple[Clause, ...] for clauses, not Clause(key='ZEHN-1', text=None",
    ),
    "has-a-sentence-without-text": (variant("zwoelf") + "SENTENCES = {'sung': None}", "'sung': None is no text"),
    "has-an-unknown-placeholder": (
        variant("vierzehn") + "SENTENCES = {'sung': '{Whoever} [sing|sings].'}",
        "the sentence sung: there is no {Whoever}",
    ),
    "cites-another-clause": (variant("acht").replace('Clause("ACHT-1"', 'Clause("ACHT-2"'), "KeyError"),
}
"""Modules of packages that are refused, and a part of the reason."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder whose distributions Python finds; what is imported from it is forgotten again."""
    monkeypatch.syspath_prepend(tmp_path)
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        del sys.modules[name]


def reasons(catalogue: Catalogue) -> dict[str, str]:
    """The reason by the name of each package that is refused."""
    return {refused.origin.distribution: refused.reason for refused in catalogue.refused}


def test_a_package_is_found_with_its_name_and_version(folder: Path) -> None:
    """A game of an installed package stands in the catalogue beside the others, with its distribution and version."""
    distribute(folder, "my-games", variant("eins"), "2.3")
    catalogue = open_catalogue("all")
    assert len(list(Catalogue())) + 1 == len(list(catalogue))
    assert sorted(game.key for game in catalogue) == [game.key for game in catalogue]
    assert Origin("my-games", "2.3") == catalogue.origin("eins")
    assert own_origin() == catalogue.origin("briscola")
    assert "eins" == catalogue.game_for(RuleSet("eins")).key
    assert (folder / "locale_eins",) == catalogue.locales
    assert () == catalogue.refused


def test_a_package_may_have_several_modules(folder: Path) -> None:
    """Each entry point of a distribution brings its games, its translations and its texts."""
    distribute(folder, "my-games", variant("eins") + "FACT_NAMES = {'first': 'one'}")
    (folder / "more.py").write_text(variant("zwei") + "FACT_NAMES = {'second': 'two'}")
    with next(folder.glob("my_games-*/entry_points.txt")).open("a") as file:
        file.write("more = more\n")
    catalogue = open_catalogue("all")
    assert () == catalogue.refused
    assert ["my-games", "my-games"] == [catalogue.origin(key).distribution for key in ("eins", "zwei")]
    assert {folder / "locale_eins", folder / "locale_zwei"} == set(catalogue.locales)
    assert {"first": "one", "second": "two"} == catalogue.texts("eins").fact_names


def test_broken_packages_are_refused_and_stop_nobody(folder: Path) -> None:
    """Each package that does not implement it is refused with its name and the reason; the sound one is served."""
    for name, (code, _) in BROKEN.items():
        distribute(folder, name, code)
    distribute(folder, "sound", variant("eins"))
    catalogue = open_catalogue("all")
    found = reasons(catalogue)
    assert BROKEN.keys() == found.keys()
    for name, (_, reason) in BROKEN.items():
        assert reason in found[name]
    assert {*(game.key for game in Catalogue()), "eins"} == {game.key for game in catalogue}
    assert all(str(refused).startswith("no game of the package ") for refused in catalogue.refused)


def test_a_broken_catalogue_of_texts_is_refused(folder: Path) -> None:
    """A package whose compiled translations cannot be read is refused: they would fail every caller of a language."""
    distribute(folder, "my-games", variant("eins"))
    locale = folder / "locale_eins"
    locale.mkdir()
    (locale / "it.mo").write_bytes(b"no catalogue")
    assert "Bad magic number" in reasons(open_catalogue("all"))["my-games"]


def test_a_package_brings_its_texts(folder: Path) -> None:
    """An event and a fact that have no text here have that of the package; of two packages the first has the word."""
    texts = "SENTENCES = {{'{0}': '{{Who}} [sing|sings] {{cards}}.'}}\nFACT_NAMES = {{'{0}': '{1}'}}"
    distribute(folder, "first", variant("eins") + texts.format("sung_here", "songs"))
    distribute(folder, "second", variant("zwei") + texts.format("sung_here", "others"))
    catalogue = open_catalogue("all")
    assert {"sung_here": "others"} == catalogue.texts("zwei").fact_names
    assert ({}, {}) == catalogue.texts("briscola")
    add_texts(catalogue)
    event = Event("sung_here", 1, ITALIAN.cards[:1])
    assert ["Seat 1 sings Ab.", "You sing Ab."] == [narrate(event, ITALIAN, you) for you in (0, 1)]
    assert "songs" == ENGLISH.fact("sung_here")
    assert {"event sung_here", "fact sung_here"} < game_texts(catalogue, "eins").keys()
    assert "Card played, in the book." == narrate(Event("card_played", None, word="in_the_book"), ITALIAN)


def test_answers_without_a_service_have_the_installed_games(folder: Path) -> None:
    """The rules in a page know the games whose wheels it has loaded, and say which of them cannot be used."""
    distribute(folder, "my-games", variant("eins"))
    request = StartGameRequest(rule_set=RuleSetMessage(game_id="eins"))
    status, body = LocalRules("de").answer("StartGame", request.SerializeToString())
    assert (200, "start_deal") == (status, StartGameResponse.FromString(body).chance_request.verb)
    distribute(folder, "second", variant("eins"))
    with pytest.raises(ValueError, match=r"package second 1\.0 is served: .* there is a game eins already"):
        LocalRules("de")


def test_of_two_packages_with_one_game_the_later_is_refused(folder: Path) -> None:
    """Packages come in the order of their names, or as the operator names them; the first has the key."""
    distribute(folder, "first", variant("eins"))
    distribute(folder, "second", variant("eins", "ZWEI-1"))
    assert "first" == open_catalogue("all").origin("eins").distribution
    named = open_catalogue("second, first")
    assert "second" == named.origin("eins").distribution
    assert {"first": "InvalidPackage: there is a game eins already"} == reasons(named)


def test_the_operator_decides_which_packages_are_loaded(folder: Path) -> None:
    """Only named packages are imported, none with ``none``; a name is normalised, and a missing one is refused."""
    distribute(folder, "My.Games", variant("eins"))
    distribute(folder, "others", variant("zwei"))
    assert not open_catalogue("none").locales
    named = open_catalogue("my-games,missing")
    assert "eins" == named.game("eins").key
    assert "others" not in sys.modules
    assert {"missing"} == reasons(named).keys()
    assert "not installed" in reasons(named)["missing"]


def test_rules_from_source_have_no_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where chitarrella is not installed, its own games have its name and no version."""

    def not_installed(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(registry, "version", not_installed)
    assert ("chitarrella", "") == registry.own_origin()


# ---------------------------------------------------------------------- trick rules


def test_a_trick_without_a_position() -> None:
    """Briscola: the highest trump takes the trick, points are counted by card, every card of the hand may be played."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    tricks = game.trick_rules
    assert tricks is not None
    cards = game.pack.hand(["Rs", "2d", "6c", "3b"])
    assert 1 == tricks.winning_index(TrickState(cards, trump="d")).value
    assert (None, ("trump",)) == tricks.winning_index(TrickState(cards))
    assert (("card_points", 14),) == tuple(tricks.count(cards, "d"))
    assert {"b", "c", "d", "s"} == set(tricks.suits)
    assert "s" == tricks.suit_of[cards[0]]
    assert [((), ())] * 4 == list(tricks.plays(cards, TrickState(), 0).values())
    assert (0, 1) == everybody(cast(Any, game), None)


def test_rules_of_tricks_made_anew_ask_for_the_declared_suit() -> None:
    """Cuccu a trionfo: what follows the trionfo depends on the suit declared with it; in Briscola nothing does."""
    game = CATALOGUE.game_for(RuleSet("cuccu-a-trionfo", 4))
    cards = {code: game.pack.card(code) for code in ("MAT", "VI", "XI")}
    trick = TrickState((cards["MAT"],), trump="", trump_card=cards["MAT"], stock_size=0)
    tricks = replace(cast(SingleTrick, game.trick_rules))  # what the game keeps was worked out in another test
    answers = tricks.plays((cards["VI"], cards["XI"]), trick, 0)
    assert [("declared_suit",)] * 2 == [answer.depends_on for answer in answers.values()]
    other = CATALOGUE.game_for(RuleSet("briscola", 2))
    hand = other.pack.hand(["Rs", "2d"])
    plays = replace(cast(SingleTrick, other.trick_rules)).plays(hand, TrickState(other.pack.hand(["3b"])), 0)
    assert [()] * 2 == [answer.depends_on for answer in plays.values()]


def test_an_exchange_game_has_no_tricks() -> None:
    """Cucù: each seat is its own side, nobody has a partner, and moves have values for a bot."""
    game = CATALOGUE.game_for(RuleSet("cucu", 4))
    assert game.trick_rules is None
    assert not game.avoids_points
    assert (0, 1, 2, 3) == game.sides
    assert game.partner(0) is None
    p = game.start()
    while (turn := game.turn(p)) == CHANCE:
        request = game.chance_request(p)
        amount = request.amounts[0] if request.amounts else None
        p, _ = play(game, p, CHANCE, Move(request.verb, request.cards, amount=amount))
    assert turn is not None
    moves = legal_moves(game, p, turn)
    assert len(moves) == len(game.move_values(p, turn, moves))


def test_a_nonce_follows_from_the_seed() -> None:
    """A nonce is an HMAC of the number of the draw, and its shuffle verifies against the commitment to it."""
    nonce = derive_nonce("seed", 3)
    assert hmac.new(b"seed", b"shuffle 3", "sha256").hexdigest() == nonce
    cards = CATALOGUE.game_for(RuleSet("briscola", 2)).pack.cards
    assert "" == verify(cards, shuffle(cards, nonce, 3), commit(nonce), nonce, 3)


def test_a_number_that_would_favour_some_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numbers of the last, incomplete span of 64 bits are passed over, so that every order is as likely."""
    monkeypatch.setattr(provable_shuffle, "_random_numbers", lambda *_: iter([2**64 - 1, 0, 0]))
    assert ("b", "c", "a") == shuffle(("a", "b", "c"), "nonce", 1)
