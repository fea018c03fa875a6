"""A client for Chitarrella, the rules of Italian card games as a service.

`Chitarrella` is synchronous, `AsyncChitarrella` is for asyncio; they differ only in "await".  They return frozen, typed
dataclasses; the protobuf messages behind them are in `chitarrella.v1`.
"""

from chitarrella_client import errors, fairness, pictures
from chitarrella_client import questions as ask
from chitarrella_client.aio.client import AsyncChitarrella
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.aio.rules import AsyncRules
from chitarrella_client.aio.watch import AsyncWatch
from chitarrella_client.catalogue import Game, GameSummary, MoveForm, Option, ReasonCode
from chitarrella_client.codes import ErrorCode, RefusalCode
from chitarrella_client.draws import Awaited, Contribution, Draw, Draws, Fairness
from chitarrella_client.errors import (
    BadKey,
    ChitarrellaError,
    NoSuchMatch,
    Refused,
    StaleRevision,
    StoreDown,
    TimedOut,
    Unavailable,
)
from chitarrella_client.responses import (
    ExplainedHand,
    LegalMoves,
    MatchHand,
    MatchMoves,
    MatchSummary,
    MatchVerdict,
    Played,
    PlayedMoves,
    Position,
    Ruling,
    Seen,
    Start,
    Tally,
    Told,
    Trick,
    Verdict,
    Wanted,
)
from chitarrella_client.sync.client import Chitarrella
from chitarrella_client.sync.match import Match
from chitarrella_client.sync.rules import Rules
from chitarrella_client.sync.watch import Watch
from chitarrella_client.types import (
    Agreement,
    Clause,
    Event,
    ExplainedMove,
    Fact,
    Move,
    Outcome,
    Pile,
    Refusal,
    Share,
    View,
    Waiting,
)

__all__ = [
    "Agreement",
    "AsyncChitarrella",
    "AsyncMatch",
    "AsyncRules",
    "AsyncWatch",
    "Awaited",
    "BadKey",
    "Chitarrella",
    "ChitarrellaError",
    "Clause",
    "Contribution",
    "Draw",
    "Draws",
    "ErrorCode",
    "Event",
    "ExplainedHand",
    "ExplainedMove",
    "Fact",
    "Fairness",
    "Game",
    "GameSummary",
    "LegalMoves",
    "Match",
    "MatchHand",
    "MatchMoves",
    "MatchSummary",
    "MatchVerdict",
    "Move",
    "MoveForm",
    "NoSuchMatch",
    "Option",
    "Outcome",
    "Pile",
    "Played",
    "PlayedMoves",
    "Position",
    "ReasonCode",
    "Refusal",
    "RefusalCode",
    "Refused",
    "Rules",
    "Ruling",
    "Seen",
    "Share",
    "StaleRevision",
    "Start",
    "StoreDown",
    "Tally",
    "TimedOut",
    "Told",
    "Trick",
    "Unavailable",
    "Verdict",
    "View",
    "Waiting",
    "Wanted",
    "Watch",
    "ask",
    "errors",
    "fairness",
    "pictures",
]
