"""The error family: one exception for everything that can go wrong, under the service's own codes.

::

    ChitarrellaError
     |- BadRequest        what was asked is no question of the game; ``field`` and ``violations`` say where
     |- NotAuthenticated  BadKey, KeyNeeded
     |- NotAllowed        NotYourSeat, RefereeOnly
     |- NotFound          NoSuchMatch, UnknownGame
     |- NotPossibleNow    MatchRunning, MatchEnded, EditionNotKept
     |- StaleRevision     the table has moved on; ``revision`` is where it is
     |- AlreadyExists     RequestReused
     |- TooMuch           a limit is reached
     |- Unavailable       the service cannot be reached; it can, but: StoreDown, ShuttingDown
     |- TimedOut, Fault   no answer in time, a fault of the service itself
     `- Refused           a move was refused; raised by ``play_or_raise`` only

An error that none of these stands for is a `ChitarrellaError` with the gRPC status as its code.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from chitarrella_client.codes import ErrorCode
from chitarrella_client.table import Refusal

DOMAIN = "chitarrella"


class Violation(NamedTuple):
    """A field at fault, and what is wrong with it."""

    field: str
    because: str


class ChitarrellaError(Exception):
    """What went wrong: a ``code`` to switch on, an English sentence, and the ``field`` at fault, if one is."""

    codes: ClassVar[tuple[str, ...]] = ()
    """The codes that this class alone stands for."""
    statuses: ClassVar[tuple[grpc.StatusCode, ...]] = ()
    """The gRPC statuses that this class stands for, where no class stands for the code."""

    def __init__(
        self,
        code: str,
        because: str,
        field: str = "",
        *,
        violations: tuple[Violation, ...] = (),
        details: dict[str, str] | None = None,
        status: grpc.StatusCode | None = None,
        request_id: str = "",
    ) -> None:
        """Say what went wrong."""
        super().__init__(because)
        self.code = code
        self.because = because
        self.field = field
        self.violations = violations
        """Every field at fault."""
        self.details = details or {}
        """Particulars by name."""
        self.status = status
        """The gRPC status; None where no call was made."""
        self.request_id = request_id
        """That of the writing call that failed; the same call with it tells what came of it, and does nothing twice."""
        self.from_service = True
        """False where the call failed on its way."""

    def __str__(self) -> str:
        """Say the sentence and the code."""
        return f"{self.because} [{self.code}]"


class BadRequest(ChitarrellaError):
    """The request names nothing the service knows, or is not well formed."""

    statuses = (grpc.StatusCode.INVALID_ARGUMENT,)


class NotAuthenticated(ChitarrellaError):
    """A key is missing, or opens nothing here."""

    statuses = (grpc.StatusCode.UNAUTHENTICATED,)


class BadKey(NotAuthenticated):
    """The key opens nothing at this match."""

    codes = (ErrorCode.BAD_KEY,)


class KeyNeeded(NotAuthenticated):
    """The answer is only for who shows a key."""

    codes = (ErrorCode.KEY_NEEDED,)


class NotAllowed(ChitarrellaError):
    """The key opens something else."""

    statuses = (grpc.StatusCode.PERMISSION_DENIED,)


class NotYourSeat(NotAllowed):
    """The key does not open that seat."""

    codes = (ErrorCode.NOT_YOUR_SEAT,)


class RefereeOnly(NotAllowed):
    """Only the referee may do this."""

    codes = (ErrorCode.REFEREE_ONLY,)


class NotFound(ChitarrellaError):
    """There is no such thing."""

    statuses = (grpc.StatusCode.NOT_FOUND,)


class NoSuchMatch(NotFound):
    """There is no such match, or not any more."""

    codes = (ErrorCode.NO_SUCH_MATCH,)


class UnknownGame(NotFound, BadRequest):
    """The catalogue has no game of that key."""

    codes = (ErrorCode.UNKNOWN_GAME,)


class NotPossibleNow(ChitarrellaError):
    """The match is not in the state for this."""

    statuses = (grpc.StatusCode.FAILED_PRECONDITION,)


class MatchRunning(NotPossibleNow):
    """The answer is only given when the match is over."""

    codes = (ErrorCode.MATCH_RUNNING,)


class MatchEnded(NotPossibleNow):
    """The match was ended before its time."""

    codes = (ErrorCode.MATCH_ENDED,)


class EditionNotKept(NotPossibleNow):
    """The rules were changed since, and the old ones are not kept."""

    codes = (ErrorCode.EDITION_NOT_KEPT,)


class StaleRevision(ChitarrellaError):
    """The table has moved on from the revision the caller built upon."""

    codes = (ErrorCode.STALE_REVISION,)
    statuses = (grpc.StatusCode.ABORTED,)

    @property
    def revision(self) -> int | None:
        """Say where the table is now."""
        return int(self.details["revision"]) if "revision" in self.details else None

    @property
    def still_legal(self) -> bool | None:
        """Say whether the move would be accepted there, if the service has said so."""
        return self.details["still_legal"] == "true" if "still_legal" in self.details else None


class AlreadyExists(ChitarrellaError):
    """What was asked for was done before."""

    statuses = (grpc.StatusCode.ALREADY_EXISTS,)


class RequestReused(AlreadyExists):
    """The request id was used before, for something else."""

    codes = (ErrorCode.REQUEST_REUSED,)


class TooMuch(ChitarrellaError):
    """A limit is reached; later, or with less, it may work."""

    statuses = (grpc.StatusCode.RESOURCE_EXHAUSTED,)


class Unavailable(ChitarrellaError):
    """The service cannot be reached, or was lost before it could answer."""

    codes = (ErrorCode.UNAVAILABLE,)
    statuses = (grpc.StatusCode.UNAVAILABLE,)


class StoreDown(Unavailable):
    """The service's store does not answer."""

    codes = (ErrorCode.STORE_DOWN,)


