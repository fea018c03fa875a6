"""The caller of an rpc, read from the headers of any transport."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from random import Random
from types import TracebackType
from typing import Final, NamedTuple, Protocol

from chitarrella import errors
from chitarrella.api.api_keys import MAX_TOKEN_LENGTH, Token, bad_token
from chitarrella.api.request_limits import RateReport
from chitarrella.i18n.translator import ENGLISH, Translator, negotiate_language, translator_for

# The port of tracing


TRACE_HEADERS = ("traceparent", "tracestate", "baggage")
"""The headers of W3C Trace Context and W3C Baggage."""


class TraceContext:
    """The trace of a call: the values of `TRACE_HEADERS`, and the id of the trace once there is a span.

    ``transport`` is one of "grpc", "rest", "connect" and "grpc-web". ``trace_id`` is empty until the call is
    dispatched, and stays so where nothing is traced.
    """

    __slots__ = ("headers", "trace_id", "transport")

    def __init__(self, transport: str = "grpc", header: Callable[[str], str | None] = lambda _: None) -> None:
        """Read the headers by ``header``, which gets a name in lower case."""
        self.transport = transport
        self.headers = {name: value for name in TRACE_HEADERS if (value := header(name))}
        self.trace_id = ""


class CallSpan(Protocol):
    """The span of one call, which is the current one of the thread inside its block.

    The end of the block ends the span, unless the call is a stream that was opened: then `end` does.
    """

    def __enter__(self) -> CallSpan:
        """Make it the current span."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the span that was current before."""

    def end(self, error: BaseException | None = None) -> None:
        """End the span; only the first time counts."""


class CallTracer(Protocol):
    """Makes a span of each call."""

    def start(self, path: str, context: TraceContext, *, is_stream: bool = False) -> CallSpan:
        """Start the span of a call of the rpc at ``path``, and set the trace id of ``context``."""


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


# The address of a caller, as a transport knows it; logs, metrics and answers never hold it


IPV6_PREFIX = 64
"""The length of the prefix that a provider gives to one customer, who can use every address in it."""


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """Return what an address counts as: an IPv4 address itself, an IPv6 address its first 64 bits.

    Empty for what is no address, such as the path of a socket.
    """
    ip = _parse(address)
    if isinstance(ip, IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(IPv6Network((int(ip), IPV6_PREFIX), strict=False))
    return str(ip) if ip is not None else ""


def forwarded_address(peer: str, forwarded_for: str | None, trusted_proxies: int) -> str:
    """Return the address of the caller behind so many proxies, each of which adds its own peer to X-Forwarded-For.

    What stands further to the left comes from the caller, and may be invented. The address is that of ``peer`` where
    the header has fewer elements, or no address in that place.
    """
    if not trusted_proxies or not forwarded_for:
        return peer
    elements = forwarded_for.rsplit(",", trusted_proxies)
    if len(elements) < trusted_proxies:
        return peer
    address = _without_port(elements[-trusted_proxies].strip())
    return address if _parse(address) is not None else peer


def _without_port(text: str) -> str:
    """Return an address without the port that some proxies write behind it, and without brackets."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def _parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None
