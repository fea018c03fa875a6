"""How a call is read from HTTP: paths, queries, bodies, and what every answer carries."""

from __future__ import annotations

import ast
import gzip
import http.client
import json
import re
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st

import chitarrella
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.storage.embedded_valkey import binary
from chitarrella.transports.rest.app import HttpApp, make_app
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.views import InvalidJson, object_decoder, routes
from chitarrella.v1 import matches_pb2, rules_pb2
from tests.http_server import running_http
from tests.servers import Server
from tests.test_architecture import tree
from tests.transports.all_transports import RPCS
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.message_strategies import KINDS, messages, spoiled
from tests.transports.rest_client import PLAIN, Rest, Table, failed, one_deal

GAMES = "/v1/games"
COUNT = "/v1/rules:scoreCards"
AGREED = {"gameId": "briscola"}


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


def test_every_annotated_rpc_has_a_route(curl: Rest) -> None:
    """Every way into the service that the contract names is open."""
    for route in routes():
        path = route.path.replace("{match_id}", "nobody").replace("{game}", "nothing")
        answer = curl(route.method, path)
        assert answer.status_code in {200, 400, 401, 403, 404}, route
        assert "no_such_route" != answer.json().get("code"), route


@pytest.mark.parametrize("query", ["page_size=2", "pageSize=2"])
def test_a_query_may_be_spelt_either_way(curl: Rest, query: str) -> None:
    """The names of a query are read in snake_case and in camelCase."""
    assert 2 == len(curl.get(f"{GAMES}?{query}").json()["games"])


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("colour=red", "colour"),
        ("page_size=two", "page_size"),
        ("page_size=", "page_size"),
        ("page_size=1&page_size=2", "page_size"),
        ("page_size=1&pageSize=1", "page_size"),
        ("page_size=-1", "page_size"),
        ("page_size=101", "page_size"),
    ],
)
def test_invalid_query_names_its_parameter(curl: Rest, query: str, field: str) -> None:
    """An unknown name in a query, a name twice, or a value that does not fit, is told with its name."""
    failed(curl.get(f"{GAMES}?{query}"), 400, "bad_request", field)


def test_a_call_with_a_body_has_no_query(curl: Rest) -> None:
    """Where the message is the body, a query is refused and not passed over."""
    failed(curl.post(f"{COUNT}?cards=Ab", {"ruleSet": AGREED}), 400, "bad_request", "cards")


def test_zero_values_are_in_the_answer(curl: Rest) -> None:
    """What is zero or empty is in the answer all the same."""
    answer = curl.post(COUNT, {"ruleSet": AGREED, "cards": ["7b"]}).json()
    assert {"scores": [{"name": "card_points", "value": 0}]} == answer


def test_a_path_and_a_body_must_agree(rest: str) -> None:
    """A match that is named in the path and otherwise in the body is no match."""
    table = Table(rest)
    move = {"move": {"verb": "play_card", "cards": ["Ab"]}}
    failed(
        table.seats[0].post(f"{table.path}:validateMove", {"matchId": "another", **move}),
        400,
        "bad_request",
        "match_id",
    )
    assert (
        200
        == table.seats[0].post(f"{table.path}:validateMove", {"matchId": table.opened["matchId"], **move}).status_code
    )


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1", ""]
)
def test_a_body_must_say_that_it_is_json(curl: Rest, kind: str) -> None:
    """Another media type, or another alphabet, is refused before it is read."""
    failed(curl.post(COUNT, content=b"{}", headers={"Content-Type": kind}), 415, "wrong_media_type")


def test_a_compressed_body_is_refused(curl: Rest) -> None:
    """A body in another encoding is not guessed at."""
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    failed(curl.post(COUNT, content=b"{}", headers=headers), 415, "wrong_media_type")


@pytest.mark.parametrize("body", [b"{", b"\xff", b'{"a":NaN}', b"[" * 5000, b"'x'"])
def test_broken_json_is_a_bad_request(curl: Rest, body: bytes) -> None:
    """What is no JSON is refused with the place where it breaks."""
    failed(curl.post(COUNT, content=body, headers={"Content-Type": "application/json"}), 400, "bad_request")


@pytest.mark.parametrize("body", ["[]", "null", "3", '"x"'])
def test_a_body_is_an_object(curl: Rest, body: str) -> None:
    """JSON that is no object is no message."""
    failed(curl.post(COUNT, content=body, headers={"Content-Type": "application/json"}), 400, "bad_request")


