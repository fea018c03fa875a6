"""Calls under load, compared with baselines: the same stack, answering the same calls without rules.

Everything is measured in one run, in turns, and reported as a ratio: the microseconds of a call depend on the machine
and its other load, the ratio to the baseline much less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import cycle
from statistics import median
from typing import NamedTuple

from lab.bench.connections import Call, Connection, GrpcConnection, RestConnection
from lab.bench.load import LANES_A_CONNECTION, Load, drive
from lab.bench.plans import Pool, Protocol
from lab.bench.round_statistics import Measured, ratio_of_rounds, rounds_within
from lab.bench.servers import Running

MOVES = 40
WARM_UP_SECONDS = 0.3
MARGIN = 3.0
"""Moves are prepared for this many times the rate before: the machine may become free. What is left is used later."""
BEARABLE = 0.7
"""The share of its highest rate at which a server still answers at once."""
FIRST_GUESS = 6_000
"""Calls a second, before the first measurement."""


class Seen(NamedTuple):
    """Result of one kind of call in one slice of time; CPU time is that of the server without its store."""

    rate: float
    p50: float
    p99: float
    cpu: float


class Ratio(NamedTuple):
    """The same beside a baseline that was measured in turns."""

    rate: Measured
    p50: Measured
    p99: Measured
    cpu: Measured


class Kind:
    """A kind of call."""

    items = 1
    protocol = Protocol.GRPC

    def __init__(self, name: str, server: Running, *baselines: str) -> None:
        """``baselines`` are the names of the kinds to compare with."""
        self.name = name
        self.server = server
        self.baselines = baselines
        self.port = server.rest
        self.rate = 0.0

    def prepare(self, calls: int, lanes: int) -> None:
        """Prepare for so many calls."""

    def lane(self) -> Iterator[Call]:
        """The calls of one lane."""
        raise NotImplementedError

    def load(self, lanes: int, seconds: float, rate: float = 0.0) -> Seen:
        """Make calls for ``seconds`` in ``lanes`` lanes, as fast as they are answered or at ``rate``."""
        self.prepare(int((rate or MARGIN * self.rate or FIRST_GUESS) * seconds), lanes)
        begun = self.server.cpu()
        calls = [self.lane() for _ in range(lanes)]
        lanes_each = LANES_A_CONNECTION if self.protocol is Protocol.GRPC else 1
        load = drive(self._connect, calls, seconds, rate=rate, lanes_each=lanes_each)
        if not rate:
            self.rate = max(self.rate, load.rate)
        return self._seen(load, self.server.cpu() - begun)

    def _connect(self) -> Connection:
        return GrpcConnection(self.server.grpc) if self.protocol is Protocol.GRPC else RestConnection(self.port)

    def _seen(self, load: Load, cpu: float) -> Seen:
        return Seen(load.rate, load.wait(0.5) * 1e6, load.wait(0.99) * 1e6, cpu / len(load.waits) * 1e6)


class Same(Kind):
    """A call that can be repeated."""

    def __init__(
        self,
        name: str,
        server: Running,
        calls: Sequence[Call],
        *baselines: str,
        protocol: Protocol = Protocol.GRPC,
        items: int = 1,
    ) -> None:
        """Repeat these calls in turn."""
        super().__init__(name, server, *baselines)
        self._round = cycle(calls)
        self.protocol = protocol
        self.items = items

    def lane(self) -> Iterator[Call]:
        """The calls in turn with all other lanes, so that each is made once a round."""
        return self._round


class Moves(Kind):
    """Moves of matches, each made once."""

    def __init__(self, name: str, server: Running, pool: Pool, more: Callable[[int], None], *baselines: str) -> None:
        """Take the moves from ``pool``; ``more`` adds so many matches to it."""
        super().__init__(name, server, *baselines)
        self._pool = pool
        self._more = more
        self.protocol = pool.protocol

    def prepare(self, calls: int, lanes: int) -> None:
        """Create matches; those that a lane has begun are not used again."""
        self._more(max(0, calls // MOVES + 2 * lanes - len(self._pool)))

    def lane(self) -> Iterator[Call]:
        """The moves of one match after the other."""
        return self._pool.lane()


# ---------------------------------------------------------------------- measuring


class Row(NamedTuple):
    """One kind of call with so many in flight: medians, and the ratios to a baseline if it has one."""

    name: str
    lanes: int
    seen: Seen
    baseline: str
    ratio: Ratio | None
    items: int = 1

    @property
    def items_a_second(self) -> float:
        """Questions answered in a second."""
        return self.seen.rate * self.items


def measured(
    calls: Sequence[Kind], levels: Sequence[int], rounds: int, seconds: float, done: Callable[[str], None]
) -> list[Row]:
    """Measure every kind with every number in flight, in turns; a row for each baseline of a kind."""
    for kind in calls:
        kind.load(levels[-1], WARM_UP_SECONDS)
    rows = []
    for lanes in levels:
        seen: dict[str, list[Seen]] = {kind.name: [] for kind in calls}
        for _ in rounds_within(rounds, rounds * seconds * len(calls)):
            for kind in calls:
                seen[kind.name].append(kind.load(lanes, seconds))
                done(f"{kind.name}, {lanes} in flight")
        rows += _rows(calls, lanes, seen)
    return rows


def half_loaded(
    calls: Sequence[Kind], lanes: int, rounds: int, seconds: float, done: Callable[[str], None]
) -> list[Row]:
    """Measure kinds of calls in turns at half of the highest rate that the last of them reached.

    The others, its baselines, have to bear that rate too: it is at most `BEARABLE` of what each of them reached.
    """
    rate = min(calls[-1].rate / 2, *(BEARABLE * kind.rate for kind in calls[:-1]))
    seen: dict[str, list[Seen]] = {kind.name: [] for kind in calls}
    for _ in rounds_within(rounds, rounds * seconds * len(calls)):
        for kind in calls:
            seen[kind.name].append(kind.load(lanes, seconds, rate))
            done(f"{kind.name}, {rate:.0f} a second")
    return _rows(calls, lanes, seen)


def _rows(calls: Sequence[Kind], lanes: int, seen: Mapping[str, Sequence[Seen]]) -> list[Row]:
    rows = []
    for kind in calls:
        medians = Seen(*(median(column) for column in zip(*seen[kind.name], strict=True)))
        for baseline in kind.baselines or ("",):
            ratio = _ratio(seen[kind.name], seen[baseline]) if baseline else None
            rows.append(Row(kind.name, lanes, medians, baseline, ratio, kind.items))
    return rows


def _ratio(seen: Sequence[Seen], baseline: Sequence[Seen]) -> Ratio:
    columns = zip(zip(*seen, strict=True), zip(*baseline, strict=True), strict=True)
    return Ratio(*(ratio_of_rounds(one, other) for one, other in columns))
