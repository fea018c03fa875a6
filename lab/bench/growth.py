"""The cost of a move in a store of a million matches beside one of a thousand, at rest and while its file is rewritten.

It is a part of its own, ``make bench ARGS=--growth``: it takes minutes, two gigabytes of memory, and as much of disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from lab.bench.connections import LoadFailed
from lab.bench.plans import Plan, plans
from lab.bench.round_statistics import Measured, ratio_of_rounds
from lab.bench.store import Cost, StoreBench, running_store

FEW, MANY = 1_000, 1_000_000
NEEDED_BYTES = 2_200_000_000
"""A million new matches take 1.6 GB; a rewrite copies the pages that change meanwhile."""
LEAST_DEALS = 4
REWRITES = 20
"""At most: of a small store it lasts less than a second."""
Costs = tuple[Cost, Cost]
"""The costs of a deal in the small store and in the large one."""


class Grown(NamedTuple):
    """The cost of a move in the small store and in the large one, medians of deals, and the ratio of their whole."""

    key: str
    what: str
    first: Cost
    then: Cost
    ratio: Measured
    has_goal: bool = True


def shortage(folder: Path) -> str:
    """What the machine lacks for the measurement; empty if nothing."""
    memory, disk = available_memory(), shutil.disk_usage(folder).free
    for what, bytes_ in (("memory", memory), (f"disk below {folder.name}", disk)):
        if bytes_ < NEEDED_BYTES:
            return f"{NEEDED_BYTES / 1e9:.1f} GB of {what} are needed, and {bytes_ / 1e9:.1f} GB are free"
    return ""


def available_memory() -> int:
    """Bytes of memory that this process may still use: of the machine, and of its control group."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    found = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    limit, used, parts = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current", "stat"))
    if limit.exists() and (most := limit.read_text().strip()).isdecimal():
        cache = next(
            int(line.split()[1]) for line in parts.read_text().splitlines() if line.startswith("inactive_file")
        )
        found = min(found, int(most) - int(used.read_text()) + cache)
    return found


def grown(folder: Path, matches: int, deals: int, done: Callable[[str], None]) -> list[Grown]:
    """Measure a store of so many matches beside a small one: ``deals`` at rest, then as many as a rewrite lasts."""
    with running_store(folder / "few") as few, running_store(folder / "many") as many:
        for store, number in ((few, FEW), (many, matches)):
            store.redis.config_set("auto-aof-rewrite-percentage", 0)  # it is rewritten when the measurement wants it
            store.fill(number, 0, done)
        size = many.redis.info("memory")["used_memory_rss"] / 1e9
        what = f"with {matches:,} matches in the store ({size:.2f} GB) beside {FEW:,}"
        plan = plans("growth")
        at_rest = _in_turns(few, many, islice(plan, deals), done)
        rewritten = _while_rewritten(few, many, plan, done)
        # The rewrite takes processor time from the small store too: so it is also compared with that store at rest.
        beside_rest = [(first, then) for (first, _), (_, then) in zip(at_rest, rewritten, strict=False)]
        while_rewritten = "the same while the append-only file of the large store is rewritten"
        return [
            Grown("at rest", what, *_summary(at_rest)),
            Grown("rewrite", while_rewritten, *_summary(rewritten)),
            Grown("rewrite beside rest", f"{while_rewritten}, the other at rest", *_summary(beside_rest), False),
        ]


def _is_rewriting(store: StoreBench) -> bool:
    seen = store.redis.info("persistence")
    return bool(seen["aof_rewrite_in_progress"] or seen["aof_rewrite_scheduled"])


def _in_turns(few: StoreBench, many: StoreBench, dealt: Iterable[Plan], done: Callable[[str], None]) -> list[Costs]:
    """Play deals in both stores in turns."""
    seen = []
    for plan in dealt:
        seen.append((few.deal(plan), many.deal(plan)))
        done(f"{len(seen)} deals")
    return seen


def _while_rewritten(
    few: StoreBench, many: StoreBench, plan: Iterator[Plan], done: Callable[[str], None]
) -> list[Costs]:
    """Play as many deals as a rewrite of the file lasts, or several if it is too short. Raises `LoadFailed`."""
    seen: list[Costs] = []
    for _ in range(REWRITES):
        many.redis.bgrewriteaof()
        while _is_rewriting(many):
            costs = _in_turns(few, many, islice(plan, 1), lambda _: None)
            if _is_rewriting(many):  # else a part of the deal was played at rest
                seen += costs
                done(f"{len(seen)} deals during a rewrite")
        if len(seen) >= LEAST_DEALS:
            return seen
    raise LoadFailed("the rewrite of the file ends before a deal is played")


def _summary(seen: Sequence[Costs]) -> tuple[Cost, Cost, Measured]:
    first, then = zip(*seen, strict=True)
    medians = [Cost(*(median(column) for column in zip(*costs, strict=True))) for costs in (first, then)]
    return medians[0], medians[1], ratio_of_rounds([one.whole for one in then], [one.whole for one in first])
