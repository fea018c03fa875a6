"""The connection settings of a client."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import grpc

from chitarrella_client.arguments import check_address

Target = str | grpc.Channel | grpc.aio.Channel
"""The address of a service, "host:port", or a channel to it."""
TLS = bool | grpc.ChannelCredentials
"""Whether to use TLS, or the credentials to use."""
WORD = re.compile(r"[!-~]*")
"""What a key may consist of."""


class Secret(str):
    """A key or another secret: a text whose ``repr`` does not show it, nor does that of what holds it."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Show that there is a secret."""
        return "<secret>" if self else "''"


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
    api_key: str = ""
    """The key of the platform, where the service requires one."""
    language: str = ""
    """The language of clauses and refusals, as in ``Accept-Language``; empty for English."""

    def metadata(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return the gRPC metadata of a call; ``key`` is that of a seat or the referee, or empty for the public.

        Raises `ValueError` for what no header can hold, such as a key with a line break.
        """
        for name, value in (("key", key), ("api_key", self.api_key), ("language", self.language.replace(" ", ""))):
            if not WORD.fullmatch(value):
                raise ValueError(f"the {name} has a character that no {name} has, such as a line break at its end")
        platform = (("x-api-key", Secret(self.api_key)),) if self.api_key else ()
        language = (("accept-language", self.language),) if self.language else ()
        return (*platform, *language, *((("authorization", Secret(f"Bearer {key}")),) if key else ()))


def connection(
    target: Target, tls: TLS, timeout: float | None, retries: int, api_key: str = "", language: str = ""
) -> Connection:
    """Return the settings; ``tls`` True means the default credentials. Raises `ValueError` for what cannot be sent."""
    check_address(target)
    credentials = grpc.ssl_channel_credentials() if tls is True else tls or None
    settings = Connection(target, credentials, timeout, retries, Secret(api_key), language)
    settings.metadata("")
    return settings
