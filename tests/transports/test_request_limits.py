"""What a request may cost is bounded by its size: every list of every message, over every transport."""

from __future__ import annotations

import gc
import gzip
import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any, cast

import grpc
import httpx
import protovalidate
import pytest
from google.protobuf import descriptor_pool, json_format, wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import DETAILED_BYTES, Dispatcher
from chitarrella.api.field_rules import is_map, is_valid, validity
from chitarrella.api.request_limits import (
    COUNTED,
    MAX_BYTES,
    MIN_BYTES,
    byte_limit,
    check_json_lists,
    check_lists,
    most_items,
    text_bound,
    trimmer,
)
from chitarrella.api.status import MAX_VIOLATIONS
from chitarrella.catalogue.registry import RuleSet
from chitarrella.questions.single_trick import playable_cards
from chitarrella.v1 import rules_pb2, table_pb2, validate_pb2
from chitarrella.v1.validate_pb2 import FieldRules, StringRules
from chitarrella.v1.validate_pb2 import field as field_rules
from tests.servers import until
from tests.transports.all_transports import RPCS, TRANSPORTS, grpc_opened, through
from tests.transports.conftest import WiredService
from tests.transports.rest_client import PLAIN
from tests.transports.test_every_rpc import servicers
from tests.walks import CATALOGUE, name, variants

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


# ---------------------------------------------------------------------- text bounds


VALIDATOR = protovalidate.Validator()


