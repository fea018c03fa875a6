"""Shutdown of REST: what happens to the calls under way when the worker stops."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.http_server import running_http
from tests.transports.rest_client import PLAIN


def test_running_call_is_answered_on_stop() -> None:
    """Who has asked before the worker was told to stop is answered; who asks after it finds nobody."""
    begun = threading.Event()

    async def slow(_: Any, __: Any, send: Any) -> None:
        begun.set()
        await asyncio.sleep(0.5)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done", "more_body": False})

    with ThreadPoolExecutor(1) as caller:
        with running_http(slow) as url:
            asked = caller.submit(httpx.get, url, **PLAIN)
            assert begun.wait(10)
        assert b"done" == asked.result().content
    with pytest.raises(httpx.ConnectError):
        httpx.get(url, **PLAIN)
