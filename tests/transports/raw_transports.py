"""Every transport byte by byte: the whole response except the clock and the heartbeats."""

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple, cast
from urllib.parse import urlencode, urlsplit

import grpc
import orjson
from google.protobuf import json_format
from google.protobuf.message import Message

from tests.transports.all_transports import RPCS, SECONDS, framed, frames, is_update, routed

UNARY = ("grpc", "rest", "connect", "connect proto", "grpc-web")
ONLY_SAFE = ("rest head", "connect get")
STREAMS = ("grpc", "rest", "rest lines", "connect", "grpc-web")
REQUEST_ID = "the-same-for-both"
HEARTBEAT = b": heartbeat\n\n"
TRAILERS = 0x02 | 0x80  # flags of the last frame of a stream, of Connect and of gRPC-Web

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
    status: str
    headers: tuple[tuple[str, str | bytes], ...]
    body: bytes


A_DETAIL = re.compile(rb"[A-Za-z0-9+/]{16,}")  # what may be base 64
A_MATCH = re.compile(rb"\b[0-9a-f]{20}\b")
"""What is none, though it looks so: read as base 64 the name of a match says whatever chance has made of it."""


def written(answer: Answer) -> str:
    """All of an answer as text, binary and base64 parts decoded."""
    values = [value if isinstance(value, bytes) else value.encode() for _, value in answer.headers]
    whole = b"\n".join((answer.status.encode(), *values, answer.body))
    words = A_DETAIL.findall(A_MATCH.sub(b"", whole))
    hidden = [b64decode(word + b"=" * (-len(word) % 4)) for word in words if len(word) % 4 != 1]
    return b"\n".join((whole, *hidden)).decode("latin-1")


class Line:
    def __init__(self, grpc_address: str, url: str, api_key: str = "") -> None:
        """Call the transports at these addresses, with the API key of a platform where a call has none."""
        self._api_key = api_key
        self._channel = grpc.insecure_channel(grpc_address)
        self._place = urlsplit(url).netloc
        self._http = HTTPConnection(self._place, timeout=SECONDS)

    def close(self) -> None:
        self._channel.close()
        self._http.close()

    def ask(self, transport: str, asked: Asked) -> Answer:
        asked = asked._replace(api_key=asked.api_key or self._api_key)
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
        asked = asked._replace(api_key=asked.api_key or self._api_key)
        if transport == "grpc":
            method: Any = self._channel.unary_stream(RPCS[asked.rpc].path, lambda request: request.SerializeToString())
            call = method(asked.request, timeout=SECONDS, metadata=_metadata(asked))
            return lambda: _ended(call, b"".join(framed(message) for message in _updates(call, asked.rpc)))
        http = HTTPConnection(self._place, timeout=SECONDS)
        answer = _sent(http, *_http(transport, asked))

        def end() -> Answer:
            whole = _read(answer)
            http.close()
            if "200 OK" != whole.status:
                return whole
            return whole._replace(body=_without_heartbeats(transport, asked.rpc, whole.body))

        return end


# ---------------------------------------------------------------------- gRPC


def _metadata(asked: Asked) -> Headers:
    shown = (("authorization", f"Bearer {asked.key}"),) if asked.key else ()
    platform = (("x-api-key", asked.api_key),) if asked.api_key else ()
    return (*shown, *platform, ("x-request-id", REQUEST_ID))


def _updates(call: Any, rpc: str) -> Iterator[bytes]:
    try:
        yield from (message for message in call if is_update(RPCS[rpc].response.FromString(message)))
    except grpc.RpcError:
        return  # the status says it


def _ended(call: Any, body: bytes) -> Answer:
    status = f"{call.code()} {call.details()}"
    metadata = (*call.initial_metadata(), ("trailers", ""), *call.trailing_metadata())
    return Answer(status, tuple((str(name), value) for name, value in metadata), body)


# ---------------------------------------------------------------------- HTTP


def _http(transport: str, asked: Asked) -> tuple[str, str, bytes | None, dict[str, str]]:
    rpc, message = RPCS[asked.rpc], asked.request
    headers = {"X-Request-Id": REQUEST_ID, **({"Authorization": f"Bearer {asked.key}"} if asked.key else {})}
    headers |= {"X-API-Key": asked.api_key} if asked.api_key else {}
    if transport.startswith("rest"):
        method, path, fields = routed(asked.rpc, message)
        headers |= {"Accept": "application/x-ndjson"} if transport == "rest lines" else {}
        headers |= dict(asked.headers)
        if method == "GET":
            return (
                "HEAD" if transport == "rest head" else "GET", f"{path}?{urlencode(fields)}".rstrip("?"), None, headers,
            )  # fmt: skip
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


def _without_heartbeats(transport: str, rpc: str, body: bytes) -> bytes:
    """Leave out what says no more than that time has passed."""
    if transport == "rest":
        return body.replace(HEARTBEAT, b"")
    if transport == "rest lines":
        lines = body.splitlines(keepends=True)
        return b"".join(line for line in lines if b'"error":' in line or not _is_heartbeat(rpc, 0, line))
    return b"".join(framed(message, flags) for flags, message in frames(body) if not _is_heartbeat(rpc, flags, message))


def _is_heartbeat(rpc: str, flags: int, message: bytes) -> bool:
    kind = RPCS[rpc].response
    if flags & TRAILERS:
        return False
    in_json = re.match(rb"\s*\{", message)
    return not is_update(json_format.Parse(message, kind()) if in_json else kind.FromString(message))
