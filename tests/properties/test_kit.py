"""The public test kit: it passes a sound game, and names the law that a broken one breaks."""

from collections.abc import Iterable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.model import EVERYBODY, Clause, Event, Fact, Move, Refusal, Seat, SuitRanking, Zone
from chitarrella.core.options import GameEntry
from chitarrella.games.brisca import BRISCA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.games.cuccu_a_trionfo import CUCCU_A_TRIONFO
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from chitarrella_testing.__main__ import named_expectations, report
from chitarrella_testing.blocks import TRICKS
from chitarrella_testing.checks import check_law, checks_of
from chitarrella_testing.exchange_expectations import EXCHANGE
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.walks import walk
from tests.cli.run_command import invoke
from tests.matches.playing import with_rules
from tests.walks import CATALOGUE, EXPECTED


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


class OpenDiscard(Rules):
    """A game that shows everybody which cards a robber lays aside."""

    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        after = super().apply(p, seat, move, events)
        events[:] = [event._replace(seen_by=EVERYBODY) if event.kind == "discarded" else event for event in events]
        return after


class UnnamedFact(Rules):
    def facts(self, p: Table) -> Iterable[Fact]:
        return [*super().facts(p), Fact("gizmo", 1, seen_by=EVERYBODY)]


class OddRanking(Rules):
    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        return tuple(each._replace(counts={"card_points": (1,) * len(each.ranks)}) for each in super().ranking)


class FirstClause(Rules):
    def conditions(self, p: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return super().conditions(p, seat, move)[:1]


class ShortList(Rules):
    """A game that leaves the last legal move out of its list."""

    def legal_moves(self, p: Table, actor: Seat) -> list[Move]:
        return list(super().legal_moves(p, actor))[:-1] or list(super().legal_moves(p, actor))


class SilentMoves(Rules):
    def apply(self, p: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        return super().apply(p, seat, move, [])


def catalogue_of(kind: type[Rules], game: GameEntry, **book: Any) -> Catalogue:
    """A catalogue with a game as one of this class, and with another rule book."""
    module = ModuleType("broken")
    module.GAMES = (replace(with_rules(game, kind), book=game.book._replace(**book)),)  # type: ignore[attr-defined]  # a module is what it is given
    return Catalogue(iter([module]))


def failed(kind: type[Rules], **book: Any) -> set[str]:
    """The checks that Briscolone fails as a game of this class."""
    names = set()
    for check in checks_of("briscolone", seconds=0, catalogue=catalogue_of(kind, BRISCOLONE, **book)):
        try:
            check()
        except AssertionError:
            names.add(check.name)
    return names


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (OpenHands, "secrecy"),
        (OpenDeal, "secrecy"),
        (ShortList, "legality"),
        (SilentMoves, "visibility"),
        (UnnamedFact, "names"),
        (OddRanking, "ranking"),
    ],
)
def test_a_broken_game_fails_the_law_that_it_breaks(kind: type[Rules], law: str) -> None:
    """Each fault is found by its law; the sound game fails none."""
    assert law in failed(kind)
    assert set() == failed(Rules)


def test_the_event_of_a_hidden_choice_is_not_shown() -> None:
    """Cards that a move names are followed: who lays which cards aside is told to nobody else."""
    for kind in (Rules, OpenDiscard):
        played = walk(catalogue_of(kind, CUCCU_A_TRIONFO), RuleSet("cuccu-a-trionfo", 4), "5", 4, 6, EXPECTED)
        if kind is Rules:
            check_law("secrecy", played)
            continue
        with pytest.raises(AssertionError, match=r"is told of hidden cards, for with others Event\(kind='discarded'"):
            check_law("secrecy", played)


def test_a_clause_that_hides_another_is_found() -> None:
    """A game that names the first broken clause alone fails the law of possession."""
    played = walk(catalogue_of(FirstClause, BRISCA), RuleSet("brisca", 4), "5", 4, 6, EXPECTED)
    with pytest.raises(AssertionError, match="possession: "):
        check_law("possession", played)


def test_a_clause_is_cited_for_a_reason_of_the_game() -> None:
    """A citation that no refusal uses is found."""
    assert {"citations"} == failed(Rules, citations={**BRISCOLONE.book.citations, "no_such": "BN-5.2"})


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
    clauses = (*BRISCOLONE.book.clauses, Clause("BN-9.9", "Nobody has translated this.", "ruling"))
    catalogue = catalogue_of(Rules, BRISCOLONE, clauses=clauses)
    checks = {str(check): check for check in checks_of("briscolone", catalogue=catalogue)}
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


def test_the_parts_of_games_are_listed() -> None:
    """Every part stands there with what it is for, its arguments, and the games that use it; a wrong name is helped."""
    listed = invoke("blocks").output
    assert all(f"`tricks.{name}" in listed for name in TRICKS)
    assert "`FRENCH_40`: 40 cards, ranks" in listed
    assert "tricks.Cut(name: str = 'cut')`: The phase in which the seat before the dealer cuts the stock.\n" in listed
    one = invoke("blocks", "Claim")
    assert (0, "tricks.Claim(match: ClaimMatch)") == (one.exit_code, one.output.partition("\n")[0])
    assert one.output.endswith("Used by: madrasso.\n")
    assert "did you mean Scored?" in invoke("blocks", "Score").output
