"""The options of the gRPC server: its limits, and how often it looks whether a client is still there."""

from __future__ import annotations

from chitarrella.api.request_limits import MAX_BYTES, MIN_BYTES

MAX_REQUEST_BYTES = MAX_BYTES + MIN_BYTES
"""Messages up to this size are read, and refused with a reason code where they are too large for their call. Beyond it
gRPC ends the call. The server keeps as much of a message that is not complete."""
MAX_CONCURRENT = 10_000
"""Calls that may wait to be accepted. When a worker is lost all its watchers reconnect at once; by default gRPC would
refuse some from the thousandth on."""
MAX_STREAMS = 500
"""Calls and watches at once on one connection; further ones wait in the client. Each can make the server keep a message
that is not complete, or an answer that is not read. Without a limit, streams that are opened and reset at once (HTTP/2
rapid reset) fill the queue of calls, and those of other connections wait. With 256 the library refused calls of honest
clients that had 300 to make at once: it counts those that have just ended."""


def server_options(*, reuse_port: bool) -> list[tuple[str, int]]:
    """Return the options; with ``reuse_port`` other processes may listen at the same port."""
    return [
        ("grpc.so_reuseport", int(reuse_port)),
        ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.max_concurrent_streams", MAX_STREAMS),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.server.max_pending_requests", MAX_CONCURRENT),
        ("grpc.server.max_pending_requests_hard_limit", 2 * MAX_CONCURRENT),
    ]
