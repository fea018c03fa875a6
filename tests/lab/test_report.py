"""Laws of the goals, the history, the plots and the report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.bench import history, plots, report, run
from lab.bench.goals import Goal, goals
from lab.bench.history import Past
from lab.bench.measurements import Bench
from lab.bench.plots import Plot
from lab.bench.report import figure
from lab.bench.results import Results
from lab.bench.round_statistics import Measured, of_rounds, ratio_of_rounds, rounds_within
from lab.bench.start import Start


@pytest.mark.parametrize(
    ("mark", "seen", "at_least"),
    [
        ("beyond", 1.0, False),
        ("reached", 1.2, False),
        ("reached", 1.404, False),
        ("**short by 50%**", 2.1, False),
        ("**short by 10%**", 0.9, True),
        ("reached", 1.3, True),
        ("beyond", 1.5, True),
    ],
)
def test_goal_marks(mark: str, seen: float, at_least: bool) -> None:
    """A goal is reached at the exact figure, from above or from below; else the mark has the share that is missing."""
    goal, beyond = (1.0, 1.4) if at_least else (1.4, 1.0)
    assert mark == Goal("x", "x", Measured(seen), goal, beyond, at_least=at_least).mark


def test_goal_without_an_aim_or_a_figure() -> None:
    """A row without a goal has no mark, and one that was not measured has the reason."""
    assert "" == Goal("x", "x", Measured(1)).mark
    missing = Goal("x", "x", Measured(0), 3, 4, at_least=True, missing="npm is not installed")
    assert ("npm is not installed", False) == (missing.mark, missing.is_compared)


@pytest.mark.parametrize(
    ("text", "number"),
    [("0.05", 0.05), ("1.40", 1.404), ("12.3", 12.34), ("123", 123.4), ("23,456", 23456.2), ("16", 16), ("", None)],
)
def test_figures_have_significant_digits(text: str, number: float | None) -> None:
    """A figure is written with about three significant digits."""
    assert text == figure(number)


def test_ratios_are_taken_round_by_round() -> None:
    """A ratio is the median over the rounds, and its spread half of the range of the quartiles."""
    assert Measured(2, 0.0) == ratio_of_rounds([2, 4, 20], [1, 2, 10])
    assert Measured(4, 0.25) == of_rounds([2, 3, 4, 5, 6])
    assert Measured(7, 0.0) == of_rounds([7])


def test_late_rounds_are_left_out() -> None:
    """Where the rounds take much longer than planned three are left, and all of them if there is time."""
    assert [0, 1, 2] == list(rounds_within(10, 0.0))
    assert [0, 1] == list(rounds_within(2, 0.0))
    assert list(range(10)) == list(rounds_within(10, 60.0))


@pytest.mark.parametrize(
    ("change", "seen", "spread", "at_least"),
    [
        ("+4%", 1.04, 0.0, False),
        ("**+10% worse**", 1.1, 0.02, False),
        ("+10%", 1.1, 0.08, False),
        ("-50%", 0.5, 0.0, False),
        ("**-50% worse**", 0.5, 0.0, True),
        ("+50%", 1.5, 0.0, True),
    ],
)
def test_worse_figures_are_marked(change: str, seen: float, spread: float, at_least: bool) -> None:
    """A figure is marked as worse where it changed by more than 5 % and than the spreads of both runs."""
    runs = [Past("2026-01-01", "a", {"x": Measured(3.0)}), Past("2026-01-02", "b", {"x": Measured(1.0, 0.03)})]
    goal = Goal("x", "x", Measured(seen, spread), at_least=at_least)
    assert change == history.change(goal, [*runs, Past("2026-01-03", "c", {})])


def test_kept_runs_are_read_back(tmp_path: Path) -> None:
    """A run that was kept is a line of the history, with the ratios alone."""
    path = tmp_path / "history.jsonl"
    seen = [Goal("ratio", "x", Measured(1.5, 0.25)), Goal("seconds", "x", Measured(2), unit=" s")]
    for _ in range(2):
        history.append(history.this_run(seen), path)
    assert [{"ratio": Measured(1.5, 0.25)}] * 2 == [past.seen for past in history.read(path)]
    assert [] == history.read(tmp_path / "none")


def test_committed_history_is_readable() -> None:
    """Every line of the committed history has a date, a commit and figures."""
    for past in history.read():
        assert (10, True, True) == (len(past.date), bool(past.commit), bool(past.seen))


def test_parts_that_were_left_out_have_no_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of no part has no goals, and its report is still written."""
    monkeypatch.setattr(report, "machine", lambda: "A machine.")
    assert [] == goals(Results())
    past = Past("2026-01-01", "a", {})
    assert "2026-01-01, commit a, in 0.0 minutes" in report.write(Results(), [], [], past, 0.0, "")


def test_plots_replace_those_of_the_run_before(tmp_path: Path) -> None:
    """The folder of the plots holds those of the last run, and their titles."""
    past = Past("2026-01-01", "a", {})
    for name in ("one", "other"):
        plots.write([Plot(name, "A title", "A sentence.", "<svg/>")], past, tmp_path)
    assert ["other.svg"] == [path.name for path in tmp_path.glob("*.svg")]
    index = json.loads((tmp_path / plots.INDEX).read_text())
    assert [{"file": "other.svg", "title": "A title", "says": "A sentence."}] == index["plots"]


@pytest.mark.parametrize("others", [["--quick"], ["--only", "rules"], ["--growth", "--quick"]])
def test_only_a_whole_run_is_kept(others: list[str]) -> None:
    """A quick run and a part are refused before anything is measured if they are to be kept."""
    with pytest.raises(SystemExit, match="whole run"):
        run.main(["--keep", *others])


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what a run writes; nothing is measured but two starts."""
    found = Results(start=Start(Measured(0.6), Measured(0.2), Measured(3.0)))
    for owner, name, value in (
        (Bench, "measure", lambda *_: found),
        (run, "PACKAGES", ()),
        (run, "ROOT", tmp_path),
        (run, "BUILD", tmp_path / "build"),
        (run, "REPORT", tmp_path / "report.md"),
        (plots, "PAGE", tmp_path / "plots"),
        (plots, "draw", lambda *_: [Plot("goals", "Goals", "Each goal.", "<svg/>")]),
        (history, "HISTORY", tmp_path / "history.jsonl"),
        (report, "machine", lambda: "A machine."),
    ):
        monkeypatch.setattr(owner, name, value)
    return tmp_path


def test_ordinary_run_leaves_the_tree_alone(measured: Path) -> None:
    """Without --keep the report and the plots go to the folder of builds, and there is no history."""
    run.main([])
    assert {"report.md", "plots.json", "goals.svg"} == {path.name for path in (measured / "build").iterdir()}
    assert ["build"] == [path.name for path in measured.iterdir()]


def test_kept_runs_are_compared(measured: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --keep all of it is written into the tree, and the next run shows the figure before and the change."""
    run.main(["--keep"])
    run.main([])
    assert {"build", "report.md", "plots", "history.jsonl"} == {path.name for path in measured.iterdir()}
    assert [{"start": Measured(3.0)}] == [past.seen for past in history.read(measured / "history.jsonl")]
    assert "beyond         `serve`, start to first answer" in capsys.readouterr().err
    assert "| 3.00x |  | beyond | 3.00x | +0% |" in (measured / "build" / "report.md").read_text()
