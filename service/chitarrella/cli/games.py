"""The command ``games``: lists the catalogue."""

from __future__ import annotations

import click
from rich.table import Table

from chitarrella.catalogue.packages import own_origin
from chitarrella.cli.common import catalogue, console, format_numbers, json_option, print_json
from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.core.options import default_players

HEADINGS = ("game", "title", "place", "players", "pack", "source", "edition")
"""The headings of the table; where there are games of other packages, their distribution and version follow."""


@click.command("games", cls=ExampleCommand, examples=("chitarrella games", "chitarrella games --json"))
@json_option
def command(as_json: bool) -> None:
    """List every game with its key, its numbers of players, its pack and its sources."""
    if as_json:
        print_json(
            [
                {
                    "key": game.key,
                    "title": game.title,
                    "place": game.place,
                    "players": sorted(game.seatings),
                    "default_players": default_players(game),
                    "pack": game.pack.name,
                    "sources": list(game.sources),
                    "edition": game.edition,
                    **catalogue().origin(game.key)._asdict(),
                }
                for game in catalogue()
            ]
        )
        return
    own = own_origin()
    origins = {game.key: catalogue().origin(game.key) for game in catalogue()}
    has_others = any(origin != own for origin in origins.values())
    table = Table(*HEADINGS, *(("package",) if has_others else ()), box=None, header_style="bold", pad_edge=False)
    for game in catalogue():
        players = format_numbers(sorted(game.seatings))
        sources = ", ".join(game.sources)
        row = (game.key, game.title, game.place, players, game.pack.name, sources, str(game.edition))
        table.add_row(*row, *((" ".join(origins[game.key]),) if has_others else ()))
    console().print(table)
