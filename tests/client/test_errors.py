"""Errors and codes: what the client makes of failed calls, without a service on the network."""

from __future__ import annotations

import re
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from chitarrella.transports.inprocess import Service, channel
from chitarrella.transports.rest.problems import PROBLEM_TYPES, ProblemType
from chitarrella_client import Chitarrella, ErrorCode, RefusalCode, errors, types
from chitarrella_client.rpc_errors import read_error
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
        "python/src/chitarrella_client/rpc_errors.py",
        "go/errors.go",
        "typescript/src/errors.ts",
        "rust/src/error.rs",
        "java/src/main/java/chitarrella/client/internal/ErrorMapper.java",
        "cpp/src/error.cpp",
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


@pytest.mark.parametrize("client", ["cpp", "go", "java", "python", "rust", "typescript"])
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
