"""What the standard variables of OpenTelemetry ask for: which signals are exported, if any."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chitarrella.server.otlp import OtlpTelemetry

PROTOCOL = "grpc"
"""The one value of OTEL_EXPORTER_OTLP_PROTOCOL that the extra ``otel`` has an exporter for."""


class Signals(NamedTuple):
    """The signals that are exported over OTLP."""

    traces: bool
    metrics: bool


def requested_signals(environ: Mapping[str, str]) -> Signals:
    """Return the signals that ``environ`` asks for. Raises `ValueError` for a value that is not supported.

    An endpoint alone asks for traces. Metrics must be asked for by name: Prometheus can read them without.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Signals(traces=False, metrics=False)
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    has_endpoint = any(environ.get(name) for name in endpoints)
    signals = Signals(
        traces=_is_requested(environ, "TRACES", default=has_endpoint),
        metrics=_is_requested(environ, "METRICS", default=False),
    )
    for name, is_requested in (("TRACES", signals.traces), ("METRICS", signals.metrics)):
        if is_requested:
            _check_protocol(environ, name)
    return signals


def open_otlp(environ: Mapping[str, str]) -> OtlpTelemetry | None:
    """Open the export that ``environ`` asks for, None if it asks for none.

    Raises `ValueError` for a value that is not supported, and where the packages of the extra ``otel`` are missing.
    """
    signals = check_otlp(environ)
    if not any(signals):
        return None
    from chitarrella.server.otlp import OtlpTelemetry  # noqa: PLC0415 - an extra, imported only if asked for

    return OtlpTelemetry(traces=signals.traces, metrics=signals.metrics)


def check_otlp(environ: Mapping[str, str]) -> Signals:
    """Return the signals that `open_otlp` would export; raises what it raises, and opens nothing."""
    signals = requested_signals(environ)
    if any(signals):
        try:
            import_module("chitarrella.server.otlp")
        except ModuleNotFoundError as error:
            raise ValueError(
                f"the OTEL_ variables ask for OpenTelemetry, but {error.name} is missing: install the extra otel, "
                "pip install 'chitarrella[otel]', or set OTEL_SDK_DISABLED=true"
            ) from error
    return signals


def _is_requested(environ: Mapping[str, str], signal: str, *, default: bool) -> bool:
    name = f"OTEL_{signal}_EXPORTER"
    value = environ.get(name, "").strip()
    if value not in ("", "otlp", "none"):
        raise ValueError(f"{name} is otlp or none, not {value!r}")
    return value == "otlp" if value else default


def _check_protocol(environ: Mapping[str, str], signal: str) -> None:
    for name in (f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        if value := environ.get(name, "").strip():
            if value != PROTOCOL:
                raise ValueError(f"{name} is {PROTOCOL}, not {value!r}: traces and metrics are sent over gRPC")
            return
