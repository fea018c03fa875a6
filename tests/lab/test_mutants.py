"""What mutation testing measures, and the list of mutants that change nothing."""

import tomllib
from fnmatch import fnmatch

from lab.mutants.measured import LINES, ROOT
from lab.mutants.trial import equivalents
from tests.test_architecture import RULES, SOURCES, is_within, module, named


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
