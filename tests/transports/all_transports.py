"""Every transport as one function: a message of the contract goes in, a message or an error comes out."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, cycle
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import grpc
import httpx
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.transports.grpc_server import GrpcServer
from chitarrella.transports.rest.problems import PROBLEM_TYPES
from tests.transports.rest_client import PLAIN

if TYPE_CHECKING:
    from tests.transports.conftest import WiredService

RPCS: dict[str, Rpc] = {rpc.name: rpc for rpc in rpcs()}
TRANSPORTS = ("grpc", "rest", "connect")
SECONDS = 20


class Failed(NamedTuple):
    """An error as a client reads it: the reason code, and the field at fault."""

    code: str
    field: str


class Transport(Protocol):
    def __call__(self, rpc: str, request: Message | None = None, key: str = "", **fields: Any) -> Any:
        """Call a method with a request, or with its fields; return its response, or `Failed`."""


class Asking:
    """What all transports have in common: a request is a message, or the fields of one."""

    def __call__(self, rpc: str, request: Message | None = None, key: str = "", **fields: Any) -> Any:
        """Call a method; return its response, the updates of a stream, or `Failed`."""
        return self.ask(rpc, RPCS[rpc].request(**fields) if request is None else request, key)

    def ask(self, rpc: str, request: Message, key: str) -> Any:
        raise NotImplementedError


class InTurn(Asking):
    """Calls over several transports, each over the one after that of the call before."""

    def __init__(self, transports: Sequence[Transport]) -> None:
        self.each = transports
        self._next = cycle(transports)

    def ask(self, rpc: str, request: Message, key: str) -> Any:
        return next(self._next)(rpc, request, key)


class WithoutTransport(Asking):
    """Calls of the dispatcher itself, for the platform of ``api_key``."""

    def __init__(self, dispatcher: Dispatcher, api_key: str = "") -> None:
        self._dispatcher, self._api_key = dispatcher, api_key

    def ask(self, rpc: str, request: Message, key: str) -> Any:
        """Ask; of a stream it gives the updates that there are."""
        caller: Any = Caller(key, api_key=self._api_key)
        try:
            if not RPCS[rpc].method.server_streaming:
                return self._dispatcher.call(RPCS[rpc].path, request, caller)
            stream: Any = self._dispatcher.watch(RPCS[rpc].path, request, caller, lambda: None)
        except errors.ChitarrellaError as error:
            return Failed(error.code, error.field)
        updates = [message for message in stream.take() if message != stream.heartbeat()]
        stream.close()
        return updates


class OverGrpc(Asking):
    def __init__(self, address: str, api_key: str = "") -> None:
        self._channel = grpc.insecure_channel(address)
        self._platform = (("x-api-key", api_key),) if api_key else ()

    def ask(self, rpc: str, request: Message, key: str) -> Any:
        streams = RPCS[rpc].method.server_streaming
        open_method: Any = self._channel.unary_stream if streams else self._channel.unary_unary
        method = open_method(RPCS[rpc].path, type(request).SerializeToString, RPCS[rpc].response.FromString)
        try:
            own = ((name.lower(), value) for name, value in bearer(key).items())
            answer = method(request, timeout=SECONDS, metadata=(*own, *self._platform))
            return [message for message in answer if is_update(message)] if streams else answer
        except grpc.RpcError as error:
            return grpc_error(error)

    def close(self) -> None:
        self._channel.close()


def grpc_error(error: grpc.RpcError) -> Failed:
    status: Any = rpc_status.from_call(cast(grpc.Call, error))
    if status is None:
        raise error
    return status_error(status)


def status_error(status: status_pb2.Status) -> Failed:
    """The reason code and the field of a failed call, or of a failed item of a batch."""
    return failure(code_pb2.Code.Name(status.code), status.details[0].value)


def failure(status: str, detail: bytes) -> Failed:
    """Read the first detail of an error, whose status has to be one of its reason code."""
    info = error_details_pb2.ErrorInfo.FromString(detail)
    assert (info.reason, status) in {(known.code, known.status.grpc) for known in PROBLEM_TYPES}
    return Failed(info.reason, info.metadata.get("field", ""))


def bearer(key: str) -> dict[str, str]:
    """The header that shows a key, if there is one."""
    return {"Authorization": f"Bearer {key}"} if key else {}


def routed(rpc: str, request: Message) -> tuple[str, str, dict[str, Any]]:
    """The method and path of a request in REST, and the fields that are not part of the path."""
    method = RPCS[rpc].method
    rule = method.GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")
    body: dict[str, Any] = json_format.MessageToDict(request)
    names = {name: field.json_name for name, field in method.input_type.fields_by_name.items()}
    path = re.sub(r"\{(\w+)\}", lambda variable: str(body.pop(names[variable[1]], "")), getattr(rule, verb))
    return verb.upper(), path, body


class OverRest(Asking):
    def __init__(self, url: str, api_key: str = "") -> None:
        self._client = httpx.Client(base_url=url, headers={"X-API-Key": api_key} if api_key else {}, **PLAIN)

    def ask(self, rpc: str, request: Message, key: str) -> Any:
        verb, path, body = routed(rpc, request)
        headers = bearer(key)
        how: dict[str, Any] = {"json": body} if verb in ("POST", "PATCH") else {"params": body}
        if not RPCS[rpc].method.server_streaming:
            return _read(rpc, self._client.request(verb, path, headers=headers, **how))
        response = self._client.request(verb, path, headers={**headers, "Accept": "application/x-ndjson"}, **how)
        if "problem" in response.headers["content-type"]:
            return _read(rpc, response)
        return _updates(rpc, response.text.splitlines())

    def close(self) -> None:
        self._client.close()


class OverConnect(OverRest):
    def ask(self, rpc: str, request: Message, key: str) -> Any:
        headers = bearer(key)
        if RPCS[rpc].method.server_streaming:
            headers["Content-Type"] = "application/connect+json"
            content = framed(json_format.MessageToJson(request, indent=None).encode())
            response = self._client.post(RPCS[rpc].path, content=content, headers=headers)
            *messages, (_, end) = frames(response.content)
            if error := json.loads(end).get("error"):
                return connect_error(error)
            return _updates(rpc, [message for _, message in messages])
        body = json_format.MessageToDict(request)
        response = self._client.post(RPCS[rpc].path, json=body, headers=headers)
        if response.status_code == 200:
            return _read(rpc, response)
        return connect_error(response.json())


def connect_error(error: dict[str, Any]) -> Failed:
    return failure(error["code"].upper(), unpadded(error["details"][0]["value"]))


def unpadded(text: str) -> bytes:
    """Read base 64 without the signs at its end."""
    return b64decode(text + "=" * (-len(text) % 4))


class OverGrpcWeb(OverRest):
    def ask(self, rpc: str, request: Message, key: str) -> Any:
        headers = {"Content-Type": "application/grpc-web+proto", **bearer(key)}
        response = self._client.post(RPCS[rpc].path, content=framed(request.SerializeToString()), headers=headers)
        *messages, (_, trailers) = frames(response.content)
        if error := re.search(r"grpc-status-details-bin: (\S+)", trailers.decode()):
            return status_error(status_pb2.Status.FromString(unpadded(error[1])))
        answers = [RPCS[rpc].response.FromString(message) for _, message in messages]
        return [one for one in answers if is_update(one)] if RPCS[rpc].method.server_streaming else answers[0]


def _read(rpc: str, response: httpx.Response) -> Any:
    """Read an answer; a refused move is one, under a status of its own, and 401 asks for a key."""
    assert (401 == response.status_code) == ("WWW-Authenticate" in response.headers)
    if "problem" in response.headers["content-type"]:
        problem = response.json()
        assert problem["status"] == response.status_code
        assert (problem["code"], problem["status"]) in {(known.code, known.status.http) for known in PROBLEM_TYPES}
        return Failed(problem["code"], problem["field"])
    return json_format.ParseDict(response.json(), RPCS[rpc].response())


def _updates(rpc: str, lines: Iterable[str | bytes]) -> list[Any]:
    """Read the messages of a stream in JSON, without the heartbeats."""
    messages = [json_format.Parse(line, RPCS[rpc].response()) for line in lines]
    return [message for message in messages if is_update(message)]


def is_update(message: Any) -> bool:
    """Whether a message of a stream is more than a heartbeat."""
    return bool(message.match_id if hasattr(message, "match_id") else message.events)


def framed(message: bytes, flags: int = 0) -> bytes:
    return bytes([flags]) + len(message).to_bytes(4, "big") + message


def frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    """Read the frames of a stream of Connect and gRPC-Web, each with its flags."""
    while body:
        size = int.from_bytes(body[1:5], "big")
        yield body[0], body[5 : 5 + size]
        body = body[5 + size :]


class Served(Protocol):
    @property
    def grpc(self) -> str:
        """Where gRPC listens."""

    @property
    def rest(self) -> str:
        """The URL of REST."""


class Addresses(NamedTuple):
    grpc: str
    rest: str


def caller_of(name: str, served: Served, api_key: str = "") -> OverGrpc | OverRest:
    if name == "grpc":
        return OverGrpc(served.grpc, api_key)
    return (OverConnect if name == "connect" else OverRest)(served.rest, api_key)


@contextmanager
def served(wired: WiredService, rest: str) -> Iterator[Addresses]:
    """Serve gRPC beside REST for as long as the block lasts."""
    with grpc_opened(wired) as address:
        yield Addresses(address, rest)


@contextmanager
def callers(addresses: Served, *api_keys: str) -> Iterator[list[InTurn]]:
    """Open all transports for as long as the block lasts, for the platform of each of ``api_keys``, or for none."""
    opened = [[caller_of(name, addresses, key) for name in TRANSPORTS] for key in api_keys or ("",)]
    yield [InTurn(of_key) for of_key in opened]
    for one in chain.from_iterable(opened):
        one.close()


@contextmanager
def grpc_opened(wired: WiredService) -> Iterator[str]:
    """Serve gRPC on a loop of its own for as long as the block lasts; gives its address."""
    listening, stop = threading.Event(), asyncio.Event()
    found: list[Any] = []

    async def serve() -> None:
        transport = GrpcServer(wired.api, "127.0.0.1:0", calls=wired.calls, heartbeat=0.4)
        await transport.start()
        found.extend([asyncio.get_running_loop(), transport.port])
        listening.set()
        await stop.wait()
        await transport.stop(1)

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    assert listening.wait(SECONDS)
    yield f"127.0.0.1:{found[1]}"
    found[0].call_soon_threadsafe(stop.set)
    thread.join(SECONDS)
