"""The service inside the process of its caller: the same client, the same calls, and no server.

``Chitarrella(channel())`` of the Python client asks the rules in this very process; matches are kept in its memory and
end with it. What goes over the wire elsewhere is handed over as bytes, so that nothing can be different.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import grpc
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.api import Api, Rpc, rpcs
from chitarrella.api.caller import Caller, request_id_of
from chitarrella.api.catalogue import CatalogueApi
from chitarrella.api.matches import MatchApi
from chitarrella.api.rules import RulesApi
from chitarrella.botplay import choose
from chitarrella.catalogue import Catalogue
from chitarrella.grpc_door import caller_of, headers_of, written
from chitarrella.hub import Hub, Watch
from chitarrella.memory_store import MemoryStore
from chitarrella.referee import Referee
from chitarrella.rpc_status import status_of, understood
from chitarrella.steward import Steward
from chitarrella.timekeeper import Timekeeper

Metadata = Sequence[tuple[str, str | bytes]] | None


class Service:
    """Everything that a worker holds, without doors and without a server."""

    def __init__(self) -> None:
        """Put the parts together; bots and clocks are seen to in a thread."""
        catalogue = Catalogue()
        referee = Referee(catalogue, MemoryStore())
        steward = Steward(referee, choose)
        self.hub = Hub(referee)
        self.api = Api(CatalogueApi(catalogue), RulesApi(catalogue), MatchApi(referee, steward, self.hub))
        self._timekeeper = Timekeeper(steward)
        self._timekeeper.start()

    def close(self) -> None:
        """Stop."""
        self._timekeeper.close()
        self.hub.close()


class Failed(grpc.RpcError):
    """A call that failed, as gRPC tells it."""

    def __init__(self, error: errors.ChitarrellaError) -> None:
        """Say why."""
        super().__init__(error.because)
        self._status: Any = rpc_status.to_status(status_of(error))

    def code(self) -> grpc.StatusCode:
        """Give the status."""
        code: grpc.StatusCode = self._status.code
        return code

    def details(self) -> str:
        """Give the sentence."""
        return str(self._status.details)

    def trailing_metadata(self) -> Any:
        """Give what carries the details."""
        return self._status.trailing_metadata


class Channel(grpc.Channel):
    """A channel that leads to a `Service` in this process. Safe to be used by many threads."""

    def __init__(self, service: Service | None = None) -> None:
        """Lead to ``service``, or to a new one that ends with the channel."""
        self._service = service or Service()
        self._own = service is None
        self._rpcs = {rpc.path: rpc for rpc in rpcs()}

    def unary_unary(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any, **__: Any
    ) -> Any:
        """Give what makes a call with one answer."""
        return _Call(self._service, self._rpcs[method], request_serializer, response_deserializer).once

    def unary_stream(
        self, method: str, request_serializer: Any = None, response_deserializer: Any = None, *_: Any, **__: Any
    ) -> Any:
        """Give what makes a call that goes on being answered."""
        return _Call(self._service, self._rpcs[method], request_serializer, response_deserializer).stream

    def stream_unary(self, *_: Any, **__: Any) -> Any:
        """Refuse: the contract has no such call."""
        raise NotImplementedError("the contract has no call of this kind")

    stream_stream = stream_unary

    def subscribe(self, callback: Callable[[grpc.ChannelConnectivity], None], *_: Any, **__: Any) -> None:
        """Say that it is ready, which it is always."""
        callback(grpc.ChannelConnectivity.READY)

    def unsubscribe(self, callback: Callable[[grpc.ChannelConnectivity], None]) -> None:
        """Say nothing more."""

    def close(self) -> None:
        """End the service, if it was made for this channel."""
        if self._own:
            self._service.close()

    def __enter__(self) -> Channel:
        """Use it until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


class _Call:
    """One method of the contract, with the writer and the reader of the caller's own messages."""

    def __init__(self, service: Service, rpc: Rpc, write: Callable[[Any], bytes], read: Callable[[bytes], Any]) -> None:
        self._service, self._rpc, self._write, self._read = service, rpc, write, read

    def once(self, request: Any, timeout: float | None = None, metadata: Metadata = None, **_: Any) -> Any:
        """Make the call."""
        asked = self._rpc.request.FromString(self._write(request))
        headers = headers_of(metadata)
        request_id = request_id_of(headers.get("x-request-id"))
        try:
            answer = self._service.api.call(self._rpc.path, asked, caller_of(headers, request_id))
        except Exception as error:
            raise Failed(understood(error, request_id)) from error
        return self._read(answer.SerializeToString())

    def stream(self, request: Any, timeout: float | None = None, metadata: Metadata = None, **_: Any) -> _Stream:
        """Begin to be answered."""
        asked = self._rpc.request.FromString(self._write(request))
        headers = headers_of(metadata)
        try:
            caller = caller_of(headers, request_id_of(headers.get("x-request-id")))
        except errors.NotAuthenticated as error:
            raise Failed(error) from error
        return _Stream(self._service.api, asked, caller, self._read)


class _Stream(Iterator[Any]):
    """The answers to WatchMatch, one after the other."""

    def __init__(self, api: Api, request: Any, caller: Caller, read: Callable[[bytes], Any]) -> None:
        self._bell: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._read, self._told = read, list[bytes]()
        self._watch: Watch | None = None
        self._fault: Exception | None = None
        self._cancelled = False
        try:
            self._watch = api.watch(request, caller, lambda: self._bell.put(None))
        except Exception as error:
            self._fault = error

    def __next__(self) -> Any:
        """Wait for the next answer."""
        if self._fault is not None:
            raise Failed(understood(self._fault))
        assert self._watch is not None
        while not self._told:
            over = self._watch.over
            self._told = [written(told) for told in self._watch.fetch()][::-1]
            if self._told:
                break
            if self._cancelled:
                raise Failed(errors.GoingDown())
            if over and self._watch.fault:
                raise Failed(self._watch.fault)
            if over:
                raise StopIteration
            self._bell.get()
        return self._read(self._told.pop())

    def cancel(self) -> None:
        """End it."""
        self._cancelled = True
        if self._watch is not None:
            self._watch.close()
        self._bell.put(None)


def channel(service: Service | None = None) -> Channel:
    """Open a channel for a client; several may lead to one ``service``."""
    return Channel(service)
