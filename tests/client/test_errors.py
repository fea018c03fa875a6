"""Errors and codes: what the client makes of failed calls, without a service on the network."""

from __future__ import annotations

import re
import socket
import threading
import time
import traceback
from dataclasses import replace
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
from chitarrella.transports.rest.problems import PROBLEM_TYPES, ProblemType
from chitarrella_client import Chitarrella, ErrorCode, Match, RefusalCode, TimedOut, Unavailable, errors, types
from chitarrella_client.errors import read_error
from chitarrella_client.requests import new_request_id
from chitarrella_client.responses import MatchState
from chitarrella_client.retry import BACKOFF, RetryPolicy, Subscription
from chitarrella_client.types import RuleSet, View, Waiting
from tests.client.conftest import Opens
from tests.client.playing import step
from tests.client.proxy import DATA, HEADERS, Proxy
from tests.walks import CATALOGUE

CLIENTS = Path(__file__).parents[2] / "clients"


class Failed(grpc.RpcError):
    """A call that failed, as grpc raises it."""

    def __init__(self, status: grpc.StatusCode, *details: Message, message: str = "It went wrong.") -> None:
        """Fail with these details."""
        packed = Status(code=status.value[0], message=message)
        for detail in details:
            AnyMessage.Pack(packed.details.add(), detail)
        self._said = (status, message, (("grpc-status-details-bin", packed.SerializeToString()),) if details else ())

    def code(self) -> grpc.StatusCode:
        """The status code."""
        return self._said[0]

    def details(self) -> str:
        """The message."""
        return self._said[1]

    def trailing_metadata(self) -> Any:
        """The trailers."""
        return self._said[2]


def info(code: str, domain: str = "chitarrella", **particulars: str) -> error_details_pb2.ErrorInfo:
    """Make the detail that carries a code."""
    return error_details_pb2.ErrorInfo(reason=code, domain=domain, metadata=particulars)


def test_error_of_a_known_code() -> None:
    """The code, the field and the other details are read from the details of the status."""
    failed = Failed(grpc.StatusCode.ABORTED, info("stale_revision", field="expected_revision", revision="7"))
    error = read_error(failed, "id")
    assert isinstance(error, errors.StaleRevision)
    assert ("stale_revision", "expected_revision", 7) == (error.code, error.field, error.revision)
    assert ({"revision": "7"}, "id", True) == (error.details, error.request_id, error.from_service)
    assert "It went wrong. [stale_revision]" == str(error)


def test_error_with_violations() -> None:
    """Every invalid field is named with its sentence."""
    violation = error_details_pb2.BadRequest.FieldViolation(field="move.verb", description="is no verb")
    bad = error_details_pb2.BadRequest(field_violations=[violation])
    error = read_error(Failed(grpc.StatusCode.INVALID_ARGUMENT, info("bad_request", field="move.verb"), bad))
    assert isinstance(error, errors.BadRequest)
    assert (("move.verb", "is no verb"),) == error.violations


def test_error_of_an_unknown_code() -> None:
    """A code that this client does not know comes with the class of its status, or as the plain error."""
    error = read_error(Failed(grpc.StatusCode.NOT_FOUND, info("no_such_table")))
    assert (errors.NotFound, "no_such_table") == (type(error), error.code)
    error = read_error(Failed(grpc.StatusCode.DATA_LOSS, info("no_such_table")))
    assert (errors.ChitarrellaError, "no_such_table") == (type(error), error.code)


def test_error_of_an_intermediary_has_the_bare_status() -> None:
    """Where the error is not of the service, the code is the bare status."""
    for failed in (
        Failed(grpc.StatusCode.UNAVAILABLE),
        Failed(grpc.StatusCode.UNAVAILABLE, info("store_down", domain="elsewhere")),
    ):
        error = read_error(failed)
        assert (errors.Unavailable, "unavailable", False) == (type(error), error.code, error.from_service)
    garbled = Failed(grpc.StatusCode.UNAVAILABLE, info("store_down"))
    garbled._said = (grpc.StatusCode.PERMISSION_DENIED, "No.", garbled._said[2])
    error = read_error(garbled)
    assert (errors.NotAllowed, "permission_denied") == (type(error), error.code)


