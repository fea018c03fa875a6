"""Spans of calls and of the store's commands, and the duration of calls, exported over OTLP by the OpenTelemetry SDK.

Names and attributes follow OpenTelemetry's semantic conventions for RPC and for Redis. No attribute holds a card, a
key, a name or the id of a match: an error is its reason code, never its text. Only `server.settings` imports this
module, because it needs the extra ``otel``.
"""

from __future__ import annotations

import os
import time
from importlib.metadata import version
from threading import Thread
from types import TracebackType
from typing import Final

from opentelemetry import context as context_api
from opentelemetry.baggage.propagation import W3CBaggagePropagator
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.grpc.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Histogram, NoOpMeterProvider
from opentelemetry.propagators.composite import CompositePropagator
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import (
    SERVICE_INSTANCE_ID,
    SERVICE_NAME,
    SERVICE_VERSION,
    OTELResourceDetector,
    Resource,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import NoOpTracerProvider, Span, SpanKind, StatusCode, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from chitarrella import errors
from chitarrella.api.caller import EndSpan, TraceContext

SCOPE: Final = "chitarrella"
# The conventional names of transports that have another name here.
SYSTEMS: Final = {"grpc-web": "grpc", "connect": "connectrpc"}
# The codes of gRPC that make the span of a server an error; the others are errors of the caller.
FAULTS: Final = {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
# Upper bounds of the buckets for durations of calls, in seconds.
BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
# The longest time that the end of a worker waits for the collector; the SDK itself would wait for half a minute.
SHUTDOWN_SECONDS: Final = 3.0
# Reads the headers `traceparent`, `tracestate` and `baggage`.
PROPAGATOR: Final = CompositePropagator([TraceContextTextMapPropagator(), W3CBaggagePropagator()])


class OtlpTelemetry:
    """The spans and metrics of one worker, exported to a collector. Thread-safe."""

    def __init__(self, *, traces: bool, metrics: bool) -> None:
        resource = _resource()
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False) if traces else None
        if self._traces:
            self._traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = (self._traces or NoOpTracerProvider()).get_tracer(SCOPE)
        self._meters: MeterProvider | None = None
        if metrics:
            reader = PeriodicExportingMetricReader(OTLPMetricExporter())
            self._meters = MeterProvider([reader], resource, shutdown_on_exit=False)
        meter = (self._meters or NoOpMeterProvider()).get_meter(SCOPE)
        self._duration = meter.create_histogram(
            "rpc.server.call.duration",
            unit="s",
            description="Measures the duration of an incoming Remote Procedure Call (RPC).",
            explicit_bucket_boundaries_advisory=BUCKETS,
        )

    def start(self, path: str, context: TraceContext) -> OtlpCallSpan:
        method = path.removeprefix("/")
        attributes = {"rpc.system.name": SYSTEMS.get(context.transport, context.transport), "rpc.method": method}
        parent = PROPAGATOR.extract(context.headers, context=Context())
        span = self._tracer.start_span(method, parent, SpanKind.SERVER, attributes)
        if (ids := span.get_span_context()).is_valid:
            context.trace_id = f"{ids.trace_id:032x}"
        return OtlpCallSpan(span, parent, attributes, self._duration)

    def observe_command(self, command: str, seconds: float, error: str) -> None:
        if not get_current_span().is_recording():
            return
        end = time.time_ns()
        attributes = {"db.system.name": "redis", "db.operation.name": command}
        span = self._tracer.start_span(command, None, SpanKind.CLIENT, attributes, None, end - int(seconds * 1e9))
        if error:
            span.set_attribute("error.type", error)
            span.set_status(StatusCode.ERROR)
        span.end(end)

    def close(self) -> None:
        """Export what is left, and stop; where the collector does not answer, what is left is lost."""
        closing = Thread(target=self._shut_down, name="otlp", daemon=True)
        closing.start()
        closing.join(SHUTDOWN_SECONDS)

    def _shut_down(self) -> None:
        for provider in (self._meters, self._traces):
            if provider:
                provider.shutdown()


class OtlpCallSpan:
    def __init__(self, span: Span, parent: Context, attributes: dict[str, str], duration: Histogram) -> None:
        """End ``span`` by what the block is given, or by an error in the block."""
        self._span = span
        self._context = set_span_in_context(span, parent)
        self._attributes = attributes
        self._duration = duration
        self._is_ended = False
        self._start = time.perf_counter()

    def __enter__(self) -> EndSpan:
        self._token = context_api.attach(self._context)
        return self._end

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        context_api.detach(self._token)
        if error is not None:
            self._end(error)

    def _end(self, error: BaseException | None) -> None:
        """End the span with the outcome of the call; only the first time counts."""
        if self._is_ended:
            return
        self._is_ended = True
        outcome = _outcome(error)
        self._duration.record(time.perf_counter() - self._start, {**self._attributes, **outcome}, self._context)
        self._span.set_attributes(outcome)
        if outcome["rpc.response.status_code"] in FAULTS:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()


def _outcome(error: BaseException | None) -> dict[str, str]:
    """The attributes of an outcome: the code of gRPC, and the reason code of an error."""
    if error is None:
        return {"rpc.response.status_code": "OK"}
    known = error if isinstance(error, errors.ChitarrellaError) else errors.InternalError()
    return {"rpc.response.status_code": errors.STATUSES[type(known)].grpc, "error.type": known.code}


def _resource() -> Resource:
    """What the signals are about: this worker. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence."""
    found = {SERVICE_NAME: SCOPE, SERVICE_VERSION: version("chitarrella"), SERVICE_INSTANCE_ID: os.urandom(16).hex()}
    return Resource.create(found).merge(OTELResourceDetector().detect())
