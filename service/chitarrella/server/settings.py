"""Settings of the service. Flags take precedence over environment variables, these over the defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from chitarrella.server.otlp import OtlpTelemetry


@dataclass(frozen=True)
class Settings:
    """All settings of a running service; deploy/settings.md explains them. Durations are in seconds."""

    grpc: str = "127.0.0.1:50051"
    rest: str = "127.0.0.1:8080"
    admin: str = ""
    redis_url: str = ""
    data: Path = Path("data")
    fsync: str = "always"
    wait_replicas: int = 0
    wait_disk: bool = False
    prefix: str = "chitarrella"
    workers: int = 1
    expires: int = 7 * 24 * 3600
    anonymous_expires: int = 24 * 3600
    search_budget: int = 3600
    trusted_proxies: int = 0
    rate_platform: str = "1000/s burst 5000"
    rate_anonymous: str = "500/s burst 2500"
    open_matches_platform: int = 100_000
    open_matches_anonymous: int = 1000
    bot_matches_platform: int = 20_000
    bot_matches_anonymous: int = 200
    watches_platform: int = 10_000
    watches_anonymous: int = 2000
    max_expires: int = 365 * 24 * 3600
    heartbeat: float = 15.0
    read_timeout: float = 30.0
    drain: float = 0.0
    log_level: str = "info"
    api_keys: str = ""
    signing_key: Path | None = None
    webhooks: str = ""
    token_keys: str = ""
    token_audience: str = ""
    webhooks_allow_private: bool = False
    public_url: str = ""
    sandbox: bool = False
    game_packages: str = "all"
    archive: str = ""
    archived_expires: int = 3600
    cors_allowed_origins: str = "*"
    cors_allowed_headers: str = ""
    edge: bool = False
    http3: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None
    tls_client_ca: Path | None = None

    def of_worker(self, number: int) -> Settings:
        """The settings of one of several workers: its Unix sockets have its number behind their name."""
        places = {name: getattr(self, name) for name in ("grpc", "rest", "admin")}
        own = {name: f"{place}.{number}" for name, place in places.items() if unix_path(place)}
        return replace(self, **own)  # type: ignore[arg-type]  # all three are texts


def unix_path(address: str) -> str:
    """Return the path of ``unix:/path``, empty for any other address."""
    return address.removeprefix("unix:") if address.startswith("unix:") else ""


def host_and_port(address: str) -> tuple[str, int]:
    """Split ``host:port``; brackets around an IPv6 address are removed. Raises `ValueError`."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{address!r} is not host:port")
    return host.strip("[]"), int(port)


PROTOCOL = "grpc"  # the one value of OTEL_EXPORTER_OTLP_PROTOCOL that the extra ``otel`` has an exporter for


class Signals(NamedTuple):
    traces: bool
    metrics: bool


def open_otlp(environ: Mapping[str, str]) -> OtlpTelemetry | None:
    """Open the export that ``environ`` asks for, None if it asks for none; raises what `check_otlp` does."""
    signals = check_otlp(environ)
    if not any(signals):
        return None
    from chitarrella.server.otlp import OtlpTelemetry  # noqa: PLC0415 - an extra, imported only if asked for

    return OtlpTelemetry(traces=signals.traces, metrics=signals.metrics)


def check_otlp(environ: Mapping[str, str]) -> Signals:
    """Return the signals that `open_otlp` would export, and open nothing. An endpoint alone asks for traces.

    Raises `ValueError` for a value that is not supported, and where the extra ``otel`` is missing.
    """
    if environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return Signals(traces=False, metrics=False)
    endpoints = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    has_endpoint = any(environ.get(name) for name in endpoints)
    signals = Signals(
        traces=_is_requested(environ, "TRACES", default=has_endpoint),
        metrics=_is_requested(environ, "METRICS", default=False),
    )
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
    is_requested = value == "otlp" if value else default
    names = (f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
    name = next((one for one in names if environ.get(one, "").strip()), "")
    if is_requested and name and (value := environ[name].strip()) != PROTOCOL:
        raise ValueError(f"{name} is {PROTOCOL}, not {value!r}: traces and metrics are sent over gRPC")
    return is_requested