def test_error_of_the_grpc_library_has_the_code_of_its_status() -> None:
    """What the gRPC library of the server refuses is told by its status alone, whatever its message."""
    large = read_error(Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, message="SERVER: Received message larger than max"))
    assert (errors.ResourceExhausted, "resource_exhausted") == (type(large), large.code)
    unread = read_error(Failed(grpc.StatusCode.INTERNAL, message="Error parsing 'grpc-timeout' metadata"))
    assert (errors.InternalError, "internal") == (type(unread), unread.code)
    assert not large.from_service
    assert not unread.from_service


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


def test_codes_are_those_of_the_service() -> None:
    """The client knows every code that an rpc of the contract ends with, and no other."""
    rest = {"no_such_route", "wrong_method", "wrong_media_type"}
    own = {"unavailable", "deadline_exceeded"}
    assert {known.code for known in PROBLEM_TYPES} - rest == set(ErrorCode) - own


def test_lost_moves_have_a_class_that_is_also_a_stale_revision() -> None:
    """Lost moves are told from another stale revision, and who handles all of them handles these too."""
    lost = read_error(Failed(grpc.StatusCode.ABORTED, info("moves_lost", revision="3")))
    stale = read_error(Failed(grpc.StatusCode.ABORTED, info("stale_revision", revision="3")))
    assert (errors.MovesLost, errors.StaleRevision) == (type(lost), type(stale))
    assert isinstance(lost, errors.StaleRevision)
    assert 3 == lost.revision


@pytest.mark.parametrize("client", ["go", "java", "python", "typescript"])
def test_readme_of_a_client_lists_every_code(client: str) -> None:
    """The table of codes in the README of a client names all codes that a call can end with."""
    text = (CLIENTS / client / "README.md").read_text(encoding="utf-8")
    rows = [row.split("|") for row in text.splitlines() if re.match(r"\| `\w+`(, `\w+`)* \| .*`", row)]
    listed = {name: set(re.findall(r"`([a-z]+(?:_[a-z]+)*)`", codes)) for _, name, codes, _ in rows}
    assert set(ErrorCode) <= set().union(*listed.values())
    assert {"moves_lost"} <= next(codes for codes in listed.values() if "stale_revision" in codes)


@pytest.mark.parametrize("known", PROBLEM_TYPES, ids=lambda known: f"{known.kind.__name__}-{known.code}")
def test_classes_are_those_of_the_service(known: ProblemType) -> None:
    """Every error of the service comes as the class that stands for its status, or a closer one."""
    status = grpc.StatusCode[known.status.grpc]
    kind = type(read_error(Failed(status)))
    assert isinstance(read_error(Failed(status, info(known.code))), kind)


def test_refusal_codes_are_of_games() -> None:
    """Every code for refusals that the client names is one of some game."""
    assert set(RefusalCode) <= {reason.code for game in CATALOGUE for reason in game.reasons}


def test_unknown_codes_are_plain_strings() -> None:
    """A code is a string: it may be compared with those that are known, and be none of them."""
    refusal = types.Refusal("must_whistle", types.Clause("XX-1"))
    assert refusal.code not in set(RefusalCode)
    assert replace(refusal, code="must_follow_suit").code == RefusalCode.MUST_FOLLOW_SUIT


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


def state_at(cursor: str, waiting: Waiting) -> MatchState:
    """The state of a match with a cursor."""
    return MatchState("m", RuleSet("briscola"), 1, View(waiting=waiting), cursor=cursor)


def test_pauses_grow_up_to_a_bound() -> None:
    """Pauses grow, never beyond the longest but for a fifth, and no two callers wait alike."""
    pauses = [BACKOFF.delay(failures) for failures in (1, 2, 3, 50)]
    assert pauses == sorted(pauses)
    assert 0.16 <= pauses[0] <= 0.24
    assert 2.4 <= pauses[-1] <= 3.6
    assert 1 < len({BACKOFF.delay(1) for _ in range(5)})


@pytest.mark.parametrize(
    ("failed", "repeated"),
    [
        (Failed(grpc.StatusCode.UNAVAILABLE), True),
        (Failed(grpc.StatusCode.DEADLINE_EXCEEDED), True),
        (Failed(grpc.StatusCode.CANCELLED), True),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("store_down")), True),
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_match")), False),
        (Failed(grpc.StatusCode.ABORTED, info("stale_revision")), False),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_many")), False),
        (Failed(grpc.StatusCode.INTERNAL, info("internal")), False),
        (Failed(grpc.StatusCode.UNAUTHENTICATED, info("bad_key")), False),
    ],
    ids=lambda case: str(case.code().name) if isinstance(case, Failed) else "",
)
def test_what_is_repeated(failed: Failed, repeated: bool) -> None:
    """A call is repeated where it may not have been answered, so often as is allowed, and else never."""
    policy = RetryPolicy(2, "id")
    if repeated:
        assert 0 < policy.next_delay(failed) < policy.next_delay(failed) + 1
    with pytest.raises(errors.ChitarrellaError) as given_up:
        policy.next_delay(failed)
    assert "id" == given_up.value.request_id


