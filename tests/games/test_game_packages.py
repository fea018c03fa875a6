"""Games of other packages: those that implement the protocol are served, the others are refused and stop nobody."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from chitarrella.catalogue import packages
from chitarrella.catalogue.packages import Origin, own_origin
from chitarrella.catalogue.registry import Catalogue, RuleSet, open_catalogue
from chitarrella.core.cards import ITALIAN
from chitarrella.core.model import Event
from chitarrella.i18n.narration import narrate
from chitarrella.i18n.texts import game_texts
from chitarrella.i18n.translator import ENGLISH, add_texts
from chitarrella.transports.webassembly import LocalRules
from chitarrella.v1.rules_pb2 import StartGameRequest, StartGameResponse
from chitarrella.v1.table_pb2 import RuleSet as RuleSetMessage
from tests.games.support.distributions import distribute, variant

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

    monkeypatch.setattr(packages, "version", not_installed)
    assert ("chitarrella", "") == packages.own_origin()
