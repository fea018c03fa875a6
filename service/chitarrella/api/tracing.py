"""The port of tracing: the context of a call's trace, and the spans that a tracer makes of calls."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Protocol

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
