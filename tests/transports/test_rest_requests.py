"""How a call is read from HTTP: paths, queries, bodies, and what every answer carries."""

import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import httpx
import orjson
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

import chitarrella
from chitarrella import v1
from chitarrella.api.dispatcher import PATTERNS, Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.transports.rest.app import HttpApp, make_app
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from chitarrella.transports.rest.views import InvalidJson, object_decoder
from tests.transports.all_transports import RPCS, framed
from tests.transports.conftest import WiredService
from tests.transports.random_messages import randomize, spoiled
from tests.transports.rest_client import PLAIN, Rest, Table, failed, one_deal, running_http

GAMES, COUNT = "/v1/games", "/v1/rules:scoreCards"
AGREED = {"gameId": "briscola"}
JSON = {"Content-Type": "application/json"}


SIZE = "page_size"
TWICE = (f"{SIZE}=1&{SIZE}=2", f"{SIZE}=1&pageSize=1")


@pytest.mark.parametrize("query", ["colour=red", f"{SIZE}=two", f"{SIZE}=", f"{SIZE}=-1", f"{SIZE}=101", *TWICE])
def test_invalid_query_names_its_parameter(curl: Rest, query: str) -> None:
    """An unknown name in a query, a name twice, or a value that does not fit, is told with its name."""
    failed(curl.get(f"{GAMES}?{query}"), 400, "bad_request", query.partition("=")[0])


def test_what_was_meant_is_named(curl: Rest) -> None:
    """A path or a name that is misspelt is answered with the one that it is like, and a pattern in words."""
    for path, meant in (("/v1/games/", "/v1/games"), ("/v1/matches/%5C1/evnts", r"/v1/matches/\1/events"), ("/x", "")):
        assert (f"did you mean {meant}?" in curl.get(path).json()["detail"]) == bool(meant)
    assert "did you mean ruleSet?" in curl.post(COUNT, {"ruleset": AGREED}).json()["detail"]
    assert "did you mean pageSize?" in curl.get(f"{GAMES}?pagesize=1").json()["detail"]
    assert "labels[0]: must be written as KEY=VALUE" in curl.get("/v1/matches?labels=cup").json()["detail"]
    sources = "".join(path.read_text() for path in Path(__file__).parents[2].glob("proto/chitarrella/v1/*.proto"))
    written = {json.loads(text) for text in re.findall(r'pattern(?::| =) (".*?")', sources)}
    assert written == set(PATTERNS), "each pattern of the contract has words"


def test_query_and_path_are_parts_of_the_message(rest: str) -> None:
    """A query may be spelt either way; beside a body there is none, and what a path says the body may only repeat."""
    curl, table = Rest(rest), Table(rest)
    assert [2, 2] == [len(curl.get(f"{GAMES}?{name}=2").json()["games"]) for name in ("page_size", "pageSize")]
    failed(curl.post(f"{COUNT}?cards=Ab", {"ruleSet": AGREED}), 400, "bad_request", "cards")
    move, path = {"move": {"verb": "play_card", "cards": ["Ab"]}}, f"{table.path}:validateMove"
    failed(table.seats[0].post(path, {"matchId": "another", **move}), 400, "bad_request", "match_id")
    assert 200 == table.seats[0].post(path, {"matchId": table.match_id, **move}).status_code


