"""Errors as problem details (RFC 9457), and the list of all error codes, which documentation and OpenAPI show."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

import orjson
from flask import Request, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from chitarrella import errors
from chitarrella.api.status import error_of, retry_seconds
from chitarrella.transports.rest.content_policy import restrict
from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.remedies import REMEDIES

PROBLEM_JSON: Final = "application/problem+json"
"""The content type of an error."""
JSON: Final = "application/json"
"""The content type of a caller that asks for JSON, of whatever kind."""
HTML: Final = "text/html"
"""The content type of a caller that prefers a page."""
ERRORS_PAGE: Final = "/docs/errors"
"""The path of the page that explains every code."""
PUBLIC_URL: Final = "CHITARRELLA_PUBLIC_URL"
"""The key of the public URL in the configuration of the Flask application; empty if it is not known."""
RETRY_AFTER_SECONDS: Final = "1"
"""Seconds after which to repeat a call that the service could not take."""
MAX_FIELD_LENGTH: Final = 200
"""The name of a field may come from the caller, so its length is limited in the response."""


class ProblemType(NamedTuple):
    """An error code: the class of its errors, the code, and its meaning."""

    kind: type[errors.ChitarrellaError]
    code: str
    title: str

    @property
    def status(self) -> errors.Status:
        """The gRPC and HTTP statuses of its class."""
        return errors.STATUSES[self.kind]


PROBLEM_TYPES: Final = (
    ProblemType(errors.BadRequest, "bad_request", "A field is missing, unknown, or not as the contract has it."),
    ProblemType(errors.BadRequest, "unknown_game", "The catalogue has no game of that key."),
    ProblemType(errors.BadRequest, "unknown_card", "The pack of the game has no such card."),
    ProblemType(errors.BadRequest, "unknown_suit", "The pack of the game has no such suit."),
    ProblemType(errors.BadRequest, "malformed_move", "The game has no such move: its verb or its arguments are wrong."),
    ProblemType(
        errors.BadRequest,
        "bad_position",
        "The position, or the part of it that is given, is impossible in this game or cannot be read.",
    ),
    ProblemType(errors.BadRequest, "bad_players", "The game is not for this number of players."),
    ProblemType(errors.BadRequest, "bad_option", "The game has no such option, or no such choice of it."),
    ProblemType(errors.BadRequest, "bad_pack", "The cards are not the pack that is needed."),
    ProblemType(errors.BadRequest, "bad_cursor", "The cursor is not one of this match."),
    ProblemType(errors.BadRequest, "no_tricks", "The game is not played in tricks, card by card."),
    ProblemType(errors.BadRequest, "no_such_seat", "The game has no such seat, or no person plays it."),
    ProblemType(errors.NotAuthenticated, "api_key_needed", "This service needs the API key of a platform."),
    ProblemType(errors.NotAuthenticated, "bad_api_key", "The API key is not known."),
    ProblemType(errors.NotAllowed, "platform_only", "This needs the API key of a platform."),
    ProblemType(errors.NotAllowed, "out_of_scope", "The API key lacks the scope of this call."),
    ProblemType(
        errors.NotAuthenticated,
        "bad_key",
        "The key is not one of this match, or not sent as 'Authorization: Bearer KEY'.",
    ),
    ProblemType(errors.NotAuthenticated, "key_needed", "This needs the key of a seat or of the referee."),
    ProblemType(
        errors.NotAuthenticated,
        "bad_token",
        "The token of a platform is malformed, not signed with one of its keys, or not for this match.",
    ),
    ProblemType(errors.NotAuthenticated, "bad_audience", "The token of a platform is for another service."),
    ProblemType(errors.NotAuthenticated, "token_expired", "The token of a platform has expired."),
    ProblemType(errors.NotAuthenticated, "token_not_yet_valid", "The token of a platform is not valid yet."),
    ProblemType(errors.NotAllowed, "not_your_seat", "The key is that of another seat."),
    ProblemType(errors.NotAllowed, "referee_only", "This needs the key of the referee."),
    ProblemType(errors.MatchNotFound, "no_such_match", "The match does not exist, or has expired."),
    ProblemType(errors.NotFound, "unknown_game", "The catalogue has no game of that key."),
    ProblemType(errors.NotFound, "no_such_api_key", "The settings of the service have no such API key."),
    ProblemType(errors.NotFound, "no_such_webhook", "The platform has no such webhook."),
    ProblemType(errors.NotFound, "no_such_delivery", "The webhook has no such delivery, or it is not kept any more."),
    ProblemType(errors.NoSuchRoute, "no_such_route", "There is nothing at this path, or no rpc of that name."),
    ProblemType(
        errors.WrongMethod, "wrong_method", "The path is known, but not with this method; Allow names those it has."
    ),
    ProblemType(errors.BadRequest, "bad_record", "The text is not a record, or one of its moves is refused."),
    ProblemType(errors.NotPossibleNow, "no_clock", "The match has no clock, or it is not running."),
    ProblemType(errors.NotPossibleNow, "sandbox_off", "The service makes no tests: it runs without --sandbox."),
    ProblemType(errors.NotPossibleNow, "not_a_sandbox", "The match is no test, so its clock cannot be advanced."),
    ProblemType(errors.NotPossibleNow, "no_shuffle_pending", "No shuffle is waiting for seeds."),
    ProblemType(errors.NotPossibleNow, "already_contributed", "The seat has added another seed to this shuffle."),
    ProblemType(errors.BadRequest, "no_such_bot", "The service has no bot of that name."),
    ProblemType(errors.NotPossibleNow, "nothing_to_take_back", "No decision has been made since the last shuffle."),
    ProblemType(errors.NotPossibleNow, "not_your_decision", "The last decision was made by another seat."),
    ProblemType(
        errors.NotPossibleNow,
        "cards_were_seen",
        "The decision moved a hidden card, so it cannot be taken back.",
    ),
    ProblemType(errors.NotPossibleNow, "match_over", "The match is finished."),
    ProblemType(errors.NotPossibleNow, "match_running", "The match is still running."),
    ProblemType(errors.NotPossibleNow, "match_aborted", "The match was aborted."),
    ProblemType(errors.NotPossibleNow, "edition_not_supported", "That edition of the rules is not supported any more."),
    ProblemType(errors.NotPossibleNow, "game_not_installed", "The service does not have the game of the match now."),
    ProblemType(errors.NotPossibleNow, "webhook_configured", "The webhook stands in the settings of the service."),
    ProblemType(errors.Stale, "stale_revision", "The match has passed the expected revision."),
    ProblemType(errors.PreconditionFailed, "stale_revision", "The match has passed the revision that If-Match names."),
    ProblemType(
        errors.MovesLost,
        "moves_lost",
        "The match lost moves that had been acknowledged, or never reached the revision; read it again.",
    ),
    ProblemType(errors.PreconditionFailed, "moves_lost", "The match has lost the revision that If-Match names."),
    ProblemType(errors.AlreadyExists, "request_reused", "The request id was used for another request."),
    ProblemType(errors.TooLarge, "too_large", "The request is larger than the limit."),
    ProblemType(errors.WrongMediaType, "wrong_media_type", "The body must be JSON, and Content-Type must say so."),
    ProblemType(errors.TooMany, "too_many", "A limit is reached; try again later."),
    ProblemType(errors.TooMany, "too_many_webhooks", "The platform has as many webhooks as it may have."),
    ProblemType(errors.RateLimited, "rate_limited", "Too many calls; try again when Retry-After says."),
    ProblemType(errors.QuotaExceeded, "quota_exceeded", "A platform or an address has as much as it may have."),
    ProblemType(errors.TooMany, "too_slow", "Watcher too slow; reconnect, for a match with the last cursor."),
    ProblemType(
        errors.StoreUnavailable, "store_down", "The store does not answer; try again with the same request id."
    ),
    ProblemType(errors.Overloaded, "overloaded", "Too many calls are waiting; try again."),
    ProblemType(errors.ShuttingDown, "shutting_down", "This worker is being stopped; another one answers."),
    ProblemType(errors.InternalError, "internal", "The service has a fault; the request id finds it in the log."),
)
"""Every error code with every class it occurs with; its meaning does not depend on the class."""

INVALID_TOKEN: Final = frozenset({"bad_key", "bad_token", "bad_audience", "token_expired", "token_not_yet_valid"})
"""The codes of a key or token that is not accepted, which RFC 6750 calls ``invalid_token``."""

TITLES: Final = {one.code: one.title for one in reversed(PROBLEM_TYPES)}
"""The title of each code; where several classes have a code, that of the first."""


def error_codes() -> list[dict[str, Any]]:
    """Return every error code once, with what to do and all its HTTP and gRPC statuses."""
    found: dict[str, dict[str, Any]] = {}
    for problem_type in PROBLEM_TYPES:
        row = found.setdefault(
            problem_type.code,
            {
                "code": problem_type.code,
                "description": problem_type.title,
                "remedy": REMEDIES[problem_type.code],
                "http": "",
                "grpc": "",
            },
        )
        for name, value in (("http", str(problem_type.status.http)), ("grpc", problem_type.status.grpc)):
            row[name] = " or ".join(dict.fromkeys([*filter(None, [row[name]]), value]))
    return list(found.values())


def problem(error: errors.ChitarrellaError, path: str, request_id: str, public_url: str = "") -> dict[str, Any]:
    """Return the members of the problem for a request to ``path``.

    Its type is a URL under ``public_url``, or a path without one. It never depends on the header Host, which the caller
    chooses.
    """
    violations = error.violations if isinstance(error, errors.BadRequest) else ()
    return {
        "type": f"{public_url}{ERRORS_PAGE}#{error.code}",
        "title": TITLES.get(error.code, error.code),
        "status": errors.STATUSES[type(error)].http,
        "detail": error.message,
        "instance": path,
        "code": error.code,
        "field": error.field[:MAX_FIELD_LENGTH],
        "violations": [{"field": field[:MAX_FIELD_LENGTH], "message": message} for field, message in violations],
        "details": error.details,
        "requestId": request_id,
    }


def problem_response(error: Exception) -> Response:
    """Return Flask's response for any exception; see `error_response`."""
    http_request: Request = request._get_current_object()  # type: ignore[attr-defined]  # a method of the proxy
    allow = ""
    if isinstance(error, HTTPException):
        allow = ", ".join(sorted(error.valid_methods or ())) if isinstance(error, MethodNotAllowed) else ""
        error = framework_error(error)
    context = context_of(http_request.environ)
    if isinstance(error, errors.NotFound) and not context.rpc:
        context.code = error.code
        return _not_found(problem(error, http_request.path, context.request_id, current_app.config[PUBLIC_URL]))
    response = error_response(error, http_request, current_app.config[PUBLIC_URL])
    if allow:
        response.headers["Allow"] = allow
    return response


