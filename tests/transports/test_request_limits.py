"""What a request may cost is bounded by its size: every list of every message, over every transport."""

import gc
import gzip
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import groupby, product
from typing import Any, cast

import httpx
import protovalidate
import pytest
from connectrpc.errors import ConnectError
from google.protobuf import wrappers_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass

from chitarrella import errors, v1
from chitarrella.api import request_size
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import DETAILED_BYTES, Dispatcher
from chitarrella.api.request_size import MAX_BYTES, MIN_BYTES, byte_limit, check_lists, is_map, most_items, text_bound
from chitarrella.api.status import MAX_VIOLATIONS
from chitarrella.catalogue.registry import RuleSet
from chitarrella.questions import PartialPosition, PartialTrick, plays_of, read_partial_question
from chitarrella.v1.validate_pb2 import FieldRules, StringRules
from chitarrella.v1.validate_pb2 import field as field_rules
from tests.servers import until
from tests.transports.all_transports import RPCS, Transport
from tests.transports.random_messages import Path, ways
from tests.transports.rest_client import PLAIN
from tests.transports.test_every_rpc import servicers
from tests.walks import CATALOGUE, name, variants

FLOOD = 20_000
MOST_CALLS = 1_000
"""Of functions, to refuse a list: several times what the longest takes."""
VALIDATE = "/chitarrella.v1.RulesService/ValidateMove"

WAYS = [(rpc, way) for rpc in RPCS for way in ways(RPCS[rpc].method.input_type)]
LISTS = [(rpc, way) for rpc, way in WAYS if way[-1].is_repeated]


def spelt(rpc: str, way: Path) -> str:
    return f"{rpc}.{'.'.join(field.name for field in way)}"


def step_into(message: Any, field: FieldDescriptor) -> Any:
    """Go into a field, into a new item of it where it is a list."""
    found = getattr(message, field.name)
    if field.is_repeated:
        return found[0] if found else found.add()
    found.SetInParent()
    return found


def holding(rpc: str, way: Path) -> tuple[Any, Any]:
    """A request, and the message in it that has the last field of a way."""
    request = RPCS[rpc].request()
    owner: Any = request
    for field in way[:-1]:
        owner = step_into(owner, field)
    return request, owner


def fill(message: Any, field: FieldDescriptor, count: int) -> None:
    found = getattr(message, field.name)
    if is_map(field):
        found.update({str(number): "" for number in range(count)})
    elif field.message_type is not None:
        for _ in range(count):
            found.add()
    else:
        found.extend([""] * count if field.cpp_type == FieldDescriptor.CPPTYPE_STRING else [0] * count)


@cache
def warm_dispatcher() -> Dispatcher:
    """One dispatcher for all lists, whose rules are compiled."""
    dispatcher = Dispatcher(servicers())
    dispatcher.warm_up()
    return dispatcher


@pytest.mark.parametrize(("rpc", "way"), LISTS, ids=[spelt(*one) for one in LISTS])
def test_a_list_that_is_too_long_costs_no_more_than_its_bound(rpc: str, way: Path) -> None:
    """A list of 20,000 items is refused before its items are looked at, and of a long request one fault is named."""
    request, owner = holding(rpc, way)
    fill(owner, way[-1], FLOOD)
    dispatcher, calls = warm_dispatcher(), Counter[str]()
    sys.setprofile(lambda _frame, event, _called: calls.update([event]))
    try:
        with pytest.raises(errors.BadRequest) as failed:
            dispatcher.answer(RPCS[rpc].path, request, Caller())
    finally:
        sys.setprofile(None)
    assert calls["call"] + calls["c_call"] < MOST_CALLS
    assert "bad_request" == failed.value.code
    assert len(failed.value.violations) <= (MAX_VIOLATIONS if request.ByteSize() <= DETAILED_BYTES else 1)


@pytest.mark.parametrize("rpc", RPCS)
def test_the_size_of_a_request_is_bounded_by_its_fields(rpc: str) -> None:
    """A request may have 64 KiB in any case, and at most 1 MiB: as much as its fields can need."""
    limit, fields = byte_limit(kind := RPCS[rpc].method.input_type), {field.name for field in kind.fields}
    assert MIN_BYTES <= limit <= MAX_BYTES
    if not fields & {"position", "record", "question", "requests", "questions", "moves"}:
        assert MIN_BYTES == limit


def test_a_flood_names_the_list(transports: Sequence[Transport]) -> None:
    """A question with 200,000 empty shares is answered with the list that is too long."""
    flood = v1.ValidateMoveRequest(move={"verb": "pass", "shares": [{}] * 200_000})
    assert {("bad_request", "move.shares")} == {ask("ValidateMove", flood) for ask in transports}


COUNTED_LISTS = [(rpc, way) for rpc, way in LISTS if way[-1].cpp_type in request_size.COUNTED]


@pytest.mark.parametrize(("rpc", "way"), COUNTED_LISTS, ids=[spelt(*one) for one in COUNTED_LISTS])
def test_a_long_list_is_found_before_it_is_decoded(rpc: str, way: Path) -> None:
    """Encoded, a list of a large request is refused as soon as it is too long, and named."""
    request, owner = holding(rpc, way)
    allowed = most_items(way[-1])
    fill(owner, way[-1], allowed)
    descriptor: Any = request.DESCRIPTOR
    unknown = b"\xfa\x7f" + bytes([0x80 | (MIN_BYTES & 0x7F), 0x80 | (MIN_BYTES >> 7 & 0x7F), MIN_BYTES >> 14])
    check_lists(descriptor, request.SerializeToString() + unknown + bytes(MIN_BYTES))
    fill(owner, way[-1], allowed + 1)
    expected = ".".join(f"{field.name}[0]" if field.is_repeated else field.name for field in way[:-1])
    body = unknown + bytes(MIN_BYTES) + request.SerializeToString()
    with pytest.raises(errors.BadRequest) as failed:
        check_lists(descriptor, body)
    assert ".".join(filter(None, (expected, way[-1].name))) == failed.value.field
    check_lists(descriptor, body[:10])


