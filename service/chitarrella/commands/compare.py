"""The command ``compare``: what differs between two games, or two agreements on one, clause by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.table import Table as Grid
from rich.text import Text

from chitarrella.commands.common import (
    agree,
    catalogue,
    chosen_options,
    console,
    examples,
    game_key,
    json_option,
    language_option,
    print_json,
)
from chitarrella.comparing import Difference, Table, alike, differences
from chitarrella.tongues import Tongue
from chitarrella.words import Clause

F = TypeVar("F", bound=Callable[..., Any])


def choices_option(which: str) -> Callable[[F], F]:
    """Take the options of one of the two."""
    return click.option(
        f"--{which}",
        f"{which}_choices",
        multiple=True,
        metavar="NAME=VALUE",
        callback=chosen_options,
        help=f"Agree on an option of the {which} game; may be given several times.",
    )


@click.command(
    "compare",
    epilog=examples(
        "chitarrella compare briscola briscolone",
        "chitarrella compare cucu lu-stu --language it",
        "chitarrella compare briscola briscola --second signals=free",
    ),
)
@click.argument("first", callback=game_key)
@click.argument("second", callback=game_key)
@click.option("--players", type=click.IntRange(min=1), help="How many play, in both.")
@choices_option("first")
@choices_option("second")
@language_option
@json_option
def command(
    first: str,
    second: str,
    players: int | None,
    first_choices: tuple[tuple[str, str], ...],
    second_choices: tuple[tuple[str, str], ...],
    tongue: Tongue,
    as_json: bool,
) -> None:
    """Tell the games FIRST and SECOND apart, or two agreements on one game."""
    tables = _table(first, players, first_choices), _table(second, players, second_choices)
    found = differences(*tables)
    if as_json:
        print_json([_plain(one, tongue) for one in found])
        return
    out = console()
    grid = Grid(expand=True, show_lines=True)
    grid.add_column("")
    for key in (first, second):
        grid.add_column(tongue.title(catalogue().game(key)), ratio=1)
    for one in found:
        grid.add_row(
            Text(f"{one.about} {one.name}".strip(), "dim"),
            _said(one.first, one.first_clause, tongue),
            _said(one.second, one.second_clause, tongue),
        )
    out.print(grid)
    out.print(f"{len(found)} difference(s); {alike(*tables)} clause(s) say the same in both.")


def _table(game: str, players: int | None, choices: tuple[tuple[str, str], ...]) -> Table:
    agreement, seated = agree(game, players, choices)
    return Table(seated, catalogue().settle(agreement).players, dict(agreement.options))


def _said(text: str, clause: Clause | None, tongue: Tongue) -> str:
    return f"{clause.key}: {tongue.clause(clause)}" if clause else text


def _plain(one: Difference, tongue: Tongue) -> dict[str, str]:
    """Give a difference for other programs."""
    return {
        "about": one.about,
        "name": one.name,
        "first": _said(one.first, one.first_clause, tongue),
        "second": _said(one.second, one.second_clause, tongue),
    }
