"""The HTTP server of a worker, in a thread of the test process."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from chitarrella.server.process import bind, event_loop
from chitarrella.transports.http_server import HttpServer
from chitarrella.transports.rest.problems import MALFORMED

START_SECONDS = 10.0


@contextmanager
def running_http(app: Any, **how: Any) -> Iterator[str]:
    """Serve an ASGI application for as long as the block lasts; yields its URL. It is closed if it can be."""
    started: Future[tuple[str, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        server, stop = HttpServer(app, bind("127.0.0.1:0", share=False), malformed=MALFORMED, **how), asyncio.Event()
        await server.start()
        started.set_result((f"http://127.0.0.1:{server.port}", asyncio.get_running_loop(), stop))
        await stop.wait()
        await server.stop()

    def run() -> None:
        with asyncio.Runner(loop_factory=event_loop()) as runner:
            runner.run(serve())

    thread = threading.Thread(target=run, name="http")
    thread.start()
    url, loop, stop = started.result(START_SECONDS)
    try:
        yield url
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        if hasattr(app, "close"):
            app.close()
