"""Small requests that expand to many: compressed lists of empty messages, over every transport."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import httpx
from google.protobuf.message import Message

from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from lab.chaos.attacks.victim import Attacked, Effect, Victim
from tests.transports.rest_client import PLAIN

MATCHES, RULES = "/chitarrella.v1.MatchService/", "/chitarrella.v1.RulesService/"
THREADS = 2
CALL_SECONDS = 60.0
BODY = 1 << 20
"""Bytes of a body that is not compressed: what the service reads at most."""


class Bomb(NamedTuple):
    """A request with a long list, for gRPC and in JSON for the others."""

    name: str
    path: str
    rest: str
    message: bytes
    fields: str


def bombs(scale: float) -> list[Bomb]:
    """The requests; ``scale`` 1 for the full length of the lists."""
    shares = [table_pb2.Share()] * int(200_000 * scale)
    validate = rules_pb2.ValidateMoveRequest(move=table_pb2.Move(verb="bid", shares=shares))
    cards = int(380_000 * scale)
    pack = matches_pb2.CreateMatchRequest(pack=[""] * cards)
    creates = int(1_000_000 * scale)
    batch = matches_pb2.BatchCreateMatchesRequest(requests=[matches_pb2.CreateMatchRequest()] * creates)
    asked = rules_pb2.BatchRequest(questions=[rules_pb2.Question()] * creates)
    return [
        _bomb(RULES, "ValidateMove", "/v1/rules:validateMove", validate, '{"move":{"shares":[%s]}}', "{}", len(shares)),
        _bomb(MATCHES, "CreateMatch", "/v1/matches", pack, '{"pack":[%s]}', '""', cards),
        _bomb(MATCHES, "BatchCreateMatches", "/v1/matches:batchCreate", batch, '{"requests":[%s]}', "{}", creates),
        _bomb(RULES, "Batch", "/v1/rules:batch", asked, '{"questions":[%s]}', "{}", creates),
    ]


def _bomb(service: str, rpc: str, rest: str, message: Message, form: str, item: str, number: int) -> Bomb:
    fields = form % ",".join([item] * number)
    return Bomb(rpc, f"{service}{rpc}", rest, message.SerializeToString(), fields)


def attack(folder: Path, scale: float) -> Attacked:
    """Send every bomb over gRPC, REST and Connect, from two threads."""
    prepared = bombs(scale)
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(_send_all, victim, prepared))


def _send_all(victim: Victim, prepared: list[Bomb]) -> Effect:
    with (
        grpc.insecure_channel(victim.grpc) as channel,
        httpx.Client(**{**PLAIN, "timeout": CALL_SECONDS}) as client,
        ThreadPoolExecutor(THREADS) as threads,
    ):
        sending = [threads.submit(send) for bomb in prepared for send in _sends(bomb, channel, client, victim.rest)]
        answers = [one.result() for one in sending]
    wrong = [answer for answer in answers if answer]
    return Effect(
        len(answers), f"{len(answers) - len(wrong)} refused" + "".join(f"; {one}" for one in wrong[:3]), not wrong
    )


def _sends(bomb: Bomb, channel: grpc.Channel, client: httpx.Client, rest: str) -> Iterator[partial[str]]:
    """The ways to send a bomb; each returns what was wrong with its answer, or nothing."""
    for compression in (grpc.Compression.Gzip, grpc.Compression.NoCompression):
        yield partial(_grpc, channel, bomb, compression)
    plain = bomb.fields.encode()
    zipped = {"content-encoding": "gzip"}
    kinds = {"json": {"content-type": "application/json"}, "proto": {"content-type": "application/proto"}}
    for path, body, headers in (
        (bomb.rest, gzip.compress(plain), kinds["json"] | zipped),
        (bomb.rest, plain[:BODY], kinds["json"]),
        (bomb.path, gzip.compress(plain), kinds["json"] | zipped),
        (bomb.path, gzip.compress(bomb.message), kinds["proto"] | zipped),
        (bomb.path, bomb.message[:BODY], kinds["proto"]),
    ):
        yield partial(_post, client, bomb.name, f"{rest}{path}", body, headers)


def _grpc(channel: grpc.Channel, bomb: Bomb, compression: grpc.Compression) -> str:
    try:
        # A message that is encoded already is sent as it is.
        send: Any = channel.unary_unary(bomb.path)
        send(bomb.message, timeout=CALL_SECONDS, compression=compression)
    except grpc.RpcError as error:
        code = error.code()
        refused = code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED)
        return "" if refused else f"{bomb.name} over gRPC: {code.name}"
    return f"{bomb.name} over gRPC: accepted"


def _post(client: httpx.Client, name: str, url: str, body: bytes, headers: dict[str, str]) -> str:
    try:
        response = client.post(url, content=body, headers=headers)
    except httpx.TransportError as error:  # the service stopped to read
        return "" if isinstance(error, httpx.WriteError | httpx.RemoteProtocolError) else f"{name}: {error!r}"
    return "" if 400 <= response.status_code < 500 else f"{name} to {httpx.URL(url).path}: {response.status_code}"
