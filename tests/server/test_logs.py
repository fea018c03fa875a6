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


WATCHED = """
import importlib, json, os, pkgutil, sys
network = ("socket.__new__", "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname")
processes = ("subprocess.Popen", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn")
effects, modules = [], []
sys.addaudithook(lambda event, _: effects.append(event) if event in (*network, *processes) else None)
read = type(os.environ).__getitem__

def reading(self, name):
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals["__name__"] in ("os", "_collections_abc", "collections.abc"):
        frame = frame.f_back
    if frame.f_globals["__name__"].startswith("chitarrella"):
        effects.append(f"{frame.f_globals['__name__']} {name}")
    return read(self, name)

type(os.environ).__getitem__ = reading
for found in pkgutil.walk_packages(importlib.import_module("chitarrella").__path__, "chitarrella."):
    importlib.import_module(found.name)
    modules.append(found.name)
before = len(effects), len(os.listdir("/proc/self/task"))
exec(sys.argv[1], {"__name__": "chitarrella.effects"})
print(json.dumps([modules, effects[: before[0]], before[1], effects[before[0] :], len(os.listdir("/proc/self/task"))]))
"""
"""Imports every module with an audit hook, causes effects, and prints what was noticed before and after."""
EFFECTS = """
import os, socket, subprocess, sys, threading
os.environ.get("HOME"), os.getenv("HOME"), os.environ["PATH"], "HOME" in os.environ
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))
threading.Thread(target=threading.Event().wait, daemon=True).start()
subprocess.run([sys.executable, "--version"], capture_output=True)
"""
"""Effects that no import may have."""


def test_imports_have_no_side_effects() -> None:
    """Importing any module opens no socket, starts no process or thread, and reads no environment variable."""
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, EFFECTS], cwd=ROOT, capture_output=True, text=True, check=True, timeout=110
    )
    imported, effects, threads, caused, threads_after = json.loads(done.stdout)
    paths = [path.relative_to(SERVICE).with_suffix("") for path in (SERVICE / "chitarrella").rglob("*.py")]
    assert {".".join(path.parts).removesuffix(".__init__") for path in paths} - {"chitarrella"} == set(imported)
    assert ([], 1) == (effects, threads)
    read = [f"chitarrella.effects {name}" for name in ("HOME", "HOME", "PATH", "HOME")]
    assert [*read, "socket.__new__", "socket.connect", "subprocess.Popen"] == caused[:7]
    assert 2 == threads_after


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
import asyncio, gc, logging, sys, threading, time, warnings
from chitarrella.runtime.logs import configure_logging
from chitarrella.runtime.telemetry import CallRecord, Telemetry

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
    command = [sys.executable, "-W", "default", "-c", PROGRAM + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert status == done.returncode, done.stderr
    assert "Ab" not in done.stderr
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert all({"timestamp", "level", "event"} <= line.keys() for line in lines)
    return lines


def test_line_is_an_object() -> None:
    """A request, a line of the service, a warning and one of a library are one object each; the rest is not logged."""
    code = """
Telemetry().request(CallRecord(time.time(), 'grpc', '/x', 'ok', 0.1, 'id'))
logging.getLogger('chitarrella').info('two\\nlines')
logging.getLogger('library').info('hello')
logging.getLogger('library').warning('no %s', 'good')
warnings.warn('old')
"""
    expected = [("info", "request"), ("info", "two\nlines"), ("warning", "no good"), ("warning", "<string>")]
    found = [(line["level"], line["event"]) for line in lines_of(code)]
    assert expected == [(level, "<string>" if event.startswith("<string>") else event) for level, event in found]


def test_exception_is_an_object_without_its_text() -> None:
    """An exception that nobody caught is one object with its class and its place, without its text, wherever it is."""
    code = """
thread = threading.Thread(target=fail); thread.start(); thread.join()
Broken()
asyncio.run(leave_a_task())
try: fail()
except ValueError: logging.getLogger('library').exception('it failed')
fail()
"""
    uncaught, task = "uncaught exception", "Task exception was never retrieved"
    lines = lines_of(code, 1)
    assert [uncaught, uncaught, task, "it failed", uncaught] == [line["event"] for line in lines]
    for line in lines:
        assert "ValueError" == line["exception"]
        assert line["trace"][-1].startswith("<string>:")


def test_no_text_of_grpc_is_logged() -> None:
    """A line of gRPC names its logger and the class of the exception, once in a while, and shows no text."""
    code = "log = logging.getLogger('grpc._cython.cygrpc')\n"
    code += "for _ in range(3):\n    try: fail()\n    except ValueError: log.exception('on %s', 'Ab')"
    (line,) = lines_of(code)
    expected = {"logger": "grpc._cython.cygrpc", "exception": "ValueError", "level": "error"}
    assert expected.items() <= line.items()
    assert {*expected, "event", "timestamp"} == line.keys()
