"""Many watchers at one worker: how soon they know, what they cost, and whether they slow the players down."""

import multiprocessing
import selectors
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import count, islice
from time import perf_counter

from chitarrella import v1
from lab.bench.calls import play
from lab.bench.floors import SERVICE as FLOOR
from lab.bench.load import DATA, Call, Connection, GrpcConnection, LoadFailed, Way, drive, encode
from lab.bench.plans import MATCHES, open_at_service, plans
from lab.bench.servers import FLOORS, SERVICE, Running, Servers
from lab.bench.turns import Contender, Figures

SECONDS = 60.0
RECEIVED = b'"events":['  # what only a message with an update holds
WATCHERS, LANES, TABLES = 2000, 8, 20
PAUSE_SECONDS = 0.1
A_CONNECTION = 100
PREFIX = 5  # bytes before each gRPC message: a flag and its length


class EventStream(Connection):
    def __init__(self, port: int, match: str, accept: str) -> None:
        super().__init__(port)
        self.received: list[list[bytes]] = [[]]
        self._out.append(f"GET /v1/matches/{match}:watch HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n\r\n".encode())

    def receive(self) -> list[tuple[int, bytes]]:
        *lines, self._in = self._received().split(b"\n")
        self.received[0] += [line for line in lines if RECEIVED in line and b'"events":[]' not in line]
        return []


class GrpcStreams(GrpcConnection):
    """Watchers over gRPC that share a connection."""

    def __init__(self, port: int, calls: Sequence[Call]) -> None:
        super().__init__(port)
        self.received: list[list[bytes]] = [[] for _ in calls]
        self._rest: dict[int, bytes] = {}
        for lane, call in enumerate(calls):
            self.send(lane, call)

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind != DATA:
            super()._take(kind, flags, stream, payload)
            return
        data = self._rest.pop(stream, b"") + payload
        while len(data) >= PREFIX and len(data) >= (end := PREFIX + int.from_bytes(data[1:PREFIX], "big")):
            message = data[PREFIX:end]
            if v1.MatchUpdate.FromString(message).events:  # else it is a heartbeat
                self.received[self._lanes[stream]].append(message)
            data = data[end:]
        if data:
            self._rest[stream] = data


Watchers = EventStream | GrpcStreams


class Crowd:
    def __init__(self, connections: Sequence[Watchers]) -> None:
        self._connections = connections
        self._poll = selectors.DefaultSelector()
        for connection in connections:
            self._poll.register(connection.sock, selectors.EVENT_READ, connection)
            connection.flush()

    @property
    def received(self) -> list[list[bytes]]:
        return [received for connection in self._connections for received in connection.received]

    def read(self, seconds: float) -> list[Watchers]:
        """Read what comes within ``seconds``, and return the connections on which something came."""
        ready: list[Watchers] = [key.data for key, _ in self._poll.select(seconds)]
        for connection in ready:
            connection.receive()
            connection.flush()
        return ready

    def wait_for(self, number: int, seconds: float = SECONDS) -> float:
        """Read until each watcher has ``number`` updates; return when the last one had. Raises `LoadFailed`."""
        end, lacking = perf_counter() + seconds, set(self._connections)
        come: Sequence[Watchers] = self._connections
        while True:
            lacking -= {one for one in come if all(len(received) >= number for received in one.received)}
            if not lacking:
                return perf_counter()
            if not (come := self.read(max(0.0, end - perf_counter()))):
                short = sum(len(received) < number for received in self.received)
                raise LoadFailed(f"{short} watchers were not told {number} times in {seconds} seconds")

    def close(self) -> None:
        self._poll.close()
        for connection in self._connections:
            connection.sock.close()


def grpc_crowd(port: int, calls: Sequence[Call]) -> Crowd:
    """Watch by these calls, a hundred over each connection."""
    return Crowd([GrpcStreams(port, calls[at : at + A_CONNECTION]) for at in range(0, len(calls), A_CONNECTION)])


def http_crowd(port: int, matches: Sequence[str], accept: str = "text/event-stream") -> Crowd:
    return Crowd([EventStream(port, match, accept) for match in matches])