def test_body_over_one_mib_is_refused(curl: Rest) -> None:
    """More than one MiB is too large, whatever it says, with its length in front or in pieces."""
    body = b'{"cards":["' + b"A" * 1024 * 1024 + b'"]}'
    headers = {"Content-Type": "application/json"}
    failed(curl.post(COUNT, content=body, headers=headers), 413, "too_large")
    failed(curl.post(COUNT, content=iter([body[:500], body[500:]]), headers=headers), 413, "too_large")


def test_an_empty_body_is_an_empty_message(rest: str) -> None:
    """A call that needs nothing in its body may leave it out."""
    table = Table(rest)
    assert 200 == table.referee.post(f"{table.path}:abort").status_code


@pytest.mark.parametrize("path", ["/v1", "/v1/games/", "/v1//games", "/v1/games/a/b", "/v1/matches/a:b", "/nowhere"])
def test_unknown_path_is_404(curl: Rest, path: str) -> None:
    """Where there is nothing, the caller is told so, and not sent elsewhere."""
    failed(curl.get(path), 404, "no_such_route")


@pytest.mark.parametrize(("method", "path"), [("PATCH", "/v1/matches"), ("PUT", "/v1/games"), ("DELETE", "/healthz")])
def test_wrong_method_is_405_with_the_allowed_ones(curl: Rest, method: str, path: str) -> None:
    """A path that answers other methods names them."""
    response = curl(method, path)
    failed(response, 405, "wrong_method")
    assert ("POST" in response.headers["Allow"]) == (path == "/v1/matches")


def test_head_is_get_without_a_body(curl: Rest) -> None:
    """HEAD gives the headers of GET, and nothing else."""
    head, get = curl("HEAD", GAMES), curl.get(GAMES)
    assert (200, b"") == (head.status_code, head.content)
    assert get.headers["ETag"] == head.headers["ETag"]
    assert get.headers["Content-Length"] == head.headers["Content-Length"]


def test_options_names_the_methods(curl: Rest) -> None:
    """OPTIONS tells which methods a path has."""
    assert {"GET", "HEAD", "OPTIONS"} == set(re.split(", *", curl("OPTIONS", GAMES).headers["Allow"]))


@pytest.mark.parametrize("path", [GAMES, "/nowhere", "/healthz", "/v1/matches/x", "/docs/"])
def test_every_answer_has_its_request_id(curl: Rest, path: str) -> None:
    """A request id that makes sense is taken over; where there is none, one is made."""
    assert "table-7" == curl.get(path, headers={"X-Request-Id": "table-7"}).headers["X-Request-Id"]
    for senseless in ("", "a b", "x" * 65, "<script>"):
        made = curl.get(path, headers={"X-Request-Id": senseless}).headers["X-Request-Id"]
        assert re.fullmatch("[0-9a-f]{32}", made)


def test_a_problem_names_its_request(curl: Rest) -> None:
    """The request id stands in the problem too, beside the path and the meaning of the code."""
    problem = curl.get("/v1/games/nothing", headers={"X-Request-Id": "r1"}).json()
    assert ("r1", "/v1/games/nothing") == (problem["requestId"], problem["instance"])
    assert ("/docs/errors#unknown_game", 404) == (problem["type"], problem["status"])


@pytest.mark.parametrize("header", ["Basic dTpw", "Bearer", "Bearer two keys", "KEY", "Bearer " + "k" * 201])
@pytest.mark.parametrize("path", [GAMES, "/v1/matches/x"])
def test_invalid_authorization_header_is_refused(curl: Rest, path: str, header: str) -> None:
    """Whoever shows something that is no key at all is told so, also where no key is needed."""
    response = curl.get(path, headers={"Authorization": header})
    failed(response, 401, "bad_key", "authorization")
    assert 'Bearer realm="chitarrella", error="invalid_token"' == response.headers["WWW-Authenticate"]


# ---------------------------------------------------------------------- rest errors


BRISCOLA = {"gameId": "briscola"}
PLAY = {"verb": "play_card", "cards": ["Ab"]}
POSITION = {"ruleSet": BRISCOLA, "text": "x"}

