"""The components of the OpenAPI document that do not come from the contract: headers, problems, keys."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from chitarrella.api.rate_headers import RATE_LIMIT, RATE_LIMIT_POLICY, RETRY_AFTER
from chitarrella.transports.rest.api_documents.schemas import Schema
from chitarrella.transports.rest.headers import REVISION_HEADER
from chitarrella.transports.rest.problems import ERRORS_PAGE, PROBLEM_JSON, PROBLEM_TYPES
from chitarrella.transports.rest.views import PUBLIC_MAX_AGE_SECONDS

SECURITY_SCHEMES: Final[Schema] = {
    "key": {
        "type": "http",
        "scheme": "bearer",
        "description": "The key of a seat or of the referee, or a token of a platform",
    },
    "platform": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "The API key of a platform, if the service is restricted",
    },
}
"""The ways in which a call names its caller."""


def _response_header(description: str, **schema: Any) -> Schema:
    return {"description": description, "schema": {"type": "string", **schema}}


HEADERS: Final[Schema] = {
    "X-Request-Id": _response_header("The id of this call in the log."),
    "ETag": _response_header(
        "Identifies the response as this caller sees it; begins with the revision if the response has one."
    ),
    "Cache-Control": _response_header(f"Private, or `public, max-age={PUBLIC_MAX_AGE_SECONDS}` for the catalogue."),
    "Location": _response_header("The path of what was created."),
    REVISION_HEADER: _response_header("The revision of the match after this call.", pattern="^[0-9]+$"),
    RETRY_AFTER: _response_header("Seconds to wait before a retry, with 429 and 503.", pattern="^[0-9]+$"),
    RATE_LIMIT_POLICY: _response_header(
        "The rate that the call was counted for: `q` calls, all of which are regained in `w` seconds. "
        "Missing where there is no limit."
    ),
    RATE_LIMIT: _response_header(
        "The calls `r` that are left of the rate, as far as this worker knows; with 429 also the seconds `t` to wait. "
        "Missing where nothing is known yet.",
    ),
    "Allow": _response_header("The methods of this path, with 405."),
    "WWW-Authenticate": _response_header("The scheme of the key, Bearer, with 401."),
}
"""The headers of responses."""


EVERY_HEADER: Final = ("X-Request-Id", RATE_LIMIT_POLICY, RATE_LIMIT)
"""The headers that every response of an rpc may have."""


def header_references(names: Iterable[str]) -> Schema:
    """Return references to headers by name."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _codes() -> str:
    """Return the reason codes as a list by status."""
    codes: defaultdict[int, list[str]] = defaultdict(list)
    for known in PROBLEM_TYPES:
        codes[known.status.http].append(f"`{known.code}`")
    lines = [f"- {status}: {', '.join(dict.fromkeys(codes[status]))}" for status in sorted(codes)]
    return "\n".join(["The reason code. By status:", "", *lines])


FIELD_PATH: Final = (
    "The path of the invalid field, the same over every transport: names as in the contract, in snake_case, such as "
    "`rule_set.options.first_dealer` or `moves[3].move.cards`. A name that the contract does not have stands as it was "
    "sent. A header is named in lower case (`authorization`, `x-api-key`, `if-match`), a token's claim by its name "
    "(`exp`). Empty for none."
)
"""What the path of a field in an error looks like."""

PROBLEM_ANSWER: Final[Schema] = {
    "description": f"An error. Its `code` says which one; [{ERRORS_PAGE}]({ERRORS_PAGE}) explains them all.",
    "headers": header_references([*EVERY_HEADER, "Allow", RETRY_AFTER, "WWW-Authenticate"]),
    "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
"""The response for every error."""

PROBLEM: Final[Schema] = {
    "type": "object",
    "description": f"An error (RFC 9457). {ERRORS_PAGE} explains every code.",
    "required": [
        "type",
        "title",
        "status",
        "detail",
        "instance",
        "code",
        "field",
        "violations",
        "details",
        "requestId",
    ],
    "properties": {
        "type": {
            "type": "string",
            "format": "uri-reference",
            "description": "The page that explains the code: a URL, or a path if the service does not know its own.",
        },
        "title": {"type": "string", "description": "The meaning of the code."},
        "status": {"type": "integer", "minimum": 400, "maximum": 599, "description": "The HTTP status."},
        "detail": {"type": "string", "description": "The cause, as an English sentence."},
        "instance": {"type": "string", "description": "The path of the request."},
        "code": {
            "type": "string",
            "enum": sorted({known.code for known in PROBLEM_TYPES}),
            "description": _codes(),
        },
        "field": {"type": "string", "description": FIELD_PATH},
        "violations": {
            "type": "array",
            "description": "Every invalid field of a malformed request, `field` first; else empty.",
            "items": {
                "type": "object",
                "required": ["field", "message"],
                "properties": {
                    "field": {"type": "string", "description": "Its path, as in `field`."},
                    "message": {"type": "string", "description": "What is wrong with it, in English."},
                },
            },
        },
        "details": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Further values by name, which depend on the code: `revision` and `still_legal` with "
            "`stale_revision`, `quota` and `limit` with `quota_exceeded`. All are texts, and names are in snake_case.",
        },
        "requestId": {"type": "string", "description": "The id of this call in the log, also in X-Request-Id."},
    },
}
"""The schema of an error."""
