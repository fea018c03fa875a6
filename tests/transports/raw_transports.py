"""Every transport byte by byte: the whole response except the clock and the heartbeats."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode, urlsplit

import grpc
import orjson
from google.protobuf import json_format
from google.protobuf.message import Message

from chitarrella.v1.matches_pb2 import WatchMatchResponse
from tests.transports.all_transports import RPCS, SECONDS, framed, frames, routed

UNARY = ("grpc", "rest", "connect", "connect proto", "grpc-web")
ONLY_SAFE = ("rest head", "connect get")
STREAMS = ("grpc", "rest", "rest lines", "connect", "grpc-web")
REQUEST_ID = "the-same-for-both"
HEARTBEAT = b": heartbeat\n\n"
TRAILERS = 0x02 | 0x80
"""Flags of the last frame of a stream, of Connect and of gRPC-Web."""

Headers = tuple[tuple[str, str], ...]


class Asked(NamedTuple):
    """A question: the rpc, its message, the key that is shown, headers that only REST has, a platform's API key."""

    rpc: str
    request: Message
    key: str = ""
    headers: Headers = ()
    api_key: str = ""

    @property
    def safe(self) -> bool:
        """Whether its method in REST is GET; HEAD and Connect's GET go with it."""
        return routed(self.rpc, self.request)[0] == "GET"


class Answer(NamedTuple):
    """All that came over the line."""

    status: str
    headers: tuple[tuple[str, str | bytes], ...]
    body: bytes


class Line:
    """A caller of one service over all of its transports."""

    def __init__(self, grpc_address: str, url: str) -> None:
        """Call the transports at these addresses."""
        self._channel = grpc.insecure_channel(grpc_address)
        self._place = urlsplit(url).netloc
        self._http = HTTPConnection(self._place, timeout=SECONDS)

    def close(self) -> None:
        """Hang up."""
        self._channel.close()
        self._http.close()

    def ask(self, transport: str, asked: Asked) -> Answer:
        """Ask, and give the whole answer."""
        if transport == "grpc":
            method: Any = self._channel.unary_unary(RPCS[asked.rpc].path, lambda request: request.SerializeToString())
            try:
                body, call = method.with_call(asked.request, timeout=SECONDS, metadata=_metadata(asked))
            except grpc.RpcError as error:
                body, call = b"", cast(Any, error)
            return _ended(call, body)
        return _read(_sent(self._http, *_http(transport, asked)))

    def watch(self, transport: str, asked: Asked) -> Callable[[], Answer]:
        """Begin to watch; gives what waits for the end and gives the whole stream without its heartbeats."""
        if transport == "grpc":
            method: Any = self._channel.unary_stream(RPCS[asked.rpc].path, lambda request: request.SerializeToString())
            call = method(asked.request, timeout=SECONDS, metadata=_metadata(asked))
            return lambda: _ended(call, b"".join(framed(message) for message in _events(call)))
        http = HTTPConnection(self._place, timeout=SECONDS)
        answer = _sent(http, *_http(transport, asked))

        def end() -> Answer:
            whole = _read(answer)
            http.close()
            return (
                whole._replace(body=_without_heartbeats(transport, whole.body)) if "200 OK" == whole.status else whole
            )

        return end


# ---------------------------------------------------------------------- gRPC


def _metadata(asked: Asked) -> Headers:
    shown = (("authorization", f"Bearer {asked.key}"),) if asked.key else ()
    platform = (("x-api-key", asked.api_key),) if asked.api_key else ()
    return (*shown, *platform, ("x-request-id", REQUEST_ID))


def _events(call: Any) -> Iterator[bytes]:
    try:
        yield from (message for message in call if WatchMatchResponse.FromString(message).events)
    except grpc.RpcError:
        return  # the status says it


def _ended(call: Any, body: bytes) -> Answer:
    status = f"{call.code()} {call.details()}"
    metadata = (*call.initial_metadata(), ("trailers", ""), *call.trailing_metadata())
    return Answer(status, tuple((str(name), value) for name, value in metadata), body)


# ---------------------------------------------------------------------- HTTP


def _http(transport: str, asked: Asked) -> tuple[str, str, bytes | None, dict[str, str]]:
    """Write a request: method, path, body and headers."""
    rpc, message = RPCS[asked.rpc], asked.request
    headers = {"X-Request-Id": REQUEST_ID, **({"Authorization": f"Bearer {asked.key}"} if asked.key else {})}
    headers |= {"X-API-Key": asked.api_key} if asked.api_key else {}
    if transport.startswith("rest"):
        method, path, fields = routed(asked.rpc, message)
        headers |= {"Accept": "application/x-ndjson"} if transport == "rest lines" else {}
        headers |= dict(asked.headers)
        if method == "GET":
            return (
                "HEAD" if transport == "rest head" else "GET",
                f"{path}?{urlencode(fields)}".rstrip("?"),
                None,
                headers,
            )
        return method, path, orjson.dumps(fields), {**headers, "Content-Type": "application/json"}
    if transport == "connect get":
        query = {"connect": "v1", "encoding": "json", "message": json_format.MessageToJson(message, indent=None)}
        return "GET", f"{rpc.path}?{urlencode(query)}", None, headers
    streams = rpc.method.server_streaming
    if transport == "grpc-web":
        body, kind = framed(message.SerializeToString()), "application/grpc-web+proto"
    elif transport == "connect proto":
        body, kind = message.SerializeToString(), "application/proto"
    else:
        body = json_format.MessageToJson(message, indent=None).encode()
        body, kind = (framed(body), "application/connect+json") if streams else (body, "application/json")
    return "POST", rpc.path, body, {**headers, "Content-Type": kind}


def _sent(http: HTTPConnection, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> HTTPResponse:
    http.request(method, path, body, headers)
    return http.getresponse()


def _read(response: HTTPResponse) -> Answer:
    headers = tuple((name.lower(), value) for name, value in response.getheaders() if name.lower() != "date")
    return Answer(f"{response.status} {response.reason}", headers, response.read())


# ---------------------------------------------------------------------- streams


def _without_heartbeats(transport: str, body: bytes) -> bytes:
    """Leave out what says no more than that time has passed."""
    if transport == "rest":
        return body.replace(HEARTBEAT, b"")
    if transport == "rest lines":
        return b"".join(line for line in body.splitlines(keepends=True) if orjson.loads(line).get("events") != [])
    return b"".join(framed(message, flags) for flags, message in frames(body) if not _is_heartbeat(flags, message))


def _is_heartbeat(flags: int, message: bytes) -> bool:
    if flags & TRAILERS:
        return False
    if re.match(rb"\s*\{", message):
        return bool(orjson.loads(message).get("events") == [])
    return not WatchMatchResponse.FromString(message).events
