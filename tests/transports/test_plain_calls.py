"""Plain calls of Connect are answered as all others are: the same message, the same error, the same deadline."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from google.protobuf.message import Message

from chitarrella.v1.matches_pb2 import ListMatchMovesRequest, PlayMoveRequest, PlayMoveResponse
from chitarrella.v1.rules_pb2 import ListLegalMovesRequest, StartGameRequest, StartGameResponse, ValidateMoveRequest
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.transports.all_transports import error_from
from tests.transports.rest_client import PLAIN, Table

MATCHES = "/chitarrella.v1.MatchService"
RULES = "/chitarrella.v1.RulesService"


def call(
    rest: str, path: str, message: Message, headers: Mapping[str, str] | None = None, *, plain: bool = True
) -> httpx.Response:
    """Send a binary message: as a plain call, or compressed, which the library reads."""
    body = message.SerializeToString()
    sent = {"Content-Type": "application/proto", "Connect-Protocol-Version": "1", **(headers or {})}
    if not plain:
        body, sent["Content-Encoding"] = gzip.compress(body), "gzip"
    return httpx.post(rest + path, content=body, headers=sent, **PLAIN)


def listing_of(table: Table) -> tuple[ListMatchMovesRequest, dict[str, str]]:
    """A request for the moves of a seat, with the header that shows its key."""
    opened = table.opened
    return ListMatchMovesRequest(match_id=opened["matchId"]), {
        "Authorization": f"Bearer {opened['seatKeys'][0]['key']}"
    }


def is_plain(answer: httpx.Response) -> bool:
    """Whether a response was made without the library, which names the encoding of every other one."""
    return "content-encoding" not in answer.headers


def without_id(answer: httpx.Response) -> tuple[int, Any, set[str]]:
    """Status, body, and the names of the headers but that of the encoding."""
    return answer.status_code, answer.content, set(answer.headers) - {"content-encoding"}


def test_plain_call_has_the_answer_of_the_library(rest: str) -> None:
    """Status, message and headers are the same; a stateless call and a call about a match."""
    listing, key = listing_of(Table(rest))
    for path, request in (
        (f"{RULES}/StartGame", StartGameRequest(rule_set=RuleSet(game_id="coech"))),
        (f"{MATCHES}/ListMatchMoves", listing),
    ):
        plain, library = call(rest, path, request, key), call(rest, path, request, key, plain=False)
        assert (True, False) == (is_plain(plain), is_plain(library))
        assert without_id(plain) == without_id(library)
        assert (200, "application/proto") == (plain.status_code, plain.headers["Content-Type"])


def test_refused_move_is_an_answer(rest: str) -> None:
    """A move that the rules refuse is answered plainly, with its refusal."""
    table = Table(rest)
    seat, move = table.not_held()
    request = PlayMoveRequest(match_id=table.opened["matchId"], move=Move(verb=move["verb"], cards=move["cards"]))
    key = {"Authorization": f"Bearer {table.key(seat)}"}
    answer = call(rest, f"{MATCHES}/PlayMove", request, key)
    assert (200, True) == (answer.status_code, is_plain(answer))
    refused = PlayMoveResponse.FromString(answer.content)
    assert (False, ["not_in_hand"]) == (refused.accepted, [refusal.code for refusal in refused.refusals])


@pytest.mark.parametrize(
    ("path", "request_", "headers", "code"),
    [
        (f"{MATCHES}/PlayMove", PlayMoveRequest(match_id="m" * 20, move=Move(verb="pass")), {}, "no_such_match"),
        (f"{MATCHES}/PlayMove", PlayMoveRequest(), {"Authorization": "nonsense"}, "bad_key"),
        (f"{RULES}/ValidateMove", ValidateMoveRequest(), {}, "bad_request"),
    ],
)
def test_plain_call_has_the_error_of_the_library(
    rest: str, path: str, request_: Message, headers: dict[str, str], code: str
) -> None:
    """A failed call has the same status, code and details."""
    plain, library = call(rest, path, request_, headers), call(rest, path, request_, headers, plain=False)
    assert code == error_from(plain.json()["details"]).code
    assert (plain.status_code, plain.json()) == (library.status_code, library.json())


def test_deadline_ends_a_plain_call(rest: str) -> None:
    """A call that waits for the store when its deadline passes is ended; one that waits for nothing is answered."""
    listing, key = listing_of(Table(rest))
    late = call(rest, f"{MATCHES}/ListMatchMoves", listing, {**key, "Connect-Timeout-Ms": "0"})
    assert (504, "deadline_exceeded") == (late.status_code, late.json()["code"])
    in_time = call(rest, f"{MATCHES}/ListMatchMoves", listing, {**key, "Connect-Timeout-Ms": "10000"})
    assert (200, True) == (in_time.status_code, is_plain(in_time))
    start = StartGameRequest(rule_set=RuleSet(game_id="coech"))
    at_once = call(rest, f"{RULES}/StartGame", start, {"Connect-Timeout-Ms": "0"})
    assert (200, "coech") == (
        at_once.status_code,
        StartGameResponse.FromString(at_once.content).position.rule_set.game_id,
    )


def test_unknown_version_is_refused(rest: str) -> None:
    """A call of another version of the protocol is not answered plainly."""
    answer = call(rest, f"{RULES}/ListLegalMoves", ListLegalMovesRequest(), {"Connect-Protocol-Version": "2"})
    assert (400, "invalid_argument") == (answer.status_code, answer.json()["code"])
    assert "connect-protocol-version" in answer.json()["message"]


def test_malformed_message_is_an_error(rest: str) -> None:
    """Bytes that are no message have the reason code of every transport."""
    headers = {"Content-Type": "application/proto"}
    answer = httpx.post(f"{rest}{RULES}/ValidateMove", content=b"\x0a\xff", headers=headers, **PLAIN)
    assert (400, "bad_request") == (answer.status_code, error_from(answer.json()["details"]).code)
