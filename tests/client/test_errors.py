"""Errors and codes: what the client makes of failed calls, without a service on the network."""

import re
import socket
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from chitarrella.transports.inprocess import Service, channel
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella_client import Chitarrella, ErrorCode, Match, RefusalCode, TimedOut, Unavailable, errors
from chitarrella_client.errors import read_error
from chitarrella_client.responses import MatchDetails, MatchState
from chitarrella_client.retry import BACKOFF, RetryPolicy, Subscription
from chitarrella_client.types import RuleSet, View, Waiting
from tests.client.conftest import Opens, step
from tests.client.proxy import DATA, HEADERS, Proxy
from tests.walks import CATALOGUE

CLIENTS = Path(__file__).parents[2] / "clients"


class Failed(grpc.RpcError):
    """A call that failed, as grpc raises it."""

    def __init__(self, status: grpc.StatusCode, *details: Message, message: str = "It went wrong.") -> None:
        packed = Status(code=status.value[0], message=message)
        for detail in details:
            AnyMessage.Pack(packed.details.add(), detail)
        self._said = (status, message, (("grpc-status-details-bin", packed.SerializeToString()),) if details else ())

    def code(self) -> grpc.StatusCode:
        return self._said[0]

    def details(self) -> str:
        return self._said[1]

    def trailing_metadata(self) -> Any:
        return self._said[2]


def info(code: str, domain: str = "chitarrella", **particulars: str) -> error_details_pb2.ErrorInfo:
    return error_details_pb2.ErrorInfo(reason=code, domain=domain, metadata=particulars)


garbled = Failed(grpc.StatusCode.UNAVAILABLE, info("store_down"))
garbled._said = (grpc.StatusCode.PERMISSION_DENIED, "No.", garbled._said[2])


@pytest.mark.parametrize(
    ("failed", "kind", "code", "from_service"),
    [
        (Failed(grpc.StatusCode.ABORTED, info("stale_revision")), errors.StaleRevision, "stale_revision", True),
        (Failed(grpc.StatusCode.ABORTED, info("moves_lost")), errors.MovesLost, "moves_lost", True),
        # A code that this client does not know.
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_table")), errors.NotFound, "no_such_table", True),
        (Failed(grpc.StatusCode.DATA_LOSS, info("no_such_table")), errors.ChitarrellaError, "no_such_table", True),
        # What an intermediary, or the gRPC library of the server, has said.
        (Failed(grpc.StatusCode.UNAVAILABLE), errors.Unavailable, "unavailable", False),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("x", domain="elsewhere")), errors.Unavailable, "unavailable", False),
        (garbled, errors.NotAllowed, "permission_denied", False),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED), errors.ResourceExhausted, "resource_exhausted", False),
        (Failed(grpc.StatusCode.INTERNAL), errors.InternalError, "internal", False),
    ],
)
def test_error_has_the_class_of_its_code(
    failed: Failed, kind: type[errors.ChitarrellaError], code: str, *, from_service: bool
) -> None:
    """An error has the class of its code, or else of its status, which is the code where it is not of the service."""
    error = read_error(failed)
    assert (kind, code, from_service) == (type(error), error.code, error.from_service)


def test_error_has_its_particulars() -> None:
    """The field, the present revision, and every invalid field with its sentence, are those of the details."""
    details = {"field": "expected_revision", "revision": "7", "still_legal": "true"}
    for code in ("stale_revision", "moves_lost"):
        error = read_error(Failed(grpc.StatusCode.ABORTED, info(code, **details)))
        assert isinstance(error, errors.StaleRevision)
        assert ("expected_revision", 7, True) == (error.field, error.revision, error.still_legal)
    violation = error_details_pb2.BadRequest.FieldViolation(field="move.verb", description="is no verb")
    bad = error_details_pb2.BadRequest(field_violations=[violation])
    error = read_error(Failed(grpc.StatusCode.INVALID_ARGUMENT, info("bad_request", field="move.verb"), bad))
    assert isinstance(error, errors.BadRequest)
    assert (("move.verb", "is no verb"),) == error.violations


COMPARES_TEXT = re.compile(
    r"(?:details\(\)|[mM]essage(?:\(\))?)\s*(?:==(?! null)|\.(?:starts_?with|contains|includes|find)\()|HasPrefix",
    re.IGNORECASE,
)
"""How a client would tell an error by its text."""


@pytest.mark.parametrize(
    "path",
    [
        "python/src/chitarrella_client/errors.py",
        "go/errors.go",
        "typescript/src/errors.ts",
        "java/src/main/java/chitarrella/client/internal/ErrorMapper.java",
    ],
)
def test_no_client_compares_messages(path: str) -> None:
    """What reads an error compares no message: it has the reason code, or else the status."""
    text = (CLIENTS / path).read_text(encoding="utf-8")
    assert "chitarrella" in text
    assert [] == COMPARES_TEXT.findall(text)


