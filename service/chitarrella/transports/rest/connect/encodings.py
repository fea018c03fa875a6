"""The content encoding of a unary call of Connect."""

from __future__ import annotations

from typing import Final

from chitarrella import errors

ENCODING: Final = b"content-encoding"
"""The header of the encoding."""
ENCODINGS: Final = {b"", b"identity", b"gzip"}
"""The encodings that can be read."""


def take_unknown_encoding(headers: list[tuple[bytes, bytes]]) -> errors.WrongMethod | None:
    """Remove an encoding that cannot be read from ``headers``, and return the error for it; None where there is none.

    The library would refuse it without a reason code. Connect asks for the status unimplemented.
    """
    if all(value in ENCODINGS for name, value in headers if name == ENCODING):
        return None
    headers[:] = [header for header in headers if header[0] != ENCODING]
    return errors.WrongMethod("bad_request", "The content encoding must be gzip, or none.", ENCODING.decode())
