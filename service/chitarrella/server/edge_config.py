"""The configuration of Envoy as the edge: one public port for gRPC, gRPC-Web, Connect, REST, streams and pages.

Envoy bounds what strangers cost before a worker is asked: connections, headers, streams, buffers, times, requests of an
address. The same configuration is used by ``serve --edge`` and written by ``edge-config`` for an Envoy of one's own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Final

from chitarrella import errors
from chitarrella.server.settings import Settings, host_and_port, unix_path
from chitarrella.storage.counters import Rate, parse_rate
from chitarrella.transports.rest.pages import METRICS_PATH
from chitarrella.transports.rest.problems import PROBLEM_JSON, problem

Message = dict[str, Any]

MAX_CONNECTIONS: Final = 16_384  # open connections of clients, and watches that the workers carry
MAX_HEADER_KB: Final = 64  # of all headers of a request
MAX_HEADERS: Final = 100  # headers of a request
MAX_STREAMS: Final = 100  # calls and watches in progress on one connection of HTTP/2; each takes 17 KB at least
LIMITS_OF_CLUSTER: Final = ("max_connections", "max_pending_requests", "max_requests", "max_retries")
BUFFER_BYTES: Final = 32 * 1024  # of a connection or stream that its reader does not empty; then the writer waits
WINDOW_BYTES: Final = 64 * 1024  # what may be sent on one stream of HTTP/2 before it is read
CONNECTION_WINDOW_BYTES: Final = 1024**2  # what a client may send on one connection of HTTP/2 before it is read
HEAP_BYTES: Final = 512 * 1024**2  # of Envoy; see `_overload_manager`
ADDRESSES: Final = 10_000  # callers' addresses whose requests are counted at the same time
BURST_SECONDS: Final = 2  # so many seconds of its rate an address may send at once
PAGES: Final = Rate(200, 1, 400)  # pages and pictures that an address may fetch: their answers are large
UNREAD_SECONDS: Final = 10.0  # for which the end of an answer, or a page, may wait for its reader
LONGEST_SILENCE_SECONDS: Final = 60.0  # of a stream at least; watches send heartbeats in between
# A worker refuses streams while it still counts those that have just ended, so it gets fewer than it allows. Frames for
# a busy worker wait: a connection that is closed for them costs all its calls.
TO_WORKER: Final[Message] = {
    "max_concurrent_streams": 400,
    "initial_stream_window_size": WINDOW_BYTES,
    "max_outbound_frames": 1_000_000,
    "max_outbound_control_frames": 1_000_000,
}
RETRIES: Final = 3  # of a call that no worker has begun
TLS: Final = "envoy.extensions.transport_sockets.tls.v3"
RATE_FILTER: Final = "envoy.filters.http.local_ratelimit"
RPC_PATHS: Final = ("/v1/", "/chitarrella.")  # of REST, and of Connect and gRPC-Web; all others are pages
PRINTABLE: Final = "/[!-~]*"  # paths that may reach a worker; others have bytes that URLs must encode
SERVER_SECRET, CLIENT_CA_SECRET = "server", "client-ca"

# What the edge answers itself, by status: the reason code of our errors, and the detail.
REPLIES: Final = {
    400: ("bad_request", "The request is not valid HTTP."),
    404: ("no_such_route", "There is nothing under this path; /openapi.json says what there is."),
    408: ("bad_request", "The request was not complete in time."),
    413: ("too_large", "The request is too large."),
    429: ("rate_limited", "There are too many requests from this address."),
    431: ("too_large", "The headers of the request are too large."),
    503: ("overloaded", "No worker can answer at present."),
    504: ("overloaded", "No worker has answered in time."),
}


@dataclass(frozen=True)
class Places:
    """Where the edge listens, and where the workers do: ``host:port`` or ``unix:/path``."""

    public: Sequence[str]
    grpc: Sequence[str]
    rest: Sequence[str]
    operators: str = ""  # health checks and metrics alone
    admin: Sequence[str] = ()  # the workers' ports for operators


def message(kind: str, **fields: Any) -> Message:
    """A message of Envoy that says of which kind it is."""
    return {"@type": f"type.googleapis.com/{kind}", **fields}


def typed(name: str, kind: str, **fields: Any) -> Message:
    """An extension of Envoy with its settings."""
    return {"name": name, "typed_config": message(kind, **fields)}


def seconds(number: float) -> str:
    return f"{number:g}s"


def address(place: str) -> Message:
    if path := unix_path(place):
        return {"pipe": {"path": path}}
    host, port = host_and_port(place)
    return {"socket_address": {"address": host, "port_value": port}}


def bootstrap(settings: Settings, places: Places, admin_socket: str, secrets: PurePath | None) -> Message:
    """Return Envoy's bootstrap. ``secrets`` is the folder with the files of `secret_files`, None for plain text."""
    public = _http(settings, "public", _public_routes(settings))
    listeners = [_listener("public", places.public, public, settings, secrets)]
    if settings.http3 and secrets:
        port = host_and_port(places.public[0])[1]
        offer = {"header": {"key": "alt-svc", "value": f'h3=":{port}"; ma=86400'}}
        public["typed_config"]["route_config"]["response_headers_to_add"] = [offer]
        listeners.append(_quic_listener(places.public[:1], settings, secrets))
    clusters = [_cluster("grpc", places.grpc, settings, is_grpc=True), _cluster("rest", places.rest, settings)]
    if places.operators:
        http = _http(settings, "operators", [{"match": {"prefix": "/"}, "route": _to("admin")}])
        listeners.append(_listener("operators", [places.operators], http, settings, None))
        clusters.append(_cluster("admin", places.admin, settings))
    log = {"timestamp": "%Y-%m-%dT%H:%M:%S.%fZ", "level": "%l", "logger": "envoy", "event": "%j"}
    return {
        "node": {"id": "chitarrella", "cluster": "chitarrella"},  # asked for where secrets come from files
        "admin": {"address": {"pipe": {"path": admin_socket, "mode": 0o600}}},
        "application_log_config": {"log_format": {"json_format": log}},
        "overload_manager": _overload_manager(),
        # One request of a connection at a time: no connection fills the queue of a worker before others have a turn.
        "layered_runtime": {"layers": [{"name": "turns", "static_layer": {"http.max_requests_per_io_cycle": 1}}]},
        "static_resources": {"listeners": listeners, "clusters": clusters},
    }


