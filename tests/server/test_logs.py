"""The parts of a service are composed in one place, and its log is objects without the text of an exception."""

import ast
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import chitarrella
from tests.test_architecture import tree

ROOT = Path(__file__).parents[2]
SERVICE = Path(chitarrella.__file__).parents[1]
RULES = ("core", "tricks", "exchange", "games", "catalogue", "i18n.translator")


# The parts that answer every rpc, and all that a running service is composed of.
HOSTED = {"MatchOperations", "WatchHub", "PlatformHub", "Scheduler", "Dispatcher"}
PARTS = {"RedisStore", "Outbox", "MatchService", "GrpcServer", "make_app", "WebhookDispatcher", "Telemetry"} | HOSTED


def test_parts_are_composed_in_one_place() -> None:
    """The worker makes the parts of a service, and gets those that answer from the one place that makes them."""
    makers: defaultdict[str, set[str]] = defaultdict(set)
    for path in (SERVICE / "chitarrella").rglob("*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PARTS:
                makers[str(path.relative_to(SERVICE / "chitarrella"))].add(node.func.id)
    assert {
        "api/hosting.py": HOSTED,
        "server/worker.py": PARTS - HOSTED,
        "transports/inprocess.py": {"RedisStore", "MatchService"},
    } == makers


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
