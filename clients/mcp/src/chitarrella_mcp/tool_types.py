"""What the tools take and return: parameters, dataclasses whose fields are the keys of the JSON, and errors as results.

The dataclasses have no slots: the schema of the output of a tool is read off the attributes of the class.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Annotated, Any, Literal, ParamSpec, TypeAlias, TypeVar, cast

from mcp_types import CallToolResult, TextContent
from pydantic import Field
from pydantic_core import to_json, to_jsonable_python

from chitarrella_client import Chitarrella, ChitarrellaError
from chitarrella_client.arguments import WrongArgument
from chitarrella_client.catalogue import Card, GameSummary, MoveSpec, Option
from chitarrella_client.errors import BadRequest
from chitarrella_client.positions import MoveValidation
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
    """A move in the notation, and whether it is accepted."""

    move: str
    verdict: str
    """"accepted", "refused" or "undecided"."""
    refusals: tuple[Refusal, ...]
    """Every clause that it breaks or may break."""
    depends_on: tuple[str, ...]
    """What is unknown and decides which clauses it breaks, such as "trump"."""


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
    depends_on: tuple[str, ...]


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


def own_move(found: ExplainedMove | MoveValidation, move: object) -> OwnMove:
    """Convert an explained or a validated move."""
    return OwnMove(str(move), found.verdict.name.lower(), found.refusals, found.depends_on)


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


_P = ParamSpec("_P")
T = TypeVar("T")

Connect: TypeAlias = Callable[[str], Chitarrella]
"""Returns a client whose texts are in a language: "en", "it" or "de"."""

Language: TypeAlias = Annotated[Literal["en", "it", "de"], Field(description="The language of texts.")]
"""The parameter of every tool that returns sentences."""

GameKey: TypeAlias = Annotated[str, Field(description="The key of the game, as list_games has it.")]
"""The parameter that names a game."""

Players: TypeAlias = Annotated[int, Field(description="Number of players; 0 for the default of the game.", ge=0)]
"""The parameter for the number of players."""

Options: TypeAlias = Annotated[
    dict[str, str | int | bool] | None, Field(description="Options of the game by name; get_game lists them.")
]
"""The parameter for the options of a rule set."""


def by_language(connect: Connect) -> Connect:
    """Return a function that connects once for each language."""
    return lru_cache(maxsize=None)(connect)


def answered(tool: Callable[_P, T]) -> Callable[_P, T]:
    """Return a tool that answers in the form of the protocol, also where it fails: then with a reason code.

    Its declared type stays, because the schema of its output is made of that.
    """

    @wraps(tool)
    def call(*args: _P.args, **keywords: _P.kwargs) -> T:
        try:
            return cast(T, success_result(tool(*args, **keywords)))
        except ChitarrellaError as error:
            return cast(T, error_result(error))
        except WrongArgument as error:
            return cast(T, error_result(BadRequest("bad_request", str(error), error.field)))

    return call