def secret_files(
    certificate: Message, key: Message, client_ca: Message | None, watched: str = ""
) -> dict[str, Message]:
    """Return the files by which Envoy finds the certificate, its key and the CA of clients; it watches them.

    Each source is ``{"filename": ...}`` or ``{"inline_string": ...}``. Files in the folder ``watched`` may be replaced
    by a rename, as Kubernetes does.
    """
    folder = {"watched_directory": {"path": watched}} if watched else {}
    secrets: dict[str, Message] = {
        SERVER_SECRET: {"tls_certificate": {"certificate_chain": certificate, "private_key": key, **folder}}
    }
    if client_ca:
        secrets[CLIENT_CA_SECRET] = {"validation_context": {"trusted_ca": client_ca, **folder}}
    kind = f"{TLS}.Secret"
    return {f"{name}.json": {"resources": [message(kind, name=name, **body)]} for name, body in secrets.items()}


def write_files(folder: Path, files: Mapping[str, Message], mode: int = 0o600) -> None:
    """Write files, each at once: Envoy watches for the rename. By default only this user may read them."""
    for name, content in files.items():
        new = folder / f".{name}"
        new.touch(mode)
        new.write_text(json.dumps(content, indent=1))
        new.chmod(mode)
        new.rename(folder / name)


def _tls_context(settings: Settings, secrets: PurePath, *protocols: str) -> Message:
    def source(name: str) -> Message:
        return {"name": name, "sds_config": {"path_config_source": {"path": str(secrets / f"{name}.json")}}}

    common: Message = {
        "tls_params": {"tls_minimum_protocol_version": "TLSv1_2"},
        "tls_certificate_sds_secret_configs": [source(SERVER_SECRET)],
        "alpn_protocols": list(protocols),
    }
    if settings.tls_client_ca:
        common["validation_context_sds_secret_config"] = source(CLIENT_CA_SECRET)
    return {"common_tls_context": common, "require_client_certificate": settings.tls_client_ca is not None}


