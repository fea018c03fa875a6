"""The error family: everything that can go wrong, each with a stable reason code.

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
     |- StoreDown         store_down                                               UNAVAILABLE          503
     |- GoingDown         shutting_down                                            UNAVAILABLE          503
     `- Fault             internal                                                 INTERNAL             500

A move that the rules forbid is none of these: it is an answer, see `chitarrella.words.Refusal`.
"""

from __future__ import annotations

from typing import ClassVar


class ChitarrellaError(Exception):
    """Something the caller has to know of: a reason ``code``, an English sentence, the ``field`` at fault."""

    grpc: ClassVar[str] = "INTERNAL"
    http: ClassVar[int] = 500

    def __init__(self, code: str, because: str, field: str = "", **details: str) -> None:
        """Say what went wrong; ``details`` are particulars by name, never a card that is not public."""
        super().__init__(because)
        self.code = code
        self.because = because
        self.field = field
        self.details = details


class BadRequest(ChitarrellaError):
    """The request names nothing the service knows, or is not well formed."""

    grpc = "INVALID_ARGUMENT"
    http = 400

    def __init__(self, code: str, because: str, field: str = "", violations: tuple[tuple[str, str], ...] = ()) -> None:
        """Add every field at fault with its sentence, where there are several."""
        super().__init__(code, because, field)
        self.violations = violations or (((field, because),) if field else ())


class NotAuthenticated(ChitarrellaError):
    """A key is missing, or opens nothing here."""

    grpc = "UNAUTHENTICATED"
    http = 401


class NotAllowed(ChitarrellaError):
    """The key opens something else."""

    grpc = "PERMISSION_DENIED"
    http = 403


class NotFound(ChitarrellaError):
    """There is no such thing."""

    grpc = "NOT_FOUND"
    http = 404


class MatchNotFound(NotFound):
    """There is no such match, or not for this caller: both sound the same."""

    def __init__(self) -> None:
        """Say no more than that."""
        super().__init__("no_such_match", "There is no such match, or not any more.", "match")


class NotPossibleNow(ChitarrellaError):
    """The match is not in the state for this."""

    grpc = "FAILED_PRECONDITION"
    http = 409


class Stale(ChitarrellaError):
    """The table has moved on from the revision the caller built upon."""

    grpc = "ABORTED"
    http = 409


class AlreadyExists(ChitarrellaError):
    """A request id was used before, for something else or for something that is done once."""

    grpc = "ALREADY_EXISTS"
    http = 409


class TooLarge(ChitarrellaError):
    """The request is larger than any honest one."""

    grpc = "RESOURCE_EXHAUSTED"
    http = 413


class TooMany(ChitarrellaError):
    """A limit is reached; later it may work."""

    grpc = "RESOURCE_EXHAUSTED"
    http = 429


class StoreDown(ChitarrellaError):
    """The store does not answer. Whether a move that was under way was kept, a retry with its request id tells."""

    grpc = "UNAVAILABLE"
    http = 503

    def __init__(self) -> None:
        """Say so, and no more: addresses and causes belong into the log."""
        super().__init__("store_down", "The store does not answer; try again with the same request id.")


class GoingDown(ChitarrellaError):
    """The worker is being stopped; what it was telling, another one goes on telling from the same cursor."""

    grpc = "UNAVAILABLE"
    http = 503

    def __init__(self) -> None:
        """Say so."""
        super().__init__("shutting_down", "This worker is being stopped; watch again from the last cursor.")


class Fault(ChitarrellaError):
    """A fault of the service itself; the log has it under the request id."""

    def __init__(self) -> None:
        """Say so, and no more."""
        super().__init__("internal", "The service has a fault; the request id finds it in the log.")
