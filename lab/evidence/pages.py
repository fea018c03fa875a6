"""The parts of pages that are counted: the README's table of games, and how much there is of the vectors.

`make evidence` writes them; tests keep them true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from chitarrella.cli.common import format_numbers
from chitarrella.core.game import AnyGame
from tests.vectors import digests
from tests.vectors.rules import FOLDER
from tests.walks import CATALOGUE

ROOT = Path(__file__).parents[2]
README, VECTORS = ROOT / "README.md", FOLDER / "README.md"
NUMBER_OF_GAMES = re.compile(r"(?<=^The rules of )\d+(?= card games)", re.MULTILINE)
TABLE_OF_GAMES = re.compile(
    r"(?<=^\| key \| game \| players \| played with \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)+", re.M
)
COMMAND = "make evidence"


def amounts() -> dict[str, str]:
    """How much there is of each kind of vectors, as their README says it."""
    found = digests.amounts()
    counts, deals = found["counts"]
    return {
        "perft/": f"{counts:,} counts of {deals:,} stride deals, of {len(digests.rule_sets())} rule sets",
        "playthroughs/": f"{found['match'][0] + found['deals'][0]:,} playthroughs",
        "refusals/": f"{found['refusals'][0]:,} moves",
        "invalid_positions/": f"{found['invalid'][0]:,} lines",
        "views/": f"{found['views'][0]:,} views",
        "rules.md": f"{len(list(CATALOGUE))} games",
    }


def vectors_page(text: str) -> str:
    """The README of the vectors with the amounts of today."""
    for name, amount in amounts().items():
        text, count = re.subn(rf"(?m)^(\| `{re.escape(name)}` \|[^|]*\|) .* \|$", rf"\1 {amount} |", text)
        assert count == 1, name
    return text


def readme(text: str) -> str:
    """The README with the games of today: their number, and a row for each, whose note is kept."""
    (table,) = TABLE_OF_GAMES.findall(text)
    notes = dict(re.findall(r"^\| `([\w-]+)` \| ([^|]*) \|", table, re.MULTILINE))
    text = NUMBER_OF_GAMES.sub(str(len(list(CATALOGUE))), text)
    return TABLE_OF_GAMES.sub("".join(row_of(game, notes.get(game.key, game.title)) for game in CATALOGUE), text)


def row_of(game: AnyGame, note: str) -> str:
    """The row of a game: its key, what is noted of it, its numbers of players, and its pack."""
    pack = f"{game.pack.name.split()[0]} pack, {len(game.pack.cards)} cards"
    return f"| `{game.key}` | {note} | {format_numbers(sorted(game.seatings))} | {pack} |\n"


PAGES: dict[Path, Callable[[str], str]] = {README: readme, VECTORS: vectors_page}
"""What writes the counted parts of each page."""


def write_pages() -> None:
    """Write the counted parts of the pages."""
    for path, written in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
