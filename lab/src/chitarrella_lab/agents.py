"""Agents from outside, Python functions, HTTP servers and programs, and the referee who asks them for moves.

A question is one JSON object for every decision; a program reads it as a line of its standard input. The answer is
``{"move": "play_card Ab"}`` over HTTP, and that or the move alone as a line of the standard output. Nothing else that
an agent does has an effect: a move counts only if the rules accept it.
"""

import importlib
import json
import queue
import shlex
import subprocess
import sys
import threading
import urllib.request
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, Protocol

import click

from chitarrella.bots import BOTS, InformationState
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import is_accepted
from chitarrella.core.model import Event, Move, Seat, Shares, View
from chitarrella.core.notation import MalformedMove, format_move, parse_move
from chitarrella.i18n.translator import ENGLISH

MAX_OUT_OF_TURN: Final = 8
"""How many moves that do not wait for its turn, such as signals, a seat may make before one that does."""
MAX_ANSWER: Final = 10_000  # an answer of more characters than this is no move


class AgentFailed(Exception):
    """An agent has given no answer; the message says why."""


class Agent(Protocol):
    """An agent at one seat, for one deal."""

    def __call__(self, request: dict[str, Any]) -> str:
        """Return a move in the notation; raises `AgentFailed`."""

    def close(self) -> None:
        """End the agent."""


class Conduct(NamedTuple):
    """How an agent has behaved in a deal: its refused moves, and whether it forfeited the deal by them."""

    refused: int = 0
    forfeits: int = 0


class Referee:
    """An agent as an entrant of a duplicate match; it makes legal moves only, whatever the agent answers.

    Every seat of every deal has an agent of its own, which knows nothing of other seats and deals. After ``limit``
    refused moves in a deal it forfeits that: what is left is played by the moves of the timeout.
    """

    def __init__(self, start: Callable[[], Agent], limit: int) -> None:
        self._start = start
        self._limit = limit
        self._agents: dict[Seat, Agent] = {}
        self._events: defaultdict[Seat, list[Event]] = defaultdict(list)
        self._out_of_turn: defaultdict[Seat, int] = defaultdict(int)
        self._refused = 0

    def __call__(self, info_state: InformationState, rng: Random) -> Move:
        """Return the move of the agent if the rules accept it; else ask again, and in the end return the default."""
        refusals: list[dict[str, str]] = []
        while self._refused < self._limit:
            move, refusals = self._ask(info_state, refusals)
            if move is not None:
                return move
            self._refused += 1
        return info_state.default_move

    def _ask(
        self, info_state: InformationState, refusals: list[dict[str, str]]
    ) -> tuple[Move | None, list[dict[str, str]]]:
        """Return the accepted move, or None with the reasons why there is none."""
        seat, game = info_state.seat, info_state.game
        try:
            if seat not in self._agents:
                self._agents[seat] = self._start()
            answer = self._agents[seat](self._request(info_state, refusals))
            move = parse_move(game, answer.strip()[:MAX_ANSWER])
        except AgentFailed as error:
            self._close(seat)
            return None, [_refusal("no_answer", str(error))]
        except (UnknownCard, MalformedMove) as error:
            code = "unknown_card" if isinstance(error, UnknownCard) else "malformed_move"
            return None, [_refusal(code, str(error))]
        found = info_state.refusals(move)
        if not is_accepted(found):
            return None, [_refusal(one.code, ENGLISH.reason(one, game.pack), one.clause.key) for one in found]
        out_of_turn = game.move_specs[move.verb].out_of_turn
        self._out_of_turn[seat] = self._out_of_turn[seat] + 1 if out_of_turn else 0
        if self._out_of_turn[seat] > MAX_OUT_OF_TURN:
            message = f"The seat has made {MAX_OUT_OF_TURN} moves that do not wait for its turn; now one that does."
            return None, [_refusal("too_many", message)]
        return move, []

    def _request(self, info_state: InformationState, refusals: list[dict[str, str]]) -> dict[str, Any]:
        """Return what the agent is asked; it has no card that its seat does not see."""
        events = [event_data(event) for event in self._events[info_state.seat]]
        self._events[info_state.seat] = []
        game = info_state.game
        return {
            "game": game.key, "seats": game.seats, "seat": info_state.seat, "view": view_data(info_state.view),
            "legal_moves": [format_move(move) for move in info_state.moves], "events": events, "refusals": refusals,
            "refusals_left": self._limit - self._refused,
        }  # fmt: skip

    def observe(self, seat: Seat, events: tuple[Event, ...]) -> None:
        """Keep what a seat has seen for the next question to it."""
        self._events[seat] += events

    def end_deal(self) -> Conduct:
        """Return how often the agent was refused, and whether it forfeited; end its agents."""
        conduct = Conduct(self._refused, int(self._refused >= self._limit))
        self._refused = 0
        self._events.clear()
        self._out_of_turn.clear()
        for seat in [*self._agents]:
            self._close(seat)
        return conduct

    def _close(self, seat: Seat) -> None:
        """End the agent of a seat; the next question starts a new one."""
        with suppress(KeyError):
            self._agents.pop(seat).close()


def _refusal(code: str, message: str, clause: str = "") -> dict[str, str]:
    return {"code": code, "clause": clause, "message": message}


def view_data(view: View) -> dict[str, Any]:
    names = ("name", "seat", "cards", "size", "leader")
    zones = [{name: getattr(zone, name) for name in names} for zone in view.zones]
    facts = [{"name": fact.name, "seat": fact.seat, "value": _value(fact.value)} for fact in view.facts]
    return {"phase": view.phase, "turn": view.turn, "zones": zones, "facts": facts, "scores": list(view.scores)}


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as plain data, without what is empty."""
    data = event._asdict() | {"shares": _value(event.shares), "hidden": event.hidden or None}
    hidden = ("known_to", "seen_by")
    return {name: value for name, value in data.items() if name not in hidden and value not in (None, "", (), [])}


def _value(value: str | int | Shares) -> Any:
    """Return the value of a fact as plain data; amounts by person as a list."""
    return [{"person": person, "amount": amount} for person, amount in value] if isinstance(value, tuple) else value


END_SECONDS: Final = 2.0  # how long a program may take to end once its input is closed, in seconds


def named_agents(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Parse ``NAME=AGENT`` pairs; fails for a name that is missing, taken or given twice."""
    agents: dict[str, str] = {}
    for value in values:
        name, _, spec = value.partition("=")
        if not name or not spec or not name.isidentifier() or name in BOTS or name in agents:
            raise click.BadParameter(f"{value[:40]!r} should be NAME=AGENT, with a name of its own.", ctx, param)
        agents[name] = spec
    return agents


class FunctionAgent:
    """A Python function, called in this process; it is trusted to look at nothing but the question."""

    def __init__(self, function: Callable[[dict[str, Any]], str]) -> None:
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
