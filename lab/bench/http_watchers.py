"""PlayMove over every transport, alone and beside watchers over HTTP: ``python -m lab.bench.http_watchers``.

The players play matches of their own. The watchers watch other matches, in one of which a move is made every tenth of a
second, so that updates go out all the time.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

import grpc

from chitarrella.server.process import raise_file_limit
from lab.bench.connections import Connection, GrpcConnection, LoadFailed, RestConnection
from lab.bench.event_stream_crowd import SECONDS, EventStreamCrowd
from lab.bench.load import drive
from lab.bench.plans import ACCEPTED, MATCHES, Opened, Pool, Protocol, open_at_service, plans
from lab.bench.round_statistics import Measured, ratio_of_rounds, rounds_within
from tests.server.process import Service

LANES = 8
WATCHED = 20
PAUSE_SECONDS = 0.1
PLAY_MOVE = f"{MATCHES}PlayMove"
CALLS = {
    "REST": ("/v1/matches/{match_id}/moves", Protocol.REST),
    "Connect": (PLAY_MOVE, Protocol.REST),
    "gRPC": (PLAY_MOVE, Protocol.GRPC),
}
"""The path and the encoding of PlayMove by transport; over Connect it is JSON here, as it is over REST."""


class Wait(NamedTuple):
    """Milliseconds of a move: the median, and what one in a hundred exceeds."""

    p50: float
    p99: float


class WaitRatio(NamedTuple):
    """The waits with watchers beside those without, round by round."""

    p50: Measured
    p99: Measured


class HttpWatched(NamedTuple):
    """Moves over one transport without and with so many watchers: medians of rounds."""

    transport: str
    watchers: int
    alone: Wait
    watched: Wait
    ratio: WaitRatio


def main() -> None:
    """Print a line for each transport."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--lanes", type=int, default=LANES)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        seen = http_watched(Path(folder), given.watchers, given.lanes, given.rounds, given.seconds, lambda _: None)
    for one in seen:
        for watchers, wait in ((0, one.alone), (one.watchers, one.watched)):
            print(f"{one.transport:8} {watchers:5} watchers  p50 {wait.p50:6.1f} ms  p99 {wait.p99:6.1f} ms")


def http_watched(
    folder: Path, watchers: int, lanes: int, rounds: int, seconds: float, done: Callable[[str], None]
) -> list[HttpWatched]:
    """Play over each transport in turns without and with watchers, so many rounds."""
    raise_file_limit()
    folder.mkdir(exist_ok=True)
    service = Service(folder, "--heartbeat", "3600", "--log-level", "error")
    seen: dict[str, list[tuple[Wait, Wait]]] = {name: [] for name in CALLS}
    try:
        waits(service, lanes, seconds / 2, "warm-up")
        for number in rounds_within(rounds, 2 * rounds * seconds * len(CALLS)):
            alone = waits(service, lanes, seconds, f"{number} alone")
            with watching(service, watchers):
                watched = waits(service, lanes, seconds, f"{number} watched")
            for name in CALLS:
                seen[name].append((alone[name], watched[name]))
            done(f"{watchers:,} watchers over HTTP")
    finally:
        service.clear_away()
    return [_summary(name, watchers, pairs) for name, pairs in seen.items()]


def _summary(transport: str, watchers: int, pairs: Sequence[tuple[Wait, Wait]]) -> HttpWatched:
    columns = [list(zip(*waits, strict=True)) for waits in zip(*pairs, strict=True)]
    alone, watched = (Wait(*(median(column) for column in waits)) for waits in columns)
    ratio = WaitRatio(*(ratio_of_rounds(many, none) for none, many in zip(*columns, strict=True)))
    return HttpWatched(transport, watchers, alone, watched, ratio)


def waits(service: Service, lanes: int, seconds: float, seed: str) -> dict[str, Wait]:
    """Play for some seconds over each transport."""
    http_port = urlsplit(service.rest).port or 0
    found = {}
    for name, (path, protocol) in CALLS.items():
        pool = Pool(path, protocol)
        matches = int(lanes + lanes * seconds * 10)
        pool.fill(open_at_service(grpc_port(service), islice(plans(f"{name} {seed}"), matches)))
        connect: Callable[[], Connection] = partial(RestConnection, http_port)
        if protocol is Protocol.GRPC:
            connect = partial(GrpcConnection, grpc_port(service))
        seen = drive(connect, [pool.lane() for _ in range(lanes)], seconds, lanes_each=1)
        found[name] = Wait(seen.wait(0.5) * 1e3, seen.wait(0.99) * 1e3)
    return found


@contextmanager
def watching(service: Service, number: int) -> Iterator[None]:
    """Keep watches open for as long as the block lasts, while moves are made; both by processes of their own.

    The process of the load must not do it: a pause of its own would count as the service's.
    """
    opened = open_at_service(grpc_port(service), islice(plans("watched"), WATCHED))
    names = [opened[place % WATCHED].match for place in range(number)]
    moves = [
        (key, message.SerializeToString())
        for one in zip(*map(Opened.requests, opened), strict=True)
        for key, message in one
    ]
    spawn = multiprocessing.get_context("spawn")
    arrived, left = spawn.Event(), spawn.Event()
    crowd = spawn.Process(target=watch, args=(service.rest, names, arrived, left))
    player = spawn.Process(target=play, args=(service.grpc, moves, left))
    crowd.start()
    try:
        if not arrived.wait(SECONDS):
            raise LoadFailed("the watchers did not arrive")
        player.start()
        yield
        if not (crowd.is_alive() and player.is_alive()):
            raise LoadFailed("the watchers or their player ended too early")
    finally:
        left.set()
        crowd.join()
        if player.pid is not None:
            player.join()


def watch(url: str, names: list[str], arrived: Event, left: Event) -> None:
    """Watch the matches, in a process of its own, until ``left`` is set."""
    raise_file_limit()
    with closing(EventStreamCrowd(url, names)) as crowd:
        crowd.wait_for(1)
        arrived.set()
        crowd.read(left)


def play(address: str, moves: Sequence[tuple[str, bytes]], left: Event) -> None:
    """Make the moves, each a key and a request, one after a pause, until ``left`` is set or none is left."""
    with grpc.insecure_channel(address) as channel:
        call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(PLAY_MOVE)
        for key, request in moves:
            if left.wait(PAUSE_SECONDS):
                return
            if not call(request, metadata=(("authorization", f"Bearer {key}"),)).startswith(ACCEPTED):
                raise LoadFailed("a move in a watched match is not accepted")
    left.wait()


def grpc_port(service: Service) -> int:
    """The port of gRPC."""
    return int(service.grpc.rpartition(":")[2])


if __name__ == "__main__":
    main()
