"""Imports have no side effects, and logs hold no secrets."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

import chitarrella
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import Move, RuleSet
from tests.matches.playing import CATALOGUE
from tests.server.process import Player, Service
from tests.servers import Server
from tests.test_architecture import tree

ROOT = Path(__file__).parents[2]
SERVICE = Path(chitarrella.__file__).parents[1]
RULES = ("core", "tricks", "exchange", "games", "catalogue", "i18n.translator")


def imported(*how: str) -> dict[str, Any]:
    """Import the whole package in its own process; return the side effects."""
    command = [sys.executable, "-m", "tests.server.import_everything", *how]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=110)
    snapshot: dict[str, Any] = json.loads(done.stdout)
    return snapshot


def test_imports_have_no_side_effects() -> None:
    """Importing any module opens no socket, starts no process or thread, and reads no environment variable."""
    snapshot = imported()
    paths = [path.relative_to(SERVICE).with_suffix("") for path in (SERVICE / "chitarrella").rglob("*.py")]
    modules = {".".join(path.parts).removesuffix(".__init__") for path in paths} - {"chitarrella"}
    assert modules == set(snapshot.pop("modules"))
    assert {"network": [], "processes": [], "environment": [], "threads": 1} == snapshot


def test_side_effects_of_imports_are_detected() -> None:
    """The check of imports notices each of those effects."""
    snapshot = imported("cause_side_effects")
    assert ["socket.__new__", "socket.connect"] == snapshot["network"]
    assert ["subprocess.Popen"] == snapshot["processes"][:1]
    read = [f"chitarrella.side_effects {name}" for name in ("HOME", "HOME", "PATH", "HOME")]
    assert read == snapshot["environment"][:4]
    assert 2 == snapshot["threads"]


PARTS = {"RedisStore", "Outbox", "MatchService", "MatchOperations", "WatchHub", "Scheduler"} | {
    *("GrpcServer", "make_app", "make_dispatcher", "WebhookDispatcher", "Telemetry"),
}
"""What a running service is composed of."""


def test_parts_are_composed_in_one_place() -> None:
    """Only the worker, and the channel that has a service of its own in memory, make the parts of a service."""
    makers: defaultdict[str, set[str]] = defaultdict(set)
    for path in (SERVICE / "chitarrella").rglob("*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PARTS:
                makers[str(path.relative_to(SERVICE / "chitarrella"))].add(node.func.id)
    in_memory = makers.pop("transports/inprocess.py")
    assert {"server/worker.py": PARTS} == makers
    assert {"RedisStore", "MatchService", "MatchOperations", "WatchHub", "Scheduler", "make_dispatcher"} == in_memory


def test_rules_import_without_dependencies() -> None:
    """The rules can be imported, and a catalogue made, by a Python that has nothing installed."""
    lines = [
        "import sys, importlib, pkgutil",
        f"sys.path.insert(0, {str(SERVICE)!r})",
        f"modules = [importlib.import_module('chitarrella.' + name) for name in {RULES!r}]",
        "paths = [(module.__path__, module.__name__ + '.') for module in modules if hasattr(module, '__path__')]",
        "found = [module.name for path in paths for module in pkgutil.iter_modules(*path)]",
        "[importlib.import_module(name) for name in found]",
        "from chitarrella.catalogue.registry import Catalogue",
        "print(len(found), len(list(Catalogue())), any('site-packages' in path for path in sys.path))",
    ]
    command = [sys.executable, "-I", "-S", "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=110)
    modules, games, installed = done.stdout.split()
    assert "False" == installed
    assert len(list(CATALOGUE)) == int(games)
    assert int(modules) > int(games) / 2


# ---------------------------------------------------------------------- the log


CARDS = {card for game in CATALOGUE for card in game.pack.cards}
A_CARD = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(CARDS, key=len, reverse=True))})(?![\w-])")


@pytest.fixture
def service(tmp_path: Path, server: Server) -> Iterator[Service]:
    """A service with the log level debug."""
    made = Service(tmp_path / "service", "--log-level", "debug", "--redis-url", server.url)
    yield made
    made.clear_away()


def status_of_failure(player: Player, method: str, request: Any, key: str = "") -> grpc.StatusCode:
    """Make a call that fails; return its status."""
    with pytest.raises(grpc.RpcError) as wrong:
        getattr(player.stub, method)(request, metadata=player.key(key), timeout=10)
    code: grpc.StatusCode = wrong.value.code()
    return code


def test_log_holds_no_card_and_no_key(service: Service, server: Server) -> None:
    """The log of a played match, with mistakes of all kinds and a broken row, holds no card and no key."""
    agreed = RuleSet(game_id="briscola", players=4, options={"rubber_games": "1"})
    created = Player(service.grpc).stub.CreateMatch(pb.CreateMatchRequest(rule_set=agreed), timeout=10)
    player = Player(service.grpc, created)
    match, seat = player.match_id, player.created.seat_keys[0].key
    player.play(6)
    for card in ("Ab", "4c", "Cs"):
        move = Move(verb="play_card", cards=[card])
        validation = player.stub.ValidateMove(
            pb.MatchServiceValidateMoveRequest(match_id=match, seat=1, move=move), metadata=player.key()
        )
        assert validation.refusals or validation.accepted
        player.stub.PlayMove(pb.PlayMoveRequest(match_id=match, seat=3, move=move), metadata=player.key(), timeout=10)
    wrong = Move(verb="play_card", cards=["Ab", "4c"])
    assert grpc.StatusCode.INVALID_ARGUMENT == status_of_failure(
        player, "PlayMove", pb.PlayMoveRequest(match_id=match, move=wrong)
    )
    foreign = player.created.referee_key[:-1] + "x"
    assert grpc.StatusCode.UNAUTHENTICATED == status_of_failure(
        player, "GetMatch", pb.GetMatchRequest(match_id=match), foreign
    )
    denied = pb.GetMatchRequest(match_id=match, seat=1)
    assert grpc.StatusCode.PERMISSION_DENIED == status_of_failure(player, "GetMatch", denied, seat)
    watch = player.watch(key=seat)
    next(watch)
    watch.cancel()
    player.record()
    row = f"chitarrella:{{{match}}}"
    server.ask("HSET", row, "position", server.ask("HGET", row, "position").replace("phase=", "stage="))
    unkept = grpc.StatusCode.FAILED_PRECONDITION
    assert unkept == status_of_failure(player, "GetMatch", pb.GetMatchRequest(match_id=match))
    server.ask("HSET", row, "position", server.ask("HGET", row, "position").replace("stage=", "phase="))
    server.ask("HSET", row, "control", server.ask("HGET", row, "position"))
    assert grpc.StatusCode.INTERNAL == status_of_failure(player, "GetMatch", pb.GetMatchRequest(match_id=match))
    player.close()
    service.stop()
    log = service.log() + service.output().partition("try ")[0]
    assert log.count('"event"') > 20
    assert "unexpected" in log
    assert [] == A_CARD.findall(log)
    for key in (player.created.referee_key, *(one.key for one in player.created.seat_keys)):
        assert key[:12] not in log


def test_card_pattern_matches_cards_only() -> None:
    """The pattern finds a card in a line, and none in what a log is made of."""
    assert ["Ab", "4c"] == A_CARD.findall('{"message": "Ab is not in the hand", "move": "play_card 4c"}')
    assert [] == A_CARD.findall(
        '{"duration_ms": 0.4, "request_id": "4cAb2d", "timestamp": "2026-11-20T20:34:41.771401Z"}'
    )


# ---------------------------------------------------------------------- log lines


PROGRAM = """
import asyncio, gc, logging, sys, threading, warnings
from chitarrella.runtime.logs import configure_logging
from chitarrella.runtime.telemetry import Telemetry

