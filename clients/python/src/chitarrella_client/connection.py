"""Where the service is, and how to speak to it."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc

TLS = bool | grpc.ChannelCredentials
"""Whether to speak TLS, or with which credentials."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What a client has to know to make a call."""

    target: str
    credentials: grpc.ChannelCredentials | None = field(default=None, repr=False)
    timeout: float | None = 10.0
    """Seconds that one try of a call may take; None to wait for as long as it takes."""
    retries: int = 4
    """How often a call that was lost is repeated."""


def connection(target: str, tls: TLS, timeout: float | None, retries: int) -> Connection:
    """Put the settings of a client together."""
    if tls is True:
        return Connection(target, grpc.ssl_channel_credentials(), timeout, retries)
    return Connection(target, tls or None, timeout, retries)


def bearer(key: str) -> tuple[tuple[str, str], ...]:
    """Make the metadata that shows a key; none for the public."""
    return (("authorization", f"Bearer {key}"),) if key else ()
