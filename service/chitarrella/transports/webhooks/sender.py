"""One attempt to send a message to a webhook, over HTTP, to public addresses only.

The host is resolved at each attempt. Every address is checked, and the connection goes to one that has passed: the name
is not resolved a second time, so that no answer of a name server can lead into the network of the service. TLS still
verifies the name of the host.
"""

from __future__ import annotations

import importlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any

from chitarrella.matches.webhook_urls import is_public
from chitarrella.matches.webhooks import ADDRESS_NOT_ALLOWED, FAILED, GONE, TIMED_OUT, UNREACHABLE, Attempt

TIMEOUT_SECONDS = 5.0
"""How long one attempt may take, from the connection to the head of the answer."""
MAX_ADDRESSES = 4
"""How many addresses of a host are tried."""
HTTP_GONE = 410
DEFAULT_PORTS = {"http": 80, "https": 443}
WATCH_SECONDS = 0.05


class HttpSender:
    """Sends messages. Thread-safe."""

    def __init__(self, *, allow_private: bool = False, timeout: float = TIMEOUT_SECONDS) -> None:
        """With ``allow_private`` every address may be called, also those of this machine and its network."""
        self._allow_private, self._timeout = allow_private, timeout
        self._urllib3: Any = importlib.import_module("urllib3")  # imported late: its import opens a socket as a probe
        self._tls: Any = self._urllib3.util.create_urllib3_context()
        self._tls.load_default_certs()

    def send(self, url: str, headers: dict[str, str], body: bytes) -> Attempt:
        """Send a message by POST; no redirect is followed, and only the status of the answer is read."""
        try:
            parts = self._urllib3.util.parse_url(url)
            host, port = (parts.host or "").strip("[]"), parts.port or DEFAULT_PORTS[parts.scheme]
            found = _resolve(host, port)
        except (self._urllib3.exceptions.HTTPError, KeyError, OSError, UnicodeError, ValueError):
            return Attempt(UNREACHABLE)
        allowed = [one for one in found if self._allow_private or is_public(ip_address(one))]
        if not allowed:
            return Attempt(ADDRESS_NOT_ALLOWED)
        deadline = time.monotonic() + self._timeout
        for address in allowed[:MAX_ADDRESSES]:
            attempt = self._send_to(self._connection(address, host, port, parts.scheme), parts, headers, body, deadline)
            if attempt.error != UNREACHABLE:
                break
        return attempt

    def _connection(self, address: str, host: str, port: int, scheme: str) -> Any:
        """A connection to an address that was checked; it is not open yet."""
        classes = self._urllib3.connection
        if scheme == "http":
            return classes.HTTPConnection(address, port, timeout=self._timeout)
        return classes.HTTPSConnection(
            address, port, timeout=self._timeout, ssl_context=self._tls, server_hostname=host, assert_hostname=host
        )

    def _send_to(self, connection: Any, parts: Any, headers: dict[str, str], body: bytes, deadline: float) -> Attempt:
        """Send a message over a connection, and close it."""
        is_cut = threading.Event()
        try:
            with _cut_at(deadline, connection, is_cut):
                connection.request(
                    "POST", parts.request_uri, body, {**headers, "host": parts.netloc}, preload_content=False
                )
                status = int(connection.getresponse().status)
        except (TimeoutError, self._urllib3.exceptions.TimeoutError):
            return Attempt(TIMED_OUT)
        except (self._urllib3.exceptions.HTTPError, HTTPException, OSError, ValueError):
            return Attempt(TIMED_OUT if is_cut.is_set() else UNREACHABLE)
        finally:
            connection.close()
        if is_cut.is_set():  # a head that breaks off in the middle is read as if it were whole
            return Attempt(TIMED_OUT)
        if 200 <= status < 300:
            return Attempt("", status)
        return Attempt(GONE if status == HTTP_GONE else FAILED, status)


def _resolve(host: str, port: int) -> list[str]:
    """The addresses of a host, in the order of preference. Raises `OSError`."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


@contextmanager
def _cut_at(deadline: float, connection: Any, is_cut: threading.Event) -> Iterator[None]:
    """Cut a connection at ``deadline`` unless the block has ended, and set ``is_cut`` before.

    The timeout of a socket holds for each read alone: an endpoint that sends a byte now and then would never end.
    """
    done = threading.Event()

    def watch() -> None:
        done.wait(max(0.0, deadline - time.monotonic()))
        while not done.wait(WATCH_SECONDS):
            is_cut.set()
            if (opened := connection.sock) is not None:
                with suppress(OSError):
                    socket.socket.shutdown(opened, socket.SHUT_RDWR)

    threading.Thread(target=watch, name="webhook-timeout", daemon=True).start()
    try:
        yield
    finally:
        done.set()
