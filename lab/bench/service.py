"""The service and the baseline in processes of their own: their start, and calls under load.

The baseline is the same stack, answering the same calls without rules. Everything is measured in one run, in turns, and
reported as a ratio: the microseconds of a call depend on the machine and its other load, the ratio much less.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import rules_pb2
from lab.bench.connections import (
    LANES_A_CONNECTION,
    Call,
    Connection,
    GrpcConnection,
    Load,
    LoadFailed,
    Measured,
    RestConnection,
    connect_call,
    drive,
    grpc_call,
    of_rounds,
    ratio_of_rounds,
    rounds_within,
)
from lab.bench.plans import (
    ACCEPTED,
    MATCHES,
    RULES,
    AtEcho,
    Pool,
    Protocol,
    open_at_service,
    plans,
    validation_requests,
)
from tests.servers import UNLIMITED, spawn

SECONDS_TO_STOP = 20


class Running(NamedTuple):
    """A running server: its ports, its process and its store; at the echo, the port of Flask on granian too."""

    grpc: int
    rest: int
    pid: int
    redis_url: str
    granian: int = 0

    def cpu(self) -> float:
        """CPU seconds of the process, without its store."""
        return cpu_seconds(self.pid)


def cpu_seconds(pid: int) -> float:
    """CPU seconds of a process: its own clock is more exact than the hundredths of a second in ``/proc``."""
    return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid computes it, which Python does not have


def service_command(folder: Path) -> list[str]:
    """The command that starts the service with its own store in ``folder``."""
    transports = ["--grpc", "127.0.0.1:0", "--rest", "127.0.0.1:0"]
    return [sys.executable, "-m", "chitarrella", "serve", *transports, "--data", str(folder)]


def echo_command(folder: Path) -> list[str]:
    """The command that starts the baseline."""
    return [sys.executable, "-m", "lab.bench.echo", str(folder)]


@contextmanager
def running(command: list[str], folder: Path) -> Iterator[Running]:
    """Start a server and wait until it prints its addresses; stop it afterwards. Raises `LoadFailed`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stderr").open("wb") as log:
        process = spawn(command, stdout=subprocess.PIPE, stderr=log, text=True, env={**os.environ, **UNLIMITED})
    assert process.stdout is not None
    ports: dict[str, int] = {}
    try:
        while "REST" not in ports and (line := process.stdout.readline()):
            transport, _, place = line.strip().partition(" ")
            if transport in ("gRPC", "granian", "REST"):
                ports[transport] = int(place.rpartition(":")[2])
        if "REST" not in ports:
            raise LoadFailed(f"a server did not start: {(folder / 'stderr').read_text()[-600:]}")
        yield Running(
            ports["gRPC"], ports["REST"], process.pid, f"unix://{folder}/valkey.sock", ports.get("granian", 0)
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS_TO_STOP)


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


BATCH = 100

PLAIN, HOP, SCRIPT, PIPELINED = "echo", "echo from a thread", "echo + script", "echo + script, pipelined"
PLAY, LIST, VALIDATE, BATCHED = (
    "PlayMove",
    "ListMatchMoves",
    "ValidateMove, stateless",
    f"Batch of {BATCH} ValidateMove",
)
CONNECT_PLAY, CONNECT_VALIDATE = "Connect PlayMove", "Connect ValidateMove"
REST_SCRIPT, GRANIAN_SCRIPT, REST_PLAY = "Flask + script, waitress", "Flask + script, granian", "REST PlayMove"


