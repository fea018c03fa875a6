"""The caller of an rpc, read from the headers of any transport."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from random import Random
from typing import Final, NamedTuple

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from chitarrella import errors
from chitarrella.api.api_keys import MAX_TOKEN_LENGTH, Token, bad_token
from chitarrella.api.retry_headers import RateReport
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, Translator, translator_for

TRACE_HEADERS = ("traceparent", "tracestate", "baggage")


class TraceContext:
    """The trace of a call; ``trace_id`` is empty until there is a span. ``transport`` is as in the metrics.

    ``platform`` is that of the caller, once it is authenticated.
    """

    __slots__ = ("headers", "platform", "trace_id", "transport")

    def __init__(self, transport: str = "grpc", header: Callable[[str], str | None] = lambda _: None) -> None:
        self.transport = transport
        self.headers = {name: value for name in TRACE_HEADERS if (value := header(name))}
        self.trace_id = self.platform = ""


EndSpan = Callable[[BaseException | None], None]  # ends the span of a call, with the error that the call ended by
# Starts the span of a call of the rpc at a path, and sets the trace id of its context. The span is current inside the
# block, which an error ends with it; else it lasts until it is ended.
StartSpan = Callable[[str, TraceContext], AbstractContextManager[EndSpan]]


# The value of an `Authorization` header, with the key or token as its group.
BEARER: Final = re.compile(rf"bearer +([A-Za-z0-9._~+/=-]{{1,{MAX_TOKEN_LENGTH}}})", re.IGNORECASE | re.ASCII)
MAX_KEY_LENGTH: Final = 200  # the greatest number of characters of the key of a seat or of the referee
# A request id of a caller that may come into the log as it is.
LOGGABLE_ID: Final = re.compile(r"[A-Za-z0-9._:/+=@-]{1,64}", re.ASCII)


class Caller(NamedTuple):
    """Context of a call; what is empty or None was not sent, or the transport does not know it."""

    key: str = ""  # of a seat or the referee
    request_id: str = ""  # identifies the call in the log
    api_key: str = ""
    platform: str = ""  # the owner of ``api_key``
    translator: Translator = ENGLISH  # of the texts in the response
    token_text: str = ""  # in place of a key
    token: Token | None = None  # what ``token_text`` says, once it is verified
    address: str = ""
    is_admin: bool = False  # for an API key with the scope ``admin``
    trace: TraceContext | None = None
    rate: RateReport | None = None  # where the dispatcher reports what is left of the caller's rate


RANDOM: Final = Random(os.urandom(32))  # makes request ids; a worker that is forked has its own seed
os.register_at_fork(after_in_child=lambda: RANDOM.seed(os.urandom(32)))


def request_id_of(given: str | None) -> str:
    """Return the id that the caller gave, or a random one; unique is enough, so the system makes none."""
    return given if given and LOGGABLE_ID.fullmatch(given) else f"{RANDOM.getrandbits(128):032x}"


def _read_authorization(header: str) -> tuple[str, str]:
    """Return the key and the token, one of which is empty. A token has two dots, and a key none."""
    is_token = header.count(".", 0, 2 * MAX_TOKEN_LENGTH) == 2
    if is_token and len(header) > MAX_TOKEN_LENGTH + len("Bearer "):
        raise bad_token(f"A token has at most {MAX_TOKEN_LENGTH} characters.")
    bearer = BEARER.fullmatch(header)
    if bearer is None or (not is_token and len(bearer[1]) > MAX_KEY_LENGTH):
        raise errors.NotAuthenticated("bad_key", "The header must be 'Authorization: Bearer KEY'.")
    return ("", bearer[1]) if is_token else (bearer[1], "")


def text_headers(metadata: Iterable[tuple[str, str | bytes]] | None) -> dict[str, str]:
    return {name: value for name, value in metadata or () if isinstance(value, str)}


def caller_from_headers(
    headers: Mapping[str, str],
    request_id: str,
    address: str = "",
    trace: TraceContext | None = None,
    rate: RateReport | None = None,
) -> Caller:
    """Read the caller from headers. Raises `errors.NotAuthenticated` for a malformed one."""
    authorization, language = headers.get("authorization"), headers.get("accept-language")
    key, token = ("", "") if authorization is None else _read_authorization(authorization.strip())
    api_key = headers.get("x-api-key", "").strip()
    translator = translator_for(negotiate_language(language)) if language else ENGLISH
    return Caller(
        key, request_id, api_key, translator=translator, token_text=token, address=address, trace=trace, rate=rate
    )


# A longer header is ignored: nobody's preferences are longer, and to parse it would take milliseconds.
MAX_LANGUAGE_LENGTH: Final = 256


def negotiate_language(accept_language: str) -> str:
    """Return the best of `LANGUAGES`, else English; regions are ignored, and what cannot be read is skipped."""
    return _negotiate(accept_language) if len(accept_language) <= MAX_LANGUAGE_LENGTH else LANGUAGES[0]


@lru_cache(maxsize=1000)
def _negotiate(accept_language: str) -> str:
    ranges = parse_accept_header(accept_language, LanguageAccept)
    # Without regions from the start: else "de-AT, en;q=0.1" would match English exactly and German not at all.
    wanted = LanguageAccept([(tag.partition("-")[0].lower(), quality) for tag, quality in ranges])
    # Werkzeug decides between equal qualities by the server's order; many callers send none and mean their own order.
    in_order = dict.fromkeys([*(tag for tag, _ in wanted if tag in LANGUAGES), *LANGUAGES])
    return wanted.best_match(in_order, LANGUAGES[0])


IPV6_PREFIX = 64  # the length of the prefix that a provider gives to one customer, who can use every address in it


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """Return an IPv4 address itself, of an IPv6 address the first 64 bits, and nothing for a path of a socket."""
    ip = _parse(address)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(IPv6Network((int(ip), IPV6_PREFIX), strict=False))
    return str(ip) if ip is not None else ""


def forwarded_address(peer: str, forwarded_for: str | None, trusted_proxies: int) -> str:
    """Return the address of the caller behind so many proxies, each of which adds its own peer to X-Forwarded-For.

    What stands further to the left may be invented. Without an address in that place it is that of ``peer``.
    """
    if not trusted_proxies or not forwarded_for:
        return peer
    elements = forwarded_for.rsplit(",", trusted_proxies)
    if len(elements) < trusted_proxies:
        return peer
    address = _without_port(elements[-trusted_proxies].strip())
    return address if _parse(address) is not None else peer


def _without_port(text: str) -> str:
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None
