"""The command ``strength``: bots play each other over the same deals, and how much better each of them is."""

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
from chitarrella.bots.contest import Margin, duplicate, estimate
from chitarrella.catalogue import Agreement
from chitarrella.commands.common import (
    agree,
    catalogue,
    console,
    examples,
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
from chitarrella.game import AnyGame

COUNTED: Final = ("ahead", "score", "points")


class Pairing(NamedTuple):
    """Two bots at one game."""

    agreement: Agreement
    game: AnyGame
    first: str
    second: str


def game_keys(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Find the games by key or title; all of them where none is named."""
    return tuple(dict.fromkeys(game_key(ctx, param, value) for value in values)) or tuple(g.key for g in catalogue())


def bot_names(ctx: click.Context, param: click.Parameter, value: str) -> tuple[str, ...]:
    """Take the names of bots apart; fails for a name that is none, and for fewer than two."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",")))
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot {name[:40]!r}. Bots: {', '.join(BOTS)}.", ctx, param)
    if len(names) < 2:
        raise click.BadParameter("two different bots are wanted to play each other.", ctx, param)
    return names


@click.command(
    "strength",
    epilog=examples(
        "chitarrella strength briscola",
        "chitarrella strength coech coteccio --deals 200 --think 20 --seed 7",
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
    help="How many deals each pair of bots plays, each deal twice.",
)
@click.option(
    "--bots",
    "names",
    default=",".join(reversed(list(BOTS))),
    callback=bot_names,
    metavar="NAMES",
    show_default=True,
    help="Which bots play each other, with commas between them.",
)
@think_option
@click.option(
    "--playouts",
    type=click.IntRange(min=1),
    metavar="N",
    help="Instead of a time, how often a bot which looks ahead plays on in its head: the same figures every time.",
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
    """Let bots play each other, and measure how much better one is than another: at all games where none is named.

    Every deal is played twice, with seats swapped, so that luck cancels out. Of each pair of bots it is said how often
    the first was ahead, and by how much of the score and of the points of a deal, with a 95 % interval. A break
    (Ctrl-C) ends the play and prints what there is by then.
    """
    agreed = [agree(key, players, options) for key in games]
    pairings = [Pairing(*seated, *pair) for seated in agreed for pair in combinations(names, 2)]
    seed = seed_or_new(seed)
    out = console()
    effort = Effort(think / 1000) if playouts is None else Effort(None, playouts)
    if not as_json:
        limit = f"{think} ms" if playouts is None else f"{playouts} playouts"
        out.print(f"{number} deals, each played twice; {limit} a move for who looks ahead, seed {seed}")
    found: list[tuple[Pairing, list[Margin]]] = []
    whole = _run(pairings, number, effort, seed, found)
    rows = [_row(pairing, margins) for pairing, margins in found if margins]
    if as_json:
        print_json({"seed": seed, "think": None if playouts else think, "playouts": playouts, "pairs": rows})
    else:
        _print(out, rows)
    if not whole:
        sys.exit(1)


def _run(
    pairings: list[Pairing], number: int, effort: Effort, seed: int, found: list[tuple[Pairing, list[Margin]]]
) -> bool:
    """Play all pairings with a bar on a terminal, noting what is found; False where a person broke it off."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    try:
        with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
            task = bar.add_task("deals", total=len(pairings) * number)
            for pairing in pairings:
                margins: list[Margin] = []
                found.append((pairing, margins))
                for margin in _margins(pairing, number, effort, seed):
                    margins.append(margin)
                    bar.advance(task)
    except KeyboardInterrupt:
        out.print("Broken off.")
        return False
    return True


def _margins(pairing: Pairing, number: int, effort: Effort, seed: int) -> Iterator[Margin]:
    """Play the deals of one pairing; other pairs play the same ones."""
    bots = bot_for(pairing.first, pairing.game, effort), bot_for(pairing.second, pairing.game, effort)
    for deal in range(number):
        yield duplicate(pairing.game, bots, f"{seed}/{pairing.game.key}/{deal}")


def _row(pairing: Pairing, margins: list[Margin]) -> dict[str, Any]:
    """Give what was found of a pairing by name; an interval that is unknown is null."""
    row: dict[str, Any] = {
        "game": pairing.game.key,
        "players": pairing.agreement.players,
        "options": dict(pairing.agreement.options),
        "bots": [pairing.first, pairing.second],
        "deals": len(margins),
    }
    for name in COUNTED:
        mean, within = estimate([getattr(margin, name) for margin in margins])
        row[name] = {"mean": round(mean, 4), "within": None if within is None else round(within, 4)}
    return row


def _print(out: Console, rows: list[dict[str, Any]]) -> None:
    """Print what was found for people."""
    table = Table("game", "players", "bots", box=None, header_style="dim", pad_edge=False)
    for heading in ("deals", "ahead", "score", "points"):
        table.add_column(heading, justify="right")
    for row in rows:
        ahead, score, points = (row[name] for name in COUNTED)
        table.add_row(
            row["game"],
            str(row["players"]),
            " - ".join(row["bots"]),
            str(row["deals"]),
            _said(ahead["mean"], ahead["within"], "{:.1%}"),
            _said(score["mean"], score["within"], "{:+.2f}"),
            _said(points["mean"], points["within"], "{:+.2f}"),
        )
    out.print(table)


def _said(mean: float, within: float | None, form: str) -> str:
    """Write a mean and its interval."""
    return form.format(mean) + ("" if within is None else f" ± {form.format(within).lstrip('+')}")
