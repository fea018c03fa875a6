"""Exceptions, under the error codes of the service.

::

    ChitarrellaError
     |- BadRequest        the request is invalid; ``field`` and ``violations`` tell where
     |- NotAuthenticated  BadKey, KeyNeeded
     |- NotAllowed        NotYourSeat, RefereeOnly
     |- NotFound          NoSuchMatch, UnknownGame
     |- NotPossibleNow    MatchRunning, MatchAborted, EditionNotSupported
     |- StaleRevision     the match is at another ``revision`` than expected: MovesLost
     |- AlreadyExists     RequestReused
     |- ResourceExhausted a limit is reached
     |- Unavailable       the service cannot be reached; or it can, but: StoreDown, ShuttingDown
     |- TimedOut          no response in time
     |- InternalError     an internal error of the service
     `- Refused           a move was refused; raised by ``play_or_raise`` only

Any other error is a `ChitarrellaError` whose code is the gRPC status.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from chitarrella_client.types import Refusal


class ErrorCode(StrEnum):
    """Why a call failed: ``ChitarrellaError.code``."""

    BAD_REQUEST = "bad_request"
    """A field of the request is not well formed; ``violations`` lists every one."""
    UNKNOWN_GAME = "unknown_game"
    UNKNOWN_CARD = "unknown_card"
    UNKNOWN_SUIT = "unknown_suit"
    MALFORMED_MOVE = "malformed_move"
    """The text is no move of the game."""
    BAD_POSITION = "bad_position"
    BAD_PLAYERS = "bad_players"
    BAD_OPTION = "bad_option"
    BAD_CARDS = "bad_cards"
    BAD_CURSOR = "bad_cursor"
    BAD_RECORD = "bad_record"
    """The text is no record, or one of its moves is refused."""
    NO_SUCH_SEAT = "no_such_seat"
    NO_TRICKS = "no_tricks"
    """The game has no tricks, so the question does not apply."""
    BAD_KEY = "bad_key"
    """The key is not valid for this match, or was replaced."""
    KEY_NEEDED = "key_needed"
    BAD_TOKEN = "bad_token"
    """The token of a platform is not valid; ``field`` names the claim at fault."""
    BAD_AUDIENCE = "bad_audience"
    """The token of a platform is for another service."""
    TOKEN_EXPIRED = "token_expired"
    """The token of a platform has expired; a watch ends with this code."""
    TOKEN_NOT_YET_VALID = "token_not_yet_valid"
    """The token of a platform is not valid yet."""
    API_KEY_NEEDED = "api_key_needed"
    """The service requires the API key of a platform."""
    BAD_API_KEY = "bad_api_key"
    PLATFORM_ONLY = "platform_only"
    """The call needs the API key of a platform."""
    OUT_OF_SCOPE = "out_of_scope"
    """The API key does not include this call."""
    NOT_YOUR_SEAT = "not_your_seat"
    """The key belongs to another seat."""
    REFEREE_ONLY = "referee_only"
    NO_SUCH_MATCH = "no_such_match"
    """The match does not exist, or no longer."""
    NO_SUCH_WEBHOOK = "no_such_webhook"
    NO_SUCH_API_KEY = "no_such_api_key"
    """The settings of the service have no such API key."""
    NO_SUCH_DELIVERY = "no_such_delivery"
    """The webhook has no such delivery, or it is not kept any more."""
    WEBHOOK_CONFIGURED = "webhook_configured"
    """The webhook stands in the settings of the service, and no call changes it."""
    NO_CLOCK = "no_clock"
    """No clock is running in this match."""
    SANDBOX_OFF = "sandbox_off"
    """The service makes no tests."""
    NOT_A_SANDBOX = "not_a_sandbox"
    """The match is no test, so its clock cannot be advanced."""
    NO_SHUFFLE_PENDING = "no_shuffle_pending"
    """No shuffle is waiting for seeds."""
    ALREADY_CONTRIBUTED = "already_contributed"
    """The seat has added a different seed to this shuffle."""
    NO_SUCH_BOT = "no_such_bot"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    ALREADY_DECLINED = "already_declined"
    """There is no decision since the last shuffle, or no takeback request."""
    NOT_YOUR_DECISION = "not_your_decision"
    """The last decision was made by another seat."""
    CARDS_WERE_SEEN = "cards_were_seen"
    """The decision moved a hidden card, so it cannot be taken back."""
    MATCH_FINISHED = "match_finished"
    """The match is finished; of a move this is the refusal ``match_over``."""
    RESTRICTED = "restricted"
    """The match was created without that."""
    MATCH_RUNNING = "match_running"
    """The call is possible only when the match is finished."""
    MATCH_ABORTED = "match_aborted"
    """The match was aborted."""
    EDITION_NOT_SUPPORTED = "edition_not_supported"
    GAME_NOT_INSTALLED = "game_not_installed"
    """The service does not have the game of the match now; the match is kept."""
    STALE_REVISION = "stale_revision"
    """The match is no longer at the expected revision."""
    MOVES_LOST = "moves_lost"
    """The service has lost acknowledged moves; read the match again."""
    REQUEST_REUSED = "request_reused"
    """The request id was used before for a different request."""
    TOO_MANY = "too_many"
    """A limit is reached; retry later."""
    RATE_LIMITED = "rate_limited"
    """Too many calls in a time; a retry after the time in RetryInfo succeeds."""
    QUOTA_EXCEEDED = "quota_exceeded"
    """The platform or address has as much at a time as it may have."""
    TOO_LARGE = "too_large"
    """The request is too large."""
    TOO_MANY_WEBHOOKS = "too_many_webhooks"
    """The platform has as many webhooks as it may have."""
    TOO_SLOW = "too_slow"
    """A watcher did not keep up; `watch` reconnects from its cursor by itself."""
    STORE_DOWN = "store_down"
    OVERLOADED = "overloaded"
    """Too many calls are waiting at this worker of the service; another one may be free."""
    SHUTTING_DOWN = "shutting_down"
    """This worker of the service is being stopped; another one will respond."""
    INTERNAL = "internal"
    """An internal error of the service."""
    UNAVAILABLE = "unavailable"
    """The service could not be reached; set by the client."""
    DEADLINE_EXCEEDED = "deadline_exceeded"
    """There was no response in time; set by the client."""


class RefusalCode(StrEnum):
    """Why a move is refused: the values of ``Refusal.code`` that all or many games share.

    A game may have more codes; ``client.game(key).reasons`` lists all of them with their clauses.
    """

    MATCH_OVER = "match_over"
    WRONG_PHASE = "wrong_phase"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_IN_HAND = "not_in_hand"
    BAD_PACK = "bad_pack"
    BAD_DEALER = "bad_dealer"
    MUST_FOLLOW_SUIT = "must_follow_suit"


class Violation(NamedTuple):
    """An invalid field, and what is wrong with it."""

    field: str
    message: str


class ChitarrellaError(Exception):
    """Base of all errors: a ``code`` to switch on, an English ``message``, and the invalid ``field``, if any."""

    codes: ClassVar[tuple[str, ...]] = ()
    """The error codes of this class."""
    statuses: ClassVar[tuple[grpc.StatusCode, ...]] = ()
    """The gRPC statuses of this class, for errors whose code has no class of its own."""

    def __init__(
        self,
        code: str,
        message: str,
        field: str = "",
        *,
        violations: tuple[Violation, ...] = (),
        details: dict[str, str] | None = None,
        status: grpc.StatusCode | None = None,
        request_id: str = "",
    ) -> None:
        """Keep the details; see the attributes."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.violations = violations
        """Every invalid field."""
        self.details = details or {}
        """Further details by name, such as ``revision``."""
        self.status = status
        """The gRPC status; None if no call was made."""
        self.request_id = request_id
        """The id of the writing call that failed; repeating the call with this id does nothing twice."""
        self.from_service = True
        """False if the call failed on its way to the service or back."""

    def __str__(self) -> str:
        """Return the message and the code."""
        return f"{self.message} [{self.code}]"


