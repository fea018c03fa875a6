"""Every error that a caller can bring about over REST, with its status and its reason code."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

import chitarrella
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.telemetry import Telemetry
from chitarrella.storage.embedded_valkey import binary
from chitarrella.transports.rest.app import make_app
from chitarrella.transports.rest.asgi import HttpApp
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from tests.http_server import running_http
from tests.servers import Server
from tests.test_architecture import tree
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.rest_client import PLAIN, Rest, Table, failed

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
