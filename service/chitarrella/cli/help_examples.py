"""The examples at the end of a help text: commands that can be typed as they stand.

They name no game of their own, but one of the catalogue.
"""

from __future__ import annotations

from typing import Any

import click

from chitarrella.cli.common import catalogue
from chitarrella.core.game import AnyGame
from chitarrella.core.options import default_players


class ExampleCommand(click.Command):
    """A command whose help ends with examples; ``{game}``, ``{other}``, ``{players}``, ``{option}`` are filled in."""

    def __init__(self, *args: Any, examples: tuple[str, ...] = (), **keywords: Any) -> None:
        """Take the arguments of a `click.Command`, and the lines."""
        super().__init__(*args, **keywords)
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, each on a line of its own, however long."""
        words = example_words()
        with formatter.section(self.examples_heading(ctx)):
            for line in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{line.format_map(words)}\n")

    def examples_heading(self, ctx: click.Context) -> str:
        """The heading of the examples."""
        return "Examples"


def example_words() -> dict[str, str]:
    """Return the first game and the last of the catalogue, and a number of players and an option of the first."""
    games = [*catalogue()]
    game = games[0]
    return {"game": game.key, "other": games[-1].key, "players": str(default_players(game)), "option": _option(game)}


def _option(game: AnyGame) -> str:
    """Return an option of a game with a value that is not its default."""
    option = next(option for option in game.options if len(option.choices) > 1)
    return f"{option.name}={next(value for value in option.choices if value != option.default)}"
