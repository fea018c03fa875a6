"""The error tree: every class of error with its reason codes, its gRPC status and its HTTP status.

::

    ChitarrellaError
     |- BadRequest        bad_request unknown_game unknown_card unknown_suit       INVALID_ARGUMENT     400
     |                    malformed_move bad_position bad_players bad_option
     |                    bad_pack bad_cursor bad_record no_such_seat no_tricks
     |                    no_such_bot
     |- NotAuthenticated  bad_key key_needed api_key_needed bad_api_key            UNAUTHENTICATED      401
     |- NotAllowed        not_your_seat referee_only out_of_scope platform_only    PERMISSION_DENIED    403
     |- NotFound          no_such_match unknown_game no_such_route                 NOT_FOUND            404
     |- NotPossibleNow    match_running match_ended edition_not_kept               FAILED_PRECONDITION  409
     |                    no_draw_awaited already_contributed no_clock
     |                    match_over nothing_to_take_back not_your_decision
     |                    cards_were_seen
     |- Stale             stale_revision                                           ABORTED              409
     |- AlreadyExists     request_reused                                           ALREADY_EXISTS       409
     |- TooLarge          too_large                                                RESOURCE_EXHAUSTED   413
     |- TooMany           too_many too_slow                                        RESOURCE_EXHAUSTED   429
     |- StoreUnavailable  store_down                                               UNAVAILABLE          503
     |- ShuttingDown      shutting_down                                            UNAVAILABLE          503
     `- InternalError     internal                                                 INTERNAL             500

`MatchNotFound` is a `NotFound`. An illegal move is no error but an answer, see `chitarrella.core.model.Refusal`.
"""

from __future__ import annotations

from typing import ClassVar


class ChitarrellaError(Exception):
    """Base class: a stable reason ``code``, an English sentence ``because``, the invalid ``field`` (empty for none)."""

    grpc: ClassVar[str] = "INTERNAL"
    http: ClassVar[int] = 500

    def __init__(self, code: str, because: str, field: str = "", **details: str) -> None:
        """``details`` are further values by name; they never name a card that is not public."""
        super().__init__(because)
        self.code = code
        self.because = because
        self.field = field
        self.details = details


class BadRequest(ChitarrellaError):
    """The request is malformed, or names something that does not exist."""

    grpc = "INVALID_ARGUMENT"
    http = 400

    def __init__(self, code: str, because: str, field: str = "", violations: tuple[tuple[str, str], ...] = ()) -> None:
        """``violations`` are all invalid fields, each with its sentence; by default ``field`` alone."""
        super().__init__(code, because, field)
        self.violations = violations or (((field, because),) if field else ())


class NotAuthenticated(ChitarrellaError):
    """A key is missing, or unknown here."""

    grpc = "UNAUTHENTICATED"
    http = 401


class NotAllowed(ChitarrellaError):
    """The key gives access to something else."""

    grpc = "PERMISSION_DENIED"
    http = 403


class NotFound(ChitarrellaError):
    """The named resource does not exist."""

    grpc = "NOT_FOUND"
    http = 404


class MatchNotFound(NotFound):
    """The match does not exist, or the caller may not know of it: both give the same error."""

    def __init__(self) -> None:
        """The text is the same for both cases."""
        super().__init__("no_such_match", "There is no such match, or not any more.", "match")


class NotPossibleNow(ChitarrellaError):
    """The state of the match does not allow the call."""

    grpc = "FAILED_PRECONDITION"
    http = 409


class Stale(ChitarrellaError):
    """The match is at a later revision than the caller expected."""

    grpc = "ABORTED"
    http = 409


class AlreadyExists(ChitarrellaError):
    """The request id was used before for a different request, or for one that cannot be repeated."""

    grpc = "ALREADY_EXISTS"
    http = 409


class TooLarge(ChitarrellaError):
    """The request exceeds the size limit."""

    grpc = "RESOURCE_EXHAUSTED"
    http = 413


class TooMany(ChitarrellaError):
    """A limit is reached; a later retry may succeed."""

    grpc = "RESOURCE_EXHAUSTED"
    http = 429


class StoreUnavailable(ChitarrellaError):
    """The store does not answer. A retry with the same request id finds out whether a pending move was stored."""

    grpc = "UNAVAILABLE"
    http = 503

    def __init__(self) -> None:
        """The text is fixed: addresses and causes belong in the log."""
        super().__init__("store_down", "The store does not answer; try again with the same request id.")


class ShuttingDown(ChitarrellaError):
    """The worker is shutting down; another worker continues a watch from the same cursor."""

    grpc = "UNAVAILABLE"
    http = 503

    def __init__(self) -> None:
        """The text is fixed."""
        super().__init__("shutting_down", "This worker is being stopped; watch again from the last cursor.")


class InternalError(ChitarrellaError):
    """An unexpected exception in the service; the log has it under the request id."""

    def __init__(self) -> None:
        """The text is fixed: it names no cause."""
        super().__init__("internal", "The service has a fault; the request id finds it in the log.")
