"""Distributions with games, laid out in a folder as an installer would."""

from __future__ import annotations

import re
from pathlib import Path

GAME = """
from dataclasses import replace
from pathlib import Path
from chitarrella.core.model import Clause
from chitarrella.games.briscolone import BRISCOLONE
CLAUSES = (Clause("{clause}", "{text}", "ruling"),)
GAMES = (
    replace(
        BRISCOLONE, key="{key}", title="{key}", own_clauses=CLAUSES,
        citations=dict.fromkeys(BRISCOLONE.citations, "{clause}"),
    ),
)
LOCALE = Path(__file__).parent / "locale_{key}"
"""


def variant(key: str, clause: str = "", text: str = "Any card may be played.") -> str:
    """The module of a game that is Briscolone under another key, with one clause."""
    return GAME.format(key=key, clause=clause or f"{key.upper()}-1", text=text)


def distribute(folder: Path, name: str, code: str, version: str = "1.0") -> None:
    """Install a distribution with one module, which an entry point names."""
    module = re.sub("[-.]", "_", name).lower()
    (folder / f"{module}.py").write_text(code)
    info = folder / f"{module}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[chitarrella.games]\n{module} = {module}\n")
