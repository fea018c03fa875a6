"""The service under load, compared with the baseline: the same stack, answering the same calls without rules.

Everything is measured in one run, in turns, and reported as a ratio: the microseconds of a call depend on the machine
and its other load, the ratio to the baseline much less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from statistics import median
from typing import NamedTuple

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import rules_pb2
from tests.bench.lines import Call, GrpcLine, Line, LoadFailed, RestLine, grpc_call
from tests.bench.load import LANES_A_LINE, Load, drive
from tests.bench.plans import ACCEPTED, MATCHES, RULES, AtEcho, Pool, open_at_service, plans, validation_requests
from tests.bench.servers import Running

BATCH = 100
MOVES = 40
FIRST_GUESS = 6_000
"""Calls a second, before the first measurement."""


class Seen(NamedTuple):
    """Result of one kind of call in one slice of time; CPU time is that of the server without its store."""

    rate: float
    p50: float
    p99: float
    cpu: float


class Kind:
    """A kind of call."""

    items = 1

    def __init__(self, name: str, server: Running, baseline: str = "", *, rest: bool = False) -> None:
        """``baseline`` is the name of the kind to compare with."""
        self.name = name
        self.baseline = baseline
        self.rest = rest
        self.server = server
        self.rate = 0.0

    def prepare(self, calls: int, lanes: int) -> None:
        """Prepare for so many calls."""

    def lane(self) -> Iterator[Call]:
        """The calls of one lane."""
        raise NotImplementedError

    def load(self, lanes: int, seconds: float, rate: float = 0.0) -> Seen:
        """Make calls for ``seconds`` in ``lanes`` lanes, as fast as they are answered or at ``rate``."""
        self.prepare(int((rate or 1.5 * self.rate or FIRST_GUESS) * seconds), lanes)
        begun = self.server.cpu()
        calls = [self.lane() for _ in range(lanes)]
        load = drive(self._line, calls, seconds, rate=rate, lanes_a_line=1 if self.rest else LANES_A_LINE)
        if not rate:
            self.rate = max(self.rate, load.rate)
        return self._seen(load, self.server.cpu() - begun)

    def _line(self) -> Line:
        return RestLine(self.server.rest) if self.rest else GrpcLine(self.server.grpc)

    def _seen(self, load: Load, cpu: float) -> Seen:
        return Seen(load.rate, load.wait(0.5) * 1e6, load.wait(0.99) * 1e6, cpu / len(load.waits) * 1e6)


class Same(Kind):
    """A call that can be repeated."""

    def __init__(self, name: str, server: Running, calls: Sequence[Call], baseline: str = "", items: int = 1) -> None:
        """Repeat these calls in turn."""
        super().__init__(name, server, baseline)
        self._round = cycle(calls)
        self.items = items

    def lane(self) -> Iterator[Call]:
        """The calls in turn with all other lanes, so that each is made once a round."""
        return self._round


class Moves(Kind):
    """Moves of matches, each made once."""

    def __init__(self, name: str, server: Running, pool: Pool, more: Callable[[int], None], baseline: str = "") -> None:
        """Take the moves from ``pool``; ``more`` adds so many matches to it."""
        super().__init__(name, server, baseline, rest=pool.rest)
        self._pool = pool
        self._more = more

    def prepare(self, calls: int, lanes: int) -> None:
        """Create matches; those that a lane has begun are not used again."""
        self._more(max(0, calls // MOVES + 2 * lanes - len(self._pool)))

    def lane(self) -> Iterator[Call]:
        """The moves of one match after the other."""
        return self._pool.lane()


# ---------------------------------------------------------------------- which calls

PLAIN, HOP, SCRIPT = "echo", "echo from a thread", "echo + script"
PLAY, LIST, VALIDATE, BATCHED = (
    "PlayMove",
    "ListMatchMoves",
    "ValidateMove, stateless",
    f"Batch of {BATCH} ValidateMove",
)
REST_SCRIPT, REST_PLAY = "Flask echo + script", "REST PlayMove"


def kinds(service: Running, echo: Running) -> list[Kind]:
    """Every kind of gRPC call, each baseline before what is compared with it."""
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
    return [
        *echoes,
        at_echo(SCRIPT, echo, Pool("/bench.Echo/Script")),
        at_service(PLAY, service, Pool(f"{MATCHES}PlayMove"), SCRIPT),
        Same(LIST, service, [call._replace(answer=b"\x0a") for call in lists], SCRIPT),
        Same(VALIDATE, service, _validations(), PLAIN),
        Same(BATCHED, service, _batched(service), items=BATCH),
    ]


def rest_kinds(service: Running, echo: Running) -> list[Kind]:
    """The kinds of REST calls."""
    return [
        at_echo(REST_SCRIPT, echo, Pool("/script", rest=True)),
        at_service(REST_PLAY, service, Pool("/v1/matches/{match_id}/moves", rest=True), REST_SCRIPT),
    ]


def at_service(name: str, service: Running, pool: Pool, baseline: str) -> Moves:
    """Moves at the service."""
    planned = plans(name)

    def more(number: int) -> None:
        pool.fill(open_at_service(service.grpc, islice(planned, number)))

    return Moves(name, service, pool, more, baseline)


def at_echo(name: str, echo: Running, pool: Pool) -> Moves:
    """Moves at the baseline."""
    transport = AtEcho(echo.redis_url)
    return Moves(name, echo, pool, lambda number: pool.fill(transport.open(number)))


def _validations() -> list[Call]:
    return [grpc_call(f"{RULES}ValidateMove", request, answer=ACCEPTED) for request in validation_requests(2000)]


def _batched(service: Running) -> list[Call]:
    """Batch requests, and check once that each of them is answered correctly."""
    asked = validation_requests(10 * BATCH)
    batches = [
        rules_pb2.BatchRequest(questions=[rules_pb2.Question(validate_move=one) for one in asked[at : at + BATCH]])
        for at in range(0, len(asked), BATCH)
    ]
    calls = [grpc_call(f"{RULES}Batch", batch, answer=b"\x0a") for batch in batches]
    for answer in drive(lambda: GrpcLine(service.grpc), [iter(calls)], keep=True).answers:
        answers = rules_pb2.BatchResponse.FromString(answer).answers
        if [one.validate_move.accepted for one in answers] != [True] * BATCH:
            raise LoadFailed("a batch was not answered as it should be")
    return calls


# ---------------------------------------------------------------------- measuring


class Row(NamedTuple):
    """One kind of call with so many in flight: medians, and medians of the ratios to the baseline of the same round."""

    name: str
    lanes: int
    seen: Seen
    baseline: str
    ratio: Seen | None
    items: int

    @property
    def items_a_second(self) -> float:
        """Questions answered in a second."""
        return self.seen.rate * self.items


def measured(
    calls: Sequence[Kind], levels: Sequence[int], rounds: int, seconds: float, done: Callable[[str], None]
) -> list[Row]:
    """Measure every kind with every number in flight, in turns."""
    for kind in calls:
        kind.load(levels[-1], seconds / 4)
    rows = []
    for lanes in levels:
        seen: dict[str, list[Seen]] = {kind.name: [] for kind in calls}
        for _ in range(rounds):
            for kind in calls:
                seen[kind.name].append(kind.load(lanes, seconds))
                done(f"{kind.name}, {lanes} in flight")
        for kind in calls:
            ratio = _ratio(seen[kind.name], seen[kind.baseline]) if kind.baseline else None
            rows.append(Row(kind.name, lanes, _medians(seen[kind.name]), kind.baseline, ratio, kind.items))
    return rows


def _medians(seen: Sequence[Seen]) -> Seen:
    return Seen(*(median(column) for column in zip(*seen, strict=True)))


def _ratio(seen: Sequence[Seen], baseline: Sequence[Seen]) -> Seen:
    pairs = zip(seen, baseline, strict=True)
    return _medians([Seen(*(a / max(b, 1e-9) for a, b in zip(one, other, strict=True))) for one, other in pairs])


def half_loaded(
    calls: Sequence[Kind], lanes: int, rounds: int, seconds: float, done: Callable[[str], None]
) -> list[Row]:
    """Measure a kind of call and its baseline at half of the highest rate that the former reached.

    p99 is that of the quietest round: another process that is busy for a hundredth of a round decides its p99.
    """
    baseline, kind = calls
    rate = kind.rate / 2
    seen: list[list[Seen]] = [[], []]
    for _ in range(rounds):
        for place, one in enumerate(calls):
            seen[place].append(one.load(lanes, seconds, rate))
            done(f"{one.name}, {rate:.0f} a second")
    low, high = (min(one.p99 for one in column) for column in seen)
    ratio = _ratio(seen[1], seen[0])._replace(p99=high / low)
    return [
        Row(baseline.name, lanes, _medians(seen[0])._replace(p99=low), "", None, 1),
        Row(kind.name, lanes, _medians(seen[1])._replace(p99=high), baseline.name, ratio, 1),
    ]
