"""The command ``explain``: everything there is to know of one game."""

from __future__ import annotations

from typing import Any

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from chitarrella.commands.common import (
    MANY,
    catalogue,
    console,
    examples,
    game_argument,
    json_option,
    print_json,
    spans,
)
from chitarrella.commands.description import describe


@click.command("explain", epilog=examples("chitarrella explain briscola", "chitarrella explain coech --json"))
@game_argument
@json_option
def command(game: str, as_json: bool) -> None:
    """Explain a game: cards, options, moves, reasons for a refusal, and the rule book clause by clause."""
    described = describe(catalogue().game(game))
    if as_json:
        print_json(described)
    else:
        _print(console(), described)


def _print(out: Console, game: dict[str, Any]) -> None:
    """Print the description section by section."""
    out.print(game["title"], style="bold", end="")
    out.print(f"  {game['place']}; source {', '.join(game['sources'])}; edition {game['edition']}")
    _section(out, "Players", _players(game))
    _section(out, "Cards", *_cards(game))
    _section(out, "Options  -o NAME=VALUE", _options(game["options"]))
    _section(out, "Moves", _moves(game["moves"]))
    _section(out, "Why a move may be refused", _reasons(game["reasons"]))
    _section(out, "Rule book", _clauses(game["clauses"]))


def _section(out: Console, title: str, *parts: Table | Text) -> None:
    """Print a heading and what stands under it."""
    out.print()
    out.print(title, style="bold underline")
    for part in parts:
        out.print(Padding(part, (0, 0, 0, 2), expand=False))


def _grid(*headings: str) -> Table:
    """Make a table without lines."""
    return Table(*headings, box=None, header_style="dim", pad_edge=False, show_header=bool(headings))


def _players(game: dict[str, Any]) -> Table:
    """Say for each number of players who sits with whom, and which cards are played with."""
    table = _grid()
    rows: dict[str, list[int]] = {}
    for seating in game["seatings"]:
        together = [" and ".join(map(str, side)) for side in seating["sides"] if len(side) > 1]
        who = f"seats {' against '.join(together)}" if together else "each alone"
        dummies = "; ".join(f"seat {seat} is a dummy of {owner}" for seat, owner in seating["dummies"].items())
        cards = f"{seating['cards']} cards"
        if seating["left_out"]:
            cards += f" (without {' '.join(seating['left_out'])})"
        rows.setdefault("; ".join(filter(None, [who, dummies, cards])), []).append(seating["players"])
    for said, players in rows.items():
        for several in [spans(players)] if len(players) > MANY else map(str, players):
            table.add_row(several, said)
    return table


def _cards(game: dict[str, Any]) -> list[Table | Text]:
    """Show the ranks with what they count, and what the letters mean."""
    pack = game["pack"]
    twins = ", each face twice" if pack["copies"] == 2 else ""
    order = "; strongest first:" if game["ranking"] else ""
    parts: list[Table | Text] = [Text(f"{pack['name']} pack, {pack['cards']} cards{twins}{order}")]
    for row in game["ranking"]:
        table = _grid()
        table.add_column(min_width=12)
        for _ in row["ranks"]:
            table.add_column(justify="right")
        table.add_row(row["suit"], *row["ranks"], style="bold")
        for name, worths in row["counts"].items():
            table.add_row(name.replace("_", " "), *(str(worth or "·") for worth in worths))
        parts.append(table)
    if pack["names"]:
        parts.append(Text(", ".join(f"{letters} {name}" for letters, name in pack["names"].items())))
    return parts


def _options(options: list[dict[str, Any]]) -> Table:
    table = _grid("name", "default", "allowed", "what it means", "source")
    table.columns[0].no_wrap = True
    for option in options:
        allowed, means, source = option["allowed"], option["means"], option["source"]
        table.add_row(Text(option["name"], style="bold"), option["default"], allowed, means, source)
    return table


def _moves(moves: list[dict[str, Any]]) -> Table:
    table = _grid("written", "what it does", "when")
    for move in moves:
        when = " or ".join(move["phases"])
        if move["by_table"]:
            when += ", by the table"
        elif move["out_of_turn"]:
            when += ", also out of turn"
        table.add_row(Text(move["notation"], style="bold"), move["means"], when)
    return table


def _reasons(reasons: list[dict[str, Any]]) -> Table:
    table = _grid("code", "what is said", "clause")
    table.columns[0].no_wrap = True
    for reason in reasons:
        price = " (Allowed, at a price.)" if reason["penalty"] else ""
        table.add_row(Text(reason["code"], style="bold"), reason["says"] + price, reason["clause"])
    return table


def _clauses(clauses: list[dict[str, Any]]) -> Table:
    table = _grid("clause", "what it says", "source")
    table.columns[0].no_wrap = True
    for clause in clauses:
        table.add_row(Text(clause["key"], style="bold"), clause["says"], clause["source"])
    return table
