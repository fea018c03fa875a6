"""Many watchers at one worker: what they cost, and PlayMove alone and beside watchers over HTTP.

``python -m lab.bench.watching`` measures the second. The players play matches of their own. The watchers watch other
matches, in one of which a move is made every tenth of a second, so that updates go out all the time.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import selectors
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

import grpc

from chitarrella.server.process import raise_file_limit
from chitarrella.storage.redis_store import connect
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2 import WatchMatchResponse
from lab.bench.connections import (
    DATA,
    Call,
    Connection,
    GrpcConnection,
    LoadFailed,
    Measured,
    RestConnection,
    drive,
    grpc_call,
    ratio_of_rounds,
    rounds_within,
)
from lab.bench.plans import ACCEPTED, MATCHES, Opened, Pool, Protocol, open_at_service, plans
from lab.bench.service import Running
from tests.server.process import Service

SECONDS = 60.0
RECEIVED = b'"events":['
"""What only a message with an update holds."""


class EventStreamCrowd:
    """Watchers at one URL."""

    def __init__(self, url: str, matches: Sequence[str], accept: str = "text/event-stream") -> None:
        """Watch each of the ``matches`` on a connection of its own."""
        where = urlsplit(url)
        self._poll = selectors.DefaultSelector()
        self._sockets = []
        self._rest = [b""] * len(matches)
        self.received: list[list[bytes]] = [[] for _ in matches]
        for number, match in enumerate(matches):
            sock = socket.create_connection((where.hostname or "", where.port or 0))
            sock.sendall(f"GET /v1/matches/{match}:watch HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())
            self._sockets.append(sock)
            self._poll.register(sock, selectors.EVENT_READ, number)

    def wait_for(self, number: int) -> float:
        """Wait until every watcher has received that many updates; return when. Raises `LoadFailed`."""
        deadline = perf_counter() + SECONDS
        lacking = sum(len(received) < number for received in self.received)
        while lacking:
            if perf_counter() > deadline:
                raise LoadFailed(f"{lacking} watchers lack an update")
            for key, _ in self._poll.select(1):
                had = len(self.received[key.data])
                self._take(key.data, self._sockets[key.data].recv(65536))
                lacking -= had < number <= len(self.received[key.data])
        return perf_counter()

    def read(self, stop: Event) -> None:
        """Read what comes until ``stop`` is set."""
        while not stop.is_set():
            for key, _ in self._poll.select(0.1):
                self._take(key.data, self._sockets[key.data].recv(65536))

    def _take(self, number: int, data: bytes) -> None:
        if not data:
            raise LoadFailed("a stream was closed")
        *lines, self._rest[number] = (self._rest[number] + data).split(b"\n")
        self.received[number] += [line for line in lines if RECEIVED in line and b'"events":[]' not in line]

    def close(self) -> None:
        """Disconnect all."""
        for sock in self._sockets:
            sock.close()
        self._poll.close()


WATCHERS_A_LINE = 100
PREFIX = 5
"""Bytes before each gRPC message: a flag and its length."""


class CrowdConnection(GrpcConnection):
    """A connection whose lanes receive streams; the measurement fails if one ends."""

    def __init__(self, port: int, watchers: int) -> None:
        """Connect; ``watchers`` lanes will watch."""
        super().__init__(port)
        self.received: list[list[bytes]] = [[] for _ in range(watchers)]
        self._rest: dict[int, bytes] = {}

    def lacks(self, number: int) -> int:
        """Number of watchers that received fewer than ``number`` updates."""
        return sum(len(received) < number for received in self.received)

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind != DATA:
            super()._take(kind, flags, stream, payload)
            return
        data = self._rest.pop(stream, b"") + payload
        while len(data) >= PREFIX and len(data) >= (end := PREFIX + int.from_bytes(data[1:PREFIX], "big")):
            message = data[PREFIX:end]
            if WatchMatchResponse.FromString(message).events:  # else it is a heartbeat
                self.received[self._lanes[stream]].append(message)
            data = data[end:]
        if data:
            self._rest[stream] = data


class WatcherCrowd:
    """Watchers at one port, each with its own call."""

    def __init__(self, port: int, calls: Sequence[Call]) -> None:
        """Open the streams."""
        self._connections = []
        self._poll = selectors.DefaultSelector()
        for begin in range(0, len(calls), WATCHERS_A_LINE):
            mine = calls[begin : begin + WATCHERS_A_LINE]
            connection = CrowdConnection(port, len(mine))
            self._connections.append(connection)
            self._poll.register(connection.sock, selectors.EVENT_READ, connection)
            for lane, call in enumerate(mine):
                connection.send(lane, call)
            connection.flush()

    @property
    def received(self) -> list[list[bytes]]:
        """The updates that each watcher received."""
        return [received for connection in self._connections for received in connection.received]

    def wait_for(self, number: int, seconds: float = SECONDS) -> float:
        """Read until each watcher has ``number`` updates; return when the last one had. Raises `LoadFailed`."""
        end = perf_counter() + seconds
        waiting = {connection for connection in self._connections if connection.lacks(number)}
        while waiting:
            ready = self._poll.select(max(0.0, end - perf_counter()))
            if not ready:
                short = sum(connection.lacks(number) for connection in waiting)
                raise LoadFailed(f"{short} watchers were not told {number} times in {seconds} seconds")
            for key, _ in ready:
                connection: CrowdConnection = key.data
                connection.receive()
                connection.flush()
                if connection in waiting and not connection.lacks(number):
                    waiting.remove(connection)
        return perf_counter()

    def close(self) -> None:
        """Close the connections."""
        self._poll.close()
        for connection in self._connections:
            connection.sock.close()


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