LARGE = b'{"cards":["' + b"A" * 1024 * 1024 + b'"]}'


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        *((b"{}", {"Content-Type": kind}, 415, "wrong_media_type") for kind in ("text/plain", "")),
        (b"{}", {"Content-Type": "application/x-www-form-urlencoded"}, 415, "wrong_media_type"),
        (b"{}", {"Content-Type": "application/json; charset=latin-1"}, 415, "wrong_media_type"),
        (b"{}", {**JSON, "Content-Encoding": "gzip"}, 415, "wrong_media_type"),
        *((body, JSON, 400, "bad_request") for body in (b"{", b"\xff", b'{"a":NaN}', b"[" * 5000, b"'x'")),
        *((body, JSON, 400, "bad_request") for body in (b"[]", b"null", b"3", b'"x"')),
        (LARGE, JSON, 413, "too_large"),
        ((LARGE[:500], LARGE[500:]), JSON, 413, "too_large"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_body_is_a_json_object(curl: Rest, body: Any, headers: dict[str, str], status: int, code: str) -> None:
    """Another media type, what is no object in JSON, and more than a MiB, at once or in pieces, are refused."""
    failed(curl.post(COUNT, content=body if isinstance(body, bytes) else iter(body), headers=headers), status, code)


@pytest.mark.parametrize("path", ["/v1", "/v1/games/", "/v1//games", "/v1/games/a/b", "/v1/matches/a:b", "/nowhere"])
def test_unknown_path_is_404(curl: Rest, path: str) -> None:
    """Where there is nothing, the caller is told so, and not sent elsewhere."""
    failed(curl.get(path), 404, "no_such_route")


def test_methods_of_a_path(curl: Rest) -> None:
    """A path names the methods that it answers; HEAD gives the headers of GET, and nothing else."""
    for method, path, allowed in (("PATCH", "/v1/matches", True), ("PUT", GAMES, False), ("DELETE", "/healthz", False)):
        response = curl(method, path)
        failed(response, 405, "wrong_method")
        assert allowed == ("POST" in response.headers["Allow"])
    assert {"GET", "HEAD", "OPTIONS"} == set(re.split(", *", curl("OPTIONS", GAMES).headers["Allow"]))
    head, get = curl("HEAD", GAMES), curl.get(GAMES)
    assert (200, b"") == (head.status_code, head.content)
    for name in ("ETag", "Content-Length"):
        assert get.headers[name] == head.headers[name]


@pytest.mark.parametrize("path", [GAMES, "/nowhere", "/healthz", "/v1/matches/x", "/docs/"])
def test_every_answer_has_its_request_id(curl: Rest, path: str) -> None:
    """A request id that makes sense is taken over; where there is none, one is made."""
    assert "table-7" == curl.get(path, headers={"X-Request-Id": "table-7"}).headers["X-Request-Id"]
    for senseless in ("", "a b", "x" * 65, "<script>"):
        made = curl.get(path, headers={"X-Request-Id": senseless}).headers["X-Request-Id"]
        assert re.fullmatch("[0-9a-f]{32}", made)


def test_a_problem_names_its_request_and_every_violation(curl: Rest) -> None:
    """Beside the path and the meaning of its code a problem has the request id, and all fields that are wrong."""
    problem = curl.get("/v1/games/nothing", headers={"X-Request-Id": "r1"}).json()
    assert ("r1", "/v1/games/nothing") == (problem["requestId"], problem["instance"])
    assert ("/docs/errors#unknown_game", 404) == (problem["type"], problem["status"])
    body = {"ruleSet": {"gameId": "", "players": 21}, "expireAfter": "31536001s"}
    violations = curl.post("/v1/matches", body).json()["violations"]
    assert {"expire_after", "rule_set.game_id", "rule_set.players"} == {one["field"] for one in violations}


@pytest.mark.parametrize("header", ["Basic dTpw", "Bearer", "Bearer two keys", "KEY", "Bearer " + "k" * 201])
@pytest.mark.parametrize("path", [GAMES, "/v1/matches/x", "/v1/matches/x:watch"])
def test_invalid_authorization_header_is_refused(curl: Rest, path: str, header: str) -> None:
    """Whoever shows something that is no key at all is told so, also where no key is needed."""
    response = curl.get(path, headers={"Authorization": header})
    failed(response, 401, "bad_key", "authorization")
    assert 'Bearer realm="chitarrella", error="invalid_token"' == response.headers["WWW-Authenticate"]


# ---------------------------------------------------------------------- rest errors


class Broken(Dispatcher):
    def call(self, path: str, request: Any, caller: Any) -> Any:
        raise KeyError("Ab")


def test_internal_error_reveals_nothing_but_its_id(wired: WiredService, caplog: pytest.LogCaptureFixture) -> None:
    """A caller learns that there is a fault and under which id; the log has the place, and neither has the text."""
    broken, telemetry = object.__new__(Broken), Telemetry()
    with running_http(HttpApp(make_app(broken, telemetry, lambda *_: None), broken, telemetry.request)) as url:
        for path in ("/v1/rules:startGame", "/chitarrella.v1.RulesService/StartGame"):
            answer = httpx.post(url + path, json={"ruleSet": AGREED}, headers={"X-Request-Id": "r-9"}, **PLAIN)
            assert (500, "internal") == (answer.status_code, answer.json()["code"])
            assert not re.search("Ab|KeyError", answer.text)
    assert "KeyError" in caplog.text
    assert "r-9" in caplog.text
    assert "'Ab'" not in caplog.text


def test_every_raised_code_is_documented() -> None:
    """No error is raised anywhere in the service that the page of errors, and the contract, do not list."""
    raising = re.compile(rf'\b(?:{"|".join({known.kind.__name__ for known in PROBLEM_TYPES})})\(\s*"(\w+)"')
    texts = [path.read_text(encoding="utf-8") for path in Path(chitarrella.__file__).parent.rglob("*.py")]
    raised = {code for text in texts for code in raising.findall(text)}
    assert set() == raised - {known.code for known in PROBLEM_TYPES}
    assert {"stale_revision", "bad_key"} <= raised


# ---------------------------------------------------------------------- rest json


ENCODER = JsonEncoder()
REQUESTS = [rpc.request for rpc in RPCS.values()]
KINDS = [*REQUESTS, *(rpc.response for rpc in RPCS.values())]
SAMPLES = 12
ENUMS = tuple(field.name for kind in REQUESTS for field in kind.DESCRIPTOR.fields if field.enum_type is not None)
"""The fields whose value is a name of a list."""


def made(kind: type[Message], number: int) -> tuple[Message, Any, Random]:
    """A random message, what the library writes for it, and the generator that made it."""
    message, rng = kind(), Random(f"{kind.__name__} {number}")
    randomize(message, rng)
    return message, json_format.MessageToDict(message, always_print_fields_with_no_presence=True), rng


def read(kind: type[Message], data: Any) -> Message:
    described: Any = kind.DESCRIPTOR
    return kind(**object_decoder(described)(data))


@pytest.mark.parametrize("number", range(SAMPLES))
def test_json_is_that_of_the_library(number: int) -> None:
    """Every message is written as the library writes it, and read again, in either spelling of the names."""
    for kind in KINDS:
        message, written, _ = made(kind, number)
        assert written == orjson.loads(ENCODER.encode(message))
        if kind in REQUESTS:
            assert message == read(kind, ENCODER.to_data(message))
            assert message == read(kind, json_format.MessageToDict(message, preserving_proto_field_name=True))


@pytest.mark.parametrize("number", range(SAMPLES))
def test_odd_json_is_accepted_as_by_the_library(number: int) -> None:
    """Something odd in the place of a value is accepted, and means the same, exactly where the library accepts it."""
    for kind in REQUESTS * 3:
        _, written, rng = made(kind, number)
        odd = spoiled(written, rng)
        wanted, found = theirs(kind, odd), ours(kind, odd)
        if isinstance(found, InvalidJson):
            # The library also takes an empty list, or an empty word, for an object, and any number for that of a name.
            of_enum = found.field.rstrip("[]0123456789").endswith(ENUMS)
            assert wanted is None or of_enum or "must be an object" == found.message
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


PLAY, BATCH = v1.PlayMoveRequest, v1.BatchRequest


@pytest.mark.parametrize(
    ("kind", "data", "field", "message"),
    [
        (PLAY, {"move": {"vreb": "x"}}, "move.vreb", "is no field"),
        (PLAY, {"move": {"cards": ["Ab", 3]}}, "move.cards[1]", "must be text"),
        (PLAY, {"move": {"cards": "Ab"}}, "move.cards", "must be a list"),
        (PLAY, {"expectedRevision": 1, "expected_revision": 1}, "expected_revision", "twice"),
        (PLAY, {"seat": 2**32}, "seat", "between 0 and 4294967295"),
        (PLAY, {"seat": "1e3"}, "seat", "whole number"),
        (PLAY, {"includeView": 1}, "include_view", "true or false"),
        (PLAY, {"move": []}, "move", "must be an object"),
        (v1.CreateMatchRequest, {"ruleSet": {"options": {"a": 1}}}, "rule_set.options.a", "must be text"),
        (v1.CreateMatchRequest, {"packSource": "MINE"}, "pack_source", "PACK_SOURCE_REFEREE"),
        (
            *(BATCH, {"questions": [{}, {"getView": {"seat": 1, "referee": True}}]}),
            *("questions[1].get_view.referee", "excludes"),
        ),
    ],
)
def test_json_error_names_the_field(kind: type[Message], data: Any, field: str, message: str) -> None:
    """A reader of the refusal finds the field at fault by its path."""
    with pytest.raises(InvalidJson, match=re.escape(message)) as caught:
        read(kind, data)
    assert field == caught.value.field


# ---------------------------------------------------------------------- rest compression


GAME, START, STYLE = "/v1/games/briscola", "/v1/rules:startGame", "/docs/api/swagger-ui.css"
LONG = [GAME, "/openapi.json", "/docs/rules/", "/docs/errors", "/docs/rules/coech", "/docs/proofs", STYLE,
        "/docs/api/index.css", "/docs/api/swagger-ui-bundle.js", "/style.css"]  # fmt: skip


class Answer(NamedTuple):
    status: int
    headers: httpx.Headers
    body: bytes

    @property
    def encoding(self) -> Any:
        return self.headers.get("Content-Encoding")


def ask(url: str, path: str, accept: str | None, method: str = "GET", body: Any = None, **more: str) -> Answer:
    """Send one request with the header Accept-Encoding, or without it."""
    with httpx.Client(base_url=url, **PLAIN) as client:
        del client.headers["Accept-Encoding"]
        headers = {name.replace("_", "-"): value for name, value in more.items()}
        headers |= {} if accept is None else {"Accept-Encoding": accept}
        with client.stream(method, path, json=body, headers=headers) as response:
            return Answer(response.status_code, response.headers, b"".join(response.iter_raw()))


@pytest.mark.parametrize("path", LONG)
def test_long_answers_are_compressed(rest: str, path: str) -> None:
    """JSON, pages and their files are shorter for a caller who accepts gzip, and the same content."""
    plain, packed = ask(rest, path, None), ask(rest, path, "gzip, deflate, br")
    assert (200, 200, None) == (plain.status, packed.status, plain.encoding)
    if len(plain.body) < 1024:
        assert packed.encoding is None
        return
    assert ("gzip", str(len(packed.body))) == (packed.encoding, packed.headers["Content-Length"])
    assert len(packed.body) < len(plain.body) / 2
    assert plain.body == gzip.decompress(packed.body)
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize(
    ("accept", "expected"),
    [("gzip", True), ("*", True), ("GZIP;q=0.5", True), ("br, gzip;q=0.1", True), ("identity;q=0.5, gzip", True),
     (None, False), ("", False), ("br, zstd", False), ("gzip;q=0", False), ("*;q=0", False),
     ("gzip;q=0.5, identity", False), (";;q=x", False)],
)  # fmt: skip
def test_accept_encoding_decides(rest: str, accept: str | None, expected: bool) -> None:
    """Only a caller who accepts gzip, and does not prefer the plain body, gets it."""
    answer = ask(rest, GAME, accept)
    assert expected == (answer.encoding == "gzip")
    assert json.loads(gzip.decompress(answer.body) if expected else answer.body) == Rest(rest).get(GAME).json()


def test_post_answers_and_problems_are_compressed(rest: str) -> None:
    """The long answer of a POST is compressed, also a problem; a short one is sent as it is."""
    short = ask(rest, START, "gzip", "POST", {"ruleSet": {"gameId": "nothing"}})
    assert (404, None, "application/problem+json") == (short.status, short.encoding, short.headers["Content-Type"])
    many = {"questions": [{"scoreCards": {"ruleSet": {"gameId": ""}}} for _ in range(60)]}
    long = ask(rest, "/v1/rules:batch", "gzip", "POST", many)
    assert (400, "gzip") == (long.status, long.encoding)
    assert "bad_request" == json.loads(gzip.decompress(long.body))["code"]
    made = ask(rest, "/v1/matches", "gzip", "POST", {"ruleSet": {"gameId": "cucu", "players": 9}})
    assert (201, "gzip", "no-store") == (made.status, made.encoding, made.headers["Cache-Control"])
    assert 9 == len(json.loads(gzip.decompress(made.body))["seatKeys"])


@pytest.mark.parametrize("path", [GAME, "/openapi.json", "/docs/rules/coech", STYLE])
def test_entity_tags_and_heads_agree_with_the_answer(rest: str, path: str) -> None:
    """The tag of a compressed body is weak; each tag gives 304, with the tag of the body, as HEAD tells its length."""
    plain, packed = ask(rest, path, "identity"), ask(rest, path, "gzip")
    assert f"W/{plain.headers['ETag']}" == packed.headers["ETag"]
    for accept, whole in (("identity", plain), ("gzip", packed)):
        for shown in (plain, packed):
            again = ask(rest, path, accept, If_None_Match=shown.headers["ETag"])
            assert (304, b"", whole.headers["ETag"]) == (again.status, again.body, again.headers["ETag"])
            assert (whole.headers["Vary"], None) == (again.headers["Vary"], again.encoding)
        head = ask(rest, path, accept, "HEAD")
        assert b"" == head.body
        for name in ("Content-Length", "Content-Encoding", "ETag", "Vary"):
            assert whole.headers.get(name) == head.headers.get(name)


def test_part_of_a_file_is_of_the_plain_body(rest: str) -> None:
    """The range of a file counts the bytes of the plain body."""
    part = ask(rest, STYLE, "gzip", Range="bytes=0-1999")
    assert (206, ask(rest, STYLE, None).body[:2000], None) == (part.status, part.body, part.encoding)


def test_streams_are_never_compressed(rest: str) -> None:
    """The events of a match arrive as they are, however many bytes they have together."""
    table = one_deal(rest)
    for _ in range(6):
        assert 200 == table.play().status_code
    table.referee.post(f"{table.path}:abort")
    for kind in ("text/event-stream", "application/x-ndjson"):
        answer = ask(rest, f"{table.path}:watch", "gzip", Accept=kind)
        assert answer.headers["Content-Type"].startswith(kind)
        assert answer.encoding is None
        assert len(answer.body) > 1024
        assert b'"events":[' in answer.body


def test_connect_compresses_its_own_messages(rest: str) -> None:
    """A long answer over Connect is compressed once, whoever makes it; gRPC-Web is left alone."""
    match = Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": "cucu", "players": 20}}).json()["match"]["matchId"]
    for path, body in (("MatchService/GetMatch", {"matchId": match}), ("CatalogueService/GetGame", {"gameId": "cucu"})):
        answer = ask(rest, f"/chitarrella.v1.{path}", "gzip", "POST", body)
        assert ("gzip", "Accept-Encoding") == (answer.encoding, answer.headers["vary"])
        plain = ask(rest, f"/chitarrella.v1.{path}", None, "POST", body)
        assert json.loads(gzip.decompress(answer.body)) == json.loads(plain.body)
    headers = {"Content-Type": "application/grpc-web+proto", "Accept-Encoding": "gzip"}
    web = Rest(rest).post("/chitarrella.v1.CatalogueService/ListGames", content=framed(b""), headers=headers)
    assert (200, False) == (web.status_code, "Content-Encoding" in web.headers)
