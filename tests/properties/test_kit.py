"""The public test kit: it passes a sound game, and names the law that a broken one breaks."""

from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType

import pytest

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.model import EVERYBODY, Clause, Event, Move, Seat, Zone
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from chitarrella_testing.__main__ import named_expectations, report
from chitarrella_testing.checks import checks_of
from chitarrella_testing.exchange_expectations import EXCHANGE
from chitarrella_testing.expectations import Expectations
from tests.matches.playing import with_rules
from tests.walks import CATALOGUE


class OpenHands(Rules):
    def zones(self, p: Table) -> Iterable[Zone]:
        return [zone._replace(seen_by=EVERYBODY) for zone in super().zones(p)]


class OpenDeal(Rules):
    """A game that shows every hand to everybody while it is dealt, by an event of its own kind."""

    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        after = super().apply(p, seat, move, events)
        for at, event in enumerate(events):
            if event.kind == "dealt":
                events[at] = event._replace(kind="handed_out", known_to=EVERYBODY, seen_by=EVERYBODY)
        return after


class ShortList(Rules):
    """A game that leaves the last legal move out of its list."""

    def legal_moves(self, p: Table, actor: Seat) -> list[Move]:
        return list(super().legal_moves(p, actor))[:-1] or list(super().legal_moves(p, actor))


class SilentMoves(Rules):
    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        return super().apply(p, seat, move, [])


def failed(kind: type[Rules]) -> set[str]:
    """The checks that Briscolone fails as a game of this class."""
    module = ModuleType("broken")
    module.GAMES = (with_rules(BRISCOLONE, kind),)  # type: ignore[attr-defined]  # a module is what it is given
    names = set()
    for check in checks_of("briscolone", seconds=0, catalogue=Catalogue(iter([module]))):
        try:
            check()
        except AssertionError:
            names.add(check.name)
    return names


@pytest.mark.parametrize(
    ("kind", "law"),
    [(OpenHands, "secrecy"), (OpenDeal, "secrecy"), (ShortList, "legality"), (SilentMoves, "visibility")],
)
def test_a_broken_game_fails_the_law_that_it_breaks(kind: type[Rules], law: str) -> None:
    """Each fault is found by its law; the sound game fails none."""
    assert law in failed(kind)
    assert set() == failed(Rules)


def test_shares_without_a_generator_are_named() -> None:
    """A game with moves that have shares fails the law of shares until its expectations say where they come from."""
    players = {verb: moves for verb, moves in EXCHANGE.share_moves.items() if verb != "start_next_game"}
    for expected, verb in ((None, r"\w+"), (Expectations(share_moves=players), "start_next_game")):
        checks = checks_of("cucu", expected=expected, catalogue=CATALOGUE)
        (law, *_) = [check for check in checks if check.name == "shares"]
        with pytest.raises(AssertionError, match=f"no generator of moves with shares for {verb}: see Expectations"):
            law()
    (law, *_) = [check for check in checks_of("cucu", expected=EXCHANGE, catalogue=CATALOGUE) if check.name == "shares"]
    law()


@pytest.mark.parametrize("text", ["no_such_module:EXCHANGE", "chitarrella_testing:EXCHANGE", "chitarrella.errors:ABC"])
def test_expectations_are_imported_by_name(text: str) -> None:
    """The command takes expectations by module and name, and refuses what names none."""
    assert EXCHANGE is named_expectations("chitarrella_testing.exchange_expectations:EXCHANGE")
    with pytest.raises(ValueError, match=text):
        named_expectations(text)


def test_a_text_without_translation_is_named() -> None:
    """A clause that no catalogue translates fails the check of the texts, and nothing else."""
    clause = Clause("BN-9.9", "Nobody has translated this.", "ruling")
    module = ModuleType("new")
    module.GAMES = (replace(BRISCOLONE, book=BRISCOLONE.book._replace(clauses=(*BRISCOLONE.book.clauses, clause))),)  # type: ignore[attr-defined]  # a module is what it is given
    checks = {str(check): check for check in checks_of("briscolone", catalogue=Catalogue(iter([module])))}
    for language in ("it", "de"):
        with pytest.raises(AssertionError, match=r"1 texts are not translated, such as BN-9\.9"):
            checks[f"briscolone-texts_{language}"]()


def test_the_report_of_a_sound_game(capsys: pytest.CaptureFixture[str]) -> None:
    """The report names the game with its package, its counts and every rule set, and ends with what it found."""
    assert 0 == report(CATALOGUE, "briscolone", 1, seconds=60, seeds=1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Briscolone (briscolone), edition 1, from chitarrella")
    assert "perft of 3 decisions: nodes 1 5 25 125 | leaves 0 | forced 0" in lines
    assert "every check passed" == lines[-1]
