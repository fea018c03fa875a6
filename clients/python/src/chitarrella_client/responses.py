"""Response types: what the service returns about matches, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from chitarrella_client.connection import Secret
from chitarrella_client.positions import ExplainedMoveList, MoveList
from chitarrella_client.types import Event, OpenEnum, Refusal, RuleSet, Verdict, View, Waiting


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that a bot plays."""

    seat: int
    bot: str
    think_ms: int = 0
    """How long it may think about a move, in milliseconds; 0 for the default."""


@dataclass(frozen=True, slots=True)
class PlayerName:
    """The name of the player at a seat."""

    seat: int
    name: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PendingTakeback:
    """A pending request to take back the last decision."""

    seat: int
    """The seat that made the decision and requests the takeback."""
    awaiting_answers_from: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class TakebackResult:
    """The result of requesting a takeback, or of answering a request."""

    revision: int
    """The revision of the match after it."""
    taken_back: bool
    """The decision is taken back."""
    awaiting_answers_from: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as one reader sees it."""

    match_id: str
    rule_set: RuleSet
    revision: int
    """The number of the last public change of the match."""
    view: View
    seat: int | None = None
    """The seat whose view this is; None for the public and the referee."""
    aborted: bool = False
    """It was aborted."""
    cursor: str = field(default="", repr=False)
    """From here `Match.watch` and `Match.events` continue."""
    next_commitment: str = field(default="", repr=False)
    """The commitment to the next shuffle; empty if the referee supplies packs."""
    awaiting_seeds_from: tuple[int, ...] = ()
    """The seats whose seeds the next shuffle waits for."""
    deadline: datetime | None = None
    """Until when the seat to move may think, or seeds are waited for, in UTC; None without a clock."""
    bank_ms: tuple[int, ...] = ()
    """What is left in the bank of each seat, in milliseconds."""
    takeback_request: PendingTakeback | None = None
    """The request to take back the last decision; None if there is none."""
    bots: tuple[BotSeat, ...] = ()
    """The seats that bots play."""
    sandbox: bool = False
    """It is a test: its deadline is in its own time, which only `Match.advance_clock` moves."""
    external_id: str = ""
    """The platform's own id of the match; only for the referee and that platform."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The labels of the match; only for the referee and its platform."""
    player_names: tuple[PlayerName, ...] = ()
    """The names of the players, in the order of seats."""

    @property
    def over(self) -> bool:
        """Whether no further move is accepted: the match was played to its end, or aborted."""
        return self.aborted or self.view.waiting is Waiting.NOBODY


@dataclass(frozen=True, slots=True)
class ClockResult:
    """The result of enforcing the clock."""

    timed_out: bool
    """The time was used up: a move was played, or a shuffle made."""
    revision: int
    """The revision of the match after it."""
    deadline: datetime | None = None
    """The present deadline, in UTC; None without one."""


@dataclass(frozen=True, slots=True)
class ClockAdvance:
    """The result of advancing the clock of a test."""

    time: datetime
    """The time of the match now, in UTC."""
    revision: int
    """The revision of the match now."""
    timed_out: bool = False
    """A deadline was passed: a move was played, or a shuffle made."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list of a platform."""

    match_id: str
    rule_set: RuleSet
    revision: int
    """The number of the last public change of the match."""
    create_time: datetime
    """When it was created, in UTC and whole seconds."""
    finished: bool = False
    """It was played to its end."""
    aborted: bool = False
    """It was aborted."""
    private: bool = False
    """It can be seen only with one of its keys."""
    sandbox: bool = False
    """It is a test."""
    external_id: str = ""
    """The platform's own id of the match."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The labels of the match."""
    player_names: tuple[PlayerName, ...] = ()
    """The names of the players, in the order of seats."""


@dataclass(frozen=True, slots=True)
class MatchMoves(MoveList):
    """The legal moves of a seat in a match."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchHand(ExplainedMoveList):
    """A hand in a match, explained."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchMoveValidation:
    """Whether a move is accepted in a match."""

    verdict: Verdict
    refusals: tuple[Refusal, ...] = ()
    """Every clause that it breaks."""
    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The events of one move, as its reader may know them."""

    revision: int
    """The revision they belong to."""
    cursor: str = field(repr=False)
    """From here `Match.watch` and `Match.events` continue."""
    events: tuple[Event, ...]

    def __str__(self) -> str:
        """Return the events."""
        return "; ".join(map(str, self.events))


@dataclass(frozen=True, slots=True)
class ItemError:
    """Why one item of a batch failed."""

    code: str
    """A stable reason code."""
    message: str
    """The explanation, in English."""
    field: str = ""
    """The field of the item that is invalid; empty for none."""


@dataclass(frozen=True, slots=True)
class FoundMatch:
    """The result for one match of a batch: the match, or the error."""

    match: MatchState | None = None
    error: ItemError | None = None


@dataclass(frozen=True, slots=True)
class PlatformUpdate:
    """An update of one of the matches of a platform."""

    match_id: str
    update: MatchUpdate | None = None
    """The events of one move, as the public sees them; None if the match was aborted."""
    finished: bool = False
    """With this update the match is finished."""
    aborted: bool = False
    """The match was aborted."""


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move."""

    accepted: bool
    """The move was played."""
    refusals: tuple[Refusal, ...]
    """Every clause that it breaks; of an accepted move, those that it breaks at a penalty."""
    revision: int
    """The revision of the match after it."""
    events: tuple[Event, ...]
    """Its events, as the mover sees them."""
    view: View | None = None
    """The view after it, if the call asked for it."""
    repeated_request: bool = False
    """A call with this request id was answered before; this one has changed nothing."""


@dataclass(frozen=True, slots=True)
class Webhook:
    """Where the service sends messages to a platform."""

    webhook_id: str
    url: str
    create_time: datetime | None = None
    """When it was created, in UTC; None for one in the settings of the service."""
    disabled: bool = False
    """It receives no messages."""
    configured: bool = False
    """It stands in the settings of the service; no call changes it."""


@dataclass(frozen=True, slots=True)
class CreatedWebhook:
    """A new webhook with its secret, which is returned only here."""

    webhook: Webhook
    secret: Secret
    """The secret that signs its messages, for a library of Standard Webhooks."""


class DeliveryState(OpenEnum):
    """The state of a delivery; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    PENDING = 1
    """It will be attempted, perhaps again."""
    SENT = 2
    """The webhook has received it."""
    FAILED = 3
    """It is not attempted any more."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The delivery of a message to a webhook."""

    delivery_id: str
    message_id: str
    """The id of the message: its header ``webhook-id``."""
    type: str
    """The type of the message, such as "match.moved"."""
    match_id: str
    """The id of the match; empty for a test message."""
    state: DeliveryState
    attempts: int = 0
    last_attempt_time: datetime | None = None
    """When the last attempt was made, in UTC; None without one."""
    status_code: int = 0
    """The HTTP status of the last attempt; 0 without one."""
    error: str = ""
    """Why the last attempt failed, such as "timed_out"; empty if it did not."""