STATELESS: list[tuple[str, Any, int, str, str]] = [
    ("/v1/rules:startGame", {}, 400, "bad_request", "rule_set"),
    ("/v1/rules:startGame", {"ruleSet": {"gameId": "nothing"}}, 400, "unknown_game", "rule_set.game_id"),
    ("/v1/rules:startGame", {"ruleSet": {**BRISCOLA, "players": 9}}, 400, "bad_players", "rule_set.players"),
    ("/v1/rules:startGame", {"ruleSet": {**BRISCOLA, "options": {"a": "b"}}}, 400, "bad_option", "rule_set.options.a"),
    ("/v1/rules:startGame", {"ruleSet": {**BRISCOLA, "edition": 99}}, 409, "edition_not_supported", "rule_set.edition"),
    ("/v1/rules:getView", {"position": POSITION}, 400, "bad_position", "position.text"),
    ("/v1/rules:scoreCards", {"ruleSet": BRISCOLA, "cards": ["Zz"]}, 400, "unknown_card", "cards"),
    ("/v1/rules:resolveTrick", {"ruleSet": BRISCOLA, "cards": ["Ab"], "trump": "x"}, 400, "unknown_suit", "trump"),
    ("/v1/matches", {"ruleSet": BRISCOLA, "pack": ["Ab"]}, 400, "bad_pack", "pack"),
]


@pytest.mark.parametrize(("path", "body", "status", "code", "field"), STATELESS)
def test_invalid_question_names_its_field(rest: str, path: str, body: Any, status: int, code: str, field: str) -> None:
    """What is no question of a game is refused with the field at fault."""
    failed(Rest(rest).post(path, body), status, code, field)


Brings = Callable[[Table], Any]

OF_A_MATCH: list[tuple[Brings, int, str, str]] = [
    (lambda t: t.public.get("/v1/matches/nobody"), 404, "no_such_match", "match_id"),
    (lambda t: t.public.get("/v1/games/nothing"), 404, "unknown_game", "game_id"),
    (lambda t: Rest(t.public.url, "nobody").get(t.path), 401, "bad_key", "authorization"),
    (lambda t: t.public.get(f"{t.path}/moves"), 401, "key_needed", "authorization"),
    (lambda t: t.public.post(f"{t.path}/moves", {"move": PLAY}), 401, "key_needed", "authorization"),
    (lambda t: t.seats[0].get(f"{t.path}?seat=1"), 403, "not_your_seat", "seat"),
    (lambda t: t.seats[0].post(f"{t.path}:abort"), 403, "referee_only", ""),
    (lambda t: t.referee.get(f"{t.path}?seat=5"), 400, "no_such_seat", "seat"),
    (lambda t: t.public.get(f"{t.path}/events?cursor=x"), 400, "bad_cursor", "cursor"),
    (lambda t: t.public.get(f"{t.path}/record"), 409, "match_running", ""),
    (lambda t: t.seats[0].post(f"{t.path}/moves", {"move": {"verb": "fly"}}), 400, "malformed_move", "move.verb"),
]


@pytest.mark.parametrize(("bring", "status", "code", "field"), OF_A_MATCH, ids=lambda value: str(value)[:20])
def test_failed_match_calls_have_codes_and_headers(
    rest: str, bring: Brings, status: int, code: str, field: str
) -> None:
    """Who asks for what is not there, or not his, is told so; the header asks for a key where one is wanted."""
    response = bring(Table(rest))
    failed(response, status, code, field)
    assert (401 == status) == ("WWW-Authenticate" in response.headers)


def test_aborted_match_takes_no_move(rest: str) -> None:
    """After the referee has ended a match no move is made in it."""
    table = Table(rest)
    seat, move = table.turn()
    table.referee.post(f"{table.path}:abort")
    failed(table.seats[seat].post(f"{table.path}/moves", {"move": move}), 409, "match_aborted", "")


def test_every_violation_is_named(rest: str) -> None:
    """Where several fields are wrong, all are named at once."""
    body = {"ruleSet": {"gameId": "No Such", "players": 21}, "expiresAfterSeconds": 31536001}
    problem = Rest(rest).post("/v1/matches", body).json()
    assert ["expires_after_seconds", "rule_set.game_id", "rule_set.players"] == sorted(
        violation["field"] for violation in problem["violations"]
    )


def test_store_outage_is_an_error_for_matches_only(tmp_path: Path) -> None:
    """Without the store every call about a match is unavailable; questions about the rules are answered."""
    server = Server(binary(), tmp_path)
    wired = wire_service(server.url)
    with opened(wired) as url:
        table = Table(url)
        server.kill()
        away = table.public.get(table.path)
        failed(away, 503, "store_down")
        assert "1" == away.headers["Retry-After"]
        failed(table.public.get("/readyz"), 503, "store_down")
        assert 200 == table.public.get("/healthz").status_code
        assert 200 == table.public.post("/v1/rules:startGame", {"ruleSet": BRISCOLA}).status_code
    wired.hub.close()
    wired.store.close()


