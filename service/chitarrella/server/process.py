"""What a worker asks of its process and of the system: sockets, open files, memory, the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
from collections.abc import Callable

from chitarrella.server.settings import host_and_port


def tune_gc() -> None:
    """Freeze long-lived objects and run the garbage collector rarely.

    Most garbage of a worker is freed by reference counts. A full collection would pause it for a tenth of a second to
    scan thousands of cached positions.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def raise_file_limit() -> None:
    """Allow this process as many open files as the system lets it: every connection is one."""
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not available on every system

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS says "unlimited", and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def bind(address: str, *, share: bool) -> socket.socket:
    """Bind the HTTP port; with ``share`` other workers may bind the same one. Raises `OSError` with the address."""
    host, port = host_and_port(address)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if share:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise OSError(f"cannot listen at {address}: {error.strerror or error}") from error
    return sock


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the event loop: uvloop where installed, some ten percent cheaper a call."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415 - not available on every system

            return uvloop.new_event_loop
    return asyncio.new_event_loop
