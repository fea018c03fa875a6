"""The mutation testing itself: what is measured, tried, counted and listed."""

import subprocess
import sys
import tomllib
from fnmatch import fnmatch

import pytest

from chitarrella_testing.trial import KILLED, LIVES, MISSED, TOO_LONG
from lab.mutants.measured import LINES, ROOT
from lab.mutants.trial import Score, equivalents
from tests.test_architecture import RULES, SOURCES, is_within, module, named

TRY = """
import sys, time
from pathlib import Path
from chitarrella_testing.trial import outcome
from lab.mutants.trial import begin
path, before, after, *tests = sys.argv[1:]
source = Path(path).read_text(encoding="utf-8")
assert before in source
name = path.removeprefix("service/").removesuffix(".py").replace("/", ".")
trial = begin(name, Path(path), source.replace(before, after), tests, 60)
while (became := outcome(trial)) is None:
    time.sleep(0.01)
print(became)
"""


def tried(before: str, after: str, test: str) -> str:
    """The result of a mutant of the order of tricks, in its own process."""
    command = [sys.executable, "-c", TRY, "service/chitarrella/tricks/card_values.py", before, after, test]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=90).stdout.strip()


WORTH = "tests/games/test_briscola.py::test_the_loser_draws_the_card_laid_down"


@pytest.mark.parametrize(
    ("after", "test", "became"),
    [
        ("from __future__ import annotations", WORTH, LIVES),
        ("from __future__ import annotations\n0 / 0", WORTH, KILLED),
        ("from __future__ import annotations\nwhile True: 0", WORTH, TOO_LONG),
        ("from __future__ import annotations", f"{WORTH}_that_nobody_wrote", MISSED),
    ],
)
def test_mutant_replaces_the_module(after: str, test: str, became: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same source survives, a broken one is killed, an endless one times out, and no test is no result."""
    if became == TOO_LONG:
        monkeypatch.setattr(f"{__name__}.TRY", TRY.replace(", 60)", ", 1)"))
    assert became == tried("from __future__ import annotations", after, test)


def test_rules_are_measured() -> None:
    """Coverage measures every module of the rules and no other, and writes to the file that mutation testing reads."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    wanted = tools["coverage"]["run"]["include"]
    for path in SOURCES:
        measured = any(fnmatch(named(path), pattern) for pattern in wanted)
        assert measured == is_within(module(path), RULES), named(path)
    assert ROOT / tools["coverage"]["run"]["data_file"] == LINES


def test_listed_mutants_are_of_the_present_code() -> None:
    """An equivalent mutant on the list names a module of the rules and lines that are in it, and has a reason."""
    sources = {module(path): path for path in SOURCES}
    for name, reason in equivalents().items():
        where, _, change = name.partition(":")
        before = change.split(": ", 1)[1].split(" -> ")[0]
        text = [line.strip() for line in sources[where].read_text(encoding="utf-8").splitlines()]
        assert is_within(where, RULES), name
        assert before.split(" / ")[0] in text, name
        assert len(reason.split()) > 3, name


def test_a_report_names_survivors_and_has_an_interval() -> None:
    """Every mutant but the survivors is killed; equivalent ones do not count; a sample has a confidence interval."""
    score = Score(99, ["b:h: x -> y"], ["a:f: x -> y", "a:g: x -> y"])
    assert [
        "lives: a:f: x -> y",
        "lives: a:g: x -> y",
        "   2 live in a",
        "99 mutants, 1 of them the same as the rules: 98.0 % killed (95 % interval 92.9 to 99.4)",
    ] == score.report(of_sample=True).splitlines()
