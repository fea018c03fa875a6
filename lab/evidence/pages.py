"""The parts of pages that are made: the tables of games and of settings, and how much there is of the vectors.

`make evidence` writes them; tests keep them true.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import starmap
from pathlib import Path

import click

from chitarrella.cli import serve
from chitarrella.cli.serve import MAX_SECONDS
from chitarrella.i18n.narration import EVENT_KINDS, EventKind
from chitarrella_terminal.options import format_numbers
from tests.vectors import digests
from tests.vectors.positions import FOLDER
from tests.walks import CATALOGUE

ROOT = Path(__file__).parents[2]
README, VECTORS, SETTINGS = ROOT / "README.md", FOLDER / "README.md", ROOT / "deploy/settings.md"
EVENTS = ROOT / "docs/events.md"
NUMBER_OF_GAMES = re.compile(r"(?<=the rules of )\d+(?= card games)")
TABLE_OF_GAMES = re.compile(r"(?<=^\| key \| game \| players \|\n\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE)
TABLE_OF_SETTINGS = re.compile(
    r"(?<=^\| variable \| option \| default \| what \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE
)
TABLE_OF_EVENTS = re.compile(
    r"(?<=^\| event \| fields \| games \| when \|\n\|---\|---\|---\|---\|\n)(?:\|.*\n)+", re.MULTILINE
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


def events_page(text: str) -> str:
    """The page of events with a row for each kind; those of games in the order of the narration."""
    assert TABLE_OF_EVENTS.search(text)
    return TABLE_OF_EVENTS.sub("".join(starmap(event_row, EVENT_KINDS.items())), text)


def event_row(kind: str, row: EventKind) -> str:
    """The row of a kind: its fields, its games, and when it comes."""
    families = {"tricks": "all trick games", "exchange": "all exchange games"}
    names = [f"not {name[1:]}" if name[0] == "-" else families.get(name, name) for name in row.games.split()]
    return f"| `{kind}` | {', '.join(row.fields.split())} | {', '.join(names) or 'the match'} | {row.description} |\n"


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
    return f"from {least or 0:g}" if most is None or most == MAX_SECONDS else f"{least or 0:g} to {most:g}"


PAGES: dict[Path, Callable[[str], str]] = {
    README: readme,
    VECTORS: vectors_page,
    SETTINGS: settings_page,
    EVENTS: events_page,
}
"""What writes the made parts of each page."""


def write_pages() -> None:
    for path, written in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