class BadRequest(ChitarrellaError):
    """The request names something unknown, or is not well formed."""

    codes = (ErrorCode.BAD_REQUEST,)
    statuses = (grpc.StatusCode.INVALID_ARGUMENT,)


class NotAuthenticated(ChitarrellaError):
    """A key is missing or not valid."""

    statuses = (grpc.StatusCode.UNAUTHENTICATED,)


class BadKey(NotAuthenticated):
    """The key is not valid for this match."""

    codes = (ErrorCode.BAD_KEY,)


class KeyNeeded(NotAuthenticated):
    """The call needs a key."""

    codes = (ErrorCode.KEY_NEEDED,)


class NotAllowed(ChitarrellaError):
    """The key does not give this right."""

    statuses = (grpc.StatusCode.PERMISSION_DENIED,)


class NotYourSeat(NotAllowed):
    """The key belongs to another seat."""

    codes = (ErrorCode.NOT_YOUR_SEAT,)


class RefereeOnly(NotAllowed):
    """Only the referee may do this."""

    codes = (ErrorCode.REFEREE_ONLY,)


class NotFound(ChitarrellaError):
    """What the request names does not exist."""

    statuses = (grpc.StatusCode.NOT_FOUND,)


class NoSuchMatch(NotFound):
    """The match does not exist, or no longer."""

    codes = (ErrorCode.NO_SUCH_MATCH,)


