"""The endpoints of the Connect library: each calls the dispatcher, or opens a stream."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import EndpointSync
from flask import request
from google.protobuf.descriptor_pb2 import MethodOptions

from chitarrella.api.dispatcher import Dispatcher, Rpc
from chitarrella.api.status import error_of
from chitarrella.transports.rest.connect_codec import connect_error
from chitarrella.transports.rest.event_streams import EventStream, StreamLimit
from chitarrella.transports.rest.headers import caller_of
from chitarrella.transports.rest.middleware import context_of
from chitarrella.transports.rest.views import PLAY_MOVE

if TYPE_CHECKING:
    from connectrpc.request import RequestContext

STREAM_KEY: Final = "chitarrella.stream"
"""The key of the environment under which the endpoint hands its stream to the view, which has to close it."""
LEVELS: Final = {
    MethodOptions.IDEMPOTENCY_UNKNOWN: IdempotencyLevel.UNKNOWN,
    MethodOptions.NO_SIDE_EFFECTS: IdempotencyLevel.NO_SIDE_EFFECTS,
    MethodOptions.IDEMPOTENT: IdempotencyLevel.IDEMPOTENT,
}


def make_endpoint(rpc: Rpc, dispatcher: Dispatcher, streams: StreamLimit) -> Any:
    """Build the endpoint of an rpc."""
    info: MethodInfo[Any, Any] = MethodInfo(
        name=rpc.method.name,
        service_name=rpc.method.containing_service.full_name,
        input=rpc.request,
        output=rpc.response,
        idempotency_level=LEVELS[rpc.method.GetOptions().idempotency_level],
        stream_type=StreamType.SERVER_STREAM if rpc.method.server_streaming else StreamType.UNARY,
    )
    if rpc.method.server_streaming:
        return EndpointSync.server_stream(method=info, function=_stream(rpc, streams))
    return EndpointSync.unary(method=info, function=_unary(rpc, dispatcher))


def _unary(rpc: Rpc, dispatcher: Dispatcher) -> Callable[[Any, RequestContext[Any, Any]], Any]:
    path = rpc.path

    def answer(message: Any, context: RequestContext[Any, Any]) -> Any:
        environ = request.environ
        call = context_of(environ)
        try:
            response = dispatcher.call(path, message, caller_of(environ))
        except Exception as error:
            failure = error_of(error, call.request_id)
            call.code = failure.code
            call.raised = connect_error(failure)
            raise call.raised from None
        if path == PLAY_MOVE and not response.accepted:
            call.code = "refused"
        return response

    return answer


def _stream(rpc: Rpc, streams: StreamLimit) -> Callable[[Any, RequestContext[Any, Any]], Iterator[Any]]:
    path = rpc.path

    def answer(message: Any, context: RequestContext[Any, Any]) -> Iterator[Any]:
        environ = request.environ
        call = context_of(environ)
        stream: EventStream | None = None
        try:
            stream = environ[STREAM_KEY] = streams.open(path, message, caller_of(environ), environ)
            yield from stream.messages()
        except Exception as error:
            failure = error_of(error, call.request_id)
            call.code = failure.code
            raise connect_error(failure) from None
        finally:
            if stream is not None:
                stream.close()

    return answer
