"""The server of the gRPC library, with an accept loop of our own.

That of the library decodes the path of each call in the loop itself, and ends the server when a path is not UTF-8. Here
every rpc is registered with the core, which compares paths as bytes: a path that matches none is never decoded. And the
message of a call must arrive in time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from grpc._cython import cygrpc  # type: ignore[attr-defined]  # the library has no types for it

from chitarrella import errors
from chitarrella.transports.grpc_server.call_context import end_with_error

UNKNOWN = "/"
"""The path under which the library handles a call of no registered rpc."""


class CoreServer(cygrpc.AioServer):  # type: ignore[misc]  # a class without types
    """The server of the gRPC core on the running loop. It uses private parts of grpcio, whose version is pinned."""

    def __init__(
        self, handlers: Mapping[str, Any], unknown: Any, options: Sequence[tuple[str, int]], read_timeout: float
    ) -> None:
        """Call the handler of a path in ``handlers``, and ``unknown``, which reads no request, for any other path.

        A call whose single message has not arrived within ``read_timeout`` seconds is refused.
        """
        super().__init__(cygrpc.get_working_loop(), None, (), (), tuple(options), None)
        self.add_registered_method_handlers(dict(handlers))
        self.has_ended = asyncio.Event()
        self._unknown = unknown
        self._handler_by_path = dict(handlers)
        self._read_timeout = read_timeout
        self._calls: set[asyncio.Task[None]] = set()

    def _make_request_call_future(self, path: bytes | None) -> asyncio.Task[None]:
        """Accept calls of a registered path, or of None any other; the library waits until the server stops."""
        return asyncio.create_task(self._accept(path))

    async def _accept(self, path: bytes | None) -> None:
        name, loop = UNKNOWN if path is None else path.decode(), asyncio.get_running_loop()
        while True:
            state = await (self._request_call() if path is None else self._request_registered_call(path))
            call = loop.create_task(cygrpc._schedule_rpc_coro(self._answer(name, state), state, loop, name))
            self._calls.add(call)  # the loop itself keeps no reference
            call.add_done_callback(self._calls.discard)

    def _serving_task_crash_handler(self, task: asyncio.Task[None]) -> None:
        """Note that the accept loop has ended, for whatever reason; the library calls it then."""
        self.has_ended.set()

    async def _answer(self, name: str, state: Any) -> None:
        """Answer a call. Where the caller has gone nothing can be sent, which the library would log as an error."""
        handler, loop = self._handler_by_path.get(name, self._unknown), asyncio.get_running_loop()
        with suppress(cygrpc.ExecuteBatchError):
            if handler.request_streaming:
                await cygrpc._handle_rpc(name, _Resolver(handler), (), state, loop, False)
                return
            limit = asyncio.timeout(self._read_timeout)
            try:
                async with limit:
                    timed = handler._replace(request_deserializer=lambda body: _arrived(limit, body))
                    await cygrpc._handle_rpc(name, _Resolver(timed), (), state, loop, False)
            except TimeoutError:
                await _refuse_late(cygrpc._ServicerContext(state, None, None, loop))


class _Resolver:
    """Has the handler of one call, for the library."""

    def __init__(self, handler: Any) -> None:
        self._handler = handler

    def resolve_handler(self, _details: object) -> Any:
        """Return the handler; the library calls it with the details of the call."""
        return self._handler


def _arrived(limit: asyncio.Timeout, body: bytes) -> bytes:
    """Lift the limit of time: the message has arrived, and its handler comes next."""
    limit.reschedule(None)
    return body


async def _refuse_late(context: Any) -> None:
    end_with_error(context, errors.BadRequest("bad_request", "The message did not arrive in time."))
    await context.abort(context.code())