def texts(descriptor: Descriptor, way: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every text of a message and of the messages in it: its field, and whether it is a value or a key of a map."""
    for field in descriptor.fields:
        if is_map(field):
            pair: Any = field.message_type
            parts = [part.name for part in pair.fields if part.cpp_type == FieldDescriptor.CPPTYPE_STRING]
            yield from (((*way, field), part) for part in parts)
        elif field.message_type is not None:
            yield from texts(field.message_type, (*way, field))
        elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            yield (*way, field), "value"


TEXTS = [(rpc, *text) for rpc in RPCS for text in texts(RPCS[rpc].method.input_type)]


def put_text(message: Any, field: FieldDescriptor, part: str, text: str) -> None:
    """Put a text into a field: as its value, as an item of a list, or as a key or a value of a map."""
    if is_map(field):
        getattr(message, field.name).update({text: "a"} if part == "key" else {"a": text})
    elif field.is_repeated:
        getattr(message, field.name).append(text)
    else:
        setattr(message, field.name, text)


@pytest.mark.parametrize(("rpc", "way", "part"), TEXTS, ids=[f"{spelt(rpc, way)}-{part}" for rpc, way, part in TEXTS])
def test_the_longest_text_of_a_field_is_as_long_as_its_size_assumes(rpc: str, way: Path, part: str) -> None:
    """A character more breaks a rule, and the longest text has room in the request."""
    rules = way[-1].GetOptions().Extensions[field_rules]
    if is_map(way[-1]):
        rules = rules.map.keys if part == "key" else rules.map.values
    elif way[-1].is_repeated:
        rules = rules.repeated.items
    longest = text_bound(rules)
    assert longest is not None
    broken, owner_type = [], cast(Descriptor, way[-1].containing_type)
    for text in ("a" * longest, "a" * (longest + 1)):
        message: Any = GetMessageClass(owner_type)()
        put_text(message, way[-1], part, text)
        broken.append({one.proto.rule_id for one in VALIDATOR.collect_violations(message)})
    assert broken[1] - broken[0] in ({"string.max_len"}, {"string.pattern"}, {"string.max_len", "string.pattern"})
    request = RPCS[rpc].request()
    owner: Any = request
    for field in way[:-1]:
        owner = step_into(owner, field)
    put_text(owner, way[-1], part, "\N{PLAYING CARD ACE OF SPADES}" * longest)
    assert request.ByteSize() <= byte_limit(RPCS[rpc].method.input_type)


@pytest.mark.parametrize("message", [wrappers_pb2.StringValue, wrappers_pb2.BytesValue])
def test_a_text_without_a_bound_is_no_request(message: type[Message]) -> None:
    """The size of a message with such a text, or such bytes, has no bound: an error of the contract."""
    with pytest.raises(TypeError, match="value has no greatest length"):
        byte_limit(message.DESCRIPTOR)


@pytest.mark.parametrize(
    ("pattern", "bound"),
    [
        ("^[0-9a-f]{64}$", 64),
        ("^[a-z][^\\x00-\\]]{0,39}$", 40),
        ("^[a-z]{3,}$", None),
        ("^[a-z]+$", None),
        ("^[a-z]", None),
        ("", None),
    ],
)
def test_a_pattern_bounds_a_text(pattern: str, bound: int | None) -> None:
    """A pattern of classes with limited numbers does, any other does not."""
    assert bound == text_bound(FieldRules(string=StringRules(pattern=pattern)))


# ---------------------------------------------------------------------- largest hands


MOST_PLAYS = 64
"""Plays of the largest hand: every subset of the six cards of Harjan."""
GAMES = [
    (game, list(rule_sets))
    for game, rule_sets in groupby(variants(), lambda rule_set: rule_set.game)
    if CATALOGUE.game(game).trick_rules is not None
]


@pytest.mark.parametrize(("game", "rule_sets"), GAMES, ids=[game for game, _ in GAMES])
def test_hand_larger_than_any_that_is_dealt_is_refused(game: str, rule_sets: list[RuleSet]) -> None:
    """A hand of the largest size has few plays, and with one more card it is refused before any is found."""
    for rule_set in rule_sets:
        configured = CATALOGUE.game_for(rule_set)
        assert configured.trick_rules is not None, name(rule_set)
        most = configured.trick_rules.largest_hand
        cards = configured.pack.cards
        assert 0 < len(playable_cards(configured, cards[:most], ())) <= MOST_PLAYS, name(rule_set)
        if len(cards) > most:
            with pytest.raises(errors.BadRequest) as refused:
                playable_cards(configured, cards[: most + 1], ())
            assert ("bad_position", "hand") == (refused.value.code, refused.value.field), name(rule_set)


# ---------------------------------------------------------------------- field rules


TEXTS_FIELD_RULES = (
    *("", "a", "0", "-", "_", "briscola", "play_card", "Ab", "A", "a b", "a\n", "\n", "\r", "\x00", "\x7f", "\u0085"),
    *("a=b", "a=", "=b", "a=\x1f", "a" * 40 + "=b", "a.b-c", "https://a", "http://é", "https:// ", "ftp://a", "^a$"),
    *("0" * 64, "F" * 64, "f" * 65, "g" * 64, "f" * 64 + "\n"),
)  # fmt: skip
"""Texts that some patterns allow and others do not."""
ROUNDS, ROUNDS_OF_LONG = 300, 60
"""How many messages of each type are tried; fewer where a message has many others."""
LONG_REQUESTS = ("ApplyMoves", "Batch", "BatchCreateMatches")


def rules_of(field: Any) -> Any:
    """The rules of a field."""
    return field.GetOptions().Extensions[validate_pb2.field]


def text(rules: Any, rng: Random) -> str:
    """A text, mostly one that the rules allow, else one at the border of its length, or any."""
    most = rules.max_len or 50
    borders = ["a" * most, "a" * (most + 1), "é" * most, "é" * (most + 1), "a" * rules.min_len]
    fitting = [each for each in (*TEXTS_FIELD_RULES, *borders) if rules.min_len <= len(each) <= most]
    fitting = [each for each in fitting if re.search(rules.pattern, each)]
    anything = (*TEXTS_FIELD_RULES, *borders, *["a" * (most + 1)] * 9)
    return str(rng.choice(fitting) if fitting and rng.random() < 0.93 else rng.choice(anything))


def number(rules: Any, rng: Random) -> int:
    """A number, mostly one that the rules allow, else one beyond."""
    most = rules.lte if rules.HasField("lte") else 2**32 - 1
    good = [rules.gte, min(rules.gte + 1, most), most]
    beyond = [0, max(rules.gte - 1, 0), min(most + 1, 2**32 - 1), 2**32 - 1]
    return int(rng.choice(good if rng.random() < 0.93 else beyond))


def size(least: int, most: int, rng: Random) -> int:
    """A number of items, mostly a small one that the rules allow, else one at a border or beyond."""
    if rng.random() < 0.9:
        return rng.choice([least, least + 1])
    return rng.choice([0, max(least - 1, 0), most, most + 1])


def single(field: Any, rules: Any, rng: Random) -> Any:
    """A value of a field that is no message."""
    if field.enum_type is not None:
        return rng.choice([*field.enum_type.values_by_number, *([77, -1] if rng.random() < 0.1 else [])])
    if field.type == FieldDescriptor.TYPE_STRING:
        return text(rules.string, rng)
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    return number(rules.uint32, rng) if field.type == FieldDescriptor.TYPE_UINT32 else rng.choice([0, 1, -1, 5])


def fill_field_rules(message: Any, field: Any, rng: Random) -> None:
    """Set a field of a message to some value."""
    rules, value = rules_of(field), getattr(message, field.name)
    if field.type == FieldDescriptor.TYPE_UINT64:
        setattr(message, field.name, rng.choice([0, 1, 2**64 - 1]))
    elif is_map(field):
        for place in range(size(rules.map.min_pairs, rules.map.max_pairs, rng)):
            key = text(rules.map.keys.string, rng)
            value[key if place < 2 else f"{key[:5]}{place}"] = text(rules.map.values.string, rng)
    elif field.is_repeated and field.message_type is not None:
        for _ in range(size(rules.repeated.min_items, min(rules.repeated.max_items, 110), rng)):
            randomize(value.add(), rng)
    elif field.is_repeated:
        number_of = size(rules.repeated.min_items, rules.repeated.max_items, rng)
        value.extend([single(field, rules.repeated.items, rng) for _ in range(number_of)])
    elif field.message_type is not None:
        value.SetInParent()
        randomize(value, rng)
    else:
        setattr(message, field.name, single(field, rules, rng))


def randomize(message: Message, rng: Random) -> None:
    """Set most fields of a message; of those that exclude each other mostly one."""
    for field in message.DESCRIPTOR.fields:
        oneof = field.containing_oneof
        chance = 1 / len(oneof.fields) if oneof is not None and len(oneof.fields) > 1 else 0.8
        chance = 1.0 if rules_of(field).required and rng.random() < 0.97 else chance
        if rng.random() < chance:
            fill_field_rules(message, field, rng)


@pytest.mark.parametrize("name", RPCS)
def test_the_checks_find_the_same_messages_valid_as_protovalidate(name: str) -> None:
    """Of random messages, at the borders of their fields and beyond, exactly those without a violation are valid."""
    rng, found = Random(f"field rules {name}"), Counter[bool]()
    for _ in range(ROUNDS_OF_LONG if name in LONG_REQUESTS else ROUNDS):
        request = RPCS[name].request()
        randomize(request, rng)
        valid = not VALIDATOR.collect_violations(request, fail_fast=True)
        assert valid == is_valid(request), str(request)[:2000]
        found[valid] += 1
    assert found[True]
    assert found[False] or not has_rules(RPCS[name].method.input_type)


def has_rules(message: Any) -> bool:
    """Whether any field of a message has a rule."""
    return any(
        rules_of(field).ListFields() or (field.message_type is not None and has_rules(field.message_type))
        for field in message.fields
    )


@pytest.mark.parametrize("name", RPCS)
def test_every_request_has_a_check(name: str) -> None:
    """The rules of every request are known; a new kind of rule would leave its requests to protovalidate alone."""
    assert validity(RPCS[name].method.input_type) is not None


BRIEF = table_pb2.RuleSet(game_id="a")
LONG = table_pb2.RuleSet(game_id="a", players=20)
QUESTION = rules_pb2.Question(list_legal_moves=rules_pb2.ListLegalMovesRequest())
BORDERS: list[tuple[Message, bool]] = [
    (rules_pb2.Position(), False),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(), text="x"), False),
    (rules_pb2.Position(rule_set=BRIEF), False),
    (rules_pb2.Position(rule_set=BRIEF, text="x"), True),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(game_id="a\n"), text="x"), False),
    (rules_pb2.Position(rule_set=LONG, text="x" * 150_000), True),
    (rules_pb2.Position(rule_set=table_pb2.RuleSet(game_id="a", players=21), text="x"), False),
    (rules_pb2.Position(rule_set=BRIEF, text="x" * 150_001), False),
    (table_pb2.Move(verb="a", cards=["x" * 8] * 104), True),
    (table_pb2.Move(verb="a", cards=["x"] * 105), False),
    (table_pb2.Move(verb="a", cards=["x" * 8, "x" * 9]), False),
    (table_pb2.Move(verb="a", seat=19), True),
    (table_pb2.Move(verb="a", seat=20), False),
    (table_pb2.Move(verb="a", shares=[table_pb2.Share(person="")]), False),
    (rules_pb2.Question(), False),
    (QUESTION, True),
    (rules_pb2.BatchRequest(questions=[QUESTION] * 1000), True),
    (rules_pb2.BatchRequest(questions=[QUESTION] * 1001), False),
    (rules_pb2.Question(list_legal_moves=rules_pb2.ListLegalMovesRequest(seat=20)), False),
    (
        rules_pb2.ListLegalMovesRequest(position=rules_pb2.Position(), partial_position=rules_pb2.PartialPosition()),
        False,
    ),
]


@pytest.mark.parametrize(("message", "valid"), BORDERS, ids=map(str, range(len(BORDERS))))
def test_the_borders_of_fields(message: Message, valid: bool) -> None:
    """A value at its border is allowed, and the next one is not."""
    assert valid == is_valid(message)
    assert valid == (not VALIDATOR.collect_violations(message))


NUMBER, TEXT = FieldDescriptor.TYPE_INT32, FieldDescriptor.TYPE_STRING
UNKNOWN: dict[str, tuple[Any, dict[str, Any]]] = {
    "other_kind": (NUMBER, {"int32": {"lte": 3}}),
    "other_rule": (TEXT, {"string": {"prefix": "a"}}),
    "other_pattern": (TEXT, {"string": {"pattern": "^(a|b)$"}}),
    "open_pattern": (TEXT, {"string": {"pattern": "^a"}}),
    "expression": (TEXT, {"cel": [{"id": "x", "expression": "true"}]}),
    "other_ignore": (TEXT, {"string": {"min_len": 1}, "ignore": validate_pb2.IGNORE_ALWAYS}),
    "mismatch": (TEXT, {"uint32": {"lte": 3}}),
}
"""Rules that the contract does not have: the type of a field, and its rules."""


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_rule_that_is_not_known_is_left_to_protovalidate(name: str) -> None:
    """A message with such a rule has no check, and is never said to be valid."""
    kind, rules = UNKNOWN[name]
    file = FileDescriptorProto(name=f"{name}.proto", package=f"unknown.{name}", syntax="proto3")
    file.dependency.append(validate_pb2.DESCRIPTOR.name)
    described = file.message_type.add(name="Message")
    field = described.field.add(name="value", number=1, type=kind, label=FieldDescriptor.LABEL_OPTIONAL)
    field.options.Extensions[validate_pb2.field].CopyFrom(validate_pb2.FieldRules(**rules))
    descriptor_pool.Default().AddSerializedFile(file.SerializeToString())
    message = descriptor_pool.Default().FindMessageTypeByName(f"unknown.{name}.Message")
    assert validity(message) is None
    assert not is_valid(GetMessageClass(message)())
