"""The public test kit: it passes a sound game, and names the law that a broken one breaks."""

import os
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.model import EVERYBODY, Clause, Event, Fact, Move, Refusal, Seat, SuitRanking, Zone
from chitarrella.core.options import Choices, GameEntry, bool_option, choice_option
from chitarrella.games.brisca import BRISCA
from chitarrella.games.briscolone import BRISCOLONE
from chitarrella.games.cuccu_a_trionfo import CUCCU_A_TRIONFO
from chitarrella.tricks import Count, Dealing, Order, PassCards, Play, StartDeal, first_dealer
from chitarrella.tricks.rules import Rules
from chitarrella.tricks.table import Table
from chitarrella_testing.__main__ import main, named_expectations, report
from chitarrella_testing.blocks import TRICKS
from chitarrella_testing.checks import check_law, checks_of
from chitarrella_testing.consistency import check_choices, check_citations
from chitarrella_testing.exchange_expectations import EXCHANGE
from chitarrella_testing.expectations import Expectations
from chitarrella_testing.trial import KILLED, begin, outcome
from chitarrella_testing.walks import walk
from tests.cli.run_command import invoke
from tests.matches.playing import with_rules
from tests.servers import until
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


def test_a_clause_ends_with_a_full_stop() -> None:
    """A clause that is no sentence is found."""
    clauses = (*BRISCOLONE.book.clauses, Clause("BN-9.9", "No stop", "S004"))
    with pytest.raises(AssertionError, match=r"BN-9\.9 begins with no capital or figure, or ends without a full stop"):
        check_citations(catalogue_of(Rules, BRISCOLONE, clauses=clauses), "briscolone")


def with_parts(**parts: Any) -> dict[str, Any]:
    """The fields of Briscolone as an entry whose rules have other parts."""
    return {"rules": lambda agreed: replace(BRISCOLONE.rules(agreed), **parts)}


ODD_CHOICE = choice_option("odd", "What is odd.", "ruling", {"five": (5,), "none": ()})
LATE_CHOICE = bool_option("late", "What is read after a deal.", "ruling")


def of_odd(agreed: Choices) -> Rules:
    changed: Rules = replace(BRISCOLONE.rules(agreed), first_dealer=agreed[ODD_CHOICE][0] - 5)
    return changed


def read_late(agreed: Choices) -> Rules:
    def late(own: Any) -> Any:
        return own if agreed[LATE_CHOICE] else None

    changed: Rules = replace(BRISCOLONE.rules(agreed), carry_over=late)
    return changed


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"players": (3,)}, "with 3 players the seating has 2 persons"),
        ({"options": (*BRISCOLONE.options, LATE_CHOICE)}, "rules never reads what is chosen of late"),
        ({"options": (*BRISCOLONE.options, LATE_CHOICE), "rules": read_late}, ""),
        ({"options": (*BRISCOLONE.options, ODD_CHOICE), "rules": of_odd}, "with 2 players and odd=none the rules fail"),
        ({"options": (*BRISCOLONE.options[:-1], first_dealer(2, "ruling"))}, "first_dealer=2 is refused with every"),
        (with_parts(order=Order(tuple("A3RCF76542"), (Count("p", {"J": 2}),))), "the count p has J, no rank"),
        (with_parts(phases=(PassCards(3, lambda deal: 1), Play())), "PassCards has no layout"),
        (with_parts(dealing=Dealing("deal", StartDeal((21,)))), "the packets are 42 cards, and the pack has 40"),
    ],
)
def test_what_a_game_offers_can_be_played(entry: dict[str, Any], fault: str) -> None:
    """Numbers of players, values of options and cards that do not fit are named; a late choice is none of them."""
    game = replace(BRISCOLONE, **entry)
    known = SimpleNamespace(entry=lambda key: game)
    if fault:
        with pytest.raises(AssertionError, match=fault):
            check_choices(known, game.key)  # type: ignore[arg-type]  # a real one refuses some of these games
    else:
        check_choices(known, game.key)  # type: ignore[arg-type]  # as above


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


def test_mutants_say_what_they_need(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without its packages ``--mutants`` says what to install."""
    monkeypatch.setitem(sys.modules, "libcst", None)
    monkeypatch.delitem(sys.modules, "chitarrella_testing.mutants", raising=False)
    monkeypatch.setattr(sys, "argv", ["chitarrella_testing", "briscolone", "--mutants"])
    assert 2 == main()
    assert 'pip install "chitarrella-testing[mutants]" pytest' in capsys.readouterr().err


def test_a_trial_keeps_what_it_prints(tmp_path: Path) -> None:
    """What a trial prints goes to a file, from which one learns what failed before anything was changed."""
    said = tmp_path / "said"
    said.touch()
    trial = begin(None, (), lambda: os.write(1, b"a check fails"), 60, str(said))
    until(lambda: outcome(trial) == KILLED, "the trial is over", 60)
    assert "a check fails" == said.read_text()


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
    assert invoke("blocks", "Auction").output.endswith("Used by: briscola-chiamata, zifuli.\n")
    assert "  reads_tricks: ClassVar[bool] = False\n" in invoke("blocks", "Following").output
    assert "  reasons: ClassVar[tuple[Reason, ...]] = (Reason(code='must_fol" in invoke("blocks", "FollowSuit").output
    assert "  best: The side with more points" in invoke("blocks", "Deal").output
    assert "Reason(code: str, text: str" in invoke("blocks", "Reason").output
    assert "did you mean Scored?" in invoke("blocks", "Score").output
