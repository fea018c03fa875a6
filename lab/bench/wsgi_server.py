"""A plain WSGI server in a thread, waitress: what REST is measured against."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

import waitress
from waitress import wasyncore

THREADS = 48
GRACE_SECONDS = 5.0


@contextlib.contextmanager
def wsgi_server(app: Any, sock: socket.socket) -> Iterator[None]:
    """Serve a WSGI application in a thread during the block; at its end, requests in progress are finished."""
    connections: dict[int, Any] = {}
    server = waitress.create_server(
        app,
        map=connections,
        sockets=[sock],
        threads=THREADS,
        ident=None,
        asyncore_use_poll=True,  # select fails at the 1024th connection, and when one is closed behind its back
    )
    thread = threading.Thread(target=server.run, name="rest", daemon=True)
    thread.start()
    call_on_loop = server.trigger.pull_trigger
    try:
        yield
    finally:
        call_on_loop(lambda: wasyncore.dispatcher.close(server))  # accepts no more connections
        server.task_dispatcher.shutdown(timeout=GRACE_SECONDS)
        with contextlib.suppress(OSError):  # the loop may have ended already, and closed its trigger
            call_on_loop(lambda: wasyncore.close_all(connections))  # the loop ends with its last connection
        thread.join(1)
