"""A webhook of a platform: a server that receives deliveries, and answers as a test wants it to."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from chitarrella.matches.webhooks import MATCH_ABORTED, MATCH_MOVED
from chitarrella.storage.webhooks import configured_webhook

OLD, NEW = b"o" * 24, b"n" * 32
MOVES = MATCH_MOVED, MATCH_ABORTED  # the messages that tests count, unless they choose others


class ReceivedCall(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def name(self) -> str:
        return self.headers["webhook-id"]

    @property
    def output(self) -> Any:
        return json.loads(self.body)


class Endpoint:
    """A webhook of a platform: answers with each status of ``answers`` in turn, then 204; -1 hangs."""

    def __init__(self) -> None:
        self.calls: list[ReceivedCall] = []
        self.accepted: list[str] = []
        """The names of the messages that were answered with success, in order."""
        self.answers: list[int] = []
        self.retry_after = ""
        self.go = threading.Event()
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                endpoint.calls.append(ReceivedCall({name.lower(): value for name, value in self.headers.items()}, body))
                with endpoint.counted():
                    self.answer(endpoint.answers.pop(0) if endpoint.answers else 204)

            def answer(self, status: int) -> None:
                if status < 0:
                    endpoint.go.wait(30)
                    return
                if 200 <= status < 300:
                    endpoint.accepted.append(self.headers["webhook-id"])
                self.send_response(status)
                self.send_header("location", "http://127.0.0.1:1/elsewhere")
                self.send_header("content-length", "0")
                if endpoint.retry_after:
                    self.send_header("retry-after", endpoint.retry_after)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the library names it
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        self.hook = replace(configured_webhook("acme", self.url, (NEW, OLD)), event_types=MOVES)

    @contextmanager
    def counted(self) -> Iterator[None]:
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        yield
        with self._lock:
            self.at_once -= 1

    def names(self) -> list[str]:
        """The names of what has come, each once, in order."""
        return list(dict.fromkeys(call.name for call in self.calls))

    def close(self) -> None:
        self.go.set()
        self.server.shutdown()
        self.server.server_close()