class Broken(Dispatcher):
    """An application with a fault that nobody has foreseen."""

    def call(self, path: str, request: Any, caller: Any) -> Any:
        """Fail, with a card in the text."""
        raise KeyError("Ab")


def test_internal_error_reveals_nothing_but_its_id(wired: WiredService, caplog: pytest.LogCaptureFixture) -> None:
    """A caller learns that there is a fault and under which id; the log has the place, and neither has the text."""
    broken = object.__new__(Broken)
    telemetry = Telemetry()
    with running_http(HttpApp(make_app(broken, telemetry, lambda _: None), broken, telemetry.request)) as url:
        for path in ("/v1/rules:startGame", "/chitarrella.v1.RulesService/StartGame"):
            answer = httpx.post(url + path, json={"ruleSet": BRISCOLA}, headers={"X-Request-Id": "r-9"}, **PLAIN)
            assert 500 == answer.status_code
            assert "internal" == answer.json()["code"]
            assert "Ab" not in answer.text
            assert "KeyError" not in answer.text
    assert "KeyError" in caplog.text
    assert "r-9" in caplog.text
    assert "'Ab'" not in caplog.text


def test_every_raised_code_is_documented() -> None:
    """No error is raised anywhere in the service that the page of errors, and the contract, do not list."""
    listed = {known.code for known in PROBLEM_TYPES}
    root = Path(chitarrella.__file__).parent
    raised = {code for path in root.rglob("*.py") for code in codes(tree(path))}
    assert set() == raised - listed
    assert {"stale_revision", "bad_key"} <= raised


def codes(module: ast.AST) -> set[str]:
    """Every word that is the first thing an error is given."""
    kinds = {known.kind.__name__ for known in PROBLEM_TYPES}
    found = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in kinds and isinstance(node.args[0].value, str) and len(node.args) > 1:
                found.add(node.args[0].value)
    return found


# ---------------------------------------------------------------------- rest json


ENCODER = JsonEncoder()

every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
every_request = pytest.mark.parametrize("kind", [rpc.request for rpc in rpcs()], ids=lambda kind: kind.__name__)
a_few = settings(max_examples=10, deadline=None)


def written(message: Message) -> Any:
    """What the library writes."""
    return json_format.MessageToDict(message, always_print_fields_with_no_presence=True)


def read(kind: type[Message], data: Any) -> Message:
    """What our reader reads."""
    described: Any = kind.DESCRIPTOR
    return kind(**object_decoder(described)(data))


@every_kind
@a_few
@given(data=st.data())
def test_json_equals_the_library_output(kind: type[Message], data: st.DataObject) -> None:
    """Every message is written as the library writes it, zeros and empty lists included."""
    message = data.draw(messages(kind))
    assert written(message) == orjson.loads(ENCODER.encode(message))


@every_request
@a_few
@given(data=st.data())
def test_json_round_trip(kind: type[Message], data: st.DataObject) -> None:
    """What is written is read again, in either spelling of the names."""
    message = data.draw(messages(kind))
    assert message == read(kind, ENCODER.to_data(message))
    assert message == read(kind, json_format.MessageToDict(message, preserving_proto_field_name=True))


ENUMS = tuple(
    field.name for rpc in RPCS.values() for field in rpc.method.input_type.fields if field.enum_type is not None
)
"""The fields whose value is a name of a list."""


@every_request
@a_few
@given(data=st.data())
def test_odd_json_is_accepted_as_by_the_library(kind: type[Message], data: st.DataObject) -> None:
    """Something odd in the place of a value is accepted, and means the same, exactly where the library accepts it."""
    odd = data.draw(spoiled(written(data.draw(messages(kind)))))
    wanted, found = theirs(kind, odd), ours(kind, odd)
    if isinstance(found, InvalidJson):
        # The library also takes an empty list, or an empty word, for an object, and any number for that of a name.
        assert wanted is None or "must be an object" == found.message or found.field.endswith(ENUMS)
    else:
        assert wanted == found


def theirs(kind: type[Message], data: Any) -> Message | None:
    """What the library makes of some JSON, None where it refuses it."""
    try:
        return json_format.ParseDict(data, kind())
    except json_format.ParseError:
        return None


