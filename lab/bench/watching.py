"""Many watchers at one worker: the delay until the last has an update, and the cost of each beside a plain fan-out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from chitarrella.storage.redis_store import connect
from chitarrella.v1 import matches_pb2 as pb
from lab.bench.connections import Call, GrpcConnection, grpc_call
from lab.bench.load import drive
from lab.bench.many_watchers import WatcherCrowd
from lab.bench.plans import ACCEPTED, MATCHES, open_at_service, plans
from lab.bench.round_statistics import Measured, ratio_of_rounds
from lab.bench.servers import Running

WATCHERS = 2000
TOGETHER = (1, 20)
"""The numbers of matches that they watch."""
MATCH = "0123456789abcdef0123"
"""As long as the id of a match."""


class Arrival(NamedTuple):
    """Fan-out of one move: milliseconds until the last watcher has it, CPU microseconds a message."""

    last: float
    cpu: float


class ArrivalRatio(NamedTuple):
    """The same beside the baseline, round by round."""

    last: Measured
    cpu: Measured


class Watched(NamedTuple):
    """Medians for a number of matches, and ratios to the baseline; bytes a watcher; connections to the store."""

    matches: int
    seen: Arrival
    baseline: Arrival
    ratio: ArrivalRatio
    size: float
    baseline_size: float
    lines: int

    @property
    def fresh(self) -> bool:
        """Whether no watcher was there before, so that the bytes are those of these watchers."""
        return self.matches == TOGETHER[0]


class WatchTarget:
    """The service or the baseline with its watchers, and the calls that cause updates."""

    def __init__(self, server: Running, watching: Sequence[Call], news: Sequence[Sequence[Call]]) -> None:
        """Open the streams of ``watching``; each element of ``news`` causes one update for every watcher."""
        self.server = server
        before = _memory(server.pid)
        self.crowd = WatcherCrowd(server.grpc, watching)
        self.crowd.wait_for(1)
        self.size = (_memory(server.pid) - before) / len(watching)
        self._news = iter(news)
        self._arrived = 1
        self._watchers = len(watching)

    def send(self) -> Arrival:
        """Cause the next update, and wait until the last watcher has it."""
        self._arrived += 1
        calls = next(self._news)
        used, begun = self.server.cpu(), perf_counter()
        drive(lambda: GrpcConnection(self.server.grpc), [iter([call]) for call in calls])
        last = self.crowd.wait_for(self._arrived) - begun
        return Arrival(last * 1e3, (self.server.cpu() - used) / self._watchers * 1e6)


def watched(service: Running, echo: Running, matches: int, rounds: int, done: Callable[[str], None]) -> Watched:
    """Measure two thousand watchers of so many matches, at the service and at the baseline in turns."""
    ours, theirs = _at_service(service, matches), _at_echo(echo, matches, rounds + 1)
    with closing(ours.crowd), closing(theirs.crowd):
        ours.send(), theirs.send()  # to be warm
        seen: list[tuple[Arrival, Arrival]] = []
        for _ in range(rounds):
            seen.append((ours.send(), theirs.send()))
            done(f"{WATCHERS:,} watchers of {matches}")
        lines = _listening_connections(service)
    one, other = zip(*seen, strict=True)
    pairs = zip(zip(*one, strict=True), zip(*other, strict=True), strict=True)
    ratio = ArrivalRatio(*(ratio_of_rounds(a, b) for a, b in pairs))
    return Watched(matches, _medians(one), _medians(other), ratio, ours.size, theirs.size, lines)


def _at_service(service: Running, matches: int) -> WatchTarget:
    opened = open_at_service(service.grpc, islice(plans(f"watched {matches}"), matches))
    watching = [pb.WatchMatchRequest(match_id=opened[place % matches].match) for place in range(WATCHERS)]
    moves = [
        [grpc_call(f"{MATCHES}PlayMove", message, key, ACCEPTED) for key, message in one.requests()] for one in opened
    ]
    calls = [grpc_call(f"{MATCHES}WatchMatch", asked) for asked in watching]
    return WatchTarget(service, calls, list(zip(*moves, strict=True)))


def _at_echo(echo: Running, matches: int, rounds: int) -> WatchTarget:
    names = [f"{MATCH[:-4]}{place:04}" for place in range(matches)]
    watching = [
        grpc_call("/bench.Echo/Watch", pb.WatchMatchRequest(match_id=names[place % matches]))
        for place in range(WATCHERS)
    ]
    news = [grpc_call("/bench.Echo/Tell", pb.PlayMoveRequest(match_id=name), answer=ACCEPTED) for name in names]
    return WatchTarget(echo, watching, [news] * rounds)


def _memory(pid: int) -> int:
    """Resident memory of a process in bytes."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _listening_connections(service: Running) -> int:
    """Number of pub/sub connections of the service to its store."""
    client = connect(service.redis_url)
    try:
        return len(client.client_list(_type="pubsub"))
    finally:
        client.close()


def _medians(seen: Sequence[Arrival]) -> Arrival:
    return Arrival(*(median(column) for column in zip(*seen, strict=True)))
