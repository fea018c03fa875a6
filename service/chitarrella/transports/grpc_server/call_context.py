"""The context of a call of gRPC: where it comes from, and how it ends with an error."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import grpc
from grpc_status import rpc_status

from chitarrella import errors
from chitarrella.api.rate_headers import RateReport, as_metadata, retry_headers
from chitarrella.api.status import status_of

Context = grpc.aio.ServicerContext[Any, Any]
"""The context of a call in grpc.aio."""


def peer_address(peer: str) -> str:
    """Return the address in the peer of a call, such as ``ipv4:192.0.2.1:5000`` or ``ipv6:%5B::1%5D:5000``."""
    kind, _, place = peer.partition(":")
    return unquote(place).rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else ""


def end_with_error(context: Context, error: errors.ChitarrellaError, rate: RateReport | None = None) -> None:
    """Set the status of the call, with the error details and the ``rate``; the handler returns after it.

    ``context.abort_with_status`` does the same by an exception, which the context keeps: the frames of the handler, and
    so the request, would stay in memory until the garbage collector runs.
    """
    status = rpc_status.to_status(status_of(error))
    context.set_code(status.code)
    context.set_details(status.details)
    headers = as_metadata([*retry_headers(error), *(rate.headers() if rate else ())])
    context.set_trailing_metadata((*status.trailing_metadata, *headers))
