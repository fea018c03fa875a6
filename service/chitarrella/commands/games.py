"""The command ``games``: what can be played."""

from __future__ import annotations

import click
from rich.table import Table

from chitarrella.commands.common import catalogue, console, examples, json_option, print_json, spans
from chitarrella.option import default_players

HEADINGS = ("game", "title", "place", "players", "pack", "source", "edition")


@click.command("games", epilog=examples("chitarrella games", "chitarrella games --json"))
@json_option
def command(as_json: bool) -> None:
    """List every game: its key, which the other commands take, and where its rules come from."""
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
                }
                for game in catalogue()
            ]
        )
        return
    table = Table(*HEADINGS, box=None, header_style="bold", pad_edge=False)
    for game in catalogue():
        players = spans(sorted(game.seatings))
        sources = ", ".join(game.sources)
        table.add_row(game.key, game.title, game.place, players, game.pack.name, sources, str(game.edition))
    console().print(table)
