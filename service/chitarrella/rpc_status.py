"""Errors as google.rpc.Status, with the details that clients switch on; the same for gRPC, gRPC-Web and Connect."""

from __future__ import annotations

import logging
import traceback

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2
from google.rpc.status_pb2 import Status

from chitarrella import errors

DOMAIN = "chitarrella"
MOST_VIOLATIONS = 20
LONGEST = 200
"""Details travel as headers, for which clients have little room: so many fields are named, in so many letters each."""
LOG = logging.getLogger("chitarrella")


def details_of(error: errors.ChitarrellaError) -> list[Message]:
    """Give the details: the reason code, every field at fault, and what has to be different first."""
    particulars = {**error.details, "field": error.field[:LONGEST]} if error.field else error.details
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.code, domain=DOMAIN, metadata=particulars)]
    if isinstance(error, errors.BadRequest) and error.violations:
        violation = error_details_pb2.BadRequest.FieldViolation
        named = error.violations[:MOST_VIOLATIONS]
        violations = [violation(field=field[:LONGEST], description=because[:LONGEST]) for field, because in named]
        details.append(error_details_pb2.BadRequest(field_violations=violations))
    if isinstance(error, errors.NotPossibleNow):
        broken = error_details_pb2.PreconditionFailure.Violation(type=error.code, description=error.because)
        details.append(error_details_pb2.PreconditionFailure(violations=[broken]))
    return details


def status_of(error: errors.ChitarrellaError) -> Status:
    """Write an error as a status."""
    packed = []
    for detail in details_of(error):
        box = AnyMessage()
        box.Pack(detail)
        packed.append(box)
    return Status(code=code_pb2.Code.Value(error.grpc), message=error.because[:LONGEST], details=packed)


def unreadable(error: Exception) -> errors.BadRequest:
    """Say that what was sent is no message of the contract."""
    return errors.BadRequest("bad_request", f"The message cannot be read: {error}"[:LONGEST])


def understood(error: Exception, request_id: str = "") -> errors.ChitarrellaError:
    """Give the error that callers are told: an unforeseen one is logged, and told as a fault without its text."""
    if isinstance(error, errors.ChitarrellaError):
        return error
    where = "".join(traceback.format_tb(error.__traceback__))
    # Not its text, which may name a card.
    LOG.error("unforeseen %s in call %s\n%s", type(error).__name__, request_id or "(no id)", where)
    return errors.Fault()