def test_request_ids() -> None:
    """Every writing call has an id of its own, of the length that the service takes."""
    ids = {new_request_id() for _ in range(100)}
    assert 100 == len(ids)
    assert {36} == set(map(len, ids))


def test_watch_ends_when_everything_was_received() -> None:
    """A watch is finished when the match is and all of it was received; if not, it goes on."""
    subscription = Subscription("5.0", None)
    assert 0 < subscription.stream_ended(state_at("5.0", Waiting.SEAT))
    assert not subscription.finished
    assert 0.0 == subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert not subscription.finished
    subscription.cursor = "6.0"
    assert 0.0 == subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert subscription.finished


def test_watch_ends_though_cursors_differ() -> None:
    """A match that was finished before a stream began needs no further stream, whatever the cursor."""
    subscription = Subscription("", None)
    subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    subscription.stream_ended(state_at("6.0", Waiting.NOBODY))
    assert subscription.finished


@pytest.mark.parametrize(
    ("failed", "passing"),
    [
        (Failed(grpc.StatusCode.UNAVAILABLE), True),
        (Failed(grpc.StatusCode.INTERNAL), True),
        (Failed(grpc.StatusCode.CANCELLED), True),
        (Failed(grpc.StatusCode.RESOURCE_EXHAUSTED, info("too_slow")), True),
        (Failed(grpc.StatusCode.UNAVAILABLE, info("store_down")), True),
        (Failed(grpc.StatusCode.INTERNAL, info("internal")), False),
        (Failed(grpc.StatusCode.UNIMPLEMENTED), False),
        (Failed(grpc.StatusCode.NOT_FOUND, info("no_such_match")), False),
    ],
    ids=lambda case: str(case.code().name) if isinstance(case, Failed) else "",
)
def test_what_a_watch_survives(failed: Failed, passing: bool) -> None:
    """A watch survives what may be different on another connection, and nothing else."""
    subscription = Subscription("", None)
    if passing:
        assert 0 < subscription.reconnect_delay(failed)
    else:
        with pytest.raises(errors.ChitarrellaError):
            subscription.reconnect_delay(failed)


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


@pytest.mark.parametrize("frame", [HEADERS, DATA], ids=["before the answer", "inside the answer"])
def test_move_with_lost_answer_is_played_once(opens_through: Opens, proxy: Proxy, frame: int) -> None:
    """A move whose answer is lost is played exactly once, and the caller is told what came of it."""
    match = opens_through().create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    before = list(match.events())
    proxy.lose_answers(1, frame)
    played = seat.play(moves[0])
    assert (1, True, True) == (proxy.lost, played.accepted, played.repeated_request)
    after = list(match.events())
    assert before == after[: len(before)]
    assert 1 == len(after) - len(before)
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


def test_late_answer_is_retried_and_played_once(opens_through: Opens, proxy: Proxy) -> None:
    """A move that is not answered in time is repeated, and played once."""
    match = opens_through(timeout=0.5).create_match("briscola")
    seat = turn(match)
    moves = seat.legal_moves()
    proxy.hold()
    threading.Timer(0.9, proxy.release).start()
    played = seat.play(moves[0])
    assert (True, True) == (played.accepted, played.repeated_request)
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


def test_call_survives_a_short_outage(opens_through: Opens, proxy: Proxy) -> None:
    """A call survives a service that is away for a second."""
    client = opens_through()
    match = client.create_match("briscola")
    seat = turn(match)
    move = seat.legal_moves()[0]
    proxy.refuse()
    threading.Timer(1.0, proxy.refuse, [False]).start()
    assert seat.play(move).accepted


def test_service_errors_are_not_retried(client: Chitarrella) -> None:
    """What the service itself has refused is not asked again."""
    began = time.monotonic()
    with pytest.raises(errors.NoSuchMatch):
        client.match("0" * 20).get()
    assert time.monotonic() - began < 2
