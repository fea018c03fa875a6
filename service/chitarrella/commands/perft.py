"""The command ``perft``: counts of all the ways a deal can go, and counts that others wrote down, checked."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, TypeAlias

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from chitarrella.catalogue import Agreement, EditionNotKept, UnknownGame
from chitarrella.commands.common import (
    agree,
    catalogue,
    console,
    examples,
    game_key,
    json_option,
    options_option,
    players_option,
    print_json,
)
from chitarrella.game import AnyGame, Position, play
from chitarrella.notation import write_move
from chitarrella.option import BadChoice
from chitarrella.perft import Level, Report, decisions, divide, running
from chitarrella.perft_file import BadCase, Case, check, lay_out, write_case
from chitarrella.sheet import BadPosition

WRONG: Final = (BadCase, BadChoice, BadPosition, EditionNotKept, UnknownGame)
STRIDE: Final = 7
SPLIT: Final = 3
"""Decisions after which a long count is no longer split for the sake of the bar."""
SUFFIX: Final = "*.perft"


def _depth(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """Read a number of decisions, or ``all`` for the end of the deal."""
    if value == "all":
        return None
    if value.isascii() and value.isdigit() and len(value) < 5:
        return int(value)
    raise click.BadParameter(f"{value[:40]!r} is neither a number nor 'all'.", ctx, param)


@click.command(
    "perft",
    epilog=examples(
        "chitarrella perft briscola --depth 6",
        "chitarrella perft briscola --first 12 --depth all --divide",
        "chitarrella perft coech -p 4 -o first_dealer=3 --stride 3 --depth 4 --case > coech.perft",
        "chitarrella perft --check coech.perft",
    ),
)
@click.argument("what", nargs=-1, required=True, metavar="GAME | --check PATH...")
@click.option("--check", "checking", is_flag=True, help="Count the cases of these files, or folders, again.")
@players_option
@options_option
@click.option(
    "--stride", type=click.IntRange(min=1), metavar="K", show_default=str(STRIDE), help="The step of the pack."
)
@click.option("--first", type=click.IntRange(min=1), metavar="N", help="Play with the first N cards of the pack only.")
@click.option("--position", metavar="LINE", default="", help="Count from this position, in the notation of the game.")
@click.option("--depth", callback=_depth, default="5", metavar="N|all", show_default=True, help="Decisions to go on.")
@click.option("--divide", "divided", is_flag=True, help="Count for each first decision too.")
@click.option("--case", "as_case", is_flag=True, help="Print a case with its counts, which --check can count again.")
@json_option
def command(
    what: tuple[str, ...],
    checking: bool,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    stride: int | None,
    first: int | None,
    position: str,
    depth: int | None,
    divided: bool,
    as_case: bool,
    as_json: bool,
) -> None:
    """Count all the ways in which a deal can go, decision by decision.

    The pack is a stride pack, which anybody can lay out without a random generator: its i-th card is card (K times i)
    modulo the number of cards, in canonical order. With --check, the counts in files are compared with what the rules
    give now; a difference ends the command with status 1.
    """
    if checking:
        sys.exit(0 if _check(what) else 1)
    if len(what) > 1:
        raise click.UsageError("name one game, or --check and some files.")
    ctx = click.get_current_context()
    agreement, _ = agree(game_key(ctx, ctx.command.params[0], what[0]), players, options)
    case = Case(agreement, position, stride or (0 if position else STRIDE), first or 0, depth)
    try:
        if as_case:
            click.echo(write_case(catalogue(), case), nl=False)
            return
        game, p = lay_out(catalogue(), case)
    except WRONG as error:
        raise click.ClickException(str(error)) from None
    report, parts = _count(game, p, depth)
    if as_json:
        print_json(_data(case, report, parts))
    else:
        _print(console(), game, case, report, parts if divided else ())


# ---------------------------------------------------------------------- counting


Counted: TypeAlias = tuple[Report, tuple[tuple[str, Report], ...]]
"""What `divide` gives: the counts of all, and of each first decision."""


def _count(game: AnyGame, p: Position, depth: int | None) -> Counted:
    """Count, with a bar on a terminal."""
    with _bar() as bar:
        task = bar.add_task("counting", total=1.0)
        return _split(game, p, depth, SPLIT, 1.0, lambda share: bar.advance(task, share))


def _split(
    game: AnyGame, p: Position, depth: int | None, plies: int, share: float, advance: Callable[[float], None]
) -> Counted:
    """Count as `divide` does, but each of the first ``plies`` decisions apart, telling ``advance`` what is done.

    How a deal ended only the move that ends it says, so a position from which one may end is not split.
    """
    if plies and running(game, p) and (depth is None or depth > plies):
        first, order = divide(game, p, 1)
        after = {write_move(move): play(game, p, actor, move)[0] for actor, move in decisions(game, p)[0]}
        if all(running(game, q) for q in after.values()):
            rest = None if depth is None else depth - 1
            share /= len(after)
            parts = tuple((move, _split(game, after[move], rest, plies - 1, share, advance)[0]) for move, _ in order)
            return _merged(first.levels[0], [part for _, part in parts]), parts
    counted = divide(game, p, depth)
    advance(share)
    return counted


def _merged(top: Level, parts: list[Report]) -> Report:
    """Put the counts of all first decisions under the level they were made from."""
    levels = [_together([level for level in row if level]) for row in zip_longest(*(part.levels for part in parts))]
    results: Counter[tuple[int, ...]] = Counter()
    for part in parts:
        results.update(dict(part.results))
    won, drawn, lost = (sum(getattr(part, end) for part in parts) for end in ("won", "drawn", "lost"))
    return Report((top, *levels), won, drawn, lost, tuple(sorted(results.items())))


def _together(levels: list[Level]) -> Level:
    """Add up what lies equally deep."""
    refused: Counter[str] = Counter()
    for level in levels:
        refused.update(dict(level.refused))
    nodes, leaves, forced = (sum(getattr(level, what) for level in levels) for what in ("nodes", "leaves", "forced"))
    return Level(nodes, leaves, forced, tuple(sorted(refused.items())))


def _bar() -> Progress:
    """Make a progress bar, which is silent away from a terminal."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    return Progress(*columns, console=out, transient=True, disable=not out.is_terminal)


