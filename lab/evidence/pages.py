"""The parts of pages that are made: the tables of games and of settings, and how much there is of the vectors.

`make evidence` writes them; tests keep them true.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import starmap
from pathlib import Path

import click

from chitarrella.cli import serve
from chitarrella.cli.serve import MAX_SECONDS
from chitarrella.core.game import AnyGame
from chitarrella.i18n import narration
from chitarrella.i18n.narration import EVENT_KINDS, GAME_EVENTS, TEXTS, EventKind, event_kinds
from chitarrella_terminal.options import format_numbers
from tests.games.test_facts import happened
from tests.vectors import digests
from tests.vectors.positions import FOLDER
from tests.walks import CATALOGUE

ROOT = Path(__file__).parents[2]
README, VECTORS, SETTINGS = ROOT / "README.md", FOLDER / "README.md", ROOT / "deploy/settings.md"
EVENTS, EVENTS_OF_GAMES = ROOT / "docs/events.md", Path(narration.__file__).with_name("game_events.json")
NUMBER_OF_GAMES = re.compile(r"(?<=the rules of )\d+(?= card games)")
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


def with_rows(text: str, columns: str, rows: Iterable[str]) -> str:
    """The text with other rows in its table with these columns; `ValueError` unless there is one such table."""
    head = f"\n| {columns} |\n{'|---' * len(columns.split(' | '))}|\n"
    before, after = text.split(head)
    return before + head + "".join(rows) + re.sub(r"\A(\|.*\n)+", "", after)


def vectors_page(text: str) -> str:
    """The README of the vectors with the amounts of today."""
    for name, amount in amounts().items():
        text, count = re.subn(rf"(?m)^(\| `{re.escape(name)}` \|[^|]*\|) .* \|$", rf"\1 {amount} |", text)
        assert count == 1, name
    return text


def readme(text: str) -> str:
    """The README with the games of today: their number, and a row for each."""
    entries = [game.entry for game in CATALOGUE]
    rows = [f"| `{each.key}` | {each.title} | {format_numbers(sorted(each.players))} |\n" for each in entries]
    return with_rows(NUMBER_OF_GAMES.sub(str(len(rows)), text), "key | game | players", rows)


def settings_page(text: str) -> str:
    """The page of the settings with a row for each option of ``chitarrella serve``, in the order of its help."""
    options = (option for option in serve.command.params if isinstance(option, click.Option) and option.envvar)
    return with_rows(text, "variable | option | default | what", map(row_of, options))


def events_page(text: str) -> str:
    """The page of events with a row for each kind; those of games in the order of the narration."""
    return with_rows(text, "event | fields | games | when", starmap(event_row, EVENT_KINDS.items()))


OF_PACKAGES = {"cards_chosen", "cards_passed"}  # by parts of the rules that only games of other packages use


def event_row(kind: str, row: EventKind) -> str:
    """The row of a kind: its fields, its games, and when it comes."""
    families = {"tricks": "all trick games", "exchange": "all exchange games"}
    lines = {name: line.split() for name, line in events_of_games().items()}
    names = [families.get(name, name) for name, line in lines.items() if kind in line]
    names += [f"not {name}" for name, line in lines.items() if f"-{kind}" in line]
    assert names or kind in TEXTS["match event"] or kind in OF_PACKAGES, kind
    usual = "games of packages" if kind in OF_PACKAGES else "the match"
    return f"| `{kind}` | {', '.join(row.fields.split())} | {', '.join(names) or usual} | {row.description} |\n"


@cache
def events_of_games() -> dict[str, str]:
    """The lines of `GAME_EVENTS`; a game without one is played. A family has what more than two of three games have."""
    lines: dict[str, str] = dict.fromkeys((game.family for game in CATALOGUE), "")
    for family in [*lines]:
        games = {game.key: set(kinds_of(game)) for game in CATALOGUE if game.family == family}
        usual = {kind for kind in EVENT_KINDS if 3 * sum(kind in kinds for kinds in games.values()) > 2 * len(games)}
        lines[family] = " ".join(kind for kind in EVENT_KINDS if kind in usual)
        for key, kinds in games.items():
            words = ((kind if kind in kinds else f"-{kind}") for kind in EVENT_KINDS if kind in kinds ^ usual)
            lines[key] = " ".join(words)
    return lines


def kinds_of(game: AnyGame) -> Iterator[str]:
    known = game.key in GAME_EVENTS
    kinds = dict(event_kinds(game, {})) if known else {event.kind for event in happened(game.key, lambda: False)}
    return (kind for kind in kinds if kind not in TEXTS["match event"])


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
    EVENTS_OF_GAMES: lambda _: json.dumps(events_of_games(), indent=0) + "\n",
}
"""What writes the made parts of each page."""


def write_pages() -> None:
    for path, written in PAGES.items():
        path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
