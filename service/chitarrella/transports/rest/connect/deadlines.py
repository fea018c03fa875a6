"""The deadlines of Connect and gRPC-Web, as their headers write them."""

from __future__ import annotations

import re
from typing import Final

from chitarrella import errors

DEADLINES: Final = {
    "connect": (b"connect-timeout-ms", re.compile(rb"[0-9]{0,10}")),
    "grpc-web": (b"grpc-timeout", re.compile(rb"([0-9]{1,8}[HMSmun])?")),
}
"""The header of a deadline, and its values, by transport."""


def take_unreadable_deadline(headers: list[tuple[bytes, bytes]], transport: str) -> errors.BadRequest | None:
    """Remove a deadline that cannot be read from ``headers``, and return the error for it; None where there is none.

    The library would refuse it without a reason code.
    """
    name, pattern = DEADLINES[transport]
    if all(pattern.fullmatch(value) for key, value in headers if key == name):
        return None
    headers[:] = [header for header in headers if header[0] != name]
    return errors.BadRequest("bad_request", f"The header {name.decode()} cannot be read.", name.decode())
