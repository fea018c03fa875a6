"""Browsers speak Connect and gRPC-Web to the port of REST; the service answers as over gRPC."""

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

import httpx
import pytest
from google.protobuf.message import Message

from chitarrella.v1.catalogue_pb2 import GetGameRequest
from chitarrella.v1.match_play_pb2 import ListMatchMovesRequest, PlayMoveRequest, PlayMoveResponse
from chitarrella.v1.questions_pb2 import ListLegalMovesRequest, StartGameRequest, ValidateMoveRequest
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.transports.all_transports import bearer, connect_error, framed
from tests.transports.rest_client import PLAIN, Rest, Table, failed

CATALOGUE, MATCHES = "/chitarrella.v1.CatalogueService", "/chitarrella.v1.MatchService"
PROTO, GRPC_WEB = "application/proto", "application/grpc-web+proto"


def posted(url: str, body: Any, kind: str = "application/json", **headers: str) -> httpx.Response:
    """Send a message of Connect or gRPC-Web: JSON, or bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    own = {"Content-Type": kind, "Connect-Protocol-Version": "1"}
    return httpx.post(url, content=content, headers={**own, **headers}, **PLAIN)


def test_unknown_path_is_answered_in_the_protocol_of_the_caller(rest: str) -> None:
    """Connect has JSON with a code, gRPC-Web the status 12, and everything else the problem of REST."""
    path = f"{MATCHES}/DealMeAnAce"
    connect, web = posted(rest + path, {}), posted(rest + path, framed(b""), GRPC_WEB)
    stream = posted(rest + path, framed(b"{}"), "application/connect+json")
    for error in (connect.json(), json.loads(stream.content[5:])["error"]):
        assert "no_such_route" == connect_error(error).code
    assert "did you mean GetMatch?" in posted(f"{rest}{MATCHES}/GetMach", {}).json()["message"]
    assert (501, "application/json") == (connect.status_code, connect.headers["Content-Type"])
    assert (200, GRPC_WEB) == (web.status_code, web.headers["Content-Type"])
    assert b"grpc-status: 12" in web.content
    for other in ("/v1/games/briscola/nothing", "/nothing"):
        failed(Rest(rest).post(other, {}), 404, "no_such_route")
    failed(Rest(rest).get(path), 404, "no_such_route")
    failed(posted(rest + path, b"", "text/plain"), 404, "no_such_route")
    failed(posted(f"{rest}{CATALOGUE}/ListGames", b"", "application/grpc"), 415, "wrong_media_type")


def test_json_is_that_of_rest(rest: str) -> None:
    """The JSON of Connect shows zeros as REST does, and what is no message is an error."""
    table = Table(rest)
    answer = posted(f"{rest}{MATCHES}/GetMatch", {"matchId": table.match_id})
    assert table.public.get(table.path).json() == answer.json()
    for size in ("x", -1, [0]):
        assert "bad_request" == connect_error(posted(f"{rest}{CATALOGUE}/ListGames", {"pageSize": size}).json()).code


BODIES: list[tuple[bytes, str]] = [
    (b'{"ruleSet": {"gameId": "cucu"}, "ruleSet": {"gameId": "briscola"}}', "ruleSet"),
    (b'{"ruleSet": {"gameId": "cucu"}, "rule_set": {"gameId": "briscola"}}', "rule_set"),
    (b'{"ruleSet": {"gameId": "cucu", "gameId": "cucu"}}', "gameId"),
    (b'{"ruleSet": {"gameId": "briscola"}, "packSource": "SHARED"}', "pack_source"),
    (b'{"ruleSet": {"gameId": "briscola"}, "privat": true}', "privat"),
    (b'{"ruleSet": {"gameId": "briscola", "players": "\xd9\xa2"}}', "rule_set.players"),
    (b'{"ruleSet": {"gameId": "briscola", "players": 2.5}}', "rule_set.players"),
    (b'{"ruleSet": {"gameId": "briscola", "players": NaN}}', ""),
    (b'{"ruleSet": {"gameId": "Cuc\xf9"}}', ""),
    (rb'{"ruleSet": {"gameId": "briscola"}, "externalId": "\ud83c"}', "external_id"),
    (rb'{"ruleSet": {"gameId": "briscola"}, "labels": {"\ud83d": "x"}}', "labels.?"),
    (rb'{"\ud83d": 1, "ruleSet": {"gameId": "briscola"}}', "?"),
    (rb'{"\ud83d": 1, "\ud83d": 2}', "?"),
    (b"[" * 100_000, ""),
    (b"{", ""),
]


@pytest.mark.parametrize(("body", "field"), BODIES)
def test_json_that_rest_refuses_is_refused(rest: str, body: bytes, field: str) -> None:
    """Doubled keys, unknown fields and words, digits of other scripts, half characters: both name the same field."""
    failed(posted(f"{rest}/v1/matches", body), 400, "bad_request", field)
    error = connect_error(posted(f"{rest}{MATCHES}/CreateMatch", body).json())
    assert ("bad_request", field) == (error.code, error.field)


def test_media_types_have_no_case(rest: str) -> None:
    """A media type in capitals is the same at both; gRPC-Web in text is refused in words."""
    body = {"ruleSet": {"gameId": "briscola"}, "cards": ["Ab"]}
    for path in ("/v1/rules:scoreCards", "/chitarrella.v1.RulesService/ScoreCards"):
        assert 200 == posted(rest + path, body, "Application/JSON").status_code
    text = posted(f"{rest}{CATALOGUE}/ListGames", b"AAAAAAA=", "application/grpc-web-text")
    failed(text, 415, "wrong_media_type")
    assert "application/grpc-web+proto" in text.text


def test_bytes_that_are_no_message_are_invalid_argument(rest: str) -> None:
    """So it is in binary, of a call as of a stream, and what is too large has the reason code of every transport."""
    call = posted(f"{rest}{MATCHES}/GetMatch", b"\x0a\xff", PROTO)
    stream = posted(f"{rest}{MATCHES}/WatchMatch", framed(b"\x0a\xff"), "application/connect+proto")
    for error in (call.json(), json.loads(stream.content[5:])["error"]):
        assert "bad_request" == connect_error(error).code
    large = posted(f"{rest}{MATCHES}/ImportMatch", {"record": "x" * 2**20})
    assert "too_large" == connect_error(large.json()).code


@pytest.mark.parametrize(
    ("kind", "header", "timeout", "is_read"),
    [
        *((PROTO, "connect-timeout-ms", timeout, False) for timeout in ("soon", "-5", "1.5", "12345678901")),
        *((GRPC_WEB, "grpc-timeout", timeout, False) for timeout in ("soon", "123456789S", "5x")),
        (PROTO, "connect-timeout-ms", "9999999999", True),
        (GRPC_WEB, "grpc-timeout", "99999999m", True),
        (GRPC_WEB, "grpc-timeout", "99999999H", True),
        (PROTO, "grpc-timeout", "soon", True),
        (GRPC_WEB, "connect-timeout-ms", "soon", True),
    ],
)
def test_deadline_is_read_in_the_form_of_its_protocol(
    rest: str, kind: str, header: str, timeout: str, is_read: bool
) -> None:
    """A deadline that cannot be read is an error that names the header, and that of the other protocol is not read."""
    body = b"" if kind == PROTO else framed(b"")
    answer = posted(f"{rest}{CATALOGUE}/ListGames", body, kind, **{header: timeout})
    assert is_read == (b"briscola" in answer.content)
    assert is_read or f"The header {header} cannot be read." in unquote(answer.text)


def test_safe_rpc_answers_get(rest: str) -> None:
    """A safe rpc answers GET, its message in the query; one that changes something does not."""
    binary = base64.urlsafe_b64encode(GetGameRequest(game_id="coech").SerializeToString()).decode().rstrip("=")
    for query in ({"encoding": "json", "message": '{"gameId":"coech"}'}, {"encoding": "proto", "message": binary}):
        more = {"connect": "v1", **({"base64": "1"} if query["encoding"] == "proto" else {})}
        answer = httpx.get(f"{rest}{CATALOGUE}/GetGame", params={**query, **more}, **PLAIN)
        assert (200, True) == (answer.status_code, b"coech" in answer.content)
    failed(Rest(rest).get(f"{MATCHES}/CreateMatch"), 405, "wrong_method")


def test_a_cache_keeps_what_rest_lets_it_keep(rest: str) -> None:
    """The answer to a GET of Connect has the cache headers of REST, and an error is kept nowhere."""
    table = Table(rest)
    for path, rpc, message in (
        ("/v1/games/coech", f"{CATALOGUE}/GetGame", {"gameId": "coech"}),
        (table.path, f"{MATCHES}/GetMatch", {"matchId": table.match_id}),
        ("/v1/matches/nobody", f"{MATCHES}/GetMatch", {"matchId": "nobody"}),
        (f"{table.path}?seat=7", f"{MATCHES}/GetMatch", "no message"),
    ):
        query = {"connect": "v1", "encoding": "json", "message": json.dumps(message)}
        plain, connect = Rest(rest).get(path), httpx.get(rest + rpc, params=query, **PLAIN)
        assert plain.headers["Cache-Control"] == connect.headers["Cache-Control"]
        vary, same = (set(one.headers.get("Vary", "").split(", ")) for one in (plain, connect))
        assert plain.is_error or vary == same


# ---------------------------------------------------------------------- plain calls

RULES = "/chitarrella.v1.RulesService"
START = StartGameRequest(rule_set=RuleSet(game_id="coech"))


def call(
    rest: str, path: str, message: Message, headers: Mapping[str, str] | None = None, *, plain: bool = True
) -> httpx.Response:
    """Send a binary message: as a plain call, or compressed, which the library reads."""
    body, more = message.SerializeToString(), dict(headers or {})
    if not plain:
        body, more["Content-Encoding"] = gzip.compress(body), "gzip"
    return posted(rest + path, body, PROTO, **more)


def is_plain(answer: httpx.Response) -> bool:
    """Whether a response was made without the library, which names the encoding of every other one."""
    return "content-encoding" not in answer.headers


def without_id(answer: httpx.Response) -> tuple[int, Any, set[str]]:
    """Status, body, and the names of the headers but those of the encoding and of how the body is sent."""
    named = set(answer.headers) - {"content-encoding", "content-length", "transfer-encoding"}
    return answer.status_code, answer.content, named


def test_plain_call_has_the_answer_of_the_library(rest: str) -> None:
    """Status, message and headers are the same of a stateless call, a call about a match, and a failed one."""
    table = Table(rest)
    listing, key = ListMatchMovesRequest(match_id=table.match_id), bearer(table.key(0))
    right: list[tuple[str, Message]] = [(f"{RULES}/StartGame", START), (f"{MATCHES}/ListMatchMoves", listing)]
    for path, request in right:
        plain, library = call(rest, path, request, key), call(rest, path, request, key, plain=False)
        assert (True, False) == (is_plain(plain), is_plain(library))
        assert without_id(plain) == without_id(library)
        assert (200, PROTO) == (plain.status_code, plain.headers["Content-Type"])
    wrong: list[tuple[str, Message, dict[str, str], str]] = [
        (f"{MATCHES}/PlayMove", PlayMoveRequest(match_id="m" * 20, move=Move(verb="pass")), {}, "no_such_match"),
        (f"{MATCHES}/PlayMove", PlayMoveRequest(), {"Authorization": "nonsense"}, "bad_key"),
        (f"{RULES}/ValidateMove", ValidateMoveRequest(), {}, "bad_request"),
    ]
    for path, request, headers, code in wrong:
        plain, library = call(rest, path, request, headers), call(rest, path, request, headers, plain=False)
        assert code == connect_error(plain.json()).code
        assert (plain.status_code, plain.json()) == (library.status_code, library.json())
    version = call(rest, f"{RULES}/ListLegalMoves", ListLegalMovesRequest(), {"Connect-Protocol-Version": "2"})
    assert (400, "invalid_argument") == (version.status_code, version.json()["code"])
    assert "connect-protocol-version" in version.json()["message"]


def test_illegal_move_is_an_answer_and_logged_as_refused(rest: str) -> None:
    """A refusal is an ordinary answer in binary and JSON, and is counted as a refusal under its transport."""
    table = Table(rest)
    seat, move = table.not_held()
    key, match = bearer(table.key(seat)), table.match_id
    binary = call(rest, f"{MATCHES}/PlayMove", PlayMoveRequest(match_id=match, move=Move(**move)), key)
    assert (200, True) == (binary.status_code, is_plain(binary))
    answer = PlayMoveResponse.FromString(binary.content)
    assert (False, ["not_in_hand"]) == (answer.accepted, [refusal.code for refusal in answer.refusals])
    in_json = posted(f"{rest}{MATCHES}/PlayMove", {"matchId": match, "move": move}, **key)
    assert (200, False) == (in_json.status_code, in_json.json()["accepted"])
    line = 'chitarrella_requests_total{code="refused",rpc="/chitarrella.v1.MatchService/PlayMove",transport="connect"}'
    assert line in Rest(rest).get("/metrics").text


def test_deadline_ends_a_plain_call(rest: str) -> None:
    """A call that waits for the store when its deadline passes is ended; one that waits for nothing is answered."""
    table = Table(rest)
    listing = ListMatchMovesRequest(match_id=table.match_id)

    def within(milliseconds: str, path: str, message: Message) -> httpx.Response:
        return call(rest, path, message, {**bearer(table.key(0)), "Connect-Timeout-Ms": milliseconds})

    late = within("0", f"{MATCHES}/ListMatchMoves", listing)
    assert (504, "deadline_exceeded") == (late.status_code, late.json()["code"])
    in_time = within("10000", f"{MATCHES}/ListMatchMoves", listing)
    assert (200, True) == (in_time.status_code, is_plain(in_time))
    assert 200 == within("0", f"{RULES}/StartGame", START).status_code