def watched(
    servers: Servers, server: Running, crowd: Callable[[], Crowd], news: Iterator[Sequence[Call]]
) -> Callable[[float], Figures]:
    """Open the streams at a server that has just started; return what causes the next update for every watcher.

    The figures are milliseconds until the last watcher has it, microseconds of CPU and KiB of memory a watcher.
    """
    before = server.memory()
    watchers = servers.enter_context(closing(crowd()))
    watchers.wait_for(1)
    memory, arrived = (server.memory() - before) / WATCHERS / 1024, count(2)

    def measure(_: float) -> Figures:
        calls = next(news)
        used, begun = server.cpu(), perf_counter()
        drive(Way.GRPC, server.port(Way.GRPC), [iter([call]) for call in calls])
        last = watchers.wait_for(next(arrived)) - begun
        return {"last": last * 1e3, "cpu": (server.cpu() - used) / WATCHERS * 1e6, "memory": memory}

    return measure


def fan_out(servers: Servers) -> list[Contender]:
    """Two thousand watchers of a match at one worker, or of twenty in each of which a move is made at once: from a move
    to the last of them having it, CPU for each watcher, the keeping of the moves included, and what one takes of the
    memory of a worker that has just started. The floor hands a message to the queues of its streams.
    """
    found = []
    for matches, is_http in ((1, False), (20, False), (1, True)):  # the edge lets no address open so many at once
        server = servers.start(SERVICE)
        opened = open_at_service(server, islice(plans(f"watched {matches}"), matches))
        ids = [opened[place % matches].match for place in range(WATCHERS)]
        watches = [encode(Way.GRPC, f"{MATCHES}WatchMatch", v1.WatchMatchRequest(match_id=match)) for match in ids]
        news = zip(*(one.calls(Way.GRPC) for one in opened), strict=True)
        crowd = partial(http_crowd, server.port(Way.REST), ids)
        if not is_http:
            crowd = partial(grpc_crowd, server.port(Way.GRPC), watches)
        who = f"{SERVICE}, {matches} matches" if matches > 1 else f"{SERVICE}, over HTTP" if is_http else SERVICE
        found.append(Contender(who, watched(servers, server, crowd, news)))
    server = servers.start(FLOORS)
    watches = [encode(Way.GRPC, f"/{FLOOR}/Watch", v1.WatchMatchRequest(match_id="one"))] * WATCHERS
    publish = [encode(Way.GRPC, f"/{FLOOR}/Publish", v1.PlayMoveRequest(match_id="one"))]
    floor = watched(servers, server, partial(grpc_crowd, server.port(Way.GRPC), watches), iter([publish] * 100))
    return [*found, Contender(FLOORS, floor)]


def beside_watchers(servers: Servers) -> list[Contender]:
    """Eight moves in flight, at a worker of their own and at one where two thousand watch twenty other matches over
    HTTP, in one of which a move is made every tenth of a second.
    """
    alone, watched = servers.start(SERVICE), servers.start(SERVICE)
    opened = open_at_service(watched, islice(plans("watched"), TABLES))
    moves = iter([call for calls in zip(*(one.calls(Way.GRPC) for one in opened), strict=True) for call in calls])
    crowd = http_crowd(watched.port(Way.REST), [opened[place % TABLES].match for place in range(WATCHERS)])
    servers.enter_context(closing(crowd)).wait_for(1)
    fork = multiprocessing.get_context("fork")
    moving = fork.Event()

    def watch() -> None:
        due = perf_counter()
        while True:
            crowd.read(PAUSE_SECONDS)
            if moving.is_set() and perf_counter() > due:
                drive(Way.GRPC, watched.port(Way.GRPC), [islice(moves, 1)])
                due = perf_counter() + PAUSE_SECONDS

    watching = fork.Process(target=watch, daemon=True)  # a pause of the load must not count as the service's
    watching.start()
    servers.callback(watching.kill)

    def beside(players: Callable[[float], Figures], seconds: float) -> Figures:
        moving.set()
        seen = players(seconds)
        moving.clear()
        if not watching.is_alive():
            raise LoadFailed("the watchers ended too early")
        return seen

    found = play(watched, ", watched", lanes=LANES)
    return [*play(alone, "", lanes=LANES), *(one._replace(measure=partial(beside, one.measure)) for one in found)]