def ours(kind: type[Message], data: Any) -> Message | InvalidJson:
    """What our reader makes of it, or why it refuses it."""
    try:
        return read(kind, data)
    except InvalidJson as refused:
        return refused


@pytest.mark.parametrize(
    ("kind", "data", "field", "message"),
    [
        (matches_pb2.PlayMoveRequest, {"move": {"vreb": "x"}}, "move.vreb", "is no field"),
        (matches_pb2.PlayMoveRequest, {"move": {"cards": ["Ab", 3]}}, "move.cards[1]", "must be text"),
        (matches_pb2.PlayMoveRequest, {"move": {"cards": "Ab"}}, "move.cards", "must be a list"),
        (matches_pb2.PlayMoveRequest, {"expectedRevision": 1, "expected_revision": 1}, "expected_revision", "twice"),
        (matches_pb2.PlayMoveRequest, {"seat": 2**32}, "seat", "between 0 and 4294967295"),
        (matches_pb2.PlayMoveRequest, {"seat": "1e3"}, "seat", "whole number"),
        (matches_pb2.PlayMoveRequest, {"includeView": 1}, "include_view", "true or false"),
        (matches_pb2.PlayMoveRequest, {"move": []}, "move", "must be an object"),
        (matches_pb2.CreateMatchRequest, {"ruleSet": {"options": {"a": 1}}}, "rule_set.options.a", "must be text"),
        (matches_pb2.CreateMatchRequest, {"packSource": "MINE"}, "pack_source", "PACK_SOURCE_REFEREE"),
        (
            rules_pb2.BatchRequest,
            {"questions": [{}, {"getView": {"seat": 1, "referee": True}}]},
            "questions[1].get_view.referee",
            "excludes",
        ),
    ],
)
def test_json_error_names_the_field(kind: type[Message], data: Any, field: str, message: str) -> None:
    """A reader of the refusal finds the field at fault by its path."""
    with pytest.raises(InvalidJson, match=re.escape(message)) as caught:
        read(kind, data)
    assert field == caught.value.field


# ---------------------------------------------------------------------- rest compression


GAME = "/v1/games/briscola"
START = "/v1/rules:startGame"
LONG = [GAME, "/openapi.json", "/docs/rules/", "/docs/errors", "/docs/rules/coech", "/docs/proofs", "/metrics",
        "/docs/api/swagger-ui.css", "/docs/api/index.css", "/docs/api/swagger-ui-bundle.js", "/style.css"]  # fmt: skip


