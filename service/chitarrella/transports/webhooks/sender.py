"""One attempt to send a message to a webhook, over HTTP, to public addresses only.

Every address is checked where the socket to it is made, after the name of the host was resolved: so no answer of a name
server can lead into the network of the service. TLS verifies the name of the host.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from ipaddress import ip_address
from typing import Any

import aiohttp
from aiohttp.abc import ResolveResult
from aiohttp.resolver import ThreadedResolver

from chitarrella.matches.webhook_urls import is_public
from chitarrella.storage.webhooks import ADDRESS_NOT_ALLOWED, BAD_STATUS, GONE, TIMED_OUT, UNREACHABLE, Attempt

TIMEOUT_SECONDS = 5.0
"""How long one attempt may take, from the look-up of the host to the head of the answer."""
MAX_ADDRESSES = 4
"""How many addresses of a host are tried."""
RESOLVED_SECONDS = 1
"""How long the addresses of a host are used before the name is resolved again."""
HTTP_GONE = 410
"""The status by which an endpoint refuses every further attempt at a message."""


class AddressNotAllowed(OSError):
    """The address of a webhook is not public."""


class HttpSender:
    """Sends messages, any number at the same time, on one event loop."""

    def __init__(self, *, allow_private: bool = False, timeout: float = TIMEOUT_SECONDS) -> None:
        """With ``allow_private`` every address may be called, also those of this machine and its network."""
        self._allow_private = allow_private
        self._timeout = aiohttp.ClientTimeout(total=timeout)
        self._tls = ssl.create_default_context()
        self._session: aiohttp.ClientSession | None = None

    async def send(self, url: str, headers: dict[str, str], body: bytes) -> Attempt:
        """Send a message by POST; no redirect is followed, and of the answer only the head is read."""
        self._session = self._session or self._open()
        try:
            async with self._session.post(url, data=body, headers=headers, allow_redirects=False) as response:
                status = response.status
        except TimeoutError:
            return Attempt(TIMED_OUT)
        except aiohttp.ClientConnectorError as error:
            return Attempt(ADDRESS_NOT_ALLOWED if isinstance(error.os_error, AddressNotAllowed) else UNREACHABLE)
        except (aiohttp.ClientError, OSError, ValueError):
            return Attempt(UNREACHABLE)
        if 200 <= status < 300:
            return Attempt("", status)
        return Attempt(GONE if status == HTTP_GONE else BAD_STATUS, status)

    def _open(self) -> aiohttp.ClientSession:
        """Open a session that reuses no connection and stores no cookies."""
        connector = aiohttp.TCPConnector(
            limit=0,
            force_close=True,  # a kept connection may break while a message is sent, which could not be sent again
            resolver=_Resolver(),
            ttl_dns_cache=RESOLVED_SECONDS,
            ssl=self._tls,
            socket_factory=self._checked_socket,
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar(), timeout=self._timeout)

    def _checked_socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket for an address. Raises `AddressNotAllowed`."""
        family, kind, protocol, _, address = info
        if not (self._allow_private or is_public(ip_address(address[0]))):
            raise AddressNotAllowed("address not allowed")
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        """Close every connection; to be called on the event loop that sent the messages."""
        if self._session is not None:
            await self._session.close()
            self._session = None


class _Resolver(ThreadedResolver):
    """Resolves names by the system."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The addresses of a host, in the order of preference. Raises `OSError`."""
        return (await asyncio.wait_for(super().resolve(host, port, family), TIMEOUT_SECONDS))[:MAX_ADDRESSES]