class UnknownGame(NotFound, BadRequest):
    """The catalogue has no game with that key."""

    codes = (ErrorCode.UNKNOWN_GAME,)


class NotPossibleNow(ChitarrellaError):
    """The state of the match does not allow this."""

    statuses = (grpc.StatusCode.FAILED_PRECONDITION,)


class MatchRunning(NotPossibleNow):
    """The match is still running; the call is possible only when it is finished."""

    codes = (ErrorCode.MATCH_RUNNING,)


class MatchAborted(NotPossibleNow):
    """The match was aborted."""

    codes = (ErrorCode.MATCH_ABORTED,)


class EditionNotSupported(NotPossibleNow):
    """The rules have changed since, and the service does not support that edition any more."""

    codes = (ErrorCode.EDITION_NOT_SUPPORTED,)


class StaleRevision(ChitarrellaError):
    """The match is no longer at the expected revision."""

    codes = (ErrorCode.STALE_REVISION,)
    statuses = (grpc.StatusCode.ABORTED,)

    @property
    def revision(self) -> int | None:
        """The revision that the match is at now."""
        return int(self.details["revision"]) if "revision" in self.details else None

    @property
    def still_legal(self) -> bool | None:
        """Whether the move would be accepted there; None if the service did not tell."""
        return self.details["still_legal"] == "true" if "still_legal" in self.details else None


class MovesLost(StaleRevision):
    """The match went back, or never reached the expected revision.

    It is a `StaleRevision`, because the caller does the same: read the match again, and decide anew with a new request
    id. What players have seen since may be void, so tell them where the match stands.
    """

    codes = (ErrorCode.MOVES_LOST,)


class AlreadyExists(ChitarrellaError):
    """The request has been carried out before."""

    statuses = (grpc.StatusCode.ALREADY_EXISTS,)


class RequestReused(AlreadyExists):
    """The request id was used before for a different request."""

    codes = (ErrorCode.REQUEST_REUSED,)


class ResourceExhausted(ChitarrellaError):
    """A limit is reached; retry later, or with less."""

    statuses = (grpc.StatusCode.RESOURCE_EXHAUSTED,)


class Unavailable(ChitarrellaError):
    """The service cannot be reached, or the connection was lost before its response."""

    codes = (ErrorCode.UNAVAILABLE,)
    statuses = (grpc.StatusCode.UNAVAILABLE,)


class StoreDown(Unavailable):
    """The store of the service is unavailable."""

    codes = (ErrorCode.STORE_DOWN,)


class ShuttingDown(Unavailable):
    """The worker is being stopped; another one will respond."""

    codes = (ErrorCode.SHUTTING_DOWN,)


class TimedOut(ChitarrellaError):
    """There was no response in time."""

    codes = (ErrorCode.DEADLINE_EXCEEDED,)
    statuses = (grpc.StatusCode.DEADLINE_EXCEEDED,)


