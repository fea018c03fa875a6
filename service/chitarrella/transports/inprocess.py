"""An in-process gRPC channel: the same client and calls, without a server.

``Chitarrella(channel())`` of the Python client runs the service in its own process; matches are kept in memory and end
with it. Messages are serialised as on a connection, so that nothing differs.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import grpc
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.api_keys import ApiKeys
from chitarrella.api.caller import Caller, caller_from_headers, request_id_of, text_headers
from chitarrella.api.dispatcher import Dispatcher, Rpc, rpcs
from chitarrella.api.hosting import MatchHost
from chitarrella.api.status import error_of, status_of
from chitarrella.api.streams import ResponseStream
from chitarrella.catalogue.registry import ALL, open_catalogue
from chitarrella.matches.model import DEFAULT_LIMITS
from chitarrella.matches.service import MatchService
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.redis_url import connect_in_process

Metadata = Sequence[tuple[str, str | bytes]] | None


class Service:
    def __init__(self, *, sandbox: bool = False, api_keys: ApiKeys | None = None, game_packages: str = ALL) -> None:
        """Wire the parts; a thread runs bots and clocks.

        With ``sandbox`` matches can be created as tests, with ``api_keys`` only their platforms may call.
        ``game_packages`` are the packages whose games are served, see `chitarrella.catalogue.registry.load_packages`.
        """
        catalogue = open_catalogue(game_packages)
        store = RedisStore(connect_in_process())
        limits = DEFAULT_LIMITS._replace(anonymous_ttl_seconds=DEFAULT_LIMITS.ttl_seconds)
        self._host = MatchHost(MatchService(catalogue, store, limits))
        self.dispatcher = self._host.dispatcher(api_keys=api_keys, sandbox=sandbox)
        self._host.scheduler.start()

    def close(self) -> None:
        self._host.close()


class InProcessError(grpc.RpcError):
    def __init__(self, error: errors.ChitarrellaError) -> None:
        super().__init__(error.message)
        self._status: Any = rpc_status.to_status(status_of(error))

    def code(self) -> grpc.StatusCode:
        code: grpc.StatusCode = self._status.code
        return code

    def details(self) -> str:
        return str(self._status.details)

    def trailing_metadata(self) -> Any:
        return self._status.trailing_metadata


class Channel(grpc.Channel):
    """A gRPC channel to a `Service` in this process. Thread-safe."""

    def __init__(self, service: Service | None = None) -> None:
        """Connect to ``service``, or to a new one that is closed with the channel."""
        self._service = service or Service()
        self._owns_service = service is None
        self._rpcs = {rpc.path: rpc for rpc in rpcs()}

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any, **__: Any
    ) -> Any:
        return _Call(self._service, self._rpcs[method], request_serializer, response_deserializer).unary

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any, **__: Any
    ) -> Any:
        return _Call(self._service, self._rpcs[method], request_serializer, response_deserializer).stream

    def stream_unary(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("the contract has no rpc of this kind")

    stream_stream = stream_unary

    def subscribe(self, callback: Callable[[grpc.ChannelConnectivity], None], *_: Any, **__: Any) -> None:
        callback(grpc.ChannelConnectivity.READY)

    def unsubscribe(self, callback: Callable[[grpc.ChannelConnectivity], None]) -> None:
        """Do nothing: there are no further callbacks."""

    def close(self) -> None:
        if self._owns_service:
            self._service.close()

    def __enter__(self) -> Channel:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Call:
    """One rpc, with the functions that serialise the request and parse the response of the caller's own classes."""

    def __init__(
        self, service: Service, rpc: Rpc, serialize: Callable[[Any], bytes], parse: Callable[[bytes], Any]
    ) -> None:
        self._dispatcher, self._rpc, self._serialize, self._parse = service.dispatcher, rpc, serialize, parse

    def unary(self, request: Any, timeout: float | None = None, metadata: Metadata = None, **_: Any) -> Any:
        message = self._rpc.request.FromString(self._serialize(request))
        headers = text_headers(metadata)
        request_id = request_id_of(headers.get("x-request-id"))
        try:
            response = self._dispatcher.call(self._rpc.path, message, caller_from_headers(headers, request_id))
        except Exception as error:
            raise InProcessError(error_of(error, request_id)) from error
        return self._parse(response.SerializeToString())

    def stream(self, request: Any, timeout: float | None = None, metadata: Metadata = None, **_: Any) -> _Stream:
        """Start a streaming call; raises `InProcessError` for invalid headers, the stream for everything else."""
        message = self._rpc.request.FromString(self._serialize(request))
        headers = text_headers(metadata)
        try:
            caller = caller_from_headers(headers, request_id_of(headers.get("x-request-id")))
        except errors.NotAuthenticated as error:
            raise InProcessError(error) from error
        return _Stream(self._dispatcher, self._rpc, message, caller, self._parse)


class _Stream(Iterator[Any]):
    def __init__(
        self, dispatcher: Dispatcher, rpc: Rpc, request: Any, caller: Caller, parse: Callable[[bytes], Any]
    ) -> None:
        self._wakeups: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._parse, self._responses = parse, list[bytes]()
        self._stream: ResponseStream | None = None
        self._error: Exception | None = None
        self._cancelled = False
        try:
            self._stream = dispatcher.watch(rpc.path, request, caller, lambda: self._wakeups.put(None))
        except Exception as error:
            self._error = error

    def __next__(self) -> Any:
        if self._error is not None:
            raise InProcessError(error_of(self._error))
        assert self._stream is not None
        while not self._responses:
            finished = self._stream.is_finished  # read before take(), or an update between the two would be lost
            self._responses = self._stream.take_serialized()[::-1]
            if self._responses:
                break
            if self._cancelled:
                raise InProcessError(errors.ShuttingDown())
            if finished and self._stream.error:
                raise InProcessError(self._stream.error)
            if finished:
                raise StopIteration
            self._wakeups.get()
        return self._parse(self._responses.pop())

    def cancel(self) -> None:
        self._cancelled = True
        if self._stream is not None:
            self._stream.close()
        self._wakeups.put(None)


def channel(service: Service | None = None) -> Channel:
    return Channel(service)