def error_response(error: Exception, http_request: Request, public_url: str) -> Response:
    """Return the response for any exception; an unexpected one is logged and its text is not sent."""
    context = context_of(http_request.environ)
    failure = error_of(error, context.request_id)
    context.code = failure.code
    members = problem(failure, http_request.path, context.request_id, public_url)
    response = Response(orjson.dumps(members), status=members["status"], content_type=PROBLEM_JSON)
    response.headers["Cache-Control"] = "no-store"
    if isinstance(failure, errors.NotAuthenticated):
        invalid = ', error="invalid_token"' if failure.code in INVALID_TOKEN else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="chitarrella"{invalid}'
    response.headers.update(retry_headers(failure))
    return response


def retry_headers(error: errors.ChitarrellaError) -> dict[str, str]:
    """Return the headers that say when to retry, and for a rate which one (draft-ietf-httpapi-ratelimit-headers)."""
    if isinstance(error, errors.RateLimited):
        name, limit, window = (error.details[key] for key in ("quota", "limit", "window_seconds"))
        seconds = math.ceil(retry_seconds(error) or 0) or 1
        return {
            "Retry-After": str(seconds),
            "RateLimit-Policy": f'"{name}";q={limit};w={window}',
            "RateLimit": f'"{name}";r=0;t={seconds}',
        }
    if isinstance(error, errors.QuotaExceeded):  # nobody knows when there is room again
        return {}
    if isinstance(error, errors.TooMany | errors.StoreUnavailable | errors.Overloaded | errors.ShuttingDown):
        return {"Retry-After": RETRY_AFTER_SECONDS}
    return {}