def _listener(name: str, places: Sequence[str], http: Message, settings: Settings, secrets: PurePath | None) -> Message:
    chain: Message = {"filters": [http]}
    if secrets:
        context = _tls_context(settings, secrets, "h2", "http/1.1")
        chain["transport_socket"] = typed("envoy.transport_sockets.tls", f"{TLS}.DownstreamTlsContext", **context)
        chain["transport_socket_connect_timeout"] = seconds(settings.read_timeout)
    return {
        "name": name,
        "address": address(places[0]),
        "additional_addresses": [{"address": address(place)} for place in places[1:]],
        "per_connection_buffer_limit_bytes": BUFFER_BYTES,
        "tcp_backlog_size": 2048,
        "filter_chains": [chain],
    }


def _quic_listener(places: Sequence[str], settings: Settings, secrets: PurePath) -> Message:
    listener = _listener("http3", places, _http(settings, "http3", _public_routes(settings), "HTTP3"), settings, None)
    listener["address"]["socket_address"]["protocol"] = "UDP"
    del listener["tcp_backlog_size"]
    listener["udp_listener_config"] = {"quic_options": {}, "downstream_socket_config": {"prefer_gro": True}}
    quic = "envoy.extensions.transport_sockets.quic.v3.QuicDownstreamTransport"
    context = _tls_context(settings, secrets, "h3")
    socket = typed("envoy.transport_sockets.quic", quic, downstream_tls_context=context)
    listener["filter_chains"][0]["transport_socket"] = socket
    return listener


def _http(settings: Settings, name: str, routes: list[Message], codec: str = "AUTO") -> Message:
    silence = max(LONGEST_SILENCE_SECONDS, 2 * settings.heartbeat)
    router = typed(
        "envoy.filters.http.router", "envoy.extensions.filters.http.router.v3.Router", suppress_envoy_headers=True
    )
    rate = parse_rate(settings.rate_platform)
    return typed(
        "envoy.filters.network.http_connection_manager",
        "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        stat_prefix=name,
        codec_type=codec,
        route_config={"name": name, "virtual_hosts": [{"name": name, "domains": ["*"], "routes": routes}]},
        http_filters=[*([_rate_limit("address", rate)] if rate else []), router],
        use_remote_address=True,
        xff_num_trusted_hops=settings.trusted_proxies,
        preserve_external_request_id=True,
        server_header_transformation="PASS_THROUGH",
        normalize_path=True,
        merge_slashes=True,
        max_request_headers_kb=MAX_HEADER_KB,
        request_headers_timeout=seconds(settings.read_timeout),
        request_timeout=seconds(settings.read_timeout),
        stream_idle_timeout=seconds(silence),
        stream_flush_timeout=seconds(UNREAD_SECONDS),
        drain_timeout=seconds(1),
        common_http_protocol_options={"idle_timeout": seconds(settings.read_timeout), "max_headers_count": MAX_HEADERS},
        http2_protocol_options={
            "max_concurrent_streams": MAX_STREAMS,
            "initial_stream_window_size": WINDOW_BYTES,
            "initial_connection_window_size": CONNECTION_WINDOW_BYTES,
            "connection_keepalive": {"interval": seconds(60), "timeout": seconds(20)},
        },
        local_reply_config=_local_replies(),
        access_log=[_access_log()],
    )