def kinds(service: Running, echo: Running) -> list[Kind]:
    """Every kind of call over gRPC and Connect; the baselines are all of gRPC."""
    request = next(open_at_service(service.grpc, islice(plans("one"), 1))[0].requests())
    key, move = request
    echoes = [Same(name, echo, [grpc_call(f"/bench.Echo/{path}", move, key, ACCEPTED)]) for name, path in
              ((PLAIN, "Plain"), (HOP, "Hop"))]  # fmt: skip
    opened = open_at_service(service.grpc, islice(plans("listed"), 20))
    lists = [
        grpc_call(
            f"{MATCHES}ListMatchMoves", pb.ListMatchMovesRequest(match_id=one.match), one.keys[one.plan.moves[0][0]]
        )
        for one in opened
    ]
    asked = validation_requests(2000)
    return [
        *echoes,
        at_echo(SCRIPT, echo, Pool("/bench.Echo/Script")),
        at_echo(PIPELINED, echo, Pool("/bench.Echo/Pipelined")),
        at_service(PLAY, service, Pool(f"{MATCHES}PlayMove"), SCRIPT, PIPELINED),
        connect_play(service, SCRIPT),
        Same(LIST, service, [call._replace(answer=b"\x0a") for call in lists], SCRIPT),
        Same(VALIDATE, service, [grpc_call(f"{RULES}ValidateMove", one, answer=ACCEPTED) for one in asked], PLAIN),
        Same(
            CONNECT_VALIDATE,
            service,
            [connect_call(f"{RULES}ValidateMove", one, answer=ACCEPTED) for one in asked],
            PLAIN,
            protocol=Protocol.CONNECT,
        ),
        Same(BATCHED, service, _batched(service), items=BATCH),
    ]


def rest_kinds(service: Running, echo: Running) -> list[Kind]:
    """The kinds of REST calls."""
    on_granian = at_echo(GRANIAN_SCRIPT, echo, Pool("/script", Protocol.REST))
    on_granian.port = echo.granian
    return [
        at_echo(REST_SCRIPT, echo, Pool("/script", Protocol.REST)),
        on_granian,
        at_service(
            REST_PLAY, service, Pool("/v1/matches/{match_id}/moves", Protocol.REST), REST_SCRIPT, GRANIAN_SCRIPT
        ),
    ]


def connect_play(service: Running, *baselines: str) -> Moves:
    """Moves at the service over Connect."""
    return at_service(CONNECT_PLAY, service, Pool(f"{MATCHES}PlayMove", Protocol.CONNECT), *baselines)


def at_service(name: str, service: Running, pool: Pool, *baselines: str) -> Moves:
    """Moves at the service."""
    planned = plans(name)

    def more(number: int) -> None:
        pool.fill(open_at_service(service.grpc, islice(planned, number)))

    return Moves(name, service, pool, more, *baselines)


def at_echo(name: str, echo: Running, pool: Pool) -> Moves:
    """Moves at the baseline."""
    transport = AtEcho(echo.redis_url)
    return Moves(name, echo, pool, lambda number: pool.fill(transport.open(number)))


def _batched(service: Running) -> list[Call]:
    """Batch requests, and check once that each of them is answered correctly."""
    asked = validation_requests(10 * BATCH)
    batches = [
        rules_pb2.BatchRequest(questions=[rules_pb2.Question(validate_move=one) for one in asked[at : at + BATCH]])
        for at in range(0, len(asked), BATCH)
    ]
    calls = [grpc_call(f"{RULES}Batch", batch, answer=b"\x0a") for batch in batches]
    for answer in drive(lambda: GrpcConnection(service.grpc), [iter(calls)], keep=True).answers:
        answers = rules_pb2.BatchResponse.FromString(answer).answers
        if [one.validate_move.accepted for one in answers] != [True] * BATCH:
            raise LoadFailed("a batch was not answered as it should be")
    return calls


PLANNED_SECONDS = 2.0
"""For a start of each server."""


class Start(NamedTuple):
    """Seconds to the first answer: of the service, of a bare server, and the ratio."""

    service: Measured
    bare: Measured
    ratio: Measured


def starts(folder: Path, times: int, done: Callable[[str], None]) -> Start:
    """Start the service and the bare server in turns."""
    seen: list[list[float]] = [[], []]
    for number in rounds_within(times, times * PLANNED_SECONDS):
        for place, command in enumerate((service_command, bare_command)):
            home = folder / f"{number} {place}"
            seen[place].append(_seconds_to_answer(command(home), home))
        done("start to first answer")
    return Start(of_rounds(seen[0]), of_rounds(seen[1]), ratio_of_rounds(*seen))


def bare_command(folder: Path) -> list[str]:
    """The command that starts the bare server."""
    return [sys.executable, "-m", "lab.bench.minimal_server", str(folder)]


def _seconds_to_answer(command: list[str], home: Path) -> float:
    call = grpc_call(f"{RULES}ValidateMove", validation_requests(1)[0], answer=ACCEPTED)
    begun = perf_counter()
    with running(command, home) as server:
        drive(lambda: GrpcConnection(server.grpc), [iter([call])])
        return perf_counter() - begun
