"""The parts of pages that are made: the tables of games and of settings, and how much there is of the vectors.

`make evidence` writes them; tests keep them true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click

from chitarrella.cli import serve
from chitarrella.cli.serve import MAX_SECONDS
from chitarrella_terminal.options import format_numbers
from tests.vectors import digests
from tests.vectors.positions import FOLDER
from tests.walks import CATALOGUE

ROOT = Path(__file__).parents[2]
README, VECTORS, SETTINGS = ROOT / "README.md", FOLDER / "README.md", ROOT / "deploy/settings.md"
NUMBER_OF_GAMES = re.compile(r"(?<=the rules of )\d+(?= card games)")
TABLE_OF_GAMES = re.compile(r"(?<=^\| key \| game \| players \|\n\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE)
TABLE_OF_SETTINGS = re.compile(
    r"(?<=^\| variable \| option \| default \| what \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE
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
    """The README with the games of today: their number, and a row for each."""
    rows = [f"| `{game.key}` | {game.title} | {format_numbers(sorted(game.seatings))} |\n" for game in CATALOGUE]
    assert TABLE_OF_GAMES.search(text)
    return TABLE_OF_GAMES.sub("".join(rows), NUMBER_OF_GAMES.sub(str(len(rows)), text))


def settings_page(text: str) -> str:
    """The page of the settings with a row for each option of ``chitarrella serve``, in the order of its help."""
    options = (option for option in serve.command.params if isinstance(option, click.Option) and option.envvar)
    rows = "".join(map(row_of, options))
    assert TABLE_OF_SETTINGS.search(text)
    return TABLE_OF_SETTINGS.sub(lambda _: rows, text)


def row_of(option: click.Option) -> str:
    """The row of an option: its variable, its flag, its default and bounds, and its help."""
    number = isinstance(option.default, int | float) and not option.is_flag
    parts = [f"`{option.default:g}`" if isinstance(option.default, float) else f"`{option.default}`"]
    if not (number or (isinstance(option.default, str | Path) and option.default)):
        parts = [option.show_default] if isinstance(option.show_default, str) else []
    if isinstance(option.type, click.Choice):
        parts.append(f"of {', '.join(f'`{choice}`' for choice in option.type.choices)}")
    if isinstance(option.type, click.IntRange | click.FloatRange):
        parts.append(bounds(option.type.min, option.type.max))
    flag = "" if option.hidden else f"`{option.opts[0]}`"
    return f"| `{option.envvar}` | {flag} | {', '.join(parts)} | {option.help} |\n"


def bounds(least: float | None, most: float | None) -> str:
    """The numbers that an option takes."""
    return f"from {least or 0:g}" if most is None or most == MAX_SECONDS else f"{least or 0:g} to {most:g}"


PAGES: dict[Path, Callable[[str], str]] = {README: readme, VECTORS: vectors_page, SETTINGS: settings_page}
"""What writes the made parts of each page."""


def write_pages() -> None:
    for path, written in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
