"""Errors as problem details (RFC 9457), and the list of all error codes, which documentation and OpenAPI show."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

import orjson
from flask import Request, Response, current_app, render_template, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from chitarrella import errors
from chitarrella.api.caller import negotiate_language
from chitarrella.api.request_size import body_too_large
from chitarrella.api.retry_headers import retry_headers
from chitarrella.api.status import error_of
from chitarrella.i18n.narration import TEXTS
from chitarrella.i18n.translator import ENGLISH, Translator, translator_for
from chitarrella.transports.rest.middleware import context_of

# For pages of text: pictures and styles.
WITHOUT_SCRIPTS: Final = (
    "default-src 'none'; img-src 'self'; style-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'"
)
# For pages that call the service: scripts and connections too.
WITH_SCRIPTS: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def restrict(response: Response, policy: str = WITHOUT_SCRIPTS) -> Response:
    response.headers["Content-Security-Policy"] = policy
    return response


PROBLEM_JSON: Final = "application/problem+json"
JSON: Final = "application/json"
HTML: Final = "text/html"
ERRORS_PAGE: Final = "/docs/errors"
# The key of the public URL in the configuration of the Flask application; empty if it is not known.
PUBLIC_URL: Final = "CHITARRELLA_PUBLIC_URL"
VARIABLE: Final = re.compile("<[^>]*>")  # a part of a rule of Werkzeug that takes any text
MAX_GUESSED_LENGTH: Final = 80  # a longer path is compared with no other
MAX_FIELD_LENGTH: Final = 200  # the name of a field may come from the caller, so its length is limited in the response


class ProblemType(NamedTuple):
    """An error code, and the class of its errors."""

    kind: type[errors.ChitarrellaError]
    code: str

    @property
    def title(self) -> str:
        title: str = TEXTS["error"][self.code]
        return title

    @property
    def status(self) -> errors.Status:
        return errors.STATUSES[self.kind]


# Every error code with every class it occurs with; its meaning does not depend on the class.
PROBLEM_TYPES: Final = tuple(
    ProblemType(kind, code) for kind, status in errors.STATUSES.items() for code in status.codes.split()
)
# The codes of a key or token that is not accepted, which RFC 6750 calls ``invalid_token``.
INVALID_TOKEN: Final = frozenset({"bad_key", "bad_token", "bad_audience", "token_expired", "token_not_yet_valid"})


def error_codes(translator: Translator = ENGLISH) -> list[dict[str, Any]]:
    """Return every error code once, with its meaning, what to do, and all its HTTP and gRPC statuses."""
    found: dict[str, dict[str, Any]] = {}
    for problem_type in PROBLEM_TYPES:
        row = found.setdefault(
            problem_type.code,
            {
                "code": problem_type.code,
                "description": translator.text(f"error {problem_type.code}", problem_type.title),
                "remedy": translator.text(f"remedy {problem_type.code}", TEXTS["remedy"][problem_type.code]),
                "http": "",
                "grpc": "",
            },
        )
        for name, value in (("http", str(problem_type.status.http)), ("grpc", problem_type.status.grpc)):
            row[name] = ", ".join(dict.fromkeys([*filter(None, [row[name]]), value]))
    return list(found.values())


def problem(
    error: errors.ChitarrellaError, path: str, request_id: str, public_url: str = "", accept_language: str = ""
) -> dict[str, Any]:
    """Return the members of a problem, with the title in the language of the caller.

    Nothing in it depends on the header Host, which the caller chooses.
    """
    translator = translator_for(negotiate_language(accept_language))
    violations = error.violations if isinstance(error, errors.BadRequest) else ()
    return {
        "type": f"{public_url}{ERRORS_PAGE}#{error.code}",
        "title": translator.text(f"error {error.code}", TEXTS["error"].get(error.code, error.code)),
        "status": errors.STATUSES[type(error)].http,
        "detail": error.message,
        "instance": path,
        "code": error.code,
        "field": error.field[:MAX_FIELD_LENGTH],
        "violations": [{"field": field[:MAX_FIELD_LENGTH], "message": message} for field, message in violations],
        "details": error.details,
        "requestId": request_id,
    }


MALFORMED: Final = orjson.dumps(problem(errors.BadRequest("bad_request", "The request is not valid HTTP."), "", ""))
"""The body of the answer to what is not HTTP."""


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
        language = context.request_headers.get("accept-language", "")
        public_url = current_app.config[PUBLIC_URL]
        return _not_found(problem(error, http_request.path, context.request_id, public_url, language))
    response = error_response(error, http_request, current_app.config[PUBLIC_URL])
    if allow:
        response.headers["Allow"] = allow
    return response


def error_response(error: Exception, http_request: Request, public_url: str) -> Response:
    """Return the response for any exception; an unexpected one is logged and its text is not sent."""
    context = context_of(http_request.environ)
    failure = error_of(error, context.request_id)
    context.code = failure.code
    language = context.request_headers.get("accept-language", "")
    members = problem(failure, http_request.path, context.request_id, public_url, language)
    response = Response(orjson.dumps(members), status=members["status"], content_type=PROBLEM_JSON)
    response.headers["Cache-Control"] = "no-store"
    if isinstance(failure, errors.NotAuthenticated):
        invalid = ', error="invalid_token"' if failure.code in INVALID_TOKEN else ""
        response.headers["WWW-Authenticate"] = f'Bearer realm="chitarrella"{invalid}'
    response.headers.update(retry_headers(failure))
    return response


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


def nearest_path(path: str) -> str:
    """Return the question whether a known path was meant, filled in from ``path``; empty if none is like it."""
    own, known = path.rstrip("/").split("/"), []
    for rule in current_app.url_map.iter_rules():
        parts = rule.rule.split("/")
        if len(parts) == len(own):
            ids = [one.partition(":")[0] for one in own]
            parts = [VARIABLE.sub(one.replace("\\", r"\\"), part) for part, one in zip(parts, ids, strict=True)]
        known.append("/".join(parts))
    close = get_close_matches("/".join(own), known, 1, 0.8) if len(path) <= MAX_GUESSED_LENGTH else []
    return f"did you mean {close[0]}? " if close and "<" not in close[0] else ""


def framework_error(error: HTTPException) -> errors.ChitarrellaError:
    if isinstance(error, NotFound):
        text = f"There is nothing under this path; {nearest_path(request.path)}/openapi.json says what there is."
        return errors.NoSuchRoute("no_such_route", text)
    if isinstance(error, MethodNotAllowed):
        return errors.WrongMethod("wrong_method", f"This path does not answer {request.method[:20]}.")
    if isinstance(error, RequestEntityTooLarge):
        return body_too_large()
    if error.code is not None and 400 <= error.code < 500:
        return errors.BadRequest("bad_request", error.description or error.name)
    return errors.InternalError()
