"""Where the service is, and how to speak to it."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc

Target = str | grpc.Channel | grpc.aio.Channel
"""Where a service is, or a channel that leads to it."""
TLS = bool | grpc.ChannelCredentials
"""Whether to speak TLS, or with which credentials."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What a client has to know to make a call."""

    target: Target
    """Where the service is, "host:port", or a channel that leads to it."""
    credentials: grpc.ChannelCredentials | None = field(default=None, repr=False)
    timeout: float | None = 10.0
    """Seconds that one try of a call may take; None to wait for as long as it takes."""
    retries: int = 4
    """How often a call that was lost is repeated."""
    api_key: str = field(default="", repr=False)
    """The platform's, where the service is not for everybody."""

    language: str = ""
    """In which language clauses and refusals are told, as ``Accept-Language`` has it; empty for English."""

    def metadata(self, key: str) -> tuple[tuple[str, str], ...]:
        """Show the platform's key, and that of a seat or the referee; none for the public."""
        platform = (("x-api-key", self.api_key),) if self.api_key else ()
        tongue = (("accept-language", self.language),) if self.language else ()
        return (*platform, *tongue, *((("authorization", f"Bearer {key}"),) if key else ()))


def connection(
    target: Target, tls: TLS, timeout: float | None, retries: int, api_key: str = "", language: str = ""
) -> Connection:
    """Put the settings of a client together."""
    credentials = grpc.ssl_channel_credentials() if tls is True else tls or None
    return Connection(target, credentials, timeout, retries, api_key, language)
