"""The examples are small, each has a page that says how to run it, and the pages lead to all of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAMS = {
    "lobby": ["lobby.ts"],
    "telegram-bot": ["bot.py"],
    "validator": ["main.go"],
    "terminal-kotlin": ["src/Table.kt", "table"],
}
"""The files of each program, without its test and its settings, in the order of the Makefile."""


def test_make_runs_every_example() -> None:
    """The Makefile names the examples that are here, each of which has a test."""
    named = re.findall(r"^EXAMPLES := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert [" ".join(PROGRAMS)] == named
    assert all(list((ROOT / "examples" / name).glob("test_*.py")) for name in PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_example_is_small(name: str) -> None:
    """A program has fewer than 150 lines that are not empty."""
    texts = [(ROOT / "examples" / name / file).read_text() for file in PROGRAMS[name]]
    assert sum(bool(line.strip()) for text in texts for line in text.splitlines()) < 150


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_pages_lead_to_every_example(name: str) -> None:
    """The page of the examples and the integration guide link to each, whose page has the command that tests it."""
    assert f"]({name}/README.md)" in (ROOT / "examples/README.md").read_text()
    assert f"](../examples/{name}/README.md)" in (ROOT / "docs/integration.md").read_text()
    assert f"`make examples ARGS={name}`" in (ROOT / "examples" / name / "README.md").read_text()
