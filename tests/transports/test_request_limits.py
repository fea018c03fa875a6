"""What a request may cost is bounded by its size: every list of every message, over every transport."""

from __future__ import annotations

import gc
import gzip
from collections.abc import Iterator
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import DETAILED_BYTES, Dispatcher
from chitarrella.api.list_counts import COUNTED, check_json_lists, check_lists
from chitarrella.api.request_limits import MAX_BYTES, MIN_BYTES, byte_limit, is_map, most_items, trimmer
from chitarrella.api.status import MAX_VIOLATIONS
from chitarrella.v1 import rules_pb2, table_pb2
from tests.servers import until
from tests.transports.all_transports import RPCS, TRANSPORTS, grpc_opened, through
from tests.transports.conftest import WiredService
from tests.transports.rest_client import PLAIN
from tests.transports.test_dispatcher import servicers

FLOOD = 20_000
VALIDATE = "/chitarrella.v1.RulesService/ValidateMove"

Path = tuple[FieldDescriptor, ...]


def lists(descriptor: Descriptor, way: Path = ()) -> Iterator[Path]:
    """Every list and map of a message, and of the messages in it: the fields that lead to it."""
    for field in descriptor.fields:
        if field.is_repeated:
            yield (*way, field)
        if field.message_type is not None and not is_map(field):
            yield from lists(field.message_type, (*way, field))


LISTS = [(rpc, way) for rpc in RPCS for way in lists(RPCS[rpc].method.input_type)]


def spelt(rpc: str, way: Path) -> str:
    """The name of a test."""
    return f"{rpc}.{'.'.join(field.name for field in way)}"


def step_into(message: Any, field: FieldDescriptor) -> Any:
    """Go into a field, into a new item of it where it is a list."""
    found = getattr(message, field.name)
    if field.is_repeated:
        return found[0] if found else found.add()
    found.SetInParent()
    return found


def fill(message: Any, field: FieldDescriptor, count: int) -> None:
    """Put so many items into a list or a map."""
    found = getattr(message, field.name)
    if is_map(field):
        found.update({str(number): "" for number in range(count)})
    elif field.message_type is not None:
        for _ in range(count):
            found.add()
    else:
        found.extend([""] * count if field.cpp_type == FieldDescriptor.CPPTYPE_STRING else [0] * count)


@pytest.mark.parametrize(("rpc", "way"), LISTS, ids=[spelt(*one) for one in LISTS])
def test_a_list_that_is_too_long_costs_no_more_than_its_bound(rpc: str, way: Path) -> None:
    """No list is validated beyond the item that makes it too long, and of a long request one fault is named."""
    dispatcher = Dispatcher(servicers())
    request = RPCS[rpc].request()
    owner: Any = request
    for field in way[:-1]:
        owner = step_into(owner, field)
    fill(owner, way[-1], FLOOD)
    with pytest.raises(errors.BadRequest) as failed:
        dispatcher.answer(RPCS[rpc].path, request, Caller())
    assert most_items(way[-1]) + 1 == len(getattr(owner, way[-1].name))
    assert "bad_request" == failed.value.code
    assert len(failed.value.violations) <= (MAX_VIOLATIONS if request.ByteSize() <= DETAILED_BYTES else 1)


@pytest.mark.parametrize("rpc", RPCS)
def test_the_size_of_a_request_is_bounded_by_its_fields(rpc: str) -> None:
    """A request may have 64 KiB in any case, and at most 1 MiB: as much as its fields can need."""
    assert MIN_BYTES <= byte_limit(RPCS[rpc].method.input_type) <= MAX_BYTES
    with_text = {field.name for field in RPCS[rpc].method.input_type.fields} & {"position", "record", "question"}
    several = {"requests", "questions", "moves"}
    if not with_text and not several & {field.name for field in RPCS[rpc].method.input_type.fields}:
        assert byte_limit(RPCS[rpc].method.input_type) == MIN_BYTES


def test_what_is_allowed_stays_as_it_is() -> None:
    """Trimming changes no request whose lists are within their bounds."""
    request = rules_pb2.ValidateMoveRequest(move=table_pb2.Move(verb="play_card", cards=["Ab"]))
    request.move.shares.add()
    before = request.SerializeToString()
    trim = trimmer(request.DESCRIPTOR)
    assert trim is not None
    trim(request)
    assert before == request.SerializeToString()


def flood() -> Message:
    """A question with 200,000 empty shares: 456 bytes when compressed."""
    request = rules_pb2.ValidateMoveRequest()
    for _ in range(200_000):
        request.move.shares.add()
    return request


