"""The cost of matches in the store: bytes, and the time of a move as a match, or their number, grows."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple
from uuid import UUID

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Move, Seat
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from lab.bench.connections import LoadFailed, Measured, ratio_of_rounds, rounds_within
from lab.bench.plans import Plan, plans
from lab.bench.play import EARLY, LATE, long_match
from lab.bench.play import LONG as LONG_MATCH
from tests.walks import CATALOGUE, name

DEAL = 41
"""Moves of the long match from one pack to the next, the pack included."""
LATER = EARLY + -(-(LATE - EARLY) // DEAL) * DEAL
"""The move after move 1,000 at the same place in its deal as move 10."""
SIZES = (
    (RuleSet("briscola", 2), 40),
    (RuleSet("coech", 2, (("first_dealer", "0"),)), 40),
    (RuleSet("briscola", 2, (("rubber_games", "99"),)), 1000),
    (RuleSet("coech", 2, (("first_dealer", "0"), ("match_deals", "100"))), 1000),
)
ONE = RuleSet("briscola", 2)
AT_ONCE = 1_000
COPY = """
for number = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local key = string.format('bench:{copy%016d}', number)
  redis.call('COPY', KEYS[1], key)
  redis.call('COPY', KEYS[2], key .. ':log')
  redis.call('COPY', KEYS[3], key .. ':tokens')
end
"""
"""Copies the keys of a match to keys with these numbers."""
MATCH_SECONDS, DEAL_SECONDS = 1.0, 0.1
"""How long a match of a thousand moves, and a deal in each of two stores, are planned to take."""


class Size(NamedTuple):
    """Memory of the keys of a match in bytes."""

    match: str
    moves: int
    page: int
    log: int
    requests: int

    @property
    def whole(self) -> int:
        """The sum of the three."""
        return self.page + self.log + self.requests


class Cost(NamedTuple):
    """Microseconds of a move: from the request to the answer, and in the script of the store alone."""

    whole: float
    script: float


class StoreBench:
    """A match service on its own store."""

    def __init__(self, url: str) -> None:
        """Connect to the store at ``url``."""
        self.redis: Any = connect(url)
        self.service = MatchService(CATALOGUE, RedisStore(self.redis, "bench"))
        self._random = Random("store")

    def request(self) -> str:
        """A new request id."""
        return str(UUID(int=self._random.getrandbits(128)))

    def played(self, rule_set: RuleSet, moves: int) -> str:
        """Play a match at random until it has so many moves of seats; return its id."""
        service = self.service
        opened = service.create(CreateMatch(rule_set))
        match, seen = opened.match, opened.snapshot
        for _ in range(moves):
            turn = seen.game.turn(seen.position)
            assert turn is not None, f"{rule_set} is over too early"
            actor = seen.game.controller(turn)
            move = self._random.choice(legal_moves(seen.game, seen.position, actor))
            played = service.play(match, MoveRequest(actor, move, None, self.request()))
            assert played.accepted
            seen = played.snapshot
        return match

    def size(self, rule_set: RuleSet, moves: int) -> Size:
        """Play such a match and measure its keys."""
        page = f"bench:{{{self.played(rule_set, moves)}}}"
        keys = [page, f"{page}:log", f"{page}:tokens"]
        return Size(name(rule_set), moves, *(self.redis.memory_usage(key, samples=0) for key in keys))

    def fill(self, number: int, moves: int, done: Callable[[str], None] = lambda _: None) -> None:
        """Fill the store with copies of a match of so many moves."""
        row = f"bench:{{{self.played(ONE, moves)}}}"
        copy = self.redis.register_script(COPY)
        for first in range(0, number, AT_ONCE):
            copy(keys=[row, f"{row}:log", f"{row}:tokens"], args=[first, min(number, first + AT_ONCE) - 1])
            if first % 100_000 == 0:
                done(f"{first:,} of {number:,} matches")

    def cost(self, moves: Iterable[tuple[str, Seat, Move]]) -> Cost:
        """Play moves and measure their cost."""
        self.redis.config_resetstat()
        waits = []
        for match, actor, move in moves:
            request = MoveRequest(actor, move, None, self.request())
            begun = perf_counter()
            played = self.service.play(match, request, self.service.repository.cached(match))
            waits.append(perf_counter() - begun)
            assert played.accepted, move
        return Cost(median(waits) * 1e6, self.redis.info("commandstats")["cmdstat_evalsha"]["usec_per_call"])

    def as_a_match_grows(self, matches: int, done: Callable[[str], None]) -> tuple[Cost, Cost]:
        """Return the cost of a move from move 10 and from move 1,000 on, at the same place in the deal."""
        early, late = [], []
        for number in rounds_within(matches, matches * MATCH_SECONDS):
            match = self.service.create(CreateMatch(LONG_MATCH, pack_source="referee")).match
            line = ((match, actor, move) for _, actor, move in long_match(str(number)))
            self.cost(islice(line, EARLY))
            early.append(self.cost(islice(line, DEAL)))
            self.cost(islice(line, LATER - EARLY - DEAL))
            late.append(self.cost(islice(line, DEAL)))
            done("a match grows")
        return _median(early), _median(late)

    def deal(self, plan: Plan) -> Cost:
        """Play one deal of a new match; return the cost of its moves."""
        match = self.service.create(CreateMatch(plan.rule_set, pack=plan.pack)).match
        return self.cost((match, *one) for one in plan.moves)


def beside_others(few: StoreBench, many: StoreBench, deals: int, done: Callable[[str], None]) -> tuple[Cost, Cost]:
    """Return the cost of a move in a store of few matches and in one of many, in turns."""
    costs: tuple[list[Cost], list[Cost]] = [], []
    for _, plan in zip(rounds_within(deals, deals * DEAL_SECONDS), plans("beside others"), strict=False):
        for kept, seen in zip((few, many), costs, strict=True):
            seen.append(kept.deal(plan))
        done("beside other matches")
    return _median(costs[0]), _median(costs[1])


def _median(costs: list[Cost]) -> Cost:
    return Cost(median(cost.whole for cost in costs), median(cost.script for cost in costs))


@contextmanager
def running_store(folder: Path) -> Iterator[StoreBench]:
    """Start a store, and a match service on it."""
    store = EmbeddedValkey(folder)
    try:
        yield StoreBench(store.url)
    finally:
        store.stop()


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
