"""How a call is read from HTTP: paths, queries, bodies, and what every answer carries."""

from __future__ import annotations

import re

import pytest

from chitarrella.transports.rest.routes import routes
from tests.transports.rest_client import Rest, Table, failed

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