def _public_routes(settings: Settings) -> list[Message]:
    path = {"safe_regex": {"regex": PRINTABLE}}
    pages = _rate_limit("pages", PAGES)["typed_config"]
    limited = parse_rate(settings.rate_platform) is not None
    two_hosts = {"name": ":authority", "string_match": {"contains": ","}}
    hidden = [METRICS_PATH] if settings.admin else []  # operators have a port for it
    return [
        {"match": {"prefix": "/", "headers": [two_hosts]}, "direct_response": {"status": 400}},
        *({"match": {"path": one}, "direct_response": {"status": 404}} for one in hidden),
        {"match": {**path, "grpc": {}}, "route": _to("grpc")},
        *({"match": {"prefix": prefix}, "route": _to("rest")} for prefix in RPC_PATHS),
        {
            "match": path,
            "route": {**_to("rest"), "idle_timeout": seconds(UNREAD_SECONDS)},
            **({"typed_per_filter_config": {RATE_FILTER: pages}} if limited else {}),
        },
        {"match": {"prefix": "/"}, "direct_response": {"status": 400}},
    ]


def _to(cluster: str) -> Message:
    """A route whose calls may last as long as their stream; a call that no worker has begun is sent to another one."""
    previous = typed(
        "envoy.retry_host_predicates.previous_hosts",
        "envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate",
    )
    return {
        "cluster": cluster,
        "timeout": "0s",
        "retry_policy": {
            "retry_on": "connect-failure,refused-stream",
            "num_retries": RETRIES,
            "retry_host_predicate": [previous],
            "host_selection_retry_max_attempts": RETRIES,
        },
    }


def _rate_limit(name: str, rate: Rate) -> Message:
    """Count the requests of each address; an address of IPv6 stands for its first 64 bits."""
    tokens = max(1, round(rate.limit / rate.period))
    bucket = {"max_tokens": min(rate.burst, BURST_SECONDS * tokens), "tokens_per_fill": tokens, "fill_interval": "1s"}
    prefix = {"v4_prefix_mask_len": 32, "v6_prefix_mask_len": 64}
    everyone = {"max_tokens": 2**31, "tokens_per_fill": 2**31, "fill_interval": "1s"}
    return typed(
        RATE_FILTER,
        "envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
        stat_prefix=name,
        token_bucket=everyone,
        max_dynamic_descriptors=ADDRESSES,
        descriptors=[{"entries": [{"key": "masked_remote_address"}], "token_bucket": bucket}],
        rate_limits=[{"actions": [{"masked_remote_address": prefix}]}],
        rate_limited_as_resource_exhausted=True,
        filter_enabled={"default_value": {"numerator": 100}},
        filter_enforced={"default_value": {"numerator": 100}},
        response_headers_to_add=[{"header": {"key": "retry-after", "value": "1"}}],
    )


def _cluster(name: str, places: Sequence[str], settings: Settings, *, is_grpc: bool = False) -> Message:
    options: Message = {
        "common_http_protocol_options": {
            # shorter than that of a worker, which would close a connection just as the next request is sent on it
            "idle_timeout": seconds(settings.read_timeout / 2),
        },
        "explicit_http_config": {"http2_protocol_options": TO_WORKER} if is_grpc else {"http_protocol_options": {}},
    }
    endpoints = [{"endpoint": {"address": address(place)}} for place in places]
    has_names = any("socket_address" in address(place) for place in places)
    kind = "envoy.extensions.upstreams.http.v3.HttpProtocolOptions"
    # A worker that is about to stop says so for the seconds of --drain, and gets nothing more meanwhile.
    ask = {"grpc_health_check": {}} if is_grpc else {"http_health_check": {"path": "/readyz"}}
    times = {"interval": seconds(1), "no_traffic_interval": seconds(1), "timeout": seconds(2)}
    return {
        "name": name,
        "type": "STRICT_DNS" if has_names else "STATIC",
        "connect_timeout": seconds(2),
        "lb_policy": "LEAST_REQUEST",
        "per_connection_buffer_limit_bytes": BUFFER_BYTES,
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": endpoints}]},
        "circuit_breakers": {"thresholds": [dict.fromkeys(LIMITS_OF_CLUSTER, MAX_CONNECTIONS)]},
        "health_checks": [{**ask, **times, "healthy_threshold": 1, "unhealthy_threshold": 2}],
        # A worker whose socket refuses is left out for a second: the others have what it would have got.
        "outlier_detection": {
            "split_external_local_origin_errors": True,
            "consecutive_local_origin_failure": 1,
            "enforcing_local_origin_success_rate": 0,
            "enforcing_consecutive_5xx": 0,
            "enforcing_consecutive_gateway_failure": 0,
            "interval": seconds(1),
            "base_ejection_time": seconds(1),
            "max_ejection_time": seconds(1),
            "max_ejection_percent": 100,
        },
        "typed_extension_protocol_options": {kind: message(kind, **options)},
    }


