"""Idempotency of requests: a request id is carried out once, and its repetition gets the first answer.

The store keeps a token beside each log entry. `request_token` makes the token of a request id, and `repeated_entries`
reads what a repeated request had added, and makes sure that it is the same request.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from chitarrella import errors
from chitarrella.core.model import Seat
from chitarrella.matches.metadata import digest
from chitarrella.matches.repository import MatchRepository

TOKEN_LENGTH = 16
"""Hexadecimal digits of a token: enough that no two of a match are ever the same."""


def request_token(actor: Seat, request_id: str) -> str:
    """The token of a request id of a seat, whoever acts for the seat; a random one where the id is empty."""
    return digest(f"{actor} {request_id}")[:TOKEN_LENGTH] if request_id else random_token()


def random_token() -> str:
    """The token of a request without an id, which nobody can repeat."""
    return secrets.token_hex(TOKEN_LENGTH // 2)


def repeated_entries(
    repository: MatchRepository, match: str, position: int, is_same: Callable[[str], bool]
) -> list[str]:
    """The log from what a repeated request had added at ``position``. Raises what `check_repeated` raises."""
    entries = repository.read_log(match, position)
    check_repeated(entries, 0, is_same)
    return entries


def check_repeated(entries: list[str], index: int, is_same: Callable[[str], bool]) -> None:
    """Check the entry ``index`` of a part of a log, which a repeated request had added.

    Raises `errors.AlreadyExists` where ``is_same`` denies it: the id was used for another request;
    `errors.MatchNotFound` where the match was deleted meanwhile.
    """
    if index >= len(entries):
        raise errors.MatchNotFound
    if not is_same(entries[index]):
        raise request_reused()


def request_reused() -> errors.AlreadyExists:
    """The error for a request id that was used for another request."""
    return errors.AlreadyExists("request_reused", "This request id was used for another request.", "request_id")