def _not_found(members: dict[str, Any]) -> Response:
    """Return the response where there is no page and no rpc: HTML if Accept prefers it, else a problem."""
    # Of types that the caller accepts equally, the first one is taken: a problem for `*/*`, and without the header.
    preferred = request.accept_mimetypes.best_match([PROBLEM_JSON, JSON, HTML], PROBLEM_JSON)
    if preferred == HTML:
        response = restrict(Response(render_template("not_found.html", problem=members), mimetype=HTML))
    else:
        response = Response(orjson.dumps(members), content_type=PROBLEM_JSON)
    response.status_code = members["status"]
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept"
    return response


def framework_error(error: HTTPException) -> errors.ChitarrellaError:
    """Convert an HTTP error of Werkzeug."""
    if isinstance(error, NotFound):
        return errors.NoSuchRoute(
            "no_such_route", "There is nothing under this path; /openapi.json says what there is."
        )
    if isinstance(error, MethodNotAllowed):
        return errors.WrongMethod("wrong_method", f"This path does not answer {request.method[:20]}.")
    if isinstance(error, RequestEntityTooLarge):
        return errors.TooLarge("too_large", "The body may have 1 MiB.")
    if error.code is not None and 400 <= error.code < 500:
        return errors.BadRequest("bad_request", error.description or error.name)
    return errors.InternalError()
