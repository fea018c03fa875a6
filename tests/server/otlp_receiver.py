"""A receiver of OTLP over gRPC, which keeps what a service exports."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, NamedTuple

import grpc
import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2_grpc import add_MetricsServiceServicer_to_server
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import add_TraceServiceServicer_to_server

PARENT = "00f067aa0ba902b7"  # the span of the caller, in hexadecimal digits
SERVER, CLIENT = 2, 3  # kinds of spans: of a call, and of a command to the store


def traced(number: int, flags: str = "01") -> str:
    """The header ``traceparent`` of a call in the trace of that number."""
    return f"00-{number:032x}-{PARENT}-{flags}"


class ReceivedSpan(NamedTuple):
    """A span: its ids in hexadecimal digits, the number of its kind and of its status."""

    name: str
    trace: str
    span: str
    parent: str
    kind: int
    status: int
    attributes: dict[str, str]


class Receiver:
    def __init__(self) -> None:
        self.traces: list[ExportTraceServiceRequest] = []
        self.metrics: list[ExportMetricsServiceRequest] = []
        self._server = grpc.server(ThreadPoolExecutor(2))
        traces = servicer(self.traces, ExportTraceServiceResponse)
        metrics = servicer(self.metrics, ExportMetricsServiceResponse)
        add_TraceServiceServicer_to_server(traces, self._server)  # type: ignore[no-untyped-call]  # it is generated without types
        add_MetricsServiceServicer_to_server(metrics, self._server)  # type: ignore[no-untyped-call]  # it is generated without types
        self.url = f"http://127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def spans(self) -> list[ReceivedSpan]:
        return [
            ReceivedSpan(
                *(one.name, one.trace_id.hex(), one.span_id.hex(), one.parent_span_id.hex()),
                *(one.kind, one.status.code, texts(one.attributes)),
            )
            for request in tuple(self.traces)
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for one in scope.spans
        ]

    def resources(self) -> list[dict[str, str]]:
        return [texts(one.resource.attributes) for request in tuple(self.traces) for one in request.resource_spans]

    def counts(self, name: str) -> dict[str, int]:
        """How many calls each worker and rpc has in the latest export of a histogram, summed by rpc."""
        latest: dict[tuple[str, str, str], int] = {}
        for request in tuple(self.metrics):
            for resource in request.resource_metrics:
                worker = texts(resource.resource.attributes)["service.instance.id"]
                for metric in (metric for scope in resource.scope_metrics for metric in scope.metrics):
                    for point in metric.histogram.data_points if metric.name == name else ():
                        labels = texts(point.attributes)
                        latest[worker, labels["rpc.method"], str(sorted(labels.items()))] = point.count
        sums: dict[str, int] = {}
        for (_, rpc, _), count in latest.items():
            sums[rpc] = sums.get(rpc, 0) + count
        return sums

    def stop(self) -> None:
        self._server.stop(None).wait()


def servicer(kept: list[Any], answer: Callable[[], Any]) -> Any:
    def export(request: Any, context: Any) -> Any:
        kept.append(request)
        return answer()

    return SimpleNamespace(Export=export)


@contextmanager
def receiving(patch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver that services which are started in the block export to, several times a second."""
    receiver = Receiver()
    patch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url)
    patch.setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
    yield receiver
    receiver.stop()


def texts(attributes: Iterable[Any]) -> dict[str, str]:
    """The attributes whose value is a text, and the others as an empty text."""
    return {one.key: one.value.string_value for one in attributes}
