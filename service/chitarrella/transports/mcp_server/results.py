"""What the tools return: dataclasses of types of the Python client, whose fields are the keys of the JSON.

They have no slots: the schema of a tool's output is read off the attributes of the class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcp_types import CallToolResult, TextContent
from pydantic_core import to_json, to_jsonable_python

from chitarrella_client import ChitarrellaError
from chitarrella_client.catalogue import Card, GameSummary, MoveSpec, Option
from chitarrella_client.responses import BotSeat
from chitarrella_client.types import Clause, Event, ExplainedMove, Fact, Refusal, RuleSet, Zone


@dataclass(frozen=True)
class GameList:
    """The games that can be played."""

    games: tuple[GameSummary, ...]


@dataclass(frozen=True)
class GameDescription:
    """What is needed to play a game, without its clauses."""

    game: GameSummary
    options: tuple[Option, ...]
    moves: tuple[MoveSpec, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class RuleBookPage:
    """Clauses of the rule book of a game."""

    game_id: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class OwnMove:
    """A move in the notation, and whether it is legal."""

    move: str
    legal: bool
    refusals: tuple[Refusal, ...]
    """Every clause that it would break."""
    depends_on: tuple[str, ...]
    """What is unknown and decides whether it is legal, such as "trump"."""


@dataclass(frozen=True)
class OwnHand:
    """Every move that a hand allows or a clause forbids."""

    moves: tuple[OwnMove, ...]
    depends_on: tuple[str, ...] = ()
    """The unknown parts without which nothing can be explained."""


@dataclass(frozen=True)
class TrickWinner:
    """The card that takes a trick."""

    winning_index: int | None
    """Its index in order of play, from 0; None if it depends on an unknown part."""
    winning_card: str
    counts: dict[str, int]
    """What the trick counts, by the name of the count."""
    depends_on: tuple[str, ...]


@dataclass(frozen=True)
class CardCounts:
    """What cards count, by the name of the count."""

    counts: dict[str, int]


@dataclass(frozen=True)
class MatchView:
    """A match as one seat sees it: its own cards, and what lies open."""

    match_id: str
    rule_set: RuleSet
    seat: int
    """The seat whose view this is."""
    revision: int
    your_turn: bool
    """The seat has to move."""
    turn: int | None
    """The seat to move; None for none."""
    over: bool
    """No further move is accepted."""
    aborted: bool
    winners: tuple[int, ...] | None
    """The winning seats; None while the match is running."""
    legal_moves: tuple[str, ...]
    """The legal moves of the seat, in the notation that `play_move` takes."""
    phase: str
    zones: tuple[Zone, ...]
    facts: tuple[Fact, ...]
    scores: tuple[int, ...]
    bots: tuple[BotSeat, ...]
    open_seats: tuple[int, ...]
    """The seats that another agent can take here by `take_seat`."""
    sandbox: bool
    """It is a test: whoever knows its seed can compute the deals."""
    events: tuple[Event, ...]
    """What has happened since the last result about this match, as the seat may know it."""


@dataclass(frozen=True)
class PlayedMove:
    """Whether a move was accepted, and the match after it."""

    accepted: bool
    refusals: tuple[Refusal, ...]
    """Every clause that the move breaks; of an accepted move, those that it breaks at a penalty."""
    match: MatchView


@dataclass(frozen=True)
class LeftMatch:
    """A seat that was left, and the bot that plays it from now on."""

    match_id: str
    seat: int
    bot: str


def own_move(explained: ExplainedMove) -> OwnMove:
    """Convert an explained move."""
    return OwnMove(str(explained.move), explained.legal, explained.refusals, explained.depends_on)


def success_result(value: object) -> CallToolResult:
    """Return a result of a tool; its text, which a model reads, leaves out what is empty."""
    data = to_jsonable_python(value)
    text = to_json(_without_empty(data)).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=data)


def error_result(error: ChitarrellaError) -> CallToolResult:
    """Return a failed call as the result of a tool: the reason code, the sentence, and the field at fault."""
    details = {"code": error.code, "message": error.message, "field": error.field}
    return CallToolResult(
        content=[TextContent(type="text", text=str(error))], structured_content=details, is_error=True
    )


def _without_empty(data: Any) -> Any:
    """Return plain data without the keys whose values are None or empty."""
    if isinstance(data, dict):
        return {key: _without_empty(value) for key, value in data.items() if value not in (None, "", [], {})}
    return [_without_empty(value) for value in data] if isinstance(data, list) else data
