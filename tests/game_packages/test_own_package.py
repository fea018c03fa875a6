"""A game of a package of one's own: made in an empty folder as ``docs/adding-a-game.md`` says, checked by the kit."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs/adding-a-game.md").read_text()
GAME_FILE = "my_card_games.py"


def block(after: str, kind: str) -> str:
    """The first block of a kind behind some words of the page."""
    found = re.search(rf"^```{kind}\n(.*?)^```$", PAGE.partition(after)[2], re.MULTILINE | re.DOTALL)
    assert found, after
    return found[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the package, with the package installed beside it."""
    made = tmp_path_factory.mktemp("own") / "my-card-games"
    (made / "tests").mkdir(parents=True)
    (made / GAME_FILE).write_text(block("The made-up game, whole, as `briscoletta.py`", "python"))
    (made / "pyproject.toml").write_text(block("## A game of your own package", "toml"))
    (made / "tests/test_my_card_games.py").write_text(block("`test_my_card_games.py` has", "python"))
    (line,) = re.findall(r"`conftest\.py` there is one line, `(.+?)`", PAGE)
    (made / "tests/conftest.py").write_text(f"{line}\n")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--target", str(made.with_name("site")), str(made)], check=True, timeout=60)
    (made / GAME_FILE).unlink()  # what is installed is tested
    return made


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python where the package is installed."""
    environment = {**os.environ, "PYTHONPATH": str(folder.with_name("site"))}
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip


@pytest.mark.slow
def test_commands_of_the_page(folder: Path) -> None:
    """The report passes every check, and so do the tests."""
    _, report, tests = block("`conftest.py` there is one line", "sh").splitlines()
    done = run(folder, *report.split()[2:])
    assert 0 == done.returncode, done.stdout
    assert "from my-card-games 1.0" in done.stdout
    assert "every check passed" in done.stdout
    done = run(folder, *tests.split(), "-p", "no:cacheprovider", "-c", "pyproject.toml")
    assert 0 == done.returncode, done.stdout
    assert re.search(r"\b\d\d passed", done.stdout), done.stdout


def test_texts_are_written_for_translators(folder: Path, tmp_path: Path) -> None:
    """The texts of the package alone are written to files for translators, which are kept when they are there."""
    for _ in range(2):
        done = run(folder, "chitarrella.i18n.extract", "briscoletta", str(tmp_path))
        assert (0, "") == (done.returncode, done.stderr)
        texts = (tmp_path / "it.po").read_text()
        assert {"title briscoletta", "BT-4.1", "BT-5.2", "BT-5.3"} < set(re.findall(r'msgctxt "(.*)"', texts))
        (tmp_path / "it.po").write_text(
            texts.replace('msgid "Briscoletta"\nmsgstr ""', 'msgid "Briscoletta"\nmsgstr "B."')
        )
    assert 'msgstr "B."' in (tmp_path / "it.po").read_text()
