"""A client for Chitarrella, the rules of Italian card games as a service.

`Chitarrella` is synchronous, `AsyncChitarrella` is for asyncio; they differ only in "await".  They return frozen, typed
dataclasses; the protobuf messages behind them are in `chitarrella.v1`.
"""

from chitarrella_client import card_images, errors, fairness
from chitarrella_client import questions as ask
from chitarrella_client.aio.client import AsyncChitarrella
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.aio.rules import AsyncRules
from chitarrella_client.aio.watch import AsyncWatch
from chitarrella_client.aio.webhooks import AsyncWebhooks
from chitarrella_client.catalogue import Game, GameSummary, MoveSpec, Option, ReasonCode
from chitarrella_client.codes import ErrorCode, RefusalCode
from chitarrella_client.errors import (
    BadKey,
    ChitarrellaError,
    MovesLost,
    NoSuchMatch,
    Refused,
    StaleRevision,
    StoreDown,
    TimedOut,
    Unavailable,
)
from chitarrella_client.positions import (
    AppliedMoves,
    ChanceRequest,
    ExplainedHand,
    GameStart,
    LegalMoves,
    MovePenalty,
    MoveValidation,
    PartialPosition,
    PartialTrick,
    Position,
    Score,
    TrickResult,
)
from chitarrella_client.responses import (
    ClockAdvance,
    ClockResult,
    FoundMatch,
    ItemError,
    MatchHand,
    MatchMoves,
    MatchMoveValidation,
    MatchState,
    MatchSummary,
    MatchUpdate,
    MoveResult,
    PendingTakeback,
    PlatformUpdate,
    PlayerName,
    TakebackResult,
)
from chitarrella_client.shuffles import ClientSeed, Fairness, SeedResult, Shuffle, Shuffles
from chitarrella_client.sync.client import Chitarrella
from chitarrella_client.sync.match import Match
from chitarrella_client.sync.rules import Rules
from chitarrella_client.sync.watch import Watch
from chitarrella_client.sync.webhooks import Webhooks
from chitarrella_client.types import (
    Clause,
    Event,
    ExplainedMove,
    Fact,
    Move,
    Outcome,
    Refusal,
    RuleSet,
    Share,
    View,
    Waiting,
    Zone,
)
from chitarrella_client.webhooks import CreatedWebhook, Delivery, DeliveryState, Webhook

__all__ = [
    "AppliedMoves",
    "AsyncChitarrella",
    "AsyncMatch",
    "AsyncRules",
    "AsyncWatch",
    "AsyncWebhooks",
    "BadKey",
    "ChanceRequest",
    "Chitarrella",
    "ChitarrellaError",
    "Clause",
    "ClientSeed",
    "ClockAdvance",
    "ClockResult",
    "CreatedWebhook",
    "Delivery",
    "DeliveryState",
    "ErrorCode",
    "Event",
    "ExplainedHand",
    "ExplainedMove",
    "Fact",
    "Fairness",
    "FoundMatch",
    "Game",
    "GameStart",
    "GameSummary",
    "ItemError",
    "LegalMoves",
    "Match",
    "MatchHand",
    "MatchMoveValidation",
    "MatchMoves",
    "MatchState",
    "MatchSummary",
    "MatchUpdate",
    "Move",
    "MovePenalty",
    "MoveResult",
    "MoveSpec",
    "MoveValidation",
    "MovesLost",
    "NoSuchMatch",
    "Option",
    "Outcome",
    "PartialPosition",
    "PartialTrick",
    "PendingTakeback",
    "PlatformUpdate",
    "PlayerName",
    "Position",
    "ReasonCode",
    "Refusal",
    "RefusalCode",
    "Refused",
    "RuleSet",
    "Rules",
    "Score",
    "SeedResult",
    "Share",
    "Shuffle",
    "Shuffles",
    "StaleRevision",
    "StoreDown",
    "TakebackResult",
    "TimedOut",
    "TrickResult",
    "Unavailable",
    "View",
    "Waiting",
    "Watch",
    "Webhook",
    "Webhooks",
    "Zone",
    "ask",
    "card_images",
    "errors",
    "fairness",
]
