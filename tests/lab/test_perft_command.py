"""Counts of all the ways a deal can go, made and checked by the command."""

import json
import re
import shlex
from pathlib import Path

import pytest

from chitarrella.catalogue.registry import RuleSet
from chitarrella_lab.perft import divide_command
from chitarrella_testing.perft import Case, lay_out
from chitarrella_testing.perft_files import write_case
from tests.cli.run_command import CATALOGUE, invoke, process

BRISCOLA = ("perft", "briscola", "--first", "12", "--depth", "all")
COECH = ("perft", "coech", "--players", "4", "--option", "first_dealer=3")


def test_published_counts() -> None:
    """Briscola on twelve cards dealt one at a time, seat 0 leading, goes 26,244 ways, of which seat 0 wins 19,322."""
    data = json.loads(invoke(*BRISCOLA, "-o", "first_dealer=1", "-o", "deal_packets=1-1-1", "--json").output)
    assert (26_244, 19_322, 0, 6_922) == (data["leaves"], data["won"], data["drawn"], data["lost"])
    assert data["digest"] == "64cb00d022f4a80d"


def test_for_people() -> None:
    """For people the counts are a table, a row a level, with refusals by their code, and first decisions if asked."""
    done = process(*COECH, "--stride", "3", "--depth", "2", "--divide")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[:5] == [
        "Cöch, 4 players, first_dealer=3, stride pack of 3", "after positions over forced refused", "0 1 0 0",
        "1 10 0 0 CO-17/must_follow_suit 50", "2 50 0 0",
    ]  # fmt: skip
    assert lines[5:7] == ["positions over first decision", "6 0 play_card I"]


def test_from_a_position() -> None:
    """A position is counted as it lies, without a pack: who leads from three cards has three ways to go on."""
    game = CATALOGUE.game_for(RuleSet("briscola", 2))
    _, p = lay_out(CATALOGUE, Case(RuleSet("briscola", 2), strides=(7,)))
    data = json.loads(invoke("perft", "briscola", "--position", game.encode(p), "--depth", "1", "--json").output)
    assert [1, 3] == [level["nodes"] for level in data["levels"]]
    assert data["strides"] == []


# ---------------------------------------------------------------------- cases


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "coech.perft"
    path.write_text(invoke(*COECH, "--depth", "3", "--case").output, encoding="utf-8")
    return path


def test_a_case_is_right(file: Path) -> None:
    """A case that was written a moment ago is right, by its own name and in its folder; its counts are counted."""
    for path in (file, file.parent):
        done = process("perft", "--check", str(path))
        assert (0, "") == (done.returncode, done.stderr)
        assert re.fullmatch(
            r"\d\d counts in 1 cases, of 1 stride deals of 1 rule sets, in 1 files are right; nothing is wrong\n",
            done.stdout,
        )


def test_a_case_is_wrong(file: Path) -> None:
    """A count that is not what the rules give ends the check with status 1, both counts, and how to go on."""
    right = file.read_text(encoding="utf-8")
    (level,) = (line for line in right.splitlines() if line.startswith("level 1"))
    file.write_text(right.replace(level, "level 1 9 0 0 -"), encoding="utf-8")
    result = invoke("perft", "--check", str(file))
    assert result.exit_code == 1
    assert result.output.splitlines()[:-1] == [
        f"{file}: wrong",
        "  written but not counted: level 1 9 0 0 -",
        f"  counted but not written: {' '.join(level.split())}",
        "  to find the fault: chitarrella perft coech -p 4 -o first_dealer=3 --stride 7 --depth 3 --divide",
    ]
    assert result.output.endswith("in 1 files are right; 1 is wrong\n")


def test_several_files_at_once(file: Path) -> None:
    """Processes share the files, and tell in their order what each found; one that holds no case is wrong."""
    for other, text in (("d.perft", b"game poker\nplayers 2\nedition 1\n"), ("e.perft", b"\xff\xfe")):
        file.with_name(other).write_bytes(text)
    done = process("perft", "--check", str(file.parent), "--jobs", "2")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert [f"{file.with_name(name)}: wrong" for name in ("d.perft", "e.perft")] == [
        line for line in lines if line.endswith(": wrong")
    ]
    assert " counts in 1 cases, of 1 stride deals of 1 rule sets, in 3 files are right; 2 is wrong" in lines[-1]


def test_the_command_that_finds_a_fault_counts_the_case() -> None:
    """The command that is named after a fault counts the very case: the same levels, over every pack too."""
    deal = Case(RuleSet("coteccio", 3, (("first_dealer", "1"),)), strides=(7, 9), played=9)
    every = Case(RuleSet("cucu", 2), weighted=True, among=("NUL", "XIII", "XV"))
    for case in (deal, every):
        _, *arguments = shlex.split(divide_command(case))
        text = write_case(CATALOGUE, case)
        assert text == invoke(*arguments, "--case").output
        shown = " ".join(invoke(*arguments).output.replace(",", "").split())
        (last, *_) = [line.split() for line in reversed(text.splitlines()) if line.startswith("level")]
        assert " ".join(last[1:-1]) in shown


def test_nothing_to_check(tmp_path: Path) -> None:
    """A path that does not exist and a folder without cases end with status 2."""
    assert invoke("perft", "--check", str(tmp_path / "none")).exit_code == 2
    assert "holds no *.perft." in invoke("perft", "--check", str(tmp_path)).output


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["cuccu-a-trionfo", "--stride", "7", "--stride", "9"], 1, "the match is finished"),
        (["cucu", "--every-pack", "--stride", "7"], 2, "--every-pack goes with no pack of its own."),
        (["briscola", "--position", "xyz=1"], 1, "there is no such field"),
        (["briscola", "--depth", "deep"], 2, "'deep' is neither a number nor 'all'."),
        (["briscola", "coech"], 2, "name one game, or --check and some files."),
        ([], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_counted(arguments: list[str], status: int, says: str) -> None:
    """What cannot be laid out, and what names nothing, ends with a message and no traceback."""
    result = invoke("perft", *arguments)
    assert result.exit_code == status
    assert says in " ".join(result.output.split())
