"""Parses the requests of gRPC, within the limits of their size."""

from __future__ import annotations

from typing import Any, TypeVar

from google.protobuf.message import DecodeError, Message

from chitarrella import errors
from chitarrella.api.dispatcher import Rpc
from chitarrella.api.list_counts import check_lists
from chitarrella.api.request_limits import MIN_BYTES, check_size
from chitarrella.api.status import unreadable_request

Parsed = TypeVar("Parsed", bound=Message)
"""A class of messages."""


def parse_request(rpc: Rpc, body: bytes) -> Any:
    """Parse the request of an rpc; raises `errors.TooLarge`, `errors.BadRequest` for malformed bytes."""
    check_size(rpc.method.input_type, len(body))
    check_lists(rpc.method.input_type, body)
    try:
        return rpc.request.FromString(body)
    except DecodeError as error:
        raise unreadable_request(error) from None


def parse_message(kind: type[Parsed], body: bytes) -> Parsed:
    """Parse a message of a service that comes with gRPC; raises `errors.TooLarge`, `errors.BadRequest`."""
    if len(body) > MIN_BYTES:
        raise errors.TooLarge("too_large", f"A request of this call may have {MIN_BYTES // 1024} KiB.")
    try:
        return kind.FromString(body)
    except DecodeError as error:
        raise unreadable_request(error) from None
