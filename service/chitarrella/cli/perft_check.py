"""``perft --check``: counts every case in files again, in parallel, and prints the differences."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import Final, NamedTuple

import click
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from chitarrella.catalogue.registry import RuleSet, UnknownEdition, UnknownGame
from chitarrella.cli.common import catalogue, console
from chitarrella.core.notation import InvalidPosition
from chitarrella.core.options import InvalidOption
from chitarrella.perft.case import Case, InvalidCase
from chitarrella.perft.files import Written, check, read_cases

CASE_ERRORS: Final = (InvalidCase, InvalidOption, InvalidPosition, UnknownEdition, UnknownGame)
"""What is wrong with a case that cannot be counted."""
SUFFIX: Final = "*.perft"
"""The files of a folder that are checked."""


class PerftFailure(NamedTuple):
    """A case with wrong counts, or one that cannot be counted; ``divide`` is the command that narrows it down."""

    case: str
    differences: tuple[str, ...]
    divide: str = ""


class CheckResult(NamedTuple):
    """The result of a portion: the number of right counts and cases, their stride deals, and the wrong cases."""

    figures: int = 0
    cases: int = 0
    deals: frozenset[tuple[RuleSet, str, tuple[int, ...], int]] = frozenset()
    faults: tuple[PerftFailure, ...] = ()


def progress_bar() -> Progress:
    """Return a progress bar, which prints only on a terminal."""
    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    return Progress(*columns, console=out, transient=True, disable=not out.is_terminal)


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
    out = console()
    results: list[CheckResult] = []
    with progress_bar() as progress:
        task = progress.add_task("checking", total=len(portions))
        for portion, one in zip(portions, _check_all(portions, jobs), strict=True):
            progress.advance(task)
            results.append(one)
            for fault in one.faults:
                out.print(f"{portion.file}{fault.case and f', case {fault.case}'}: wrong", style="red", soft_wrap=True)
                for line in (*fault.differences, *([f"to find the fault: {fault.divide}"] if fault.divide else [])):
                    out.print(f"  {line}", soft_wrap=True, markup=False)
    out.print(_summary(results, len(files)), soft_wrap=True)
    return not any(one.faults for one in results)


def _portions(file: Path) -> Iterator[Portion]:
    """Yield the cases of a file by rule set."""
    try:
        cases = read_cases(file.read_text(encoding="utf-8"))
    except (*CASE_ERRORS, OSError, UnicodeDecodeError) as error:
        yield Portion(file, unreadable=str(error))
        return
    for _, several in groupby(cases, key=lambda written: written.case.rule_set):
        yield Portion(file, tuple(several))


def _check_all(portions: list[Portion], jobs: int) -> Iterator[CheckResult]:
    """Yield the results of all portions, in order."""
    if jobs == 1:
        yield from map(check_portion, portions)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:  # not fork: the progress bar runs a thread
        yield from pool.map(check_portion, portions)


def check_portion(portion: Portion) -> CheckResult:
    """Return the result of counting the cases of a portion again."""
    if portion.unreadable:
        return CheckResult(faults=(PerftFailure("", (portion.unreadable,)),))
    faults, right = [], []
    for written in portion.cases:
        try:
            differences = tuple(check(catalogue(), written))
        except CASE_ERRORS as error:
            faults.append(PerftFailure(written.name, (str(error),)))
            continue
        if differences:
            faults.append(PerftFailure(written.name, differences, divide_command(written.case)))
        else:
            right.append(written)
    stride_cases = [written.case for written in right if written.case.strides]
    deals = frozenset((case.rule_set, case.position, case.strides, case.first) for case in stride_cases)
    return CheckResult(sum(written.figures for written in right), len(right), deals, tuple(faults))


def divide_command(case: Case) -> str:
    """Return the command that counts a case for each first decision, to compare with another engine."""
    words = ["chitarrella perft", case.rule_set.game, f"-p {case.rule_set.players}"]
    words += [f"-o {name}={value}" for name, value in case.rule_set.options]
    words += [f"--position '{case.position}'"] * bool(case.position)
    words += [f"--stride {step}" for step in case.strides]
    words += [f"--first {case.first}"] * bool(case.first) + [f"--played {case.played}"] * bool(case.played)
    words += ["--every-pack"] * case.weighted + [f"--among '{' '.join(case.among)}'"] * bool(case.among)
    return " ".join([*words, f"--depth {'all' if case.depth is None else case.depth}", "--divide"])


def _summary(results: list[CheckResult], files: int) -> str:
    """Return a summary: what was counted, and how many cases are wrong."""
    deals = frozenset[tuple[RuleSet, str, tuple[int, ...], int]]().union(*(one.deals for one in results))
    rule_sets = {rule_set for rule_set, *_ in deals}
    wrong = sum(len(one.faults) for one in results)
    cases = sum(one.cases for one in results)
    return (
        f"{sum(one.figures for one in results):,} counts in {cases:,} cases, of {len(deals):,} stride deals of "
        f"{len(rule_sets):,} rule sets, in {files:,} files are right; {wrong or 'nothing'} is wrong"
    )


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
