"""Counts of all the ways a deal can go, made and checked by the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chitarrella.catalogue import Agreement
from chitarrella.perft import divide
from chitarrella.perft_file import Case, lay_out
from tests.commands.running import CATALOGUE, invoke, process

BRISCOLA = ("perft", "briscola", "--first", "12", "--depth", "all")
COECH = ("perft", "coech", "--players", "4", "--option", "first_dealer=3")


def test_published_counts() -> None:
    """Briscola on twelve cards dealt one at a time, seat 0 leading, goes 26,244 ways, of which seat 0 wins 19,322."""
    data = json.loads(invoke(*BRISCOLA, "-o", "first_dealer=1", "-o", "deal_packets=1-1-1", "--json").output)
    assert (26_244, 19_322, 0, 6_922) == (data["leaves"], data["won"], data["drawn"], data["lost"])
    assert data["digest"] == "64cb00d022f4a80d"


@pytest.mark.parametrize(
    "case",
    [
        Case(Agreement("briscola", 2), stride=7, first=12, depth=None),
        Case(Agreement("briscola", 4), stride=7, depth=5),
        Case(Agreement("brusquembille", 2), stride=3, depth=6),
        Case(Agreement("coech", 4, (("first_dealer", "3"),)), stride=7, depth=6),
        Case(Agreement("coech", 2, (("first_dealer", "1"),)), stride=3, depth=2),
        Case(Agreement("briscolone", 2), stride=3, depth=0),
    ],
    ids=lambda case: f"{case.agreement.game}-{case.agreement.players}",
)
def test_counting_for_the_bar_counts_the_same(case: Case) -> None:
    """However the count is split for the progress bar, levels, results and first decisions are those of one count."""
    report, parts = divide(*lay_out(CATALOGUE, case), case.depth)
    chosen = [word for name, value in case.agreement.options for word in ("-o", f"{name}={value}")]
    chosen += ["--first", str(case.first)] if case.first else []
    depth = "all" if case.depth is None else str(case.depth)
    players = str(case.agreement.players)
    data = json.loads(
        invoke(
            *("perft", case.agreement.game, "-p", players, "--stride", str(case.stride), "--depth", depth),
            *chosen,
            "--json",
        ).output
    )
    assert data["levels"] == [{**level._asdict(), "refused": dict(level.refused)} for level in report.levels]
    assert data["digest"] == report.digest
    assert (report.won, report.drawn, report.lost) == (data["won"], data["drawn"], data["lost"])
    counts = [(move, sum(level.nodes for level in part.levels), part.leaves) for move, part in parts]
    assert [(part["move"], part["nodes"], part["leaves"]) for part in data["divide"]] == counts


def test_for_people() -> None:
    """For people the counts are a table, a row a level, with refusals by their code, and first decisions if asked."""
    done = process(*COECH, "--stride", "3", "--depth", "2", "--divide")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[:5] == [
        "Cöch, 4 players, first_dealer=3, stride pack of 3",
        "after positions over forced refused",
        "0 1 0 0",
        "1 10 0 0 must_follow_suit 50",
        "2 50 0 0",
    ]
    assert lines[5:7] == ["positions over first decision", "6 0 play_card I"]


def test_how_deals_end() -> None:
    """Where deals end within the depth, it is said how many seat 0 wins, draws and loses."""
    assert "Seat 0 wins 6,115, draws 0, loses 20,129; results ed87df4bc3e053b5" in invoke(*BRISCOLA).output


def test_from_a_position() -> None:
    """A position is counted as it lies, without a pack: who leads from three cards has three ways to go on."""
    game = CATALOGUE.seat(Agreement("briscola", 2))
    _, p = lay_out(CATALOGUE, Case(Agreement("briscola", 2), stride=7))
    data = json.loads(invoke("perft", "briscola", "--position", game.write(p), "--depth", "1", "--json").output)
    assert [1, 3] == [level["nodes"] for level in data["levels"]]
    assert data["stride"] == 0


# ---------------------------------------------------------------------- cases


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A case as the command writes it."""
    path = tmp_path / "coech.perft"
    path.write_text(invoke(*COECH, "--depth", "3", "--case").output, encoding="utf-8")
    return path


def test_a_case_is_right(file: Path) -> None:
    """A case that was written a moment ago is right, by its own name and in its folder."""
    for path in (file, file.parent):
        done = process("perft", "--check", str(path))
        assert (0, f"{file}: right\n", "") == (done.returncode, done.stdout, done.stderr)


def test_a_case_is_wrong(file: Path) -> None:
    """A count that is not what the rules give ends the check with status 1 and both counts."""
    right = file.read_text(encoding="utf-8")
    (level,) = (line for line in right.splitlines() if line.startswith("level   1"))
    file.write_text(right.replace(level, "level 1 9 0 0 -"), encoding="utf-8")
    result = invoke("perft", "--check", str(file))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"{file}: wrong",
        "  written but not counted: level 1 9 0 0 -",
        f"  counted but not written: {' '.join(level.split())}",
    ]


@pytest.mark.parametrize("noise", [b"what is this", b"\xff\xfe", b"game poker\nplayers 2\nedition 1\n"])
def test_what_is_no_case(file: Path, noise: bytes) -> None:
    """A file that holds no case is wrong, and the others are checked all the same."""
    other = file.with_name("a.perft")
    other.write_bytes(noise)
    result = invoke("perft", "--check", str(file.parent))
    assert result.exit_code == 1
    assert f"{other}: wrong\n" in result.output
    assert f"{file}: right\n" in result.output


def test_nothing_to_check(tmp_path: Path) -> None:
    """A path that does not exist and a folder without cases end with status 2."""
    assert invoke("perft", "--check", str(tmp_path / "none")).exit_code == 2
    assert "holds no *.perft." in invoke("perft", "--check", str(tmp_path)).output


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["coech"], 1, "who deals first must be agreed, not drawn"),
        (["briscola", "--stride", "5"], 1, "steps of 5 do not reach all 40 cards"),
        (["briscola", "--position", "xyz=1"], 1, "there is no such field"),
        (["briscola", "--depth", "deep"], 2, "'deep' is neither a number nor 'all'."),
        (["briscola", "coech"], 2, "name one game, or --check and some files."),
        (["briscolla"], 2, "there is no game 'briscolla'."),
        ([], 2, "Missing argument"),
    ],
)
def test_what_cannot_be_counted(arguments: list[str], status: int, says: str) -> None:
    """What cannot be laid out, and what names nothing, ends with a message and no traceback."""
    result = invoke("perft", *arguments)
    assert result.exit_code == status
    assert says in " ".join(result.output.split())