# ---------------------------------------------------------------------- showing


def _data(case: Case, report: Report, parts: tuple[tuple[str, Report], ...]) -> dict[str, Any]:
    """Give the counts by name."""
    agreement = {**case.agreement._asdict(), "options": dict(case.agreement.options)}
    return {
        **agreement,
        "position": case.position,
        "stride": case.stride,
        "first": case.first,
        "depth": "all" if case.depth is None else case.depth,
        "levels": [{**level._asdict(), "refused": dict(level.refused)} for level in report.levels],
        "leaves": report.leaves,
        "forced": report.forced,
        "refused": report.refused,
        "won": report.won,
        "drawn": report.drawn,
        "lost": report.lost,
        "digest": report.digest,
        "divide": [
            {"move": move, "nodes": sum(level.nodes for level in part.levels), "leaves": part.leaves}
            for move, part in parts
        ],
    }


def _print(out: Console, game: AnyGame, case: Case, report: Report, parts: tuple[tuple[str, Report], ...]) -> None:
    """Print the counts for people."""
    pack = f", stride pack of {case.stride}" if case.stride else ""
    pack += f", its first {case.first} cards" if case.first else ""
    out.print(game.title, style="bold", end="")
    out.print(f"{_agreed(case.agreement)}{pack}")
    table = _table("after", "positions", "over", "forced")
    table.add_column("refused")
    for at, level in enumerate(report.levels):
        refused = ", ".join(f"{code} {count:,}" for code, count in level.refused)
        table.add_row(str(at), f"{level.nodes:,}", f"{level.leaves:,}", f"{level.forced:,}", refused)
    out.print(table)
    if report.leaves:
        out.print(f"Seat 0 wins {report.won:,}, draws {report.drawn:,}, loses {report.lost:,}; results {report.digest}")
    if parts:
        table = _table("positions", "over")
        table.add_column("first decision")
        for move, part in parts:
            table.add_row(f"{sum(level.nodes for level in part.levels):,}", f"{part.leaves:,}", move)
        out.print(table)


def _table(*headings: str) -> Table:
    """Make a table of numbers."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _agreed(agreement: Agreement) -> str:
    options = "".join(f", {name}={value}" for name, value in agreement.options)
    return f", {agreement.players} players{options}"


# ---------------------------------------------------------------------- checking


def _check(paths: tuple[str, ...]) -> bool:
    """Count the cases of all files again; tells of each whether it is right, and gives whether all are."""
    files = list(_files(paths))
    out, right = console(), True
    with _bar() as bar:
        for file in bar.track(files, description="checking"):
            wrong = _differences(file)
            right = right and not wrong
            out.print(f"{file}: {'wrong' if wrong else 'right'}", style="red" if wrong else "", soft_wrap=True)
            for difference in wrong:
                out.print(f"  {difference}", soft_wrap=True)
    return right


def _files(paths: tuple[str, ...]) -> Iterator[Path]:
    """Name the files, and in folders every case."""
    for text in paths:
        path = Path(text)
        if not path.exists():
            raise click.UsageError(f"there is no {text}.")
        inside = sorted(path.rglob(SUFFIX)) if path.is_dir() else [path]
        if not inside:
            raise click.UsageError(f"{text} holds no {SUFFIX}.")
        yield from inside


def _differences(file: Path) -> list[str]:
    """Say what is wrong with one file."""
    try:
        return check(catalogue(), file.read_text(encoding="utf-8"))
    except (*WRONG, OSError, UnicodeDecodeError) as error:
        return [str(error)]