class Answer(NamedTuple):
    """A response as it is on the wire."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes


def ask(url: str, path: str, accept: str | None, method: str = "GET", body: str | None = None, **more: str) -> Answer:
    """Send one request with the header Accept-Encoding, or without it."""
    headers = {} if accept is None else {"Accept-Encoding": accept}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body.encode() if body is not None else None)
        response = connection.getresponse()
        return Answer(response.status, response.headers, response.read())
    finally:
        connection.close()


@pytest.mark.parametrize("path", LONG)
def test_long_answers_are_compressed(rest: str, path: str) -> None:
    """JSON, pages and their files are shorter for a caller who accepts gzip, and the same content."""
    plain, packed = ask(rest, path, None), ask(rest, path, "gzip, deflate, br")
    assert (200, 200) == (plain.status, packed.status)
    if len(plain.body) < 1024:
        assert "Content-Encoding" not in packed.headers
        return
    assert ("gzip", str(len(packed.body))) == (packed.headers["Content-Encoding"], packed.headers["Content-Length"])
    assert len(packed.body) < len(plain.body) / 2
    if path != "/metrics":  # counts the first request
        assert plain.body == gzip.decompress(packed.body)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"].split(", ")
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("gzip", True), ("*", True), ("GZIP;q=0.5", True), ("br, gzip;q=0.1", True), ("identity;q=0.5, gzip", True),
     (None, False), ("", False), ("br, zstd", False), ("gzip;q=0", False), ("*;q=0", False),
     ("gzip;q=0.5, identity", False), (";;q=x", False)],
)  # fmt: skip
def test_accept_encoding_decides(rest: str, accept: str | None, expected: bool) -> None:
    """Only a caller who accepts gzip, and does not prefer the plain body, gets it."""
    answer = ask(rest, GAME, accept)
    assert expected == (answer.headers.get("Content-Encoding") == "gzip")
    assert json.loads(gzip.decompress(answer.body) if expected else answer.body) == Rest(rest).get(GAME).json()


def test_post_answers_and_problems_are_compressed(rest: str) -> None:
    """The long answer of a POST is compressed, also a problem; a short one is sent as it is."""
    short = ask(rest, START, "gzip", "POST", '{"ruleSet": {"gameId": "nothing"}}')
    assert (400, None) == (short.status, short.headers.get("Content-Encoding"))
    assert "application/problem+json" == short.headers["Content-Type"]
    many = {"questions": [{"scoreCards": {"ruleSet": {"gameId": "X"}}} for _ in range(60)]}
    long = ask(rest, "/v1/rules:batch", "gzip", "POST", json.dumps(many))
    assert (400, "gzip") == (long.status, long.headers["Content-Encoding"])
    assert "bad_request" == json.loads(gzip.decompress(long.body))["code"]
    made = ask(rest, "/v1/matches", "gzip", "POST", '{"ruleSet": {"gameId": "cucu", "players": 9}}')
    assert (201, "gzip", "no-store") == (made.status, made.headers["Content-Encoding"], made.headers["Cache-Control"])
    assert 9 == len(json.loads(gzip.decompress(made.body))["seatKeys"])


@pytest.mark.parametrize("path", [GAME, "/openapi.json", "/docs/rules/coech", "/docs/api/swagger-ui.css"])
def test_entity_tags_agree_with_304(rest: str, path: str) -> None:
    """The tag of a compressed body is weak; each tag gives 304, with the tag that the body would have."""
    plain, packed = ask(rest, path, "identity"), ask(rest, path, "gzip")
    assert f"W/{plain.headers['ETag']}" == packed.headers["ETag"]
    for shown in (plain, packed):
        for accept, whole in (("identity", plain), ("gzip", packed)):
            again = ask(rest, path, accept, If_None_Match=shown.headers["ETag"])
            assert (304, b"", whole.headers["ETag"]) == (again.status, again.body, again.headers["ETag"])
            assert whole.headers["Vary"] == again.headers["Vary"]
            assert "Content-Encoding" not in again.headers


def test_a_part_of_a_file_is_not_compressed(rest: str) -> None:
    """The range of a file counts the bytes of the plain body, and is sent as it is."""
    plain = ask(rest, "/docs/api/swagger-ui.css", None)
    part = ask(rest, "/docs/api/swagger-ui.css", "gzip", Range="bytes=0-1999")
    assert (206, plain.body[:2000]) == (part.status, part.body)
    assert "Content-Encoding" not in part.headers


def test_head_has_the_headers_of_a_compressed_get(rest: str) -> None:
    """HEAD tells the length that GET has with the same Accept-Encoding."""
    for path in (GAME, "/docs/api/swagger-ui.css"):
        head, get = ask(rest, path, "gzip", "HEAD"), ask(rest, path, "gzip")
        for name in ("Content-Length", "Content-Encoding", "ETag", "Vary"):
            assert get.headers[name] == head.headers[name]
        assert b"" == head.body


@pytest.mark.parametrize("kind", ["text/event-stream", "application/x-ndjson"])
def test_streams_are_never_compressed(rest: str, kind: str) -> None:
    """The events of a match arrive as they are, however many bytes they have together."""
    table = one_deal(rest)
    while table.referee.get(f"{table.path}/moves").json()["moves"]:
        assert 200 == table.play().status_code
    answer = ask(rest, f"{table.path}:watch", "gzip", Accept=kind)
    assert answer.headers["Content-Type"].startswith(kind)
    assert "Content-Encoding" not in answer.headers
    assert len(answer.body) > 1024
    assert b'"events":[' in answer.body


def test_connect_compresses_its_own_messages(rest: str) -> None:
    """A call over Connect is compressed once, by the Connect library; gRPC-Web is left alone."""
    body = '{"ruleSet": {"gameId": "briscola"}}'
    answer = ask(rest, "/chitarrella.v1.RulesService/StartGame", "gzip", "POST", body)
    assert ("gzip", "Accept-Encoding") == (answer.headers["content-encoding"], answer.headers["vary"])
    assert json.loads(gzip.decompress(answer.body)) == Rest(rest).post(START, json.loads(body)).json()
    headers = {"Content-Type": "application/grpc-web+proto", "Accept-Encoding": "gzip"}
    games = "/chitarrella.v1.CatalogueService/ListGames"
    web = Rest(rest).post(games, content=struct.pack(">BI", 0, 0), headers=headers)
    assert (200, "Content-Encoding" in web.headers) == (web.status_code, False)
