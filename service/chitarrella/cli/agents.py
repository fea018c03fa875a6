"""Agents from outside: Python functions, HTTP servers and programs, each with the same question and answer.

A question is one JSON object, see `chitarrella.cli.referee`; a program reads it as a line of its standard input.
The answer is ``{"move": "play_card Ab"}`` over HTTP, and that or the move alone as a line of the standard output.
"""

from __future__ import annotations

import importlib
import json
import queue
import shlex
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click

from chitarrella.bots import BOTS
from chitarrella.cli.referee import MAX_ANSWER, Agent, AgentFailed

END_SECONDS: Final = 2.0
"""How long a program may take to end once its input is closed, in seconds."""


def named_agents(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Parse ``NAME=AGENT`` pairs; fails for a name that is missing, taken or given twice."""
    agents: dict[str, str] = {}
    for value in values:
        name, _, spec = value.partition("=")
        if not name or not spec or not name.isidentifier() or name in BOTS or name in agents:
            raise click.BadParameter(f"{value[:40]!r} should be NAME=AGENT, with a name of its own.", ctx, param)
        agents[name] = spec
    return agents


OPTIONS: Final = (
    click.option(
        "--agent",
        "specs",
        multiple=True,
        callback=named_agents,
        metavar="NAME=AGENT",
        help="An agent from outside: a command line, a URL, or python:MODULE:FUNCTION; may be repeated.",
    ),
    click.option(
        "--agent-timeout",
        type=click.FloatRange(min=0.01),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Seconds for an answer of a program or a server.",
    ),
    click.option(
        "--refusals",
        "limit",
        type=click.IntRange(min=1),
        default=5,
        show_default=True,
        metavar="N",
        help="With so many refused moves or missing answers an agent forfeits the deal.",
    ),
    click.option(
        "--results",
        "file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write each deal to this file, and do not play again what is there.",
    ),
)
"""The options of `strength` for agents."""


def agent_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, in their order."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


class FunctionAgent:
    """A Python function, called in this process; it is trusted to look at nothing but the question."""

    def __init__(self, function: Callable[[dict[str, Any]], str]) -> None:
        """Play by ``function``."""
        self._function = function

    def __call__(self, request: dict[str, Any]) -> str:
        """Return what the function returns; raises `AgentFailed` for an exception."""
        try:
            return str(self._function(request))
        except Exception as error:
            raise AgentFailed(f"the function raised {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Nothing is open."""


class HttpAgent:
    """A server that is asked by POST."""

    def __init__(self, url: str, timeout: float) -> None:
        """Ask ``url``, and wait for ``timeout`` seconds."""
        self._url, self._timeout = url, timeout

    def __call__(self, request: dict[str, Any]) -> str:
        """Return the move of the answer; raises `AgentFailed`."""
        body, headers = json.dumps(request).encode(), {"content-type": "application/json"}
        try:
            call = urllib.request.Request(self._url, body, headers)
            with urllib.request.urlopen(call, timeout=self._timeout) as answer:
                return move_of(answer.read(MAX_ANSWER).decode())
        except (OSError, ValueError) as error:
            raise AgentFailed(f"no answer: {error}") from error

    def close(self) -> None:
        """Nothing is open."""


class ProgramAgent:
    """A program that is started for one seat of one deal."""

    def __init__(self, command: list[str], timeout: float) -> None:
        """Start ``command``, which may take ``timeout`` seconds for an answer; raises `AgentFailed`."""
        self._timeout = timeout
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
            )
        except OSError as error:
            raise AgentFailed(f"{command[0]} cannot be started: {error.strerror}") from error
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        """Read answers as they come, so that a program may be waited for; an empty one is the end."""
        assert self._process.stdout is not None
        with suppress(ValueError):
            while line := self._process.stdout.readline(MAX_ANSWER):
                self._answers.put(line)
        self._answers.put("")

    def __call__(self, request: dict[str, Any]) -> str:
        """Return the next line of the program; raises `AgentFailed`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer = self._answers.get(timeout=self._timeout)
        except OSError as error:
            raise AgentFailed(f"the program reads nothing: {error.strerror}") from error
        except queue.Empty:
            raise AgentFailed(f"no answer within {self._timeout:g} seconds") from None
        if not answer:
            raise AgentFailed("the program has ended")
        return move_of(answer)

    def close(self) -> None:
        """Close the input of the program, and end it if that does not."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


def move_of(answer: str) -> str:
    """Return the move of an answer: the ``move`` of a JSON object, else the text itself."""
    text = answer.strip()
    if text.startswith("{"):
        try:
            return str(json.loads(text)["move"])
        except (ValueError, KeyError):
            raise AgentFailed('the answer is no JSON object with a "move"') from None
    return text


def agent_starter(spec: str, timeout: float) -> Callable[[], Agent]:
    """Return what starts an agent: ``python:MODULE:FUNCTION``, a URL, or a command line.

    Raises `click.UsageError` for a module or function that there is not.
    """
    if spec.startswith(("http://", "https://")):
        return lambda: HttpAgent(spec, timeout)
    if spec.startswith("python:"):
        function = _function(spec.removeprefix("python:"))
        return lambda: FunctionAgent(function)
    command = shlex.split(spec)
    return lambda: ProgramAgent(command, timeout)


def _function(name: str) -> Callable[[dict[str, Any]], str]:
    """Import ``MODULE:FUNCTION``, also from the current folder."""
    module, _, attribute = name.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        function: Callable[[dict[str, Any]], str] = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise click.UsageError(f"python:{name} is no function: {error}") from None
    finally:
        del sys.path[0]
    return function
