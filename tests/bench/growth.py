"""The cost of a move in a store of a million matches beside one of a thousand, at rest and while its file is rewritten.

It is a part of its own, ``make bench ARGS=--growth``: it takes minutes, two gigabytes of memory, and as much of disk.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from itertools import count, islice
from pathlib import Path
from statistics import median
from typing import NamedTuple

from chitarrella.matches.model import CreateMatch
from tests.bench.plans import plans
from tests.bench.rounds import Measured, ratio_of_rounds
from tests.bench.store import ONE, Cost, StoreBench, running_store

FEW, MANY = 1_000, 1_000_000
AT_ONCE = 1_000
NEEDED_BYTES = 2_200_000_000
"""A million new matches take 1.6 GB; a rewrite copies the pages that change meanwhile."""
LEAST_DEALS = 5
WAIT_SECONDS = 600
COPY = """
for number = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local key = string.format('bench:{copy%016d}', number)
  redis.call('COPY', KEYS[1], key)
  redis.call('COPY', KEYS[2], key .. ':log')
  redis.call('COPY', KEYS[3], key .. ':tokens')
end
"""


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
    limit, used = (Path(f"/sys/fs/cgroup/memory.{name}") for name in ("max", "current"))
    if limit.exists() and (most := limit.read_text().strip()).isdecimal():
        found = min(found, int(most) - int(used.read_text()))
    return found


def grown(folder: Path, matches: int, deals: int, done: Callable[[str], None]) -> list[Grown]:
    """Measure a store of so many matches beside a small one: ``deals`` at rest, then as many as a rewrite lasts."""
    with running_store(folder / "few") as few, running_store(folder / "many") as many:
        for store, number in ((few, FEW), (many, matches)):
            store.redis.config_set("auto-aof-rewrite-percentage", 0)  # it is rewritten when the measurement wants it
            copy_new_match(store, number, done)
        size = many.redis.info("memory")["used_memory_rss"] / 1e9
        what = f"with {matches:,} matches in the store ({size:.2f} GB) beside {FEW:,}"
        at_rest = _in_turns(few, many, deals, lambda: True, done)
        many.redis.bgrewriteaof()
        rewritten = _in_turns(few, many, WAIT_SECONDS, lambda: _is_rewriting(many), done)
        return [
            Grown("at rest", what, *at_rest),
            Grown("rewrite", "the same while the append-only file of the large store is rewritten", *rewritten),
        ]


def copy_new_match(store: StoreBench, number: int, done: Callable[[str], None]) -> None:
    """Fill a store with copies of a new match."""
    row = f"bench:{{{store.service.create(CreateMatch(ONE)).match}}}"
    keys = [row, f"{row}:log", f"{row}:tokens"]
    copy = store.redis.register_script(COPY)
    for first in range(0, number, AT_ONCE):
        copy(keys=keys, args=[first, min(number, first + AT_ONCE) - 1])
        if first % 100_000 == 0:
            done(f"{first:,} of {number:,} matches")


def _is_rewriting(store: StoreBench) -> bool:
    seen = store.redis.info("persistence")
    return bool(seen["aof_rewrite_in_progress"] or seen["aof_rewrite_scheduled"])


def _in_turns(
    few: StoreBench, many: StoreBench, most: int, going: Callable[[], bool], done: Callable[[str], None]
) -> tuple[Cost, Cost, Measured]:
    """Play deals in both stores in turns, at most so many, while ``going``; but `LEAST_DEALS` at least."""
    seen: list[tuple[Cost, Cost]] = []
    end = time.monotonic() + WAIT_SECONDS
    for number, plan in zip(count(1), islice(plans("growth"), most), strict=False):
        seen.append((few.deal(plan), many.deal(plan)))
        done(f"{number} deals")
        if number >= LEAST_DEALS and (not going() or time.monotonic() > end):
            break
    first, then = zip(*seen, strict=True)
    medians = [Cost(*(median(column) for column in zip(*costs, strict=True))) for costs in (first, then)]
    return medians[0], medians[1], ratio_of_rounds([one.whole for one in then], [one.whole for one in first])
