"""How the REST door is served: what happens to the calls under way when the worker stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pytest

from chitarrella.worker import bound, serving
from tests.doors.caller import PLAIN

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


def test_an_answer_under_way_is_finished() -> None:
    """Who has asked before the worker was told to stop is answered; who asks after it finds nobody."""
    begun = threading.Event()

    def slow(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        begun.set()
        time.sleep(0.5)
        start_response("200 OK", [("Content-Length", "4")])
        return [b"done"]

    sock = bound("127.0.0.1:0", share=False)
    url = f"http://127.0.0.1:{sock.getsockname()[1]}"
    with ThreadPoolExecutor(1) as caller:
        with serving(slow, sock):
            asked = caller.submit(httpx.get, url, **PLAIN)
            assert begun.wait(10)
        assert b"done" == asked.result().content
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, **PLAIN)
