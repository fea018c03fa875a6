"""Leaving the table, records on the way, and playing the same match again."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.core.model import CHANCE, Move
from tests.cli.run_command import (
    ALWAYS_FIRST,
    BRISCOLA,
    invoke,
    over,
    process,
    recorded,
)


@pytest.mark.parametrize("typed", ["quit", "q", "exit"])
def test_quit(typed: str) -> None:
    """Who leaves the table ends the command in order."""
    done = process(*BRISCOLA, stdin=f"6d\n{typed}\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("You leave the table.\n")


@pytest.mark.parametrize("stdin", ["", "6d\n", "6d\nfoo", "?\n"])
def test_the_input_ends(stdin: str) -> None:
    """Input that ends in mid-game ends the command with status 1 and a message, without a traceback."""
    done = process(*BRISCOLA, stdin=stdin)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("The input has ended, and with it the match.\n")


def test_the_record_of_a_match_broken_off(tmp_path: Path) -> None:
    """A match that is broken off is recorded as far as it came."""
    file = tmp_path / "match.txt"
    assert process(*BRISCOLA, "--record", str(file), stdin="6d\n").returncode == 1
    record = recorded(file)
    assert [CHANCE, 1, 0, 1] == [actor for actor, _ in record.moves]
    assert not over(record)


def test_the_record_so_far(tmp_path: Path) -> None:
    """The match so far is written whenever it is asked for, again into the same file, never over another file."""
    file, other = tmp_path / "match.txt", tmp_path / "other.txt"
    other.write_text("mine")
    stdin = f"record {file}\n6d\nrecord {file}\nrecord {other}\nrecord {tmp_path}/none/x\nrecord\nquit\n"
    output = " ".join(invoke(*BRISCOLA, stdin=stdin).output.split())
    assert len(recorded(file).moves) == 4
    assert "other.txt is there already; name a new file." in output
    assert other.read_text() == "mine"
    assert "cannot be written: No such file or directory." in output
    assert "Into which file? record FILE" in output


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    """A file that is there already is refused before the first card."""
    file = tmp_path / "match.txt"
    file.write_text("mine")
    result = invoke(*BRISCOLA, "--record", str(file), stdin="quit\n")
    assert result.exit_code == 2
    assert file.read_text() == "mine"


# ---------------------------------------------------------------------- seeds and pauses


def test_a_seed_repeats_the_match() -> None:
    """The same seed and the same moves are the same match, card by card."""
    first, second = (process("play", "coech", "--seed", "12", stdin=ALWAYS_FIRST).stdout for _ in range(2))
    assert first == second


def test_a_new_seed_is_printed_and_repeats() -> None:
    """Without a seed one is made up and printed, and gives the same cards again."""
    first = invoke("play", "briscolone", stdin="quit\n").output
    (seed,) = (line.split()[3].rstrip(".") for line in first.splitlines() if line.startswith("The seed is"))
    assert first == invoke("play", "briscolone", "--seed", seed, stdin="quit\n").output


def test_packs_do_not_depend_on_the_play(tmp_path: Path) -> None:
    """With one seed the packs of all deals are the same, however they are played."""
    packs: list[list[Move]] = []
    for typed in ("1\n", "2\n3\n1\n4\n2\n"):
        file = tmp_path / f"{len(packs)}.txt"
        invoke("play", "coech", "--seed", "4", "-o", "match_deals=2", "--record", str(file), stdin=typed * 400)
        packs.append([move for actor, move in recorded(file).moves if actor == CHANCE])
    assert len(packs[0]) == 3
    assert packs[0] == packs[1]


def test_pause_after_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where pauses are wanted, the end of a deal stays on the table until Enter is pressed."""
    monkeypatch.setattr("chitarrella.cli.play.BOT_PAUSE", 0.0)
    output = invoke("play", "briscolone", "--seed", "3", "--pause", stdin="1\n" * 20 + "\n\nquit\n").output
    assert 1 == output.count("Enter for the next deal")
    assert "Deal 2: seat 1 deals." in output
