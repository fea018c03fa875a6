"""The command ``compare``: the differences between two games or two rule sets, clause by clause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.table import Table as Grid
from rich.text import Text

from chitarrella.catalogue.compare import ComparedGame, Difference, compare, count_same_clauses
from chitarrella.cli.common import (
    catalogue,
    chosen_options,
    configure_game,
    console,
    game_key,
    json_option,
    language_option,
    print_json,
)
from chitarrella.cli.translated_help import TranslatedCommand
from chitarrella.core.model import Clause
from chitarrella.i18n.translator import Translator

F = TypeVar("F", bound=Callable[..., Any])


def choices_option(which: str) -> Callable[[F], F]:
    """Return the option for the choices of the ``which`` game: ``first`` or ``second``."""
    return click.option(
        f"--{which}",
        f"{which}_choices",
        multiple=True,
        metavar="NAME=VALUE",
        callback=chosen_options,
        help=f"An option of the {which} game; may be repeated.",
    )


@click.command(
    "compare",
    cls=TranslatedCommand,
    examples=(
        "chitarrella compare {game} {other}",
        "chitarrella compare {game} {other} --language it",
        "chitarrella compare {game} {game} --second {option}",
    ),
)
@click.argument("first", callback=game_key)
@click.argument("second", callback=game_key)
@click.option("--players", type=click.IntRange(min=1), help="Number of players in both.")
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
    translator: Translator,
    as_json: bool,
) -> None:
    """Compare the games FIRST and SECOND, or two rule sets of one game."""
    tables = _compared_game(first, players, first_choices), _compared_game(second, players, second_choices)
    differences = compare(*tables)
    if as_json:
        print_json([_to_dict(one, translator) for one in differences])
        return
    out = console()
    grid = Grid(expand=True, show_lines=True)
    grid.add_column("")
    for key in (first, second):
        grid.add_column(translator.title(catalogue().game(key)), ratio=1)
    for one in differences:
        grid.add_row(
            Text(f"{one.about} {one.name}".strip(), "dim"),
            _clause_text(one.first, one.first_clause, translator),
            _clause_text(one.second, one.second_clause, translator),
        )
    out.print(grid)
    out.print(f"{len(differences)} difference(s); {count_same_clauses(*tables)} clause(s) are the same in both.")


def _compared_game(game: str, players: int | None, choices: tuple[tuple[str, str], ...]) -> ComparedGame:
    rule_set, seated = configure_game(game, players, choices)
    return ComparedGame(seated, catalogue().normalize(rule_set).players, dict(rule_set.options))


def _clause_text(text: str, clause: Clause | None, translator: Translator) -> str:
    return f"{clause.key}: {translator.clause(clause)}" if clause else text


def _to_dict(one: Difference, translator: Translator) -> dict[str, str]:
    """Return a difference as plain data."""
    return {
        "about": one.about,
        "name": one.name,
        "first": _clause_text(one.first, one.first_clause, translator),
        "second": _clause_text(one.second, one.second_clause, translator),
    }
