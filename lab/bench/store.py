"""The cost of matches in the store: bytes, and the time of a move as a match, or their number, grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
from lab.bench.plans import Plan, plans
from lab.bench.play import EARLY, LATE, long_match
from lab.bench.play import LONG as LONG_MATCH
from lab.bench.round_statistics import rounds_within
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
