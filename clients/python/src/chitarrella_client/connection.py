"""The connection settings of a client."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc

Target = str | grpc.Channel | grpc.aio.Channel
"""The address of a service, "host:port", or a channel to it."""
TLS = bool | grpc.ChannelCredentials
"""Whether to use TLS, or the credentials to use."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What a client needs to make a call."""

    target: Target
    """The address of the service, "host:port", or a channel to it."""
    credentials: grpc.ChannelCredentials | None = field(default=None, repr=False)
    timeout: float | None = 10.0
    """Seconds for one attempt of a call; None for no limit."""
    retries: int = 4
    """How often a lost call is retried."""
    api_key: str = field(default="", repr=False)
    """The key of the platform, where the service requires one."""
    language: str = ""
    """The language of clauses and refusals, as in ``Accept-Language``; empty for English."""

    def metadata(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return the gRPC metadata of a call; ``key`` is that of a seat or the referee, or empty for the public."""
        platform = (("x-api-key", self.api_key),) if self.api_key else ()
        language = (("accept-language", self.language),) if self.language else ()
        return (*platform, *language, *((("authorization", f"Bearer {key}"),) if key else ()))


def connection(
    target: Target, tls: TLS, timeout: float | None, retries: int, api_key: str = "", language: str = ""
) -> Connection:
    """Return the settings; ``tls`` True means the default credentials."""
    credentials = grpc.ssl_channel_credentials() if tls is True else tls or None
    return Connection(target, credentials, timeout, retries, api_key, language)
