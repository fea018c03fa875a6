"""The page of evidence says what is there today."""

from pathlib import Path

import pytest

from chitarrella.transports.rest.website.website import FIGURES
from lab.chaos.attacks import ATTACKS
from lab.chaos.run import GOAL_MOVES
from lab.evidence.figures import COMMAND, figures, written
from lab.evidence.pages import PAGES

ROOT = Path(__file__).resolve().parents[2]


def test_the_figures_are_those_of_today() -> None:
    """What the service shows is what can be counted in the repository now."""
    assert FIGURES.read_text(encoding="utf-8") == written(), f"run {COMMAND}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_made_parts_of_pages_are_those_of_today(page: Path) -> None:
    """The tables of games and settings, and the amounts of vectors, are what is there today."""
    text = page.read_text(encoding="utf-8")
    assert text == PAGES[page](text), f"run {COMMAND}"


def test_figures_of_the_chaos_run_are_shown() -> None:
    """Of the last whole run the acknowledged moves, the clients informed of lost ones, and every attack are shown."""
    found = {figure.what: figure for figure in figures()}
    assert int(found["kills"].figure.split()[0].replace(",", "")) >= GOAL_MOVES
    assert found["lost moves"].figure.startswith("100 of 100 clients")
    assert all(f"{attack.name}: " in found["attacks"].says for attack in ATTACKS.values() if not attack.at_edge)
