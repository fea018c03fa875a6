"""Errors as google.rpc.Status with the details that clients evaluate; shared by gRPC, gRPC-Web and Connect."""

from __future__ import annotations

import logging
import math
import traceback
from collections.abc import Iterable, Iterator

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2
from google.rpc.status_pb2 import Status

from chitarrella import errors
from chitarrella.core.options import suggestion

DOMAIN = "chitarrella"
# Limits on the violations and on the characters of each text: details are sent as headers, which clients limit.
MAX_VIOLATIONS, MAX_TEXT = 20, 200
LOG = logging.getLogger("chitarrella")


def shortened(text: str) -> str:
    """Return ``text`` with at most `MAX_TEXT` characters: a longer one ends after a whole word, with an ellipsis."""
    if len(text) <= MAX_TEXT:
        return text
    cut = text[:MAX_TEXT]
    return f"{(cut.rpartition(' ')[0] or cut[:-1]).rstrip(' ,;:')}\N{HORIZONTAL ELLIPSIS}"


def details_of(error: errors.ChitarrellaError) -> list[Message]:
    metadata = {**error.details, "field": error.field[:MAX_TEXT]} if error.field else error.details
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.code, domain=DOMAIN, metadata=metadata)]
    if isinstance(error, errors.BadRequest) and error.violations:
        violation = error_details_pb2.BadRequest.FieldViolation
        shown = error.violations[:MAX_VIOLATIONS]
        violations = [violation(field=field[:MAX_TEXT], description=shortened(message)) for field, message in shown]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if isinstance(error, errors.NotPossibleNow):
        failure = error_details_pb2.PreconditionFailure()
        failure.violations.add(type=error.code, description=shortened(error.message))
        details.append(failure)
    if isinstance(error, errors.RateLimited | errors.QuotaExceeded):
        details += _quota_details(error)
    return details


def _quota_details(error: errors.RateLimited | errors.QuotaExceeded) -> Iterator[Message]:
    """Yield which quota is used up, and when to retry. The subject is its name: an address is in no answer."""
    quota = error.details.get("quota", "")
    violation = error_details_pb2.QuotaFailure.Violation(subject=quota, description=error.message, quota_id=quota)
    if (limit := error.details.get("limit", "")).isdecimal():
        violation.quota_value = int(limit)
    yield error_details_pb2.QuotaFailure(violations=[violation])
    if (seconds := retry_seconds(error)) is not None:
        delay = error_details_pb2.RetryInfo()
        delay.retry_delay.FromMilliseconds(math.ceil(seconds * 1000))
        yield delay


def retry_seconds(error: errors.ChitarrellaError) -> float | None:
    """Return after how many seconds a retry of a call beyond a rate succeeds, None for any other error."""
    text = error.details.get("retry_after_seconds") if isinstance(error, errors.RateLimited) else None
    return None if text is None else float(text)


def status_of(error: errors.ChitarrellaError) -> Status:
    packed = []
    for detail in details_of(error):
        wrapper = AnyMessage()
        wrapper.Pack(detail)
        packed.append(wrapper)
    code = code_pb2.Code.Value(errors.STATUSES[type(error)].grpc)
    return Status(code=code, message=shortened(error.message), details=packed)


def unreadable_request(error: Exception) -> errors.BadRequest:
    return errors.BadRequest("bad_request", shortened(f"The message cannot be read: {error}"))


def unknown_rpc(path: str, known: Iterable[str]) -> errors.NoSuchRoute:
    """Return the error of a call of no rpc, which names the rpc whose name is most like that of ``path``."""
    names = [rpc.rpartition("/")[2] for rpc in known]
    text = suggestion(path.rpartition("/")[2][:40], names, "rpcs")
    return errors.NoSuchRoute("no_such_route", shortened(f"There is no such rpc; {text}"))


def error_of(error: Exception, request_id: str = "") -> errors.ChitarrellaError:
    """Return the error that the caller gets. An unexpected exception is logged and becomes `errors.InternalError`.

    The error forgets its traceback: a handler that keeps it would form a cycle with its own frame, so that the request
    stays in memory until the garbage collector runs, which is rare (`server.worker.tune_gc`).
    """
    if isinstance(error, errors.ChitarrellaError):
        return error.with_traceback(None)
    trace = "".join(traceback.format_tb(error.__traceback__))
    # Without its text, which may name a card.
    LOG.error("unexpected %s in request %s\n%s", type(error).__name__, request_id or "(no id)", trace)
    return errors.InternalError()
