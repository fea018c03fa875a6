"""The command ``perft``: counts all ways in which a deal can go.

With ``--check`` it counts every case in files again, in parallel, and prints the differences.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from chitarrella.catalogue.registry import RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.game import AnyGame
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella_terminal import options as common
from chitarrella_testing import perft
from chitarrella_testing.perft_files import Written, check, read_cases, write_case

CASE_ERRORS: Final = (perft.InvalidCase, InvalidOption, InvalidPosition, UnknownEdition, UnknownGame)
"""What is wrong with a case that cannot be counted."""
SUFFIX: Final = "*.perft"  # the files of a folder that are checked


class Portion(NamedTuple):
    """The cases of one rule set in a file, which one process counts; or the reason why the file is ``unreadable``."""

    file: Path
    cases: tuple[Written, ...] = ()
    unreadable: str = ""


def check_files(paths: tuple[str, ...], jobs: int | None) -> bool:
    """Count the cases of all files again, print the differences and a summary; return whether all are right."""
    files = list(_files(paths))
    portions = [portion for file in files for portion in _portions(file)]
    jobs = min(jobs or os.cpu_count() or 1, len(portions))
    out, right, wrong = common.console(), list[perft.Case](), 0
    figures, bar = 0, common.console(stderr=True)
    found = zip(portions, _check_all(portions, jobs), strict=True)
    for portion, faults in track(
        found, "checking", len(portions), console=bar, transient=True, disable=not bar.is_terminal
    ):
        for place, lines in faults.items():
            name = portion.cases[place].name if portion.cases else ""
            out.print(f"{portion.file}{name and f', case {name}'}: wrong", style="red", soft_wrap=True)
            for line in lines:
                out.print(f"  {line}", soft_wrap=True, markup=False)
        wrong += len(faults)
        counted = [written for place, written in enumerate(portion.cases) if place not in faults]
        figures += sum(written.figures for written in counted)
        right += [written.case for written in counted]
    deals = {(case.rule_set, case.position, case.strides, case.first) for case in right if case.strides}
    rule_sets = {rule_set for rule_set, *_ in deals}
    out.print(
        f"{figures:,} counts in {len(right):,} cases, of {len(deals):,} stride deals of {len(rule_sets):,} rule sets, "
        f"in {len(files):,} files are right; {wrong or 'nothing'} is wrong",
        soft_wrap=True,
    )
    return not wrong


def _portions(file: Path) -> Iterator[Portion]:
    try:
        cases = read_cases(file.read_text(encoding="utf-8"))
    except (*CASE_ERRORS, OSError, UnicodeDecodeError) as error:
        yield Portion(file, unreadable=str(error))
        return
    for _, several in groupby(cases, key=lambda written: written.case.rule_set):
        yield Portion(file, tuple(several))


def _check_all(portions: list[Portion], jobs: int) -> Iterator[dict[int, list[str]]]:
    """Yield the results of all portions, in order."""
    if jobs == 1:
        yield from map(check_portion, portions)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # not fork: the progress bar runs a thread
        yield from pool.map(check_portion, portions)


def check_portion(portion: Portion) -> dict[int, list[str]]:
    """Count the cases of a portion again; return what is wrong with each that is wrong, by its place."""
    wrong = {0: [portion.unreadable]} if portion.unreadable else {}
    for place, written in enumerate(portion.cases):
        try:
            lines = list(check(common.catalogue(), written))
            lines += [f"to find the fault: {divide_command(written.case)}"] if lines else []
        except CASE_ERRORS as error:
            lines = [str(error)]
        if lines:
            wrong[place] = lines
    return wrong


def divide_command(case: perft.Case) -> str:
    """Return the command that counts a case for each first decision, to compare with another engine."""
    words = ["chitarrella perft", case.rule_set.game, f"-p {case.rule_set.players}"]
    words += [f"-o {name}={value}" for name, value in case.rule_set.options]
    words += [f"--position '{case.position}'"] * bool(case.position)
    words += [f"--stride {step}" for step in case.strides]
    words += [f"--first {case.first}"] * bool(case.first) + [f"--played {case.played}"] * bool(case.played)
    words += ["--every-pack"] * case.weighted + [f"--among '{' '.join(case.among)}'"] * bool(case.among)
    return " ".join([*words, f"--depth {'all' if case.depth is None else case.depth}", "--divide"])


def _files(paths: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files, and all perft files in folders; raises `click.UsageError` if there are none."""
    for text in paths:
        path = Path(text)
        if not path.exists():
            raise click.UsageError(f"there is no {text}.")
        inside = sorted(path.rglob(SUFFIX)) if path.is_dir() else [path]
        if not inside:
            raise click.UsageError(f"{text} holds no {SUFFIX}.")
        yield from inside


STRIDE: Final = 7  # the stride of the pack that is counted unless another is named


