"""The packages of games that an operator names."""

from __future__ import annotations

from pathlib import Path

import pytest

from chitarrella.cli.named_packages import missing_packages
from tests.games.support.distributions import distribute, variant


def test_names_that_are_not_installed_are_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is compared as installers do; who chooses all packages, or none, misses nothing."""
    monkeypatch.syspath_prepend(tmp_path)
    distribute(tmp_path, "my-games", variant("eins"))
    assert ["missing"] == missing_packages("My_Games, missing,")
    assert [] == missing_packages("all") + missing_packages("none")
