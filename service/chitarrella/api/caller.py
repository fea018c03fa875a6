"""The caller of an rpc, read from the headers of any transport."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from chitarrella import errors
from chitarrella.i18n.negotiation import negotiate_language
from chitarrella.i18n.translator import ENGLISH, Translator, translator_for

BEARER: Final = re.compile(r"bearer +([A-Za-z0-9._~+/=-]{1,200})", re.IGNORECASE | re.ASCII)
LOGGABLE_ID: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,64}", re.ASCII)


class Caller(NamedTuple):
    """Context of a call.

    ``key`` is the key of a seat or the referee (empty without one), ``request_id`` identifies the call in the log,
    ``platform`` is the owner of ``api_key``, ``translator`` the language of the texts in the response.
    """

    key: str = ""
    request_id: str = ""
    api_key: str = ""
    platform: str = ""
    translator: Translator = ENGLISH


def request_id_of(given: str | None) -> str:
    """Return the id that the caller gave to the call; a random one where there is none or it is unfit for a log."""
    return given if given and LOGGABLE_ID.fullmatch(given) else os.urandom(16).hex()


def read_caller(request_id: str, authorization: str | None, api_key: str | None, language: str | None) -> Caller:
    """Read the caller from the values of its headers.

    Raises `errors.NotAuthenticated` for an Authorization header that is no bearer key.
    """
    key = ""
    if authorization is not None:
        if (bearer := BEARER.fullmatch(authorization.strip())) is None:
            raise errors.NotAuthenticated("bad_key", "The header must be 'Authorization: Bearer KEY'.", "Authorization")
        key = bearer[1]
    translator = translator_for(negotiate_language(language)) if language else ENGLISH
    return Caller(key, request_id, (api_key or "").strip(), translator=translator)


def text_headers(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    """Return the metadata of a gRPC call as headers; binary values are dropped."""
    return {name: value for name, value in metadata or () if isinstance(value, str)}


def caller_from_headers(headers: Mapping[str, str], request_id: str) -> Caller:
    """Read the caller from headers with lower-case names; raises `errors.NotAuthenticated`."""
    get = headers.get
    return read_caller(request_id, get("authorization"), get("x-api-key"), get("accept-language"))
