"""The command ``strength``: duplicate matches between bots, with the margin of each pair."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from chitarrella.bots import BOTS, Effort, bot_for
from chitarrella.bots.duplicate_match import Margin, estimate, play_duplicate
from chitarrella.catalogue.registry import RuleSet
from chitarrella.cli.common import (
    catalogue,
    configure_game,
    console,
    game_completion,
    game_key,
    json_option,
    options_option,
    players_option,
    print_json,
    seed_option,
    seed_or_new,
    think_option,
)
from chitarrella.cli.help_examples import ExampleCommand
from chitarrella.core.game import AnyGame

MEASURES: Final = ("ahead", "score", "points")
"""The columns by which two bots are compared."""


class Pairing(NamedTuple):
    """Two bots at one game."""

    rule_set: RuleSet
    game: AnyGame
    first: str
    second: str


def game_keys(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the keys of the named games, of all games if none is named."""
    return tuple(dict.fromkeys(game_key(ctx, param, value) for value in values)) or tuple(g.key for g in catalogue())


def bot_names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Parse names of bots, separated by commas; fails for an unknown name, and for fewer than two."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name[:40]!r}. Bots: {', '.join(BOTS)}.", ctx, param)
    if len(names) < 2:
        raise click.BadParameter("two different bots are wanted to play each other.", ctx, param)
    return names


@click.command(
    "strength",
    cls=ExampleCommand,
    examples=(
        "chitarrella strength {game}",
        "chitarrella strength {game} {other} --deals 200 --think 20 --seed 7",
        "chitarrella strength --bots greedy,random --json",
    ),
)
@click.argument("games", nargs=-1, callback=game_keys, shell_complete=game_completion, metavar="[GAME]...")
@click.option(
    "--deals",
    "-n",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    default=20,
    show_default=True,
    help="Number of deals for each pair of bots; each deal is played twice.",
)
@click.option(
    "--bots",
    "names",
    default=",".join(reversed(list(BOTS))),
    callback=bot_names,
    metavar="NAMES",
    show_default=True,
    help="The bots, separated by commas.",
)
@think_option
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    metavar="N",
    help="Limit of the search bot in playouts instead of time: the same result in every run.",
)
@players_option
@options_option
@seed_option
@json_option
def command(
    games: tuple[str, ...],
    number: int,
    names: tuple[str, ...],
    think: int,
    playouts: int | None,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    seed: int | None,
    as_json: bool,
) -> None:
    """Measure how much better one bot plays than another, at the named games or at all.

    Every deal is played twice with seats swapped, so that luck cancels out. For each pair of bots the command prints
    how often the first was ahead, and its margin in score and in points of a deal, with 95 % intervals. Ctrl-C stops
    and prints the results so far.
    """
    configured = [configure_game(key, players, options) for key in games]
    pairings = [Pairing(*seated, *pair) for seated in configured for pair in combinations(names, 2)]
    seed = seed_or_new(seed)
    out = console()
    effort = Effort(think / 1000) if playouts is None else Effort(None, playouts)
    if not as_json:
        limit = f"{think} ms" if playouts is None else f"{playouts} playouts"
        out.print(f"{number} deals, each played twice; {limit} a move for the search bot, seed {seed}")
    results: list[tuple[Pairing, list[Margin]]] = []
    is_complete = _run(pairings, number, effort, seed, results)
    rows = [_row_data(pairing, margins) for pairing, margins in results if margins]
    if as_json:
        print_json({"seed": seed, "think": None if playouts else think, "playouts": playouts, "pairs": rows})
    else:
        _print(out, rows)
    if not is_complete:
        sys.exit(1)


def _run(
    pairings: list[Pairing], number: int, effort: Effort, seed: int, results: list[tuple[Pairing, list[Margin]]]
) -> bool:
    """Play all pairings, with a progress bar on a terminal, into ``results``; return False after Ctrl-C."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
            task = bar.add_task("deals", total=len(pairings) * number)
            for pairing in pairings:
                margins: list[Margin] = []
                results.append((pairing, margins))
                for margin in _margins(pairing, number, effort, seed):
                    margins.append(margin)
                    bar.advance(task)
    except KeyboardInterrupt:
        out.print("Interrupted.")
        return False
    return True


def _margins(pairing: Pairing, number: int, effort: Effort, seed: int) -> Iterator[Margin]:
    """Yield the margin of each deal of one pairing; all pairings at a game play the same deals."""
    bots = bot_for(pairing.first, pairing.game, effort), bot_for(pairing.second, pairing.game, effort)
    for deal in range(number):
        yield play_duplicate(pairing.game, bots, f"{seed}/{pairing.game.key}/{deal}")


def _row_data(pairing: Pairing, margins: list[Margin]) -> dict[str, Any]:
    """Return the result of a pairing as plain data; an unknown interval is None."""
    row: dict[str, Any] = {
        "game": pairing.game.key,
        "players": pairing.rule_set.players,
        "options": dict(pairing.rule_set.options),
        "bots": [pairing.first, pairing.second],
        "deals": len(margins),
    }
    for name in MEASURES:
        mean, within = estimate([getattr(margin, name) for margin in margins])
        row[name] = {"mean": round(mean, 4), "within": None if within is None else round(within, 4)}
    return row


def _print(out: Console, rows: list[dict[str, Any]]) -> None:
    """Print the results as a table."""
    table = Table("game", "players", "bots", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals", "ahead", "score", "points"):
        table.add_column(heading, justify="right")
    for row in rows:
        ahead, score, points = (row[name] for name in MEASURES)
        table.add_row(
            row["game"],
            str(row["players"]),
            " - ".join(row["bots"]),
            str(row["deals"]),
            _format_interval(ahead["mean"], ahead["within"], "{:.1%}"),
            _format_interval(score["mean"], score["within"], "{:+.2f}"),
            _format_interval(points["mean"], points["within"], "{:+.2f}"),
        )
    out.print(table)


def _format_interval(mean: float, within: float | None, spec: str) -> str:
    """Return a mean with its interval, both formatted by ``spec``."""
    return spec.format(mean) + ("" if within is None else f" ± {spec.format(within).lstrip('+')}")
