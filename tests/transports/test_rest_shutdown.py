"""Shutdown of REST: what happens to the calls under way when the worker stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pytest

from chitarrella.server.worker import bind, wsgi_server
from tests.transports.rest_client import PLAIN

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


def test_running_call_is_answered_on_stop() -> None:
    """Who has asked before the worker was told to stop is answered; who asks after it finds nobody."""
    begun = threading.Event()

    def slow(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        begun.set()
        time.sleep(0.5)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    sock = bind("127.0.0.1:0", share=False)
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    with ThreadPoolExecutor(1) as caller:
        with wsgi_server(slow, sock):
            asked = caller.submit(httpx.get, url, **PLAIN)
            assert begun.wait(10)
        assert b"done" == asked.result().content
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, **PLAIN)