configure_logging("info")

class Broken:
    def __del__(self):
        raise ValueError("Ab")

def fail():
    raise ValueError("Ab")

async def leave_a_task():
    async def fail_later():
        fail()
    task = asyncio.create_task(fail_later())
    await asyncio.sleep(0)
    del task
    gc.collect()
"""


def lines_of(code: str, status: int = 0) -> list[dict[str, Any]]:
    """Run a program with the log of the service; return the lines of its standard error."""
    done = subprocess.run(
        [sys.executable, "-W", "default", "-c", PROGRAM + code], capture_output=True, text=True, timeout=60, check=False
    )
    assert status == done.returncode, done.stderr
    assert "Ab" not in done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all({"timestamp", "level", "event"} <= line.keys() for line in lines)
    return lines


@pytest.mark.parametrize(
    ("code", "level", "event"),
    [
        ("Telemetry().request('grpc', '/x', 'ok', 0.1, 'id')", "info", "request"),
        ("logging.getLogger('chitarrella').info('two\\nlines')", "info", "two\nlines"),
        ("logging.getLogger('library').warning('no %s', 'good')", "warning", "no good"),
        ("warnings.warn('old')", "warning", "<string>"),
    ],
)
def test_line_is_an_object(code: str, level: str, event: str) -> None:
    """A request, a line of the service, one of a library and a warning are one object each."""
    (line,) = lines_of(code)
    assert level == line["level"]
    assert line["event"].startswith(event)


def test_only_warnings_of_libraries_are_logged() -> None:
    """What a library says for information is not logged."""
    assert [] == lines_of("logging.getLogger('library').info('hello')")


@pytest.mark.parametrize(
    ("code", "status", "event"),
    [
        ("fail()", 1, "uncaught exception"),
        ("thread = threading.Thread(target=fail); thread.start(); thread.join()", 0, "uncaught exception"),
        ("Broken()", 0, "uncaught exception"),
        ("asyncio.run(leave_a_task())", 0, "Task exception was never retrieved"),
        ("try: fail()\nexcept ValueError: logging.getLogger('library').exception('it failed')", 0, "it failed"),
    ],
    ids=["main-thread", "thread", "finalizer", "event-loop", "library"],
)
def test_exception_is_an_object_without_its_text(code: str, status: int, event: str) -> None:
    """An exception that nobody caught is one object with its class and its place, without its text."""
    (line,) = lines_of(code, status)
    assert (event, "ValueError") == (line["event"], line["exception"])
    assert line["trace"][-1].startswith("<string>:")


def test_no_text_of_grpc_is_logged() -> None:
    """A line of gRPC names its logger and the class of the exception, once in a while, and shows no text."""
    code = "log = logging.getLogger('grpc._cython.cygrpc')\n"
    code += "for _ in range(3):\n    try: fail()\n    except ValueError: log.exception('on %s', 'Ab')"
    (line,) = lines_of(code)
    expected = {"logger": "grpc._cython.cygrpc", "exception": "ValueError", "level": "error"}
    assert expected.items() <= line.items()
    assert {*expected, "event", "timestamp"} == line.keys()
