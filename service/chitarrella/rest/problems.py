"""Errors as problems (RFC 9457), and the list of all that can go wrong, which the pages and the contract show."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import orjson
from flask import Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge
from werkzeug.routing import RequestRedirect

from chitarrella import errors
from chitarrella.rest.access import call_of
from chitarrella.rpc_status import understood

PROBLEM_JSON: Final = "application/problem+json"
ERRORS_PAGE: Final = "/docs/errors"
RETRY_AFTER_SECONDS: Final = "1"
LONGEST_FIELD: Final = 200
"""The name of a field may come from the caller; it is not sent back at any length."""


class WrongMethod(errors.BadRequest):
    """The path is known, the method is not one of it."""

    grpc = "UNIMPLEMENTED"
    http = 405


class WrongMediaType(errors.BadRequest):
    """The body is not JSON, or does not say so."""

    http = 415


class PreconditionFailed(errors.Stale):
    """The table has moved on from the revision that If-Match names."""

    http = 412


class Known(NamedTuple):
    """Something that can go wrong: its class, its reason code, and what it means."""

    kind: type[errors.ChitarrellaError]
    code: str
    means: str


KNOWN: Final = (
    Known(errors.BadRequest, "bad_request", "A field is missing, unknown, or not of the kind that the contract says."),
    Known(errors.BadRequest, "unknown_game", "The catalogue has no game of that key."),
    Known(errors.BadRequest, "unknown_card", "The pack of the game has no such card."),
    Known(errors.BadRequest, "unknown_suit", "The pack of the game has no such suit."),
    Known(errors.BadRequest, "malformed_move", "This is no move of the game: the verb or what it takes is wrong."),
    Known(errors.BadRequest, "bad_position", "The line is no position of the game."),
    Known(errors.BadRequest, "bad_players", "The game is not made for so many."),
    Known(errors.BadRequest, "bad_option", "The game has no such option, or no such choice of it."),
    Known(errors.BadRequest, "bad_pack", "The cards handed in are not the pack that is wanted."),
    Known(errors.BadRequest, "bad_cursor", "The cursor is none, or lies ahead of the match."),
    Known(errors.BadRequest, "no_tricks", "The game is not played in tricks, so this question has no answer."),
    Known(errors.BadRequest, "no_such_seat", "Nobody sits at that seat of this table."),
    Known(errors.NotAuthenticated, "api_key_needed", "The service is for platforms that it knows; show the API key."),
    Known(errors.NotAuthenticated, "bad_api_key", "The API key is not known, or not any more."),
    Known(errors.NotAllowed, "platform_only", "Only a platform that shows its API key has a list of matches."),
    Known(errors.NotAllowed, "out_of_scope", "The API key is not good for this call."),
    Known(errors.NotAuthenticated, "bad_key", "The key opens nothing at this match, or the header is no bearer key."),
    Known(errors.NotAuthenticated, "key_needed", "This needs the key of a seat or of the referee."),
    Known(errors.NotAllowed, "not_your_seat", "The key opens another seat."),
    Known(errors.NotAllowed, "referee_only", "Only the referee's key opens this."),
    Known(errors.NotFound, "no_such_match", "There is no such match, or not any more."),
    Known(errors.NotFound, "unknown_game", "The catalogue has no game of that key."),
    Known(errors.NotFound, "no_such_route", "There is nothing under this path."),
    Known(WrongMethod, "wrong_method", "The path is known, but not with this method; Allow names those it has."),
    Known(errors.BadRequest, "bad_record", "The text is no record, or one of its moves is refused."),
    Known(errors.NotPossibleNow, "no_clock", "No clock runs at this match now."),
    Known(errors.NotPossibleNow, "no_draw_awaited", "No pack is waiting for words of the seats."),
    Known(errors.NotPossibleNow, "already_contributed", "The seat has added another word to this draw."),
    Known(errors.BadRequest, "no_such_bot", "The service has no bot of that name."),
    Known(errors.NotPossibleNow, "nothing_to_take_back", "No decision was made since something was last drawn."),
    Known(errors.NotPossibleNow, "not_your_decision", "The last decision was made by another seat."),
    Known(errors.NotPossibleNow, "cards_were_seen", "By the decision cards were moved that lay hidden."),
    Known(errors.NotPossibleNow, "match_over", "The match was played to its end."),
    Known(errors.NotPossibleNow, "match_running", "This has to wait until the match is played out."),
    Known(errors.NotPossibleNow, "match_ended", "The match was ended before its time."),
    Known(errors.NotPossibleNow, "edition_not_kept", "That edition of the rules is not kept any more."),
    Known(errors.Stale, "stale_revision", "The table has moved on from the revision the call builds upon."),
    Known(PreconditionFailed, "stale_revision", "The table has moved on from the revision that If-Match names."),
    Known(errors.AlreadyExists, "request_reused", "The request id belongs to another call."),
    Known(errors.TooLarge, "too_large", "The request is larger than any honest one."),
    Known(WrongMediaType, "wrong_media_type", "The body must be JSON, and Content-Type must say so."),
    Known(errors.TooMany, "too_many", "A limit is reached; try again later."),
    Known(errors.TooMany, "too_slow", "This watcher does not keep up; watch again from its cursor."),
    Known(errors.StoreDown, "store_down", "The store does not answer; try again with the same request id."),
    Known(errors.GoingDown, "shutting_down", "This worker is being stopped; another one answers."),
    Known(errors.Fault, "internal", "The service has a fault; the request id finds it in the log."),
)
"""Every error by class and code; one code always means the same, whichever class brings it."""

MEANS: Final = {known.code: known.means for known in reversed(KNOWN)}


def problem(error: errors.ChitarrellaError, path: str, request_id: str) -> dict[str, Any]:
    """Give the members of the problem that a request to ``path`` has met."""
    violations = error.violations if isinstance(error, errors.BadRequest) else ()
    return {
        "type": f"{ERRORS_PAGE}#{error.code}",
        "title": MEANS.get(error.code, error.code),
        "status": error.http,
        "detail": error.because,
        "instance": path,
        "code": error.code,
        "field": error.field[:LONGEST_FIELD],
        "violations": [{"field": field[:LONGEST_FIELD], "because": because} for field, because in violations],
        "details": error.details,
        "requestId": request_id,
    }


def problem_response(error: Exception) -> Response:
    """Answer an error, whatever it is; one that is not foreseen is logged and told without its text."""
    allow = ""
    if isinstance(error, RequestRedirect):
        return Response(status=error.code, headers={"Location": error.new_url})
    if isinstance(error, HTTPException):
        allow = ", ".join(sorted(error.valid_methods or ())) if isinstance(error, MethodNotAllowed) else ""
        error = of_framework(error)
    call = call_of(request.environ)
    known = understood(error, call.request_id)
    call.code = known.code
    body = orjson.dumps(problem(known, request.path, call.request_id))
    answer = Response(body, status=known.http, content_type=PROBLEM_JSON)
    answer.headers["Cache-Control"] = "no-store"
    if allow:
        answer.headers["Allow"] = allow
    if isinstance(known, errors.NotAuthenticated):
        invalid = ', error="invalid_token"' if known.code == "bad_key" else ""
        answer.headers["WWW-Authenticate"] = f'Bearer realm="chitarrella"{invalid}'
    if isinstance(known, (errors.TooMany, errors.StoreDown, errors.GoingDown)):
        answer.headers["Retry-After"] = RETRY_AFTER_SECONDS
    return answer


def of_framework(error: HTTPException) -> errors.ChitarrellaError:
    """Say in the service's words what the framework says in its own."""
    if isinstance(error, NotFound):
        return errors.NotFound("no_such_route", "There is nothing under this path; /openapi.json says what there is.")
    if isinstance(error, MethodNotAllowed):
        return WrongMethod("wrong_method", f"This path does not answer {request.method[:20]}.")
    if isinstance(error, RequestEntityTooLarge):
        return errors.TooLarge("too_large", "The body may have 1 MiB.")
    if error.code is not None and 400 <= error.code < 500:
        return errors.BadRequest("bad_request", error.description or error.name)
    return errors.Fault()
