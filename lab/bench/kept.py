"""Matches in the store: their bytes, the cost of a move as a match or their number grows, and what a store bears."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves
from chitarrella.core.model import Move, Seat
from chitarrella.matches.model import CreateMatch, MoveRequest
from chitarrella.matches.service import MatchService
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_store import RedisStore, connect
from lab.bench.load import LoadFailed
from lab.bench.plans import plans
from lab.bench.servers import Servers
from lab.bench.turns import Contender, Figures
from tests.walks import CATALOGUE, name

BRISCOLA, LONG = RuleSet("briscola", 2), RuleSet("briscola", 2, (("rubber_games", "99"),))
SIZES = ((BRISCOLA, 0), (BRISCOLA, 40), (RuleSet("coech", 2, (("first_dealer", "0"),)), 40), (LONG, 1000))
COPY = """
for number = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local key = string.format('bench:{copy%016d}', number)
  redis.call('COPY', KEYS[1], key)
  redis.call('COPY', KEYS[2], key .. ':log')
  redis.call('COPY', KEYS[3], key .. ':tokens')
end
"""
"""Copies the keys of a match to keys with these numbers."""
DEAL = 40
AT_ONCE = 1_000
FEW, MANY, MILLION = 1_000, 100_000, 1_000_000
NEEDED_BYTES = 2_200_000_000  # a million new matches take 1.6 GB; a rewrite copies the pages that change meanwhile


class Kept:
    def __init__(self, servers: Servers) -> None:
        self._store = EmbeddedValkey(servers.folder())
        servers.callback(self._store.stop)
        self.redis: Any = connect(self._store.url)
        self.redis.config_set("auto-aof-rewrite-percentage", 0)  # it is rewritten when a measurement wants it
        self.service = MatchService(CATALOGUE, RedisStore(self.redis, "bench"))
        self._random = random.Random("store")
        self._plans = plans("kept")

    def _play(self, match: str, actor: Seat, move: Move) -> None:
        request = MoveRequest(actor, move, None, str(UUID(int=self._random.getrandbits(128))))
        played = self.service.play(match, request, self.service.repository.cached(match))
        assert played.accepted, move

    def moves(self, match: str) -> Iterator[tuple[str, Seat, Move]]:
        """Random legal moves of a match, each at the position after the one before was played."""
        while True:
            seen = self.service.repository.cached(match)
            assert seen is not None
            turn = seen.game.turn(seen.position)
            assert turn is not None, f"{match} is over too early"
            actor = seen.game.controller(turn)
            yield match, actor, self._random.choice(legal_moves(seen.game, seen.position, actor))

    def played(self, rule_set: RuleSet, moves: int) -> str:
        """Play a match until it has so many moves of seats; return its id."""
        match = self.service.create(CreateMatch(rule_set)).match
        for one in islice(self.moves(match), moves):
            self._play(*one)
        return match

    def size(self, rule_set: RuleSet, moves: int, _: float) -> Figures:
        """Play such a match; bytes of its keys in memory, and by which the append-only file grew."""
        before = self.redis.info("persistence")["aof_current_size"]
        row = f"bench:{{{self.played(rule_set, moves)}}}"
        keys = {"row": row, "log": f"{row}:log", "tokens": f"{row}:tokens"}
        sizes = {what: float(self.redis.memory_usage(key, samples=0) or 0) for what, key in keys.items()}
        file = self.redis.info("persistence")["aof_current_size"] - before
        return {**sizes, "all": sum(sizes.values()), "file": file}

    def fill(self, number: int, moves: int) -> Kept:
        row = f"bench:{{{self.played(BRISCOLA, moves)}}}"
        copy = self.redis.register_script(COPY)
        for first in range(0, number, AT_ONCE):
            copy(keys=[row, f"{row}:log", f"{row}:tokens"], args=[first, min(number, first + AT_ONCE) - 1])
        return self

    def cost(self, moves: Iterable[tuple[str, Seat, Move]]) -> Figures:
        """Play moves: the median of microseconds from the request to the answer, and in the script of the store."""
        self.redis.config_resetstat()
        waits = []
        for one in moves:
            begun = perf_counter()
            self._play(*one)
            waits.append(perf_counter() - begun)
        script = self.redis.info("commandstats")["cmdstat_evalsha"]["usec_per_call"]
        return {"move": median(waits) * 1e6, "script": float(script)}

    def deal(self, _: float) -> Figures:
        plan = next(self._plans)
        match = self.service.create(CreateMatch(plan.rule_set, pack=plan.pack)).match
        return self.cost((match, *one) for one in plan.moves)

    def deal_from(self, match: str, _: float) -> Figures:
        """Play a deal of this match, from where it is."""
        return self.cost(islice(self.moves(match), DEAL))

    def deal_while_rewritten(self, _: float) -> Figures:
        """Play one deal while the append-only file is rewritten. Raises `LoadFailed` if that ends too early."""
        for _ in range(5):
            self.redis.bgrewriteaof()
            seen = self.deal(0)
            info = self.redis.info("persistence")
            is_rewriting = info["aof_rewrite_in_progress"] or info["aof_rewrite_scheduled"]
            while self.redis.info("persistence")["aof_rewrite_in_progress"]:
                time.sleep(0.1)
            if is_rewriting:
                return seen
        raise LoadFailed("the rewrite of the file ends before a deal is played")


def sizes(servers: Servers) -> list[Contender]:
    """Bytes of memory of a live match, every move with a request id, and by which it made the append-only file grow."""
    kept = Kept(servers)
    return [Contender(f"{name(one)}, {moves:,} moves", partial(kept.size, one, moves)) for one, moves in SIZES]


def growth(servers: Servers) -> list[Contender]:
    """A move as its match grows, and as the number of matches in the store does: the median of a deal, from the
    request to the answer in one process, and of it the script in the store.
    """
    one = Kept(servers)
    few, many = (Kept(servers).fill(number, moves=40) for number in (FEW, MANY))
    return [
        Contender("a kept move, at move 10", lambda _: one.deal_from(one.played(LONG, 10), 0)),
        Contender("a kept move, at move 1,000", partial(one.deal_from, one.played(LONG, 1000))),
        Contender(f"a kept move, beside {FEW:,} matches", few.deal),
        Contender(f"a kept move, beside {MANY:,} matches", many.deal),
    ]


def million(servers: Servers) -> list[Contender]:
    """A move in a store of a million new matches, also while its append-only file is rewritten. Needs 2.2 GB."""
    free = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text())
    if free and int(free[1]) * 1024 < NEEDED_BYTES:
        raise LoadFailed(f"{NEEDED_BYTES / 1e9:.1f} GB of free memory are needed")
    few, many = (Kept(servers).fill(number, moves=0) for number in (FEW, MILLION))
    found = [Contender(f"a kept move, beside {FEW:,} matches", few.deal)]
    found.append(Contender(f"a kept move, beside {MILLION:,} matches", many.deal))
    return [*found, Contender("the same, file rewritten", many.deal_while_rewritten)]
