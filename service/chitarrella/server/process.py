"""What a worker asks of its process and of the system: sockets, open files, memory, the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import math
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from chitarrella.server.settings import host_and_port, unix_path

MAX_DEFAULT_WORKERS = 8  # memory, not processors, is what a large machine would notice first


def default_workers(own: Path = Path("/proc/self/cgroup"), cgroups: Path = Path("/sys/fs/cgroup")) -> int:
    """The processors of this process: by its affinity and the quotas of its cgroups (version 2), rounded up."""
    if sys.platform != "linux":
        return 1  # elsewhere one of the processes that share a port gets all connections
    found = min(len(os.sched_getaffinity(0)), MAX_DEFAULT_WORKERS)
    with contextlib.suppress(OSError):
        path = own.read_text().rpartition("0::/")[2].strip()
        for folder in (cgroups / path / "cpu.max").parents:  # each of them may have a quota
            with contextlib.suppress(OSError):
                quota, period = (folder / "cpu.max").read_text().split()
                found = found if quota == "max" else min(found, math.ceil(int(quota) / int(period)))
    return found


def tune_gc() -> None:
    """Collect old garbage rarely: reference counts free most of it, and a full collection would pause a worker.

    Young garbage is collected more often, because gRPC leaves a cycle of five objects and the metadata after each call.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 1_000, 1_000)


def raise_file_limit() -> None:
    with contextlib.suppress(ImportError):
        import resource  # noqa: PLC0415 - not available on every system

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS says "unlimited", and means less
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def bind(address: str, *, share: bool) -> socket.socket:
    """Bind the HTTP port; with ``share`` other workers may bind the same one. Raises `OSError` with the address."""
    if path := unix_path(address):
        with contextlib.suppress(FileNotFoundError):
            Path(path).unlink()  # of a worker that has been killed
        sock = socket.socket(socket.AF_UNIX)
        sock.bind(path)
        return sock
    return _bound(address, socket.SO_REUSEADDR, *([socket.SO_REUSEPORT] if share else []))


def _bound(address: str, *options: int) -> socket.socket:
    host, port = host_and_port(address)
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        for option in options:
            sock.setsockopt(socket.SOL_SOCKET, option, 1)
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        raise OSError(f"cannot listen at {address}: {error.strerror or error}") from error
    return sock


def reserve(address: str) -> socket.socket:
    """Bind a port for the workers that will share it, so that no other service does. Raises `OSError`.

    A socket that shares nothing finds out whether another service listens. The one that is kept does not reuse the
    address, so that another service fails at it too while the workers start; after a restart the system may ask for it.
    """
    bind(address, share=False).close()
    try:
        return _bound(address, socket.SO_REUSEPORT)
    except OSError:
        return bind(address, share=True)


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Return the factory of the event loop: uvloop where installed, some ten percent cheaper a call."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415 - not available on every system

            return uvloop.new_event_loop
    return asyncio.new_event_loop
