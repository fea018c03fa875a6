"""Errors from failed gRPC calls."""

from __future__ import annotations

from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from chitarrella_client.errors import ChitarrellaError, InternalError, Violation, error_for

DOMAIN = "chitarrella"
"""The domain of the service's codes in ``google.rpc.ErrorInfo``."""


def read_error(problem: grpc.RpcError, request_id: str = "") -> ChitarrellaError:
    """Return the error of a failed call, from the details that the service sends, or else from the status.

    ``__cause__`` is what a traceback shows beside it: the gRPC error of a lost call; of an internal error in an
    in-process service, the exception behind it.  Any other error of the service says everything itself and has none.
    """
    status = problem.code()
    info, violations = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
    for detail in _details(problem):
        for message in (info, violations):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    ours = info.domain == DOMAIN
    metadata = dict(info.metadata) if ours else {}
    error = error_for(
        info.reason if ours else status.name.lower(),
        problem.details() or status.name,
        metadata.pop("field", ""),
        violations=tuple(Violation(one.field, one.description) for one in violations.field_violations),
        details=metadata,
        status=status,
        request_id=request_id,
    )
    error.from_service = ours
    behind = problem.__cause__ if isinstance(error, InternalError) else None
    error.__cause__ = behind if ours else problem  # None too: then a traceback leaves out what was being handled
    return error


def _details(problem: grpc.RpcError) -> list[Any]:
    try:
        status: Status | None = rpc_status.from_call(problem)  # type: ignore[arg-type]  # a failed call is a call
    except (ValueError, DecodeError):  # not the details of this status: a proxy has changed it
        status = None
    return [] if status is None else list(status.details)
