"""The configuration of Envoy as the edge: one public port for gRPC, gRPC-Web, Connect, REST, streams and pages.

Envoy bounds what strangers cost before a worker is asked. The same configuration is used by ``serve --edge`` and
written by ``edge-config`` for an Envoy of one's own. What it says stands in ``envoy.json.jinja``.
"""

from __future__ import annotations

import json
import math
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

from jinja2 import Environment, StrictUndefined

from chitarrella import errors
from chitarrella.server.settings import Settings, host_and_port, unix_path
from chitarrella.storage.counters import Rate, parse_rate
from chitarrella.transports.rest.pages import METRICS_PATH
from chitarrella.transports.rest.problems import PROBLEM_JSON, problem

Message = dict[str, Any]

TEMPLATE: Final = Path(__file__).with_name("envoy.json.jinja")
MAX_HEADER_KB: Final = 64  # of all headers of a request
MAX_HEADERS: Final = 100  # headers of a request
PAGES: Final = Rate(100, 1, 200)  # pages and pictures that an address may fetch: their answers are large


@dataclass(frozen=True)
class Places:
    """Where the edge listens, and where the workers do: ``host:port`` or ``unix:/path``."""

    public: Sequence[str]
    grpc: Sequence[str]
    rest: Sequence[str]
    operators: str = ""  # health checks and metrics alone
    admin: Sequence[str] = ()  # the workers' ports for operators


def bootstrap(settings: Settings, places: Places, admin_socket: str, secrets: PurePath | None) -> Message:
    """Return Envoy's bootstrap. ``secrets`` is the folder with the files of `secret_files`, None for plain text."""
    rate = parse_rate(settings.rate_platform)
    environment = Environment(undefined=StrictUndefined)
    environment.filters |= {"json": json.dumps, "seconds": "{:g}s".format, "address": _address}
    template = environment.from_string(TEMPLATE.read_text("utf-8"))
    filled = template.render(
        settings=settings,
        places=places,
        admin_socket=admin_socket,
        secrets=secrets,
        http3=host_and_port(places.public[0]) if settings.http3 and secrets else None,
        buckets=_buckets(rate) if rate else {},
        notsent_lowat=socket.TCP_NOTSENT_LOWAT,
        max_header_kb=MAX_HEADER_KB,
        max_headers=MAX_HEADERS,
        metrics_path=METRICS_PATH,
        problem_json=PROBLEM_JSON,
        reply=_reply,
    )
    bootstrap: Message = json.loads(filled)
    return bootstrap


def _address(place: str) -> Message:
    if path := unix_path(place):
        return {"pipe": {"path": path}}
    host, port = host_and_port(place)
    return {"socket_address": {"address": host, "port_value": port}}


def _buckets(rate: Rate) -> Message:
    """What an address may send at once, and again. All watchers of a platform may come back at the same time."""
    return {"calls": _bucket(rate, 0.5), "watches": _bucket(rate, 2), "pages": _bucket(PAGES, 2)}


def _bucket(rate: Rate, seconds: float) -> Message:
    """A bucket that lets so many seconds of a rate through at once; Envoy fills it twenty times a second at most."""
    limit = rate.limit / rate.period
    tokens = math.ceil(limit / 20)
    burst = max(1, min(rate.burst, round(seconds * limit)))
    return {"max_tokens": burst, "tokens_per_fill": tokens, "fill_interval": f"{tokens / limit:g}s"}


def _reply(status: int, code: str, detail: str) -> Message:
    error = errors.BadRequest(code, detail)
    return {**problem(error, "%PATH(NQ:PATH)%", "%REQ(X-REQUEST-ID)%"), "status": status}


def secret_files(
    certificate: Message, key: Message, client_ca: Message | None, watched: str = ""
) -> dict[str, Message]:
    """Return the files by which Envoy finds the certificate, its key and the CA of clients; it watches them.

    Each source is ``{"filename": ...}`` or ``{"inline_string": ...}``. Files in the folder ``watched`` may be replaced
    by a rename, as Kubernetes does.
    """
    folder = {"watched_directory": {"path": watched}} if watched else {}
    secrets: dict[str, Message] = {
        "server": {"tls_certificate": {"certificate_chain": certificate, "private_key": key, **folder}}
    }
    if client_ca:
        secrets["client-ca"] = {"validation_context": {"trusted_ca": client_ca, **folder}}
    kind = "type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret"
    return {f"{name}.json": {"resources": [{"@type": kind, "name": name, **body}]} for name, body in secrets.items()}


def write_files(folder: Path, files: Mapping[str, Message], mode: int = 0o600) -> None:
    """Write files, each at once: Envoy watches for the rename. By default only this user may read them."""
    for name, content in files.items():
        new = folder / f".{name}"
        new.touch(mode)
        new.write_text(json.dumps(content, indent=1))
        new.chmod(mode)
        new.rename(folder / name)
