"""The differential test itself, and a few hundreds of its deals."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.core.game import AnyGame, legal_moves
from chitarrella.core.model import Move
from lab.differential import transcript
from lab.differential.digests import HUNDREDS, Thousand, plan, read, rule_sets, write
from lab.differential.run import choose, differences, options, played

KNOWN = read()
SAMPLE = [
    next(at for at, thousand in enumerate(KNOWN) if thousand.rule_set.startswith(game))
    for game in ("brisca", "harjan", "lu-stu")
]


@pytest.mark.parametrize("number", SAMPLE, ids=lambda at: KNOWN[at].rule_set)
def test_a_hundred_deals_are_as_they_were(number: int) -> None:
    """The first hundred deals of a thousand have the digest that another engine wrote."""
    assert [] == list(differences(number, KNOWN[number], KNOWN[number].played(1)))


def test_the_file_follows_the_plan() -> None:
    """The file has the planned deals from the first on, in the present edition of their rules, with all digests."""
    assert plan(len(KNOWN)) == [thousand.plan for thousand in KNOWN]
    assert [] == [thousand.rule_set for thousand in KNOWN if not thousand.is_current]
    assert {(16, HUNDREDS)} == {(len(thousand.digest), len(thousand.hundreds)) for thousand in KNOWN}


def test_every_rule_set_is_planned() -> None:
    """Of a million deals a thousand at least are of each rule set, and two rounds come before any third."""
    planned = [thousand.rule_set for thousand in plan(1000)]
    assert 1000 == len(planned)
    every = len(rule_sets())
    assert set(rule_sets()) == set(planned[:every]) == set(planned[every : 2 * every])


def test_a_transcript_holds_all_that_happens() -> None:
    """A transcript has moves, events, positions, lists, refusals, results and views, and is the same every time."""
    thousand = Thousand("briscola-4", 1, "a")
    lines = list(thousand.transcript(0))
    assert set(">!#=?:<") == {line[0] for line in lines}
    assert lines == list(thousand.transcript(0))
    assert lines != list(thousand.transcript(1))


def test_one_move_more_in_a_list_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of legal moves in another order changes the digest, and the report names its hundred."""

    def reversed_moves(game: AnyGame, p: object, actor: int) -> tuple[Move, ...]:
        return legal_moves(game, p, actor)[::-1]

    number = SAMPLE[0]
    monkeypatch.setattr(transcript, "legal_moves", reversed_moves)
    (said,) = differences(number, KNOWN[number], KNOWN[number].played(1))
    assert f"--transcript {number}.0 prints the deals" in said
    (said,) = differences(number, KNOWN[number]._replace(edition=0), KNOWN[number])
    assert "another edition" in said


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    """What is written to a file is read from it; a file that is not there holds nothing."""
    write(KNOWN[:7], tmp_path / "digests.txt")
    assert KNOWN[:7] == read(tmp_path / "digests.txt")
    assert [] == read(tmp_path / "none.txt")


def test_parts_and_samples_are_chosen() -> None:
    """The parts together are all thousands, each once; a sample has as many as asked for, of the names asked for."""
    asked = options(["--part", "2/3", "--sample", "4", "--only", "coech"])
    assert ("2/3", 4, "coech", HUNDREDS) == (asked.part, asked.sample, asked.only, asked.hundreds)
    parts = [choose(KNOWN, f"{number}/3", None, "") for number in (1, 2, 3)]
    assert list(range(len(KNOWN))) == sorted(at for part in parts for at in part)
    assert 5 == len(set(choose(KNOWN, "1/1", 5, "")))
    assert {"coech"} == {KNOWN[at].rule_set.split("-")[0] for at in choose(KNOWN, "1/1", 5, "coech")}


def test_thousands_are_played_by_other_processes() -> None:
    """Played in a pool, the deals are the same, in the same order."""
    thousands = [Thousand("cucu-2", 1, "a"), Thousand("bohemian-schneider-2", 1, "b")]
    assert [thousand.played(1) for thousand in thousands] == list(played(thousands, 1, 2))
    assert "" == thousands[0].played(1).digest
