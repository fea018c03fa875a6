"""Calls of rpcs that there are not: they end with a reason code, as an unknown path does over REST."""

from __future__ import annotations

import time
from typing import Any

import grpc

from chitarrella import errors
from chitarrella.api.caller import request_id_of, text_headers
from chitarrella.api.telemetry import ObserveRequest
from chitarrella.transports.grpc_server.call_context import Context, end_with_error

NO_RPC = "none"
"""What stands in logs and metrics for a call of no known rpc."""


def unknown_rpc_handler(observe: ObserveRequest) -> Any:
    """Build the handler of every call that no other handler takes: it ends the call with `errors.NoSuchRoute`.

    gRPC itself would end it without a reason code. ``observe`` does not get the path, which the caller has made up. The
    handler reads no request: it fits all four kinds of rpc.
    """

    async def refuse(_requests: object, context: Context) -> None:
        started = time.perf_counter()
        headers = text_headers(context.invocation_metadata())
        request_id = request_id_of(headers.get("x-request-id"))
        error = errors.NoSuchRoute("no_such_route", "There is no such rpc; the reflection service names all.")
        end_with_error(context, error)
        observe("grpc", NO_RPC, error.code, time.perf_counter() - started, request_id, "")

    return grpc.stream_stream_rpc_method_handler(refuse)
