"""PlayMove over REST and Connect, alone and beside many watchers over HTTP: ``python -m tests.bench.http_watchers``.

The players play matches of their own. The watchers watch other matches, in one of which a move is made every tenth of a
second, so that updates go out all the time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from chitarrella.server.process import raise_file_limit
from tests.bench.event_stream_crowd import SECONDS, EventStreamCrowd
from tests.bench.lines import GrpcLine, LoadFailed, RestLine, grpc_call
from tests.bench.load import drive
from tests.bench.plans import ACCEPTED, MATCHES, Opened, Pool, open_at_service, plans
from tests.server.process import Service

LANES = 8
WATCHED = 20
PAUSE_SECONDS = 0.1
PATHS = {"REST": "/v1/matches/{match_id}/moves", "Connect": f"{MATCHES}PlayMove"}


def main() -> None:
    """Print a line for each transport and number of watchers."""
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--watchers", type=int, default=2000)
    parser.add_argument("--lanes", type=int, default=LANES)
    given = parser.parse_args()
    raise_file_limit()
    with TemporaryDirectory() as folder:
        service = Service(Path(folder), "--heartbeat", "3600", "--log-level", "error")
        try:
            for _ in range(given.rounds):
                measure(service, given.lanes, given.seconds, 0)
                if given.watchers:
                    with watching(service, given.watchers):
                        measure(service, given.lanes, given.seconds, given.watchers)
        finally:
            service.clear_away()


def measure(service: Service, lanes: int, seconds: float, watchers: int) -> None:
    """Play for some seconds over each transport, and print the latencies."""
    http_port = urlsplit(service.rest).port or 0
    for name, path in PATHS.items():
        pool = Pool(path, rest=True)
        matches = int(lanes + lanes * seconds * 10)
        pool.fill(open_at_service(grpc_port(service), islice(plans(f"{name} {watchers}"), matches)))
        seen = drive(lambda: RestLine(http_port), [pool.lane() for _ in range(lanes)], seconds, lanes_a_line=1)
        p50, p99 = (seen.wait(share) * 1e3 for share in (0.5, 0.99))
        print(f"{name:8} {watchers:5} watchers {seen.rate:7.0f}/s  p50 {p50:6.1f} ms  p99 {p99:6.1f} ms", flush=True)


@contextmanager
def watching(service: Service, number: int) -> Iterator[None]:
    """Keep watches open for as long as the block lasts, while moves are made."""
    opened = open_at_service(grpc_port(service), islice(plans("watched"), WATCHED))
    stop = threading.Event()
    names = [opened[place % WATCHED].match for place in range(number)]
    spawn = multiprocessing.get_context("spawn")
    arrived, left = spawn.Event(), spawn.Event()
    crowd = spawn.Process(target=watch, args=(service.rest, names, arrived, left))
    player = threading.Thread(target=play, args=(service, opened, stop))
    crowd.start()
    try:
        if not arrived.wait(SECONDS):
            raise LoadFailed("the watchers did not arrive")
        player.start()
        yield
    finally:
        stop.set()
        left.set()
        crowd.join()


def watch(url: str, names: list[str], arrived: Event, left: Event) -> None:
    """Watch the matches, in a process of its own, until ``left`` is set."""
    raise_file_limit()
    with closing(EventStreamCrowd(url, names)) as crowd:
        crowd.wait_for(1)
        arrived.set()
        crowd.read(left)


def play(service: Service, opened: list[Opened], stop: threading.Event) -> None:
    """Make a move in each match in turn."""
    moves = [
        [grpc_call(f"{MATCHES}PlayMove", message, key, ACCEPTED) for key, message in one.requests()] for one in opened
    ]
    for calls in zip(*moves, strict=True):
        for call in calls:
            if stop.wait(PAUSE_SECONDS):
                return
            drive(lambda: GrpcLine(grpc_port(service)), [iter([call])])


def grpc_port(service: Service) -> int:
    """The port of gRPC."""
    return int(service.grpc.rpartition(":")[2])


if __name__ == "__main__":
    main()
