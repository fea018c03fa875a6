"""Every line of the log is one JSON object, whoever wrote it, and shows no text of an exception."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = """
import asyncio, gc, logging, sys, threading, warnings
from chitarrella.api.log_lines import configure_logging
from chitarrella.api.telemetry import Telemetry

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
