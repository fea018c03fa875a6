"""Who calls, as the headers of any door say it."""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

from chitarrella import errors
from chitarrella.tongues import ENGLISH, Tongue, tongue_for

BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE | re.ASCII)
SANE_ID: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,64}", re.ASCII)


class Caller(NamedTuple):
    """The key a caller has shown (empty for none), the id under which the log knows the call, the API key, and
    the platform it belongs to, and the language to be answered in.
    """

    key: str = ""
    request_id: str = ""
    api_key: str = ""
    platform: str = ""
    tongue: Tongue = ENGLISH


def request_id_of(given: str | None) -> str:
    """Take the id that a caller has given to its call, or make one where it has not, or none fit for a log."""
    return given if given and SANE_ID.fullmatch(given) else os.urandom(16).hex()


def read_caller(request_id: str, authorization: str | None, api_key: str | None, language: str | None) -> Caller:
    """Say who calls; raises `errors.NotAuthenticated` for a header that is no bearer key."""
    key = ""
    if authorization is not None:
        if (bearer := BEARER.fullmatch(authorization.strip())) is None:
            raise errors.NotAuthenticated("bad_key", "The header must be 'Authorization: Bearer KEY'.", "Authorization")
        key = bearer[1]
    tongue = tongue_for(language) if language else ENGLISH
    return Caller(key, request_id, (api_key or "").strip(), tongue=tongue)