def _overload_manager() -> Message:
    heap = "envoy.resource_monitors.fixed_heap"
    connections = "envoy.resource_monitors.global_downstream_max_connections"
    kinds = "envoy.extensions.resource_monitors"
    monitors = [
        typed(heap, f"{kinds}.fixed_heap.v3.FixedHeapConfig", max_heap_size_bytes=HEAP_BYTES),
        typed(
            connections,
            f"{kinds}.downstream_connections.v3.DownstreamConnectionsConfig",
            max_active_downstream_connections=MAX_CONNECTIONS,
        ),
    ]
    # Envoy resets streams when the pressure changes, so it must not be saturated early.
    scaled = {"scaling_threshold": 0.1, "saturation_threshold": 0.6}
    actions = {
        "shrink_heap": {"threshold": {"value": 0.8}},
        "reset_high_memory_stream": {"scaled": scaled},
        "stop_accepting_requests": {"threshold": {"value": 0.95}},
    }
    return {
        "refresh_interval": "0.05s",
        "resource_monitors": monitors,
        "buffer_factory_config": {"minimum_account_to_track_power_of_two": 12},  # 4 KiB
        "actions": [
            {"name": f"envoy.overload_actions.{name}", "triggers": [{"name": heap, **trigger}]}
            for name, trigger in actions.items()
        ],
    }


def _local_replies() -> Message:
    def mapper(status: int, code: str, detail: str) -> Message:
        value = {"default_value": status, "runtime_key": f"chitarrella.status_{status}"}
        error = errors.BadRequest(code, detail)
        members = {**problem(error, "%PATH(NQ:PATH)%", "%REQ(X-REQUEST-ID)%"), "status": status}
        return {
            "filter": {"status_code_filter": {"comparison": {"op": "EQ", "value": value}}},
            "body_format_override": {"json_format": members, "content_type": PROBLEM_JSON},
        }

    return {"mappers": [mapper(status, *reply) for status, reply in REPLIES.items()]}


def _access_log() -> Message:
    """A line for each request that the edge has ended itself: the workers log the others."""
    fields = {
        "timestamp": "%START_TIME(%Y-%m-%dT%H:%M:%S.%3fZ)%",
        "level": "info",
        "logger": "envoy",
        "event": "request",
        "method": "%REQ(:METHOD)%",
        "path": "%PATH(NQ:PATH)%",
        "status": "%RESPONSE_CODE%",
        "flags": "%RESPONSE_FLAGS%",
        "details": "%RESPONSE_CODE_DETAILS%",
        "ms": "%DURATION%",
        "request_id": "%REQ(X-REQUEST-ID)%",
    }
    return {
        **typed(
            "envoy.access_loggers.stderr",
            "envoy.extensions.access_loggers.stream.v3.StderrAccessLog",
            log_format={"json_format": fields},
        ),
        "filter": {"response_flag_filter": {}},
    }