class InternalError(ChitarrellaError):
    """An internal error of the service."""

    codes = (ErrorCode.INTERNAL,)
    statuses = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)


class Refused(ChitarrellaError):
    """A move was refused. ``refusals`` are the clauses that forbid it; ``code`` is that of the first."""

    def __init__(self, refusals: tuple[Refusal, ...], revision: int) -> None:
        """Keep the refusals and the revision of the response."""
        super().__init__(refusals[0].code, " ".join(refusal.message for refusal in refusals))
        self.refusals = refusals
        self.revision = revision


def error_for(
    code: str,
    message: str,
    field: str = "",
    *,
    violations: tuple[Violation, ...] = (),
    details: dict[str, str] | None = None,
    status: grpc.StatusCode | None = None,
    request_id: str = "",
) -> ChitarrellaError:
    """Return an error of the class for a code, or else for a status."""
    kind = _BY_CODE.get(code) or (status and _BY_STATUS.get(status)) or ChitarrellaError
    return kind(code, message, field, violations=violations, details=details, status=status, request_id=request_id)


def _subclasses(kind: type[ChitarrellaError]) -> Iterator[type[ChitarrellaError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _subclasses(child)


_BY_CODE = {code: kind for kind in _subclasses(ChitarrellaError) for code in kind.__dict__.get("codes", ())}
_BY_STATUS = {status: kind for kind in _subclasses(ChitarrellaError) for status in kind.__dict__.get("statuses", ())}


DOMAIN = "chitarrella"
"""The domain of the service's codes in ``google.rpc.ErrorInfo``."""
NO_GRPC = (
    "There is no gRPC at this address. It may be the port of REST: gRPC is at 50051 unless the service says otherwise."
)
WRONG_ADDRESS = {
    "http1.x server": NO_GRPC,
    "http2 header with status": NO_GRPC,
    "WRONG_VERSION_NUMBER": "There is no TLS at this address: leave out ``tls``.",
}
"""What gRPC says of a connection to something else, and what that means; the cause of the error has its own words."""


def read_error(problem: grpc.RpcError, request_id: str = "") -> ChitarrellaError:
    """Return the error of a failed call, from the details that the service sends, or else from the status.

    ``__cause__`` is what a traceback shows beside it: the gRPC error of a lost call; of an internal error in an
    in-process service, the exception behind it.  Any other error of the service says everything itself and has none.
    """
    error = _error(problem.code(), problem.details() or problem.code().name, _details(problem), request_id)
    behind = problem.__cause__ if isinstance(error, InternalError) else None
    error.__cause__ = behind if error.from_service else problem  # None too, which a traceback leaves out
    return error


def error_of_status(status: Status) -> ChitarrellaError:
    """Return the error of one item of a batch."""
    return _error(_STATUSES.get(status.code, grpc.StatusCode.UNKNOWN), status.message, status.details)


_STATUSES = {status.value[0]: status for status in grpc.StatusCode}


def _error(status: grpc.StatusCode, message: str, packed: Iterable[Any], request_id: str = "") -> ChitarrellaError:
    info, violations = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in packed:
        for known in (info, violations):
            if detail.Is(known.DESCRIPTOR):
                detail.Unpack(known)
    ours = info.domain == DOMAIN
    said = message
    if not ours:
        said = next((better for known, better in WRONG_ADDRESS.items() if known in said), said)
    metadata = dict(info.metadata) if ours else {}
    error = error_for(
        info.reason if ours else status.name.lower(),
        said,
        metadata.pop("field", ""),
        violations=tuple(Violation(one.field, one.description) for one in violations.field_violations),
        details=metadata,
        status=status,
        request_id=request_id,
    )
    error.from_service = ours
    return error


def _details(problem: grpc.RpcError) -> list[Any]:
    try:
        status: Status | None = rpc_status.from_call(problem)  # type: ignore[arg-type]  # a failed call is a call
    except (ValueError, DecodeError):  # not the details of this status: a proxy has changed it
        status = None
    return [] if status is None else list(status.details)
