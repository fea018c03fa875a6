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

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

import grpc

from chitarrella_client.codes import ErrorCode
from chitarrella_client.types import Refusal


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
