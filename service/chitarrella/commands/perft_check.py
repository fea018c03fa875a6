"""What ``perft --check`` does: counts every case of some files again, on all processors, and says what differs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from chitarrella.catalogue import Agreement, EditionNotKept, UnknownGame
from chitarrella.commands.common import catalogue, console
from chitarrella.option import BadChoice
from chitarrella.perft_case import BadCase, Case
from chitarrella.perft_file import check, read_cases
from chitarrella.sheet import BadPosition

WRONG: Final = (BadCase, BadChoice, BadPosition, EditionNotKept, UnknownGame)
SUFFIX: Final = "*.perft"


class Difference(NamedTuple):
    """A case of which some counts differ, or which cannot be counted: its name, the differences, how to go on."""

    case: str
    differences: tuple[str, ...]
    divide: str = ""


class Found(NamedTuple):
    """What was found in a file: of the cases that are right their counts and stride deals; and the faults."""

    figures: int = 0
    cases: int = 0
    deals: frozenset[tuple[Agreement, str, tuple[int, ...], int]] = frozenset()
    faults: tuple[Difference, ...] = ()


def bar() -> Progress:
    """Make a progress bar, which is silent away from a terminal."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    return Progress(*columns, console=out, transient=True, disable=not out.is_terminal)


def checked(paths: tuple[str, ...], jobs: int | None) -> bool:
    """Count the cases of all files again; tells what is wrong and how much is right, and gives whether all is."""
    files = list(_files(paths))
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    out = console()
    found: list[Found] = []
    with bar() as progress:
        task = progress.add_task("checking", total=len(files))
        for file, one in zip(files, _all(files, jobs), strict=True):
            progress.advance(task)
            found.append(one)
            for fault in one.faults:
                out.print(f"{file}{fault.case and f', case {fault.case}'}: wrong", style="red", soft_wrap=True)
                for line in (*fault.differences, *([f"to find the fault: {fault.divide}"] if fault.divide else [])):
                    out.print(f"  {line}", soft_wrap=True, markup=False)
    out.print(_total(found), soft_wrap=True)
    return not any(one.faults for one in found)


def _all(files: list[Path], jobs: int) -> Iterator[Found]:
    """Check all files, in their order."""
    if jobs == 1:
        yield from map(examined, files)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # the bar has a thread of its own, so no fork
        yield from pool.map(examined, files)


def examined(file: Path) -> Found:
    """Count the cases of one file again."""
    try:
        cases = read_cases(file.read_text(encoding="utf-8"))
    except (*WRONG, OSError, UnicodeDecodeError) as error:
        return Found(faults=(Difference("", (str(error),)),))
    faults, right = [], []
    for written in cases:
        try:
            differences = tuple(check(catalogue(), written))
        except WRONG as error:
            faults.append(Difference(written.name, (str(error),)))
            continue
        if differences:
            faults.append(Difference(written.name, differences, divided(written.case)))
        else:
            right.append(written)
    dealt = [written.case for written in right if written.case.strides]
    deals = frozenset((case.agreement, case.position, case.strides, case.first) for case in dealt)
    return Found(sum(written.figures for written in right), len(right), deals, tuple(faults))


def divided(case: Case) -> str:
    """Give the command that counts a case for each first decision apart, to be compared with another count."""
    words = ["chitarrella perft", case.agreement.game, f"-p {case.agreement.players}"]
    words += [f"-o {name}={value}" for name, value in case.agreement.options]
    words += [f"--position '{case.position}'"] * bool(case.position)
    words += [f"--stride {step}" for step in case.strides]
    words += [f"--first {case.first}"] * bool(case.first) + [f"--played {case.played}"] * bool(case.played)
    words += ["--every-pack"] * case.weighted + [f"--among '{' '.join(case.among)}'"] * bool(case.among)
    return " ".join([*words, f"--depth {'all' if case.depth is None else case.depth}", "--divide"])


def _total(found: list[Found]) -> str:
    """Say how much was counted, and how much of it was wrong."""
    deals = frozenset[tuple[Agreement, str, tuple[int, ...], int]]().union(*(one.deals for one in found))
    rule_sets = {agreement for agreement, *_ in deals}
    wrong = sum(len(one.faults) for one in found)
    cases = sum(one.cases for one in found)
    return (
        f"{sum(one.figures for one in found):,} counts in {cases:,} cases, of {len(deals):,} stride deals of "
        f"{len(rule_sets):,} rule sets, in {len(found):,} files are right; {wrong or 'nothing'} is wrong"
    )


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
