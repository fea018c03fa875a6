"""Response types: what the service returns about matches, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chitarrella_client.connection import Secret
from chitarrella_client.errors import ChitarrellaError
from chitarrella_client.positions import ExplainedMoveList, MoveList
from chitarrella_client.types import Event, OpenEnum, Outcome, Refusal, RuleSet, Verdict, View


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that a bot plays."""

    seat: int
    bot: str
    think_time: timedelta | None = None
    """How long it may think about a move; None for the default."""
    delay: timedelta | None = None
    """How long it waits before a move, for the people at the table; None for not at all."""


@dataclass(frozen=True, slots=True)
class MatchSeat:
    """A seat of a match."""

    seat: int
    player_name: str = field(default="", repr=False)
    """The name of the player; empty if none was given."""
    bot: BotSeat | None = None
    """The bot that plays it; None for a person."""
    played_by: int | None = None
    """The seat of the person who plays it, if it is a dummy."""
    bank: timedelta | None = None
    """What is left in its bank; None without a clock."""
    joined: bool = False
    """The seat has joined."""
    resigned: bool = False
    """It has resigned."""
    present: bool = False
    """Its person has a stream open, or has called with its key within 30 seconds."""
    last_seen_time: datetime | None = None
    """When its person was last there; None for one who is, and for one who never was."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of the seats."""

    move_time: timedelta | None = None
    """The time of each decision."""
    bank: timedelta | None = None
    """The bank of each seat for the whole match."""
    increment: timedelta | None = None
    """What is added to the bank of a seat after each of its decisions."""
    starts_when_joined: bool = False
    """It stands still until every person has joined."""


class Restriction(OpenEnum):
    """What a match does not allow; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    NO_TAKEBACKS = 1
    NO_BOTS = 2
    NO_SPECTATORS = 3


class PackSource(OpenEnum):
    """Who supplies packs and lots; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    SERVICE = 1
    REFEREE = 2
    SHARED = 3


class MatchState(OpenEnum):
    """Whether a match is going on; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    OPEN = 1
    FINISHED = 2
    ABORTED = 3


@dataclass(frozen=True, slots=True)
class PendingTakeback:
    """A pending request to take back the last decision."""

    seat: int
    """The seat that made the decision and requests the takeback."""
    awaiting_answers_from: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class MatchDetails:
    """A match as one reader sees it."""

    match_id: str
    rule_set: RuleSet
    """What is played, with the value of every option."""
    state: MatchState
    """Whether it is going on."""
    revision: int
    """The number of the last public change of the match."""
    create_time: datetime
    """When it was created, in UTC."""
    update_time: datetime | None = None
    """When it last changed, in UTC."""
    expire_time: datetime | None = None
    """When it will be deleted if nothing changes before, in UTC."""
    private: bool = False
    """It can be seen only with one of its keys."""
    sandbox: bool = False
    """It is a test: its deadline is in its own time, which only `Match.advance_clock` moves."""
    imported: bool = False
    """Its first moves come from a record: they may never have been played."""
    pack_source: PackSource = PackSource.UNKNOWN
    """Who supplies packs and lots."""
    clock: Clock | None = None
    """The time of the seats; None for no limit."""
    deadline: datetime | None = None
    """Until when the seat to move may think, or seeds are waited for, in UTC; None without a clock."""
    seats: tuple[MatchSeat, ...] = ()
    """The seats, in order."""
    scores: tuple[int, ...] = ()
    """The score by seat, as in the view."""
    outcome: Outcome | None = None
    """How it ended; None while it goes on, and if it was aborted."""
    end_time: datetime | None = None
    """When it ended, also by an abortion, in UTC; None while it goes on."""
    end_reason: str = ""
    """Why it was decided or aborted, in words of the referee or the platform."""
    restrictions: tuple[Restriction, ...] = ()
    """What is not allowed here."""
    clock_paused: bool = False
    """The clock stands still."""
    pause_requested_by: tuple[int, ...] = ()
    """The seats that have asked for the pause, or for its end."""
    external_id: str = ""
    """The platform's own id of the match; only for the referee and that platform."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The labels of the match; only for the referee and its platform."""
    next_commitment: str = field(default="", repr=False)
    """The commitment to the next shuffle; empty if the referee supplies packs."""
    awaiting_seeds_from: tuple[int, ...] = ()
    """The seats whose seeds the next shuffle waits for."""
    takeback_request: PendingTakeback | None = None
    """The request to take back the last decision; None if there is none."""
    view: View = View()
    """The view; empty in a list of matches."""
    viewer: int | None = None
    """The seat whose view this is; None for the public and the referee."""
    cursor: str = field(default="", repr=False)
    """From here `Match.watch` and `Match.events` continue; empty in a list of matches."""

    @property
    def over(self) -> bool:
        """Whether no further move is accepted: the match was played to its end, or aborted."""
        return self.state in (MatchState.FINISHED, MatchState.ABORTED)


@dataclass(frozen=True, slots=True)
class TakebackResult:
    """The result of requesting a takeback, or of answering a request."""

    taken_back: bool
    """The decision is taken back."""
    match: MatchDetails
    """The match after it."""


@dataclass(frozen=True, slots=True)
class ClockResult:
    """The result of enforcing the clock."""

    timed_out: bool
    """The time was used up: a move was played, or a shuffle made."""
    match: MatchDetails
    """The match after it."""


@dataclass(frozen=True, slots=True)
class ClockAdvance:
    """The result of advancing the clock of a test."""

    time: datetime
    """The time of the match now, in UTC."""
    timed_out: bool
    """A deadline was passed: a move was played, or a shuffle made."""
    match: MatchDetails
    """The match after it."""


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
    suggested: int | None = None
    """The index of the move that is suggested, where that was asked for."""
    suggested_points: int | None = None
    """What it is expected to bring until the seat moves again."""


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
    time: datetime | None = None
    """When it happened, in UTC."""
    think_time: timedelta | None = None
    """How long the seat to move took for its decision; None if this is none."""
    deadline: datetime | None = None
    """In the last update of a match with a clock: as in `MatchDetails`."""
    banks: tuple[timedelta, ...] = ()
    """In the last update of a match with a clock: what is left in the bank of each seat."""

    def __str__(self) -> str:
        """Return the events."""
        return "; ".join(map(str, self.events))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result for one match of a batch: the match, or the error."""

    match: MatchDetails | None = None
    error: ChitarrellaError | None = None
    """The error that the call about this match alone would raise."""


@dataclass(frozen=True, slots=True)
class PlatformUpdate:
    """An update of one of the matches of a platform."""

    match_id: str
    update: MatchUpdate | None = None
    """The events of one move, as the public sees them; None if the match was aborted."""
    state: MatchState = MatchState.UNKNOWN
    """The state of the match after it."""


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
    event_types: tuple[str, ...] = ()
    """The types of messages that it receives, such as "match.finished"; none for all."""


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
