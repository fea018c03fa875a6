"""The short form of ``make chaos``: few moves, few faults and small attacks; counts are asserted, never seconds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lab.chaos import run as chaos_run
from lab.chaos.attacks.all_attacks import ATTACKS
from lab.chaos.attacks.victim import Attacked
from lab.chaos.deployments import FaultKind
from lab.chaos.history import Checked, is_available
from lab.chaos.kills import RUNS, Killed, Run, run_kills
from lab.chaos.run import (
    Duration,
    Findings,
    figures_of,
    write,
)
from lab.chaos.watchers import Noticed, run_losses
from lab.evidence.figures import MEASURED

MOVES = 200
SECONDS = 60.0
AT_ONCE = 3
MATCHES = 5
SCALE = 0.05
SLOW = pytest.mark.slow


@SLOW
@pytest.mark.timeout(150)
@pytest.mark.skipif(not is_available(), reason="Go is not on the PATH")
@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_kills_lose_and_double_no_move(tmp_path_factory: pytest.TempPathFactory, run: Run) -> None:
    """Under each way of failing moves are acknowledged, faults injected, and every history is linearizable."""
    found = run_kills(run, tmp_path_factory.mktemp("c"), MOVES, SECONDS, matches=AT_ONCE)
    assert found.accepted > 0
    assert sum(found.faults.values()) > 0
    assert found.checked is not None
    assert ([], []) == (found.checked.illegal, found.checked.undecided)
    assert found.is_right


@SLOW
def test_every_client_is_informed_of_lost_moves(tmp_path: Path) -> None:
    """Where the store loses acknowledged moves, each player, watcher and reader of the match is informed."""
    found = run_losses(tmp_path, MATCHES)
    assert () == found.silent
    assert (4 * MATCHES, 4 * MATCHES, 4 * MATCHES) == (found.moves, found.clients, found.informed)


@SLOW
@pytest.mark.parametrize("name", ATTACKS)
def test_small_attack_fails_no_call_of_others(tmp_path: Path, name: str) -> None:
    """While a small attack goes on, the calls of others are answered, and what only it can show is right."""
    found = ATTACKS[name].make(tmp_path, SCALE)
    assert found.sent > 0
    assert found.calls > 0
    assert 0 == found.failures, found
    assert found.is_right, found


CHECKED = Checked(2, 90, 80, 1, 0, [], [])
KILLED = Killed("store killed", {FaultKind.STORES_KILLED: 3}, 80, 1, 2, 900, 5.0, CHECKED)
ATTACKED = Attacked(100, 50, 0, 20, 3.0)
HARMED = ATTACKED._replace(longest_ms=1000, memory_mb=100.0, failures=1, is_right=False, note="wrong")


def test_what_falls_short_is_named() -> None:
    """What falls short: a match that is not linearizable, a move not checked, a wait, memory, a failure, time."""
    assert [] == Findings([KILLED], Noticed(4, 4, 4, ()), {"slow requests": ATTACKED}).shortfalls(80)
    wrong = Findings(
        [
            KILLED._replace(checked=CHECKED._replace(illegal=["m"])),
            KILLED._replace(accepted=81),
            KILLED._replace(checked=None),
        ],
        Noticed(4, 4, 3, ("a watcher: internal",)),
        {"slow requests": HARMED},
        ["bots: no answer"],
        Duration(16.1, 16.0),
    )
    assert 1 + 3 + 1 + 1 + 4 + 1 == len(wrong.shortfalls(1000))


def test_figures_are_written_beside_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole run replaces its own figures of an earlier one, and keeps those of other commands."""
    measured = tmp_path / "measured.json"
    measured.write_text(MEASURED.read_text(encoding="utf-8"), encoding="utf-8")
    before = [one["what"] for one in json.loads(measured.read_text(encoding="utf-8"))]
    monkeypatch.setattr(chaos_run, "MEASURED", measured)
    monkeypatch.setattr(chaos_run, "FIGURES", tmp_path / "proofs.json")
    findings = Findings([KILLED], Noticed(4, 4, 4, ()), {"slow requests": ATTACKED})
    for accepted in (1000, 2000):
        write(replace(findings, killed=[KILLED._replace(accepted=accepted)]))
    figures = {one["what"]: one["figure"] for one in json.loads(measured.read_text(encoding="utf-8"))}
    ours = {figure.what for figure in figures_of(findings)}
    assert {*before, *ours} == figures.keys()
    assert figures["kills"].startswith("2,000 acknowledged moves in 2 matches; 0 matches")
    assert (tmp_path / "proofs.json").exists()