def test_a_flood_over_grpc_names_the_list(wired: WiredService) -> None:
    """It comes compressed, and is answered with the list that is too long."""
    body = flood().SerializeToString()
    with grpc_opened(wired) as address, grpc.insecure_channel(address, compression=grpc.Compression.Gzip) as channel:
        ask: Any = channel.unary_unary(VALIDATE)
        with pytest.raises(grpc.RpcError) as failed:
            ask(body)
    call: Any = failed.value
    status, wrong = rpc_status.from_call(call), error_details_pb2.BadRequest()
    assert status is not None
    assert grpc.StatusCode.INVALID_ARGUMENT == call.code()
    assert any(detail.Unpack(wrong) for detail in status.details)
    assert ["move.shares"] == [one.field for one in wrong.field_violations]


COUNTED_LISTS = [(rpc, way) for rpc, way in LISTS if way[-1].cpp_type in COUNTED]


@pytest.mark.parametrize(("rpc", "way"), COUNTED_LISTS, ids=[spelt(*one) for one in COUNTED_LISTS])
def test_a_long_list_is_found_before_it_is_decoded(rpc: str, way: Path) -> None:
    """Encoded, in binary or JSON, a list of a large request is refused as soon as it is too long, and named."""
    request = RPCS[rpc].request()
    owner: Any = request
    for field in way[:-1]:
        owner = step_into(owner, field)
    allowed = most_items(way[-1])
    fill(owner, way[-1], allowed)
    descriptor: Any = request.DESCRIPTOR
    padding = " " * MIN_BYTES
    unknown = b"\xfa\x7f" + bytes([0x80 | (MIN_BYTES & 0x7F), 0x80 | (MIN_BYTES >> 7 & 0x7F), MIN_BYTES >> 14])
    for check, body in (
        (check_lists, request.SerializeToString() + unknown + bytes(MIN_BYTES)),
        (check_json_lists, json_format.MessageToJson(request).encode() + padding.encode()),
    ):
        check(descriptor, body)
    fill(owner, way[-1], allowed + 1)
    expected = ".".join(f"{field.name}[0]" if field.is_repeated else field.name for field in way[:-1])
    for check, body in (
        (check_lists, unknown + bytes(MIN_BYTES) + request.SerializeToString()),
        (check_json_lists, json_format.MessageToJson(request).encode() + padding.encode()),
    ):
        with pytest.raises(errors.BadRequest) as failed:
            check(descriptor, body)
        assert ".".join(filter(None, (expected, way[-1].name))) == failed.value.field
        check(descriptor, body[:10])


@pytest.mark.parametrize("cut", range(1, 12))
def test_what_is_no_message_is_left_to_the_decoder(cut: int) -> None:
    """A walk of bytes that are no message ends, and says nothing."""
    descriptor: Any = rules_pb2.ValidateMoveRequest.DESCRIPTOR
    for noise in (b"\xff", b"\x1a", b"\x0b", b"\x1a\x05"):
        check_lists(descriptor, noise * (MIN_BYTES // cut + MIN_BYTES))
    check_json_lists(descriptor, b'{"move": [' * MIN_BYTES)


@pytest.mark.parametrize("path", ["/v1/rules:validateMove", VALIDATE])
def test_a_flood_over_http_names_the_first_faults(rest: str, path: str) -> None:
    """The answer to 300 KB of empty items is short, over REST and over Connect."""
    body = b'{"move":{"shares":[' + b",".join([b"{}"] * 100_000) + b"]}}"
    answer = httpx.post(f"{rest}{path}", content=body, headers={"Content-Type": "application/json"}, **PLAIN)
    assert 400 == answer.status_code
    assert len(answer.content) < 4_000


@pytest.mark.parametrize("path", ["/v1/rules:resolveTrick", "/chitarrella.v1.RulesService/ResolveTrick"])
def test_a_call_without_long_fields_takes_64_kib(rest: str, path: str) -> None:
    """What is larger is refused before it is parsed; the error says how much is allowed."""
    body = b'{"cards":["' + b"A" * MIN_BYTES + b'"]}'
    answer = httpx.post(f"{rest}{path}", content=body, headers={"Content-Type": "application/json"}, **PLAIN)
    assert "64 KiB" in answer.text
    assert answer.status_code in {413, 429}


def test_a_compressed_flood_over_connect_is_bounded(rest: str) -> None:
    """The limit counts what comes out of the compression."""
    headers = {"Content-Type": "application/proto", "Content-Encoding": "gzip"}
    body = gzip.compress(bytes(MAX_BYTES + 1))
    answer = httpx.post(f"{rest}{VALIDATE}", content=body, headers=headers, **PLAIN)
    assert "resource_exhausted" == answer.json()["code"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_refused_requests_leave_memory_at_once(wired: WiredService, rest: str, transport: str) -> None:
    """A request that is refused is in no cycle: it needs no garbage collector, which runs rarely."""
    with through(transport, wired, rest) as ask:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                assert "bad_request" == ask("ValidateMove", rules_pb2.ValidateMoveRequest()).code
            until(lambda: not gc_objects(errors.BadRequest), "every error is gone")
        finally:
            gc.enable()


def gc_objects(kind: type) -> list[object]:
    """The objects of a class that are in memory."""
    return [one for one in gc.get_objects() if isinstance(one, kind)]
