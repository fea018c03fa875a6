"""The referee of agents from outside: it asks them for moves, and answers those that the rules refuse.

An agent gets one JSON object for every decision and returns a move as text. Nothing else that it does has an effect: a
move counts only if the rules accept it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final, Protocol

from chitarrella.bots import InformationState
from chitarrella.bots.duplicate_match import Conduct
from chitarrella.core.cards import UnknownCard
from chitarrella.core.game import is_accepted
from chitarrella.core.model import Event, Move, Seat, Shares, View
from chitarrella.core.notation import MalformedMove, format_move, parse_move
from chitarrella.i18n.translator import ENGLISH

MAX_OUT_OF_TURN: Final = 8
"""How many moves that do not wait for its turn, such as signals, a seat may make before one that does."""
MAX_ANSWER: Final = 10_000
"""An answer of more characters than this is no move."""


class AgentFailed(Exception):
    """An agent has given no answer; the message says why."""


class Agent(Protocol):
    """An agent at one seat, for one deal."""

    def __call__(self, request: dict[str, Any]) -> str:
        """Return a move in the notation; raises `AgentFailed`."""

    def close(self) -> None:
        """End the agent."""


class Referee:
    """An agent as an entrant of a duplicate match, see `chitarrella.bots.duplicate_match.RefereedAgent`.

    Every seat of every deal has an agent of its own, which knows nothing of other seats and deals. After ``limit``
    refused moves in a deal it forfeits that: what is left is played by the moves of the timeout.
    """

    def __init__(self, start: Callable[[], Agent], limit: int) -> None:
        """Play with agents that ``start`` makes."""
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
            return None, [{"code": "no_answer", "clause": "", "message": str(error)}]
        except UnknownCard as error:
            return None, [{"code": "unknown_card", "clause": "", "message": str(error)}]
        except MalformedMove as error:
            return None, [{"code": "malformed_move", "clause": "", "message": str(error)}]
        found = info_state.refusals(move)
        if not is_accepted(found):
            return None, [
                {"code": one.code, "clause": one.clause.key, "message": ENGLISH.reason(one, game.pack)} for one in found
            ]
        out_of_turn = game.move_specs[move.verb].out_of_turn
        self._out_of_turn[seat] = self._out_of_turn[seat] + 1 if out_of_turn else 0
        if self._out_of_turn[seat] > MAX_OUT_OF_TURN:
            message = f"The seat has made {MAX_OUT_OF_TURN} moves that do not wait for its turn; now one that does."
            return None, [{"code": "too_many", "clause": "", "message": message}]
        return move, []

    def _request(self, info_state: InformationState, refusals: list[dict[str, str]]) -> dict[str, Any]:
        """Return what the agent is asked; it has no card that its seat does not see."""
        events = [event_data(event) for event in self._events[info_state.seat]]
        self._events[info_state.seat] = []
        game = info_state.game
        return {
            "game": game.key,
            "seats": game.seats,
            "seat": info_state.seat,
            "view": view_data(info_state.view),
            "legal_moves": [format_move(move) for move in info_state.moves],
            "events": events,
            "refusals": refusals,
            "refusals_left": self._limit - self._refused,
        }

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


def view_data(view: View) -> dict[str, Any]:
    """Return a view as plain data."""
    zones = [
        {"name": zone.name, "seat": zone.seat, "cards": list(zone.cards), "size": zone.size, "leader": zone.leader}
        for zone in view.zones
    ]
    facts = [{"name": fact.name, "seat": fact.seat, "value": _value(fact.value)} for fact in view.facts]
    return {"phase": view.phase, "turn": view.turn, "zones": zones, "facts": facts, "scores": list(view.scores)}


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as plain data, without what is empty."""
    data = {name: value for name, value in event._asdict().items() if name not in ("known_to", "seen_by")}
    data = {name: _value(value) if name == "shares" else value for name, value in data.items()}
    return {
        name: value
        for name, value in data.items()
        if value not in (None, "", (), []) and (name, value) != ("hidden", 0)
    }


def _value(value: str | int | Shares) -> Any:
    """Return the value of a fact as plain data; amounts by person as a list."""
    return [{"person": person, "amount": amount} for person, amount in value] if isinstance(value, tuple) else value