class ShuttingDown(Unavailable):
    """The worker that was asked is being stopped; another one answers."""

    codes = (ErrorCode.SHUTTING_DOWN,)


class TimedOut(ChitarrellaError):
    """No answer came in time."""

    codes = (ErrorCode.DEADLINE_EXCEEDED,)
    statuses = (grpc.StatusCode.DEADLINE_EXCEEDED,)


class Fault(ChitarrellaError):
    """A fault of the service itself."""

    codes = (ErrorCode.INTERNAL,)
    statuses = (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN)


class Refused(ChitarrellaError):
    """A move was refused: ``refusals`` are the clauses against it, ``code`` and ``because`` those of the first."""

    def __init__(self, refusals: tuple[Refusal, ...], revision: int) -> None:
        """Carry what the answer said."""
        super().__init__(refusals[0].code, " ".join(refusal.because for refusal in refusals))
        self.refusals = refusals
        self.revision = revision


def made(
    code: str,
    because: str,
    field: str = "",
    *,
    violations: tuple[Violation, ...] = (),
    details: dict[str, str] | None = None,
    status: grpc.StatusCode | None = None,
    request_id: str = "",
) -> ChitarrellaError:
    """Make the error that stands for a code or else for a status."""
    kind = _BY_CODE.get(code) or (status and _BY_STATUS.get(status)) or ChitarrellaError
    return kind(code, because, field, violations=violations, details=details, status=status, request_id=request_id)


def read_error(problem: grpc.RpcError, request_id: str = "") -> ChitarrellaError:
    """Make an error of a failed call, from the details that the service sends or else from the bare status."""
    status = problem.code()
    info, violations = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in _details(problem):
        for message in (info, violations):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    ours = info.domain == DOMAIN
    particulars = dict(info.metadata) if ours else {}
    error = made(
        info.reason if ours else status.name.lower(),
        problem.details() or status.name,
        particulars.pop("field", ""),
        violations=tuple(Violation(one.field, one.description) for one in violations.field_violations),
        details=particulars,
        status=status,
        request_id=request_id,
    )
    error.from_service = ours
    return error


def _details(problem: grpc.RpcError) -> list[Any]:
    try:
        status: Status | None = rpc_status.from_call(problem)  # type: ignore[arg-type]  # a failed call is a call
    except (ValueError, DecodeError):  # no details of this status: somebody on the way has changed it
        status = None
    return [] if status is None else list(status.details)


def _family(kind: type[ChitarrellaError]) -> Iterator[type[ChitarrellaError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from _family(child)


_BY_CODE = {code: kind for kind in _family(ChitarrellaError) for code in kind.__dict__.get("codes", ())}
_BY_STATUS = {status: kind for kind in _family(ChitarrellaError) for status in kind.__dict__.get("statuses", ())}