def _depth(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """Parse a number of decisions; ``all`` (None) goes to the end of the deal."""
    if value == "all":
        return None
    if value.isascii() and value.isdigit() and len(value) < 5:
        return int(value)
    raise click.BadParameter(f"{value[:40]!r} is neither a number nor 'all'.", ctx, param)


@click.command(
    "perft",
    cls=common.GameCommand,
    examples=(
        "chitarrella perft {game} --depth 6",
        "chitarrella perft {game} --first 12 --depth all --divide",
        "chitarrella perft {game} -p {players} -o {option} --stride 3 --depth 4 --case > {game}.perft",
        "chitarrella perft --check build/vectors/perft",
    ),
)
@click.argument("what", nargs=-1, required=True, metavar="GAME | --check PATH...")
@click.option("--check", "checking", is_flag=True, help="Count the cases in these files or folders again.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of rule sets to check in parallel; by default the number of processors.",
)
@common.players_option
@common.options_option
@click.option(
    "--stride",
    "strides",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="K",
    show_default=str(STRIDE),
    help="The step of the stride pack. Repeated, the step for each further deal; a fixed rule plays the deals before.",
)
@click.option("--first", type=click.IntRange(min=1), metavar="N", help="Use only the first N cards of the pack.")
@click.option(
    "--played",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Decisions that the fixed rule makes before the count.",
)
@click.option(
    "--every-pack",
    "weighted",
    is_flag=True,
    help="Add up the counts over every pack, for games that deal card by card.",
)
@click.option("--among", metavar="FACES", default="", help="The faces in play, with --every-pack.")
@click.option("--position", metavar="LINE", default="", help="Count from this position.")
@click.option(
    "--depth", callback=_depth, default="5", metavar="N|all", show_default=True, help="The depth in decisions."
)
@click.option("--divide", "divided", is_flag=True, help="Also print the counts after each first decision.")
@click.option("--case", "as_case", is_flag=True, help="Print the case with its counts as a file for --check.")
@common.json_option
def command(
    what: tuple[str, ...],
    checking: bool,
    jobs: int | None,
    players: int | None,
    options: tuple[tuple[str, str], ...],
    strides: tuple[int, ...],
    first: int | None,
    played: int,
    weighted: bool,
    among: str,
    position: str,
    depth: int | None,
    divided: bool,
    as_case: bool,
    as_json: bool,
) -> None:
    """Count all ways in which a deal can go, decision by decision.

    The pack is a stride pack, which needs no random generator: its i-th card is card (K times i) modulo the number of
    cards, in canonical order. With --check, the counts in files are compared with those of the current rules; the exit
    status is 1 if they differ.
    """
    if checking:
        sys.exit(0 if check_files(what, jobs) else 1)
    if len(what) > 1:
        raise click.UsageError("name one game, or --check and some files.")
    if weighted and (strides or first):
        raise click.UsageError("--every-pack goes with no pack of its own.")
    ctx = click.get_current_context()
    rule_set, _ = common.configure_game(common.game_key(ctx, ctx.command.params[0], what[0]), players, options)
    packs = strides or (() if position or weighted else (STRIDE,))
    case = perft.Case(rule_set, position, packs, first or 0, played, depth, (), weighted, tuple(among.split()))
    try:
        if as_case:
            click.echo(write_case(common.catalogue(), case), nl=False)
            return
        game, p = perft.lay_out(common.catalogue(), case)
        whole = perft.over_every_pack(game, p, depth) if weighted else None
    except (*CASE_ERRORS, perft.NotDealtByCards) as error:
        raise click.ClickException(str(error)) from None
    with common.console(stderr=True).status("counting"):
        report, parts = (whole.report, whole.parts) if whole else perft.divide(game, p, depth)
    if as_json:
        common.print_json(_report_data(case, report, parts) | _orders_data(whole))
    else:
        _print(common.console(), game, case, report, parts if divided else ())


# ---------------------------------------------------------------------- showing


def _report_data(case: perft.Case, report: perft.Report, parts: tuple[tuple[str, perft.Report], ...]) -> dict[str, Any]:
    return {
        **case.rule_set._asdict(),
        "options": dict(case.rule_set.options),
        **{name: getattr(case, name) for name in ("position", "strides", "first", "played")},
        "depth": "all" if case.depth is None else case.depth,
        "levels": [{**level._asdict(), "refused": dict(level.refused)} for level in report.levels],
        **{name: getattr(report, name) for name in ("leaves", "forced", "refused", "won", "drawn", "lost", "digest")},
        "divide": [
            {"move": move, "nodes": sum(level.nodes for level in part.levels), "leaves": part.leaves}
            for move, part in parts
        ],
    }


def _orders_data(whole: perft.SumOverPacks | None) -> dict[str, int]:
    return {"cards": whole.cards, "orders": whole.orders} if whole else {}


def _print(
    out: Console, game: AnyGame, case: perft.Case, report: perft.Report, parts: tuple[tuple[str, perft.Report], ...]
) -> None:
    pack = ", every pack" if case.weighted else f", stride pack of {case.strides[-1]}" if case.strides else ""
    pack += f", its first {case.first} cards" if case.first else ""
    pack += f", deal {len(case.strides)}" if len(case.strides) > 1 else ""
    pack += f", after {case.played} decisions" if case.played else ""
    out.print(game.entry.title, style="bold", end="")
    out.print(f"{_rule_set_text(case.rule_set)}{pack}")
    table = _table("after", "positions", "over", "forced")
    table.add_column("refused")
    for at, level in enumerate(report.levels):
        refused = ", ".join(f"{clause} {count:,}" for clause, count in level.refused)
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
    table = Table(box=None, header_style="dim", pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right")
    return table


def _rule_set_text(rule_set: RuleSet) -> str:
    options = "".join(f", {name}={value}" for name, value in rule_set.options)
    return f", {rule_set.players} players{options}"
