"""The error family. `STATUSES` has its classes with their statuses in gRPC and HTTP, and their reason codes.

An illegal move is no error but an answer, see `chitarrella.core.model.Refusal`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

AUTHORIZATION: Final = "authorization"
"""The header, or the gRPC metadata, of a key or token: the ``field`` of errors about it."""


class ChitarrellaError(Exception):
    """Base class: a stable reason ``code``, an English sentence ``message``, the invalid ``field`` (empty for none)."""

    def __init__(self, code: str, message: str, field: str = "", **details: str) -> None:
        """``details`` are further values by name; they never name a card that is not public."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.details = details


class BadRequest(ChitarrellaError):
    """The request is malformed, or names something that does not exist."""

    def __init__(self, code: str, message: str, field: str = "", violations: tuple[tuple[str, str], ...] = ()) -> None:
        """``violations`` are all invalid fields, each with its sentence; by default ``field`` alone."""
        super().__init__(code, message, field)
        self.violations = violations or (((field, message),) if field else ())


class WrongMethod(BadRequest):
    """The path does not support the HTTP method."""


class WrongMediaType(BadRequest):
    """The body is not declared as JSON."""


class NotAuthenticated(ChitarrellaError):
    """A key or token is missing, or not valid here."""

    def __init__(self, code: str, message: str, field: str = AUTHORIZATION) -> None:
        """``field`` is the header at fault, or the claim of a token."""
        super().__init__(code, message, field)


class NotAllowed(ChitarrellaError):
    """The key gives access to something else."""


class NotFound(ChitarrellaError):
    """The named resource does not exist."""


class NoSuchRoute(NotFound):
    """The service has nothing at the path: no page, and no rpc of that name."""


class MatchNotFound(NotFound):
    """The match does not exist, or the caller may not know of it: both give the same error."""

    def __init__(self) -> None:
        """The text is the same for both cases."""
        text = "The match does not exist, has expired, or is private and the key is not one of its keys."
        super().__init__("no_such_match", text, "match_id")


class NotPossibleNow(ChitarrellaError):
    """The state of the match, or of what else is named, does not allow the call."""


class Stale(ChitarrellaError):
    """The match is at a later revision than the caller expected."""


class PreconditionFailed(Stale):
    """The match is at a later revision than If-Match names."""


class MovesLost(Stale):
    """The store has lost moves that were acknowledged, and the caller may have seen them."""


class AlreadyExists(ChitarrellaError):
    """The request id was used before for a different request, or for one that cannot be repeated."""


class TooLarge(ChitarrellaError):
    """The request exceeds the size limit."""


class TooMany(ChitarrellaError):
    """A limit is reached; a later retry may succeed."""


class RateLimited(TooMany):
    """Too many calls of a platform or an address in a time; a retry succeeds after ``retry_after_seconds``.

    Its details are that time, the ``quota`` that is used up, its ``limit``, and the ``window_seconds`` in which all of
    it is regained.
    """


class QuotaExceeded(TooMany):
    """A platform or an address has as much at a time as it may have; details are the ``quota`` and its ``limit``."""


class StoreUnavailable(ChitarrellaError):
    """The store does not answer. A retry with the same request id finds out whether a pending move was stored."""

    def __init__(self) -> None:
        """The text is fixed: addresses and causes belong in the log."""
        super().__init__("store_down", "The store does not answer; try again with the same request id.")


class Overloaded(ChitarrellaError):
    """Too many calls wait at the worker. This one has done nothing; a retry may reach a worker that is free."""

    def __init__(self) -> None:
        """The text is fixed."""
        super().__init__("overloaded", "Too many calls are waiting here; try again with the same request id.")


class ShuttingDown(ChitarrellaError):
    """The worker is shutting down; another worker continues a watch from the same cursor."""

    def __init__(self) -> None:
        """The text is fixed."""
        super().__init__("shutting_down", "This worker is being stopped; watch again from the last cursor.")


class InternalError(ChitarrellaError):
    """An unexpected exception in the service; the log has it under the request id."""

    def __init__(self) -> None:
        """The text is fixed: it names no cause."""
        super().__init__("internal", "The service has a fault; the request id finds it in the log.")


class Status(NamedTuple):
    """The statuses of a class of error: the name of the gRPC code, and the HTTP status; and its reason codes."""

    grpc: str
    http: int
    codes: str


STATUSES: Final[Mapping[type[ChitarrellaError], Status]] = {
    BadRequest: Status(
        "INVALID_ARGUMENT",
        400,
        "bad_request unknown_card unknown_suit malformed_move bad_position bad_players bad_option bad_cards "
        "bad_cursor no_tricks no_such_seat bad_record no_such_bot",
    ),
    WrongMethod: Status("UNIMPLEMENTED", 405, "wrong_method"),
    WrongMediaType: Status("INVALID_ARGUMENT", 415, "wrong_media_type"),
    NotAuthenticated: Status(
        "UNAUTHENTICATED",
        401,
        "api_key_needed bad_api_key bad_key key_needed bad_token bad_audience token_expired token_not_yet_valid",
    ),
    NotAllowed: Status("PERMISSION_DENIED", 403, "platform_only out_of_scope not_your_seat referee_only"),
    NotFound: Status("NOT_FOUND", 404, "unknown_game no_such_api_key no_such_webhook no_such_delivery"),
    NoSuchRoute: Status("UNIMPLEMENTED", 404, "no_such_route"),
    MatchNotFound: Status("NOT_FOUND", 404, "no_such_match"),
    NotPossibleNow: Status(
        "FAILED_PRECONDITION",
        409,
        "no_clock sandbox_off not_a_sandbox no_shuffle_pending already_contributed restricted nothing_to_take_back "
        "already_declined not_your_decision cards_were_seen match_finished match_running match_aborted "
        "edition_not_supported game_not_installed webhook_configured",
    ),
    Stale: Status("ABORTED", 409, "stale_revision"),
    MovesLost: Status("ABORTED", 409, "moves_lost"),
    PreconditionFailed: Status("ABORTED", 412, "stale_revision moves_lost"),
    AlreadyExists: Status("ALREADY_EXISTS", 409, "request_reused"),
    TooLarge: Status("RESOURCE_EXHAUSTED", 413, "too_large"),
    TooMany: Status("RESOURCE_EXHAUSTED", 429, "too_many too_many_webhooks too_slow"),
    RateLimited: Status("RESOURCE_EXHAUSTED", 429, "rate_limited"),
    QuotaExceeded: Status("RESOURCE_EXHAUSTED", 429, "quota_exceeded"),
    StoreUnavailable: Status("UNAVAILABLE", 503, "store_down"),
    Overloaded: Status("UNAVAILABLE", 503, "overloaded"),
    ShuttingDown: Status("UNAVAILABLE", 503, "shutting_down"),
    InternalError: Status("INTERNAL", 500, "internal"),
}
"""The one table of statuses and codes: gRPC, Connect, REST and the pages about errors read it."""
