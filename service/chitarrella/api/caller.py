"""The caller of an rpc, read from the headers of any transport."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final, NamedTuple

from chitarrella import errors
from chitarrella.api.rate_headers import RateReport
from chitarrella.api.tokens import MAX_TOKEN_LENGTH, Token, bad_token
from chitarrella.api.tracing import TraceContext
from chitarrella.i18n.negotiation import negotiate_language
from chitarrella.i18n.translator import ENGLISH, Translator, translator_for

BEARER: Final = re.compile(rf"bearer +([A-Za-z0-9._~+/=-]{{1,{MAX_TOKEN_LENGTH}}})", re.IGNORECASE | re.ASCII)
"""The value of an `Authorization` header, with the key or token as its group."""
MAX_KEY_LENGTH: Final = 200
"""The greatest number of characters of the key of a seat or of the referee."""
LOGGABLE_ID: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,64}", re.ASCII)
"""A request id of a caller that may come into the log as it is."""


class Caller(NamedTuple):
    """Context of a call.

    ``key`` is the key of a seat or the referee (empty without one), ``request_id`` identifies the call in the log,
    ``platform`` is the owner of ``api_key``, ``translator`` the language of the texts in the response. In place of a
    key a caller may send a token: ``token_text`` is that token, ``token`` what it says, None until it is verified.
    ``is_admin`` is set for an API key with the scope ``admin``.
    ``address`` is where the call comes from, empty where the transport does not know it.
    ``trace`` is the trace that the call is a part of, None for a call inside the process.
    ``rate`` is where the dispatcher reports what is left of the caller's rate, None where nobody asks.
    """

    key: str = ""
    request_id: str = ""
    api_key: str = ""
    platform: str = ""
    translator: Translator = ENGLISH
    token_text: str = ""
    token: Token | None = None
    address: str = ""
    is_admin: bool = False
    trace: TraceContext | None = None
    rate: RateReport | None = None


RANDOM: Final = Random(os.urandom(32))
"""Makes request ids; a worker that is forked has its own seed."""
os.register_at_fork(after_in_child=lambda: RANDOM.seed(os.urandom(32)))


def request_id_of(given: str | None) -> str:
    """Return the id that the caller gave to the call; a random one where there is none or it is unfit for a log.

    It only has to be unique: a generator that was seeded by the system needs no call of it for each id.
    """
    return given if given and LOGGABLE_ID.fullmatch(given) else f"{RANDOM.getrandbits(128):032x}"


def read_caller(
    request_id: str,
    authorization: str | None,
    api_key: str | None,
    language: str | None,
    address: str = "",
    trace: TraceContext | None = None,
    rate: RateReport | None = None,
) -> Caller:
    """Read the caller from the values of its headers, its address, and the trace and the rate report of its call.

    Raises `errors.NotAuthenticated` for an Authorization header that is no bearer key and no token.
    """
    key, token = ("", "") if authorization is None else _read_authorization(authorization.strip())
    translator = translator_for(negotiate_language(language)) if language else ENGLISH
    api_key = (api_key or "").strip()
    return Caller(
        key, request_id, api_key, translator=translator, token_text=token, address=address, trace=trace, rate=rate
    )


def _read_authorization(header: str) -> tuple[str, str]:
    """Read the key or the token of an Authorization header; the other one is empty.

    A token has two dots, and a key of this service none. Neither is decoded here.
    """
    is_token = header.count(".", 0, 2 * MAX_TOKEN_LENGTH) == 2
    if is_token and len(header) > MAX_TOKEN_LENGTH + len("Bearer "):
        raise bad_token(f"A token has at most {MAX_TOKEN_LENGTH} characters.")
    bearer = BEARER.fullmatch(header)
    if bearer is None or (not is_token and len(bearer[1]) > MAX_KEY_LENGTH):
        raise errors.NotAuthenticated("bad_key", "The header must be 'Authorization: Bearer KEY'.")
    return ("", bearer[1]) if is_token else (bearer[1], "")


def text_headers(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    """Return the metadata of a gRPC call as headers; binary values are dropped."""
    return {name: value for name, value in metadata or () if isinstance(value, str)}


def caller_from_headers(
    headers: Mapping[str, str],
    request_id: str,
    address: str = "",
    trace: TraceContext | None = None,
    rate: RateReport | None = None,
) -> Caller:
    """Read the caller from headers with lower-case names; raises `errors.NotAuthenticated`."""
    get = headers.get
    authorization, api_key, language = get("authorization"), get("x-api-key"), get("accept-language")
    return read_caller(request_id, authorization, api_key, language, address, trace, rate)
