"""Which calls are measured, and what each is compared with."""

from __future__ import annotations

from itertools import islice

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import rules_pb2
from lab.bench.connections import Call, GrpcConnection, LoadFailed, connect_call, grpc_call
from lab.bench.load import drive
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
from lab.bench.servers import Running
from lab.bench.service import Kind, Moves, Same

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