def test_every_code_stands_beside_its_class() -> None:
    """The client and the table know the codes that an rpc can end with, each beside its status and class."""
    text = (CLIENTS.parent / "docs" / "integration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z_]+) \| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    listed = {code: row for *row, codes in rows for code in re.findall(r"`([a-z_]+)`", codes)}
    codes = {known.code for known in PROBLEM_TYPES} - {"no_such_route", "wrong_method", "wrong_media_type"}
    assert codes | {"unavailable", "deadline_exceeded"} == set(ErrorCode) == listed.keys()
    for known in PROBLEM_TYPES:
        status, kind = listed.get(known.code, (known.status.grpc, "ChitarrellaError"))
        assert status == known.status.grpc
        for details in ((), (info(known.code),)):
            assert isinstance(read_error(Failed(grpc.StatusCode[status], *details)), getattr(errors, kind)), known.code


def test_refusal_codes_are_of_games() -> None:
    """Every code for refusals that the client names is one of some game."""
    assert set(RefusalCode) <= {reason.code for game in CATALOGUE for reason in game.reasons}


# ---------------------------------------------------------------------- tracebacks


def tracebacks(error: BaseException) -> int:
    """Count the tracebacks that are printed for an uncaught exception."""
    return "".join(traceback.format_exception(error)).count("Traceback (most recent call last)")


def test_in_process_error_has_one_traceback() -> None:
    """An error of the service in the same process says everything itself: no other exception is printed with it."""
    with Chitarrella(channel()) as client:
        stranger = client.match("0" * 20)
        for attempt in (lambda: client.game("nix"), stranger.get, lambda: list(stranger.watch())):
            with pytest.raises(errors.NotFound) as failed:
                attempt()
            assert 1 == tracebacks(failed.value)


def test_internal_error_in_process_shows_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error of the service in the same process is printed with the exception behind it, and no more."""
    service = Service()

    def failing(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(service.dispatcher, "call", failing)
    with channel(service) as in_process, pytest.raises(errors.InternalError) as failed:
        Chitarrella(in_process).game("briscola")
    service.close()
    assert isinstance(failed.value.__cause__, ZeroDivisionError)
    assert 2 == tracebacks(failed.value)


def test_lost_call_shows_the_grpc_error() -> None:
    """A call without a response of the service has the gRPC error as its cause; a response is enough by itself."""
    lost = Failed(grpc.StatusCode.UNAVAILABLE)
    assert lost is read_error(lost).__cause__
    assert read_error(Failed(grpc.StatusCode.UNAVAILABLE, info("store_down"))).__cause__ is None


# ---------------------------------------------------------------------- retry


def state_at(cursor: str, waiting: Waiting) -> MatchDetails:
    state, now = MatchState.FINISHED if waiting is Waiting.NOBODY else MatchState.OPEN, datetime.now(UTC)
    return MatchDetails("m", RuleSet("briscola"), state, 1, now, view=View(waiting=waiting), cursor=cursor)


def test_pauses_grow_up_to_a_bound() -> None:
    """Pauses grow, never beyond the longest but for a fifth, and no two callers wait alike."""
    pauses = [BACKOFF.delay(failures) for failures in (1, 2, 3, 50)]
    assert pauses == sorted(pauses)
    assert 0.16 <= pauses[0] <= 0.24
    assert 2.4 <= pauses[-1] <= 3.6
    assert 1 < len({BACKOFF.delay(1) for _ in range(5)})


@pytest.mark.parametrize(
    ("failed", "repeated", "survived"),
    [
        (Failed(grpc.StatusCode.UNAVAILABLE), True, True),
        (Failed(grpc.StatusCode.DEADLINE_EXCEEDED), True, True),
        (Failed(grpc.StatusCode.CANCELLED), True, True),
        (Failed(grpc.StatusCode.INTERNAL), False, True),
        (Failed(grpc.StatusCode.UNIMPLEMENTED), False, False),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("store_down")), True, True),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_slow")), False, True),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_many")), False, True),
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_match")), False, False),
        (Failed(grpc.StatusCode.ABORTED, info("stale_revision")), False, False),
        (Failed(grpc.StatusCode.INTERNAL, info("internal")), False, False),
        (Failed(grpc.StatusCode.UNAUTHENTICATED, info("bad_key")), False, False),
    ],
)
def test_what_is_tried_again(failed: Failed, *, repeated: bool, survived: bool) -> None:
    """A call is repeated, as often as allowed, where it may be unanswered; a watch goes on where that may help."""
    policy = RetryPolicy(2, "id")
    if repeated:
        assert 0 < policy.next_delay(failed) < policy.next_delay(failed) + 1
    with pytest.raises(errors.ChitarrellaError) as given_up:
        policy.next_delay(failed)
    assert "id" == given_up.value.request_id
    with nullcontext() if survived else pytest.raises(errors.ChitarrellaError):
        assert 0 < Subscription("", None).reconnect_delay(failed)


def test_watch_ends_when_everything_was_received() -> None:
    """A watch is finished when the match is and all of it was received, or no stream brought more; else it goes on."""
    subscription = Subscription("5.0", None)
    assert 0 < subscription.stream_ended(state_at("5.0", Waiting.SEAT))
    for finished in (False, True):
        assert 0.0 == subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
        assert finished == subscription.finished
    received = Subscription("6.0", None)
    received.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert received.finished


def test_patience_restarts_with_every_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the time since the last answer of the service counts against the patience."""
    now = [100.0]
    monkeypatch.setattr("chitarrella_client.retry.time.monotonic", lambda: now[0])
    subscription = Subscription("", 10.0)
    failed = Failed(grpc.StatusCode.UNAVAILABLE)
    for now[0] in (100.0, 105.0):
        subscription.reconnect_delay(failed)
    subscription.message_received()
    for now[0] in (111.0, 115.0):
        subscription.reconnect_delay(failed)
    now[0] = 121.0
    with pytest.raises(Unavailable):
        subscription.reconnect_delay(failed)


# ---------------------------------------------------------------------- lost replies


def turn(match: Match) -> Match:
    """The match, accessed as the seat to move."""
    seat = match.legal_moves().seat
    assert seat is not None
    return match.as_seat(seat)


@pytest.mark.parametrize(
    ("fail", "how", "is_repeated"),
    [
        (lambda proxy: proxy.lose_answers(1, HEADERS), {}, True),
        (lambda proxy: proxy.lose_answers(1, DATA), {}, True),
        (lambda proxy: proxy.hold(0.9), {"timeout": 0.5}, True),
        (lambda proxy: proxy.refuse(1.0), {}, False),
    ],
    ids=["before the answer", "inside the answer", "late answer", "outage"],
)
def test_move_is_played_once_whatever_fails(
    opens_through: Opens, proxy: Proxy, fail: Callable[[Proxy], None], how: dict[str, Any], *, is_repeated: bool
) -> None:
    """A move whose answer is lost or late is played exactly once, and the caller is told what came of it."""
    match = opens_through(**how).create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    before = list(match.events())
    fail(proxy)
    played = seat.play(moves[0])
    assert (True, is_repeated) == (played.accepted, played.repeated_request)
    after = list(match.events())
    assert (before, 1) == (after[: len(before)], len(after) - len(before))
    assert moves.revision + 1 == played.revision == match.get().revision


def test_create_with_lost_answer_returns_its_keys(opens_through: Opens, proxy: Proxy) -> None:
    """A match whose opening is lost on the way back has its keys all the same."""
    client = opens_through()
    list(client.games())
    proxy.lose_answers(2)
    match = client.create_match("briscola", players=2)
    assert 2 == proxy.lost
    assert {0, 1} == set(match.keys)
    assert step(match, Random(1)) is not None


def test_seed_with_lost_answer_counts_once(opens_through: Opens, proxy: Proxy) -> None:
    """A seed for a lot whose answer is lost does not count for the pack, which is shuffled next."""
    options = {"first_dealer": "by_lot"}
    match = opens_through().create_match("coech", players=2, options=options, pack_source="shared")
    match.as_seat(0).contribute_seed("mio")
    proxy.lose_answers(1)
    assert (0, 1) == match.as_seat(1).contribute_seed("tuo").awaiting_seeds_from
    assert 1 == proxy.lost
    proxy.lose_answers(1)
    assert () == match.shuffle_now().awaiting_seeds_from
    assert match.legal_moves().moves


def test_exhausted_retries_raise_with_the_request_id(opens_through: Opens, proxy: Proxy) -> None:
    """When no try gets through, the error has the request id, and under it the call can be made later."""
    client = opens_through(retries=1)
    match = client.create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    proxy.lose_answers(2)
    with pytest.raises(Unavailable) as lost:
        seat.play(moves[0])
    assert (False, 2) == (lost.value.from_service, proxy.lost)
    later = seat.play(moves[0], request_id=lost.value.request_id)
    assert (True, True) == (later.accepted, later.repeated_request)
    assert moves.revision + 1 == match.get().revision


def test_silent_service_is_given_up(opens_through: Opens, proxy: Proxy) -> None:
    """A service that never answers is given up after the tries that were allowed."""
    client = opens_through(timeout=0.1, retries=1)
    proxy.hold()
    began = time.monotonic()
    with pytest.raises(TimedOut):
        list(client.games())
    assert 0.2 <= time.monotonic() - began < 5


def test_unreachable_service_is_unavailable(opens: Opens) -> None:
    """Where nobody listens, the error says that the service is unavailable."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(Unavailable) as away:
        opens(address, retries=1).game("briscola")
    assert ("unavailable", False) == (away.value.code, away.value.from_service)
    with pytest.raises(Unavailable):
        next(iter(opens(address).match("0" * 20).watch(give_up=0.3)))
