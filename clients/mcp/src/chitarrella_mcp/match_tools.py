"""Tools that play: a seat at a match, its view, its moves.

The keys of seats are held for the sessions of agents and never returned to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from time import monotonic
from typing import Annotated, Any, Final, TypeAlias

import anyio
from cachetools import LRUCache
from mcp.server.mcpserver import Context
from pydantic import Field

from chitarrella_client import ChitarrellaError, MatchState, RuleSet
from chitarrella_client.sync.match import Match
from chitarrella_client.types import Move
from chitarrella_mcp.tool_types import (
    Connect,
    GameKey,
    Language,
    LeftMatch,
    MatchView,
    Options,
    OwnHand,
    PlayedMove,
    Players,
    answered,
    own_move,
)

MAX_SESSIONS: Final = 10_000
"""How many sessions are remembered; beyond that the one that was idle for longest loses its seats."""


@dataclass(slots=True)
class HeldSeat:
    """The seat of a session at a match."""

    match_id: str
    seat: int
    key: str = field(repr=False)
    """Empty once the seat was left."""
    cursor: str = field(default="", repr=False)
    """Up to here the session has received events."""


class SeatHolder:
    """The seats of all sessions, and those that are open to any session. Thread-safe.

    A session has one seat at a match for good: whoever has seen one hand takes no other.
    """

    def __init__(self) -> None:
        """Begin without seats."""
        self._lock = Lock()
        self._seats: LRUCache[str, dict[str, HeldSeat]] = LRUCache(MAX_SESSIONS)
        self._open: dict[str, dict[int, str]] = {}

    def offer(self, match_id: str, keys: Mapping[int, str]) -> None:
        """Open the seats of ``keys`` to any session but one that has sat at this match before."""
        with self._lock:
            self._open.setdefault(match_id, {}).update(keys)

    def hold(self, session: str, held: HeldSeat) -> HeldSeat:
        """Record the seat of a session; it must have had none at that match."""
        with self._lock:
            return self._seats_of(session).setdefault(held.match_id, held)

    def take(self, session: str, match_id: str, seat: int | None) -> HeldSeat:
        """Seat a session at an open seat, the first one for None; raises `ChitarrellaError`."""
        with self._lock:
            if not match_id and len(self._open) == 1:
                match_id = next(iter(self._open))
            mine = self._seats_of(session).get(match_id)
            if mine is not None:
                message = f"You have had seat {mine.seat} of this match; nobody sees two hands."
                raise ChitarrellaError("already_seated", message, "match_id")
            free = self._open.get(match_id, {})
            chosen = min(free, default=None) if seat is None else seat
            if chosen is None or chosen not in free:
                seats = ", ".join(map(str, sorted(free))) or "none"
                raise ChitarrellaError("seat_not_open", f"That seat is not open here. Open seats: {seats}.", "seat")
            held = HeldSeat(match_id, chosen, free.pop(chosen))
            if not free:
                del self._open[match_id]
            self._seats_of(session)[match_id] = held
            return held

    def find(self, session: str, match_id: str) -> HeldSeat:
        """Return the seat of a session at a match; the latest one it sits at if no match is named."""
        with self._lock:
            mine = [held for held in self._seats_of(session).values() if held.key and match_id in ("", held.match_id)]
        if not mine:
            message = "You have no seat at a match: create_match and take_seat give you one."
            raise ChitarrellaError("not_seated", message, "match_id")
        return mine[-1]

    def open_seats(self, match_id: str) -> tuple[int, ...]:
        """Return the open seats of a match."""
        with self._lock:
            return tuple(sorted(self._open.get(match_id, ())))

    def _seats_of(self, session: str) -> dict[str, HeldSeat]:
        seats: dict[str, HeldSeat] = self._seats.setdefault(session, {})
        return seats


SESSION_HEADER: Final = "mcp-session-id"
"""The header by which HTTP requests belong to a session; over stdio the process has one session."""
MAX_WAIT: Final = 300
"""The longest time that a call waits for the turn, in seconds."""
PAUSES: Final = (0.02, 1.0)
"""The first and the longest pause between two readings of a match that is waited for, in seconds."""

Agent: TypeAlias = Context[Any, Any]
"""The context of a call; the parameter that is no argument of the tool."""
MatchId: TypeAlias = Annotated[str, Field(description="The match; '' for the one that you sat down at last.")]
"""The parameter that names a match of the session."""


def session_of(agent: Agent) -> str:
    """Return the id of the session of a call; empty over stdio."""
    return (agent.headers or {}).get(SESSION_HEADER, "")


class MatchTools:
    """The tools about matches. Each method is a tool: its name, its description and its schema are read off."""

    def __init__(self, client: Connect, seats: SeatHolder) -> None:
        """Play through ``client`` with the keys of ``seats``."""
        self._client = client
        self._seats = seats
        self._out_of_turn: dict[tuple[str, int], frozenset[str]] = {}

    @answered
    def create_match(
        self,
        agent: Agent,
        game: GameKey,
        players: Players = 0,
        options: Options = None,
        seat: Annotated[int, Field(description="Your seat.", ge=0)] = 0,
        bots: Annotated[
            dict[int, str] | None,
            Field(description="The bots by seat: easy, normal, strong or random; null for greedy ones at the others. "
                  "The seats that are left are open to other agents here."),
        ] = None,
        seed: Annotated[
            str | None, Field(description="Makes the match a test with these deals, where tests are allowed.")
        ] = None,
        language: Language = "en",
    ) -> MatchView:  # fmt: skip
        """Create a match and sit down at it. You see your own cards only."""
        match = self._client(language).create_match(RuleSet(game, players, options or {}), sandbox=seed)
        try:
            self._fill(match, seat, bots)
        except ChitarrellaError:
            match.delete()
            raise
        held = self._seats.hold(session_of(agent), HeldSeat(match.id, seat, match.keys[seat]))
        return self._view(held, language)

    def _fill(self, match: Match, seat: int, bots: dict[int, str] | None) -> None:
        """Assign the bots, and open the seats that nobody has; raises `ChitarrellaError`."""
        if seat not in match.keys:
            raise ChitarrellaError("no_such_seat", f"Seats: {', '.join(map(str, sorted(match.keys)))}.", "seat")
        others = match.keys.keys() - {seat}
        chosen = dict.fromkeys(others, "greedy") if bots is None else bots
        if unknown := sorted(chosen.keys() - others):
            raise ChitarrellaError("no_such_seat", f"No bot can have seat {unknown[0]}.", "bots")
        for one, bot in chosen.items():
            match.as_seat(one).assign_bot(bot)
        if left := {one: match.keys[one] for one in others - chosen.keys()}:
            self._seats.offer(match.id, left)

    @answered
    def take_seat(
        self,
        agent: Agent,
        match_id: Annotated[str, Field(description="The match; '' if only one has open seats.")] = "",
        seat: Annotated[int | None, Field(description="The seat; null for the first open one.")] = None,
        language: Language = "en",
    ) -> MatchView:
        """Sit down at an open seat of a match that another agent created here, or that the server was started for."""
        return self._view(self._seats.take(session_of(agent), match_id, seat), language)

    @answered
    def get_view(self, agent: Agent, match_id: MatchId = "", language: Language = "en") -> MatchView:
        """Show the match as your seat sees it, with your legal moves."""
        return self._view(self._seats.find(session_of(agent), match_id), language)

    @answered
    def explain_match_hand(self, agent: Agent, match_id: MatchId = "", language: Language = "en") -> OwnHand:
        """Explain for every move that your seat might make now whether it is legal, and which clause forbids it."""
        held = self._seats.find(session_of(agent), match_id)
        return OwnHand(tuple(own_move(one, one.move) for one in self._match(held, language).explain_hand()))

    @answered
    def play_move(
        self,
        agent: Agent,
        move: Annotated[str, Field(description="A move in the notation of legal_moves, such as 'play_card Ab'.")],
        match_id: MatchId = "",
        language: Language = "en",
    ) -> PlayedMove:
        """Play a move at your seat. A move against the rules changes nothing, and you learn the clause it breaks."""
        held = self._seats.find(session_of(agent), match_id)
        result = self._match(held, language).play(move)
        return PlayedMove(result.accepted, result.refusals, self._view(held, language))

    async def wait_for_turn(
        self,
        agent: Agent,
        match_id: MatchId = "",
        seconds: Annotated[float, Field(description="How long to wait at most.", ge=0, le=MAX_WAIT)] = 30,
        language: Language = "en",
    ) -> MatchView:
        """Wait until your seat has to move or the match is over; after that time, return the match as it is."""
        until, pause = monotonic() + seconds, PAUSES[0]
        while monotonic() < until and await anyio.to_thread.run_sync(partial(self._has_to_wait, agent, match_id)):
            await anyio.sleep(min(pause, max(0.0, until - monotonic())))
            pause = min(2 * pause, PAUSES[1])
        return await anyio.to_thread.run_sync(partial(self.get_view, agent, match_id, language))

    def _has_to_wait(self, agent: Agent, match_id: str) -> bool:
        """Whether the match goes on before the seat has to move; False where that cannot be read."""
        try:
            match = self._match(self._seats.find(session_of(agent), match_id), "en")
            state = match.get()
            return not state.over and not self._has_to_move(state.rule_set, match.legal_moves())
        except ChitarrellaError:
            return False

    @answered
    def leave_match(
        self,
        agent: Agent,
        match_id: MatchId = "",
        bot: Annotated[str, Field(description="The bot that plays on: easy, normal, strong or random.")] = "greedy",
    ) -> LeftMatch:
        """Leave your seat to a bot. You cannot come back to the match."""
        held = self._seats.find(session_of(agent), match_id)
        match = self._match(held, "en")
        if not match.get().over:
            match.assign_bot(bot)
        held.key = ""
        return LeftMatch(held.match_id, held.seat, bot)

    def _match(self, held: HeldSeat, language: str) -> Match:
        """Return the match with the rights of a seat."""
        return self._client(language).match(held.match_id, held.key).as_seat(held.seat)

    def _view(self, held: HeldSeat, language: str) -> MatchView:
        """Return the match as a seat sees it, with the events since its last view."""
        match = self._match(held, language)
        updates = [*match.events(held.cursor)]
        if updates:
            held.cursor = updates[-1].cursor
        state = match.get()
        moves = () if state.over else match.legal_moves().moves
        return MatchView(
            match_id=held.match_id,
            rule_set=state.rule_set,
            seat=held.seat,
            revision=state.revision,
            your_turn=self._has_to_move(state.rule_set, moves),
            turn=state.view.turn,
            over=state.over,
            aborted=state.state is MatchState.ABORTED,
            winners=None if state.view.outcome is None else state.view.outcome.winners,
            legal_moves=tuple(map(str, moves)),
            phase=state.view.phase,
            zones=state.view.zones,
            facts=state.view.facts,
            scores=state.view.scores,
            bots=tuple(seat.bot for seat in state.seats if seat.bot),
            open_seats=self._seats.open_seats(held.match_id),
            sandbox=state.sandbox,
            events=tuple(event for update in updates for event in update.events),
        )

    def _has_to_move(self, rule_set: RuleSet, moves: Iterable[Move]) -> bool:
        """Whether one of the legal moves waits for the turn of its seat."""
        game = (rule_set.game_id, rule_set.edition)
        if game not in self._out_of_turn:
            specs = self._client("en").game(*game).moves
            self._out_of_turn[game] = frozenset(spec.verb for spec in specs if spec.out_of_turn)
        return any(move.verb not in self._out_of_turn[game] for move in moves)