def test_what_is_no_message_is_left_to_the_decoder() -> None:
    """A walk of bytes that are no message ends, and says nothing."""
    descriptor: Any = v1.ValidateMoveRequest.DESCRIPTOR
    for cut, noise in product(range(1, 12), (b"\xff", b"\x1a", b"\x0b", b"\x1a\x05")):
        check_lists(descriptor, noise * (MIN_BYTES // cut + MIN_BYTES))


def test_large_requests_over_http_are_not_read(rest: str) -> None:
    """Of a call whose fields need no more, 64 KiB are not read, nor is a MiB unpacked."""
    cards = {"cards": ["A" * MIN_BYTES]}
    for path in ("/v1/rules:resolveTrick", RPCS["ResolveTrick"].path):
        large = httpx.post(rest + path, json=cards, **PLAIN)
        assert "64 KiB" in large.text
        assert large.status_code in {413, 429}
    how = {"Content-Type": "application/proto", "Content-Encoding": "gzip"}
    unpacked = httpx.post(rest + VALIDATE, content=gzip.compress(bytes(MAX_BYTES + 1)), headers=how, **PLAIN)
    assert "resource_exhausted" == unpacked.json()["code"]


def test_refused_requests_leave_memory_at_once(rest: str, transports: Sequence[Transport]) -> None:
    """A request that is refused is in no cycle: it needs no garbage collector, which runs rarely."""
    how = {"Content-Type": "application/proto", "Content-Encoding": "gzip"}
    bomb = gzip.compress(bytes(request_size.MAX_BODY_BYTES + 1))
    for ask in transports:
        gc.collect()
        gc.disable()
        gc.freeze()  # what is there already is not looked through again and again
        try:
            for _ in range(3):
                assert "bad_request" == ask("ValidateMove").code
            assert 429 == httpx.post(rest + VALIDATE, content=bomb, headers=how, **PLAIN).status_code
            until(lambda: not gc_objects((errors.BadRequest, ConnectError)), "every error is gone")
        finally:
            gc.unfreeze()
            gc.enable()


def gc_objects(kinds: tuple[type, ...]) -> list[object]:
    """The objects of some classes that are in memory."""
    return [one for one in gc.get_objects() if isinstance(one, kinds)]


# ---------------------------------------------------------------------- text bounds


VALIDATOR = protovalidate.Validator()


def texts(field: Any) -> list[str]:
    """Whether the value, and of a map also the key, of a field is a text."""
    parts = field.message_type.fields if is_map(field) else [field]
    found = [part for part in parts if part.cpp_type == FieldDescriptor.CPPTYPE_STRING]
    return [part.name if is_map(field) else "value" for part in found]


TEXTS = [(rpc, way, part) for rpc, way in WAYS for part in texts(way[-1])]


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
        violations: list[Any] = [one.proto for one in VALIDATOR.collect_violations(message)]
        broken.append({one.rule_id for one in violations if one.field.elements[0].field_name == way[-1].name})
    assert broken[1] - broken[0] in ({"string.max_len"}, {"string.pattern"}, {"string.max_len", "string.pattern"})
    request, owner = holding(rpc, way)
    put_text(owner, way[-1], part, "\N{PLAYING CARD ACE OF SPADES}" * longest)
    assert request.ByteSize() <= byte_limit(RPCS[rpc].method.input_type)


def test_a_text_needs_a_bound() -> None:
    """The size of a message with a text, or bytes, without one is an error; a pattern of limited classes is one."""
    for message in (wrappers_pb2.StringValue, wrappers_pb2.BytesValue):
        with pytest.raises(TypeError, match="value has no greatest length"):
            byte_limit(message.DESCRIPTOR)
    bounds = {"^[0-9a-f]{64}$": 64, "^[a-z][^\\x00-\\]]{0,39}$": 40}
    for pattern in (*bounds, "^[a-z]{3,}$", "^[a-z]+$", "^[a-z]", ""):
        assert bounds.get(pattern) == text_bound(FieldRules(string=StringRules(pattern=pattern))), pattern


# ---------------------------------------------------------------------- largest hands


MOST_PLAYS = 64
"""Plays of the largest hand: every subset of the six cards of Harjan."""
BY_GAME = ((key, list(found)) for key, found in groupby(variants(), lambda rule_set: rule_set.game))
GAMES = [(key, found) for key, found in BY_GAME if CATALOGUE.game(key).trick_rules is not None]


@pytest.mark.parametrize(("game", "rule_sets"), GAMES, ids=[game for game, _ in GAMES])
def test_hand_larger_than_any_that_is_dealt_is_refused(game: str, rule_sets: list[RuleSet]) -> None:
    """A hand of the largest size has few plays, and with one more card it is refused before any is found."""
    for rule_set in rule_sets:
        configured = CATALOGUE.game_for(rule_set)
        assert configured.trick_rules is not None, name(rule_set)
        most = configured.trick_rules.largest_hand
        cards = configured.pack.cards
        held = PartialPosition([(0, cards[:most])], PartialTrick())
        assert 0 < len(plays_of(read_partial_question(configured, held, 0))) <= MOST_PLAYS, name(rule_set)
        if len(cards) > most:
            with pytest.raises(errors.BadRequest, match=f"at most {most} cards") as refused:
                read_partial_question(configured, held._replace(hands=[(0, cards[: most + 1])]), 0)
            assert "partial_position.hands[0].cards" == refused.value.field, name(rule_set)
