"""The baseline: servers of the same stack that answer every call with the same message.

``python -m lab.bench.echo FOLDER`` starts gRPC and Flask as the service does, with the same settings, on a Valkey of
its own in FOLDER. Each server answers at once, or in a thread as the service does with calls that may block, or runs
the script that appends a move: in a thread over redis-py, or from the event loop over `PipelinedConnection`. Flask is
served twice, by waitress and by the HTTP server of the service. What the service costs beyond that is the cost of its
own code.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import grpc
import hiredis
import orjson
import waitress
from flask import Flask, Response, request
from waitress import wasyncore

from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.server.process import bind, event_loop
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.redis_connection import SCRIPTS
from chitarrella.storage.redis_url import connect
from chitarrella.transports.grpc_server import MAX_CONCURRENT
from chitarrella.transports.http_server import HttpServer
from chitarrella.transports.rest.flask_bridge import add_body, call_wsgi
from chitarrella.transports.rest.request_body import Receive, Send, encoded, environ_of
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.table_pb2 import Event


class PipelinedConnection(asyncio.Protocol):
    """Commands in, replies out, in the same order."""

    def __init__(self) -> None:
        """Not connected yet; `open` connects."""
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader()
        self._replies: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._transport: Any = None

    @classmethod
    async def open(cls, url: str) -> PipelinedConnection:
        """Connect to the unix socket that ``url`` names."""
        _, connection = await asyncio.get_running_loop().create_unix_connection(cls, unquote(urlsplit(url).path))
        return connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = transport

    def send(self, *words: str) -> asyncio.Future[Any]:
        """Send a command with the others of this turn of the loop; the future has its reply."""
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(hiredis.pack_command(words))  # type: ignore[arg-type]  # its stub knows one word only
        reply = self._loop.create_future()
        self._replies.append(reply)
        return reply

    def _flush(self) -> None:
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()

    def data_received(self, data: bytes) -> None:
        """Hand out the replies; one that is an error stays a value, which the caller checks."""
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            self._replies.popleft().set_result(reply)

    def connection_lost(self, error: Exception | None) -> None:
        """Fail what waits."""
        for reply in self._replies:
            reply.set_exception(error or ConnectionResetError("the store closed the connection"))


WSGI_THREADS = 48
GRACE_SECONDS = 5.0


@contextlib.contextmanager
def wsgi_server(app: Any, sock: socket.socket) -> Iterator[None]:
    """Serve a WSGI application in a thread during the block; at its end, requests in progress are finished."""
    connections: dict[int, Any] = {}
    server = waitress.create_server(
        app,
        map=connections,
        sockets=[sock],
        threads=WSGI_THREADS,
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


SERVICE = "bench.Echo"
THREADS = 16
WEEK = 7 * 24 * 3600 * 1000
POSITION = (
    "phase=play dealer=0 deal=1 wins=0,0 hands=4c,5b,Cd/6c,Rd,3d stock=Ac,Fd,6b,2s,7c,Rs,3b,As,4d,2c,Fb,7d,5s,Cc "
    "turn_up=Cc trump=c leader=1 trick=4s tricks=1;Ab,2b;1/1;6d,Ad;0/0;3s,6s;0/0;Rb,Rc;1/1;5d,2d;1"
)
"""A position of ordinary length, which the script writes."""


def answer() -> pb.PlayMoveResponse:
    """The answer to every call: some three hundred bytes."""
    cards = ["Ab", "3b"]
    taken = Event(kind="trick_taken", seat=0, cards=cards, word="as long as an answer of the service with its view")
    events = [Event(kind="card_played", seat=1, cards=cards[1:]), *[taken] * 3]
    return pb.PlayMoveResponse(accepted=True, revision=21, events=events)


def news() -> pb.WatchMatchResponse:
    """The update that every watcher gets: a played card, as long as one of the service."""
    return pb.WatchMatchResponse(revision=21, cursor="21.0", events=[Event(kind="card_played", seat=1, cards=["3b"])])


def append_arguments(match: str, number: int, request_id: str, card: str) -> tuple[list[str], list[str | int]]:
    """The keys and arguments of the append script for one more move of a match."""
    row = f"bench:{{{match}}}"
    args: list[str | int] = [number, request_id[:16], WEEK, number + 1, number + 1, POSITION, number + 1]
    earlier = f" {number:016x}" * 8
    args += ["", row, request_id[:16], "", "", earlier, f"0 play_card {card}"]
    return [row, f"{row}:log", f"{row}:tokens"], args


def _check(reply: Any) -> None:
    """Raise `RuntimeError` if the script did not append."""
    if not isinstance(reply, list) or reply[0] not in ("appended", b"appended"):
        raise RuntimeError(f"the script answered {reply}")


class Echo:
    """Four ways to answer, and a broadcast to watchers."""

    def __init__(self, redis_url: str, pipelined: PipelinedConnection) -> None:
        """Run scripts on the store at ``redis_url``, to which ``pipelined`` is a connection too."""
        self._redis: Any = connect(redis_url)
        script = (SCRIPTS / "append.lua").read_text()
        self._append = self._redis.register_script(script)
        self._sha = self._redis.script_load(script)
        self._pipelined = pipelined
        self._threads = ThreadPoolExecutor(THREADS)
        self._answer = answer()
        self._watching: defaultdict[str, set[asyncio.Queue[pb.WatchMatchResponse]]] = defaultdict(set)

    async def plain(self, asked: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Answer at once."""
        return self._answer

    async def hop(self, asked: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Answer from a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, lambda: self._answer)

    async def script(self, asked: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Append a move in a thread, and answer."""
        loop = asyncio.get_running_loop()
        keep = self.keep
        number, request_id = asked.expected_revision, asked.request_id
        await loop.run_in_executor(self._threads, keep, asked.match_id, number, request_id, asked.move.cards[0])
        return self._answer

    async def pipelined(self, asked: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Append a move from the event loop, and answer."""
        keys, args = append_arguments(asked.match_id, asked.expected_revision, asked.request_id, asked.move.cards[0])
        _check(await self._pipelined.send("EVALSHA", self._sha, str(len(keys)), *keys, *map(str, args)))
        return self._answer

    async def watch(self, asked: pb.WatchMatchRequest, context: Any) -> AsyncIterator[pb.WatchMatchResponse]:
        """Stream the updates of a match to a watcher."""
        waiting: asyncio.Queue[pb.WatchMatchResponse] = asyncio.Queue()
        waiting.put_nowait(news())
        self._watching[asked.match_id].add(waiting)
        try:
            while True:
                yield await waiting.get()
        finally:
            self._watching[asked.match_id].discard(waiting)

    async def send(self, asked: pb.PlayMoveRequest, context: Any) -> pb.PlayMoveResponse:
        """Send an update to every watcher of a match."""
        received = news()
        for waiting in self._watching[asked.match_id]:
            waiting.put_nowait(received)
        return self._answer

    def keep(self, match: str, number: int, request_id: str, card: str) -> None:
        """Run the append script of the service; raises `RuntimeError` if the move is not appended."""
        keys, args = append_arguments(match, number, request_id, card)
        _check(self._append(keys=keys, args=args))

    def grpc(self) -> grpc.aio.Server:
        """The gRPC server, with the settings of the service."""
        methods: dict[str, Callable[[pb.PlayMoveRequest, Any], Awaitable[pb.PlayMoveResponse]]] = {
            "Plain": self.plain,
            "Hop": self.hop,
            "Script": self.script,
            "Pipelined": self.pipelined,
            "Tell": self.send,
        }
        handlers: dict[str, Any] = {
            name: grpc.unary_unary_rpc_method_handler(
                method,
                request_deserializer=pb.PlayMoveRequest.FromString,
                response_serializer=pb.PlayMoveResponse.SerializeToString,
            )
            for name, method in methods.items()
        }
        handlers["Watch"] = grpc.unary_stream_rpc_method_handler(
            self.watch,
            request_deserializer=pb.WatchMatchRequest.FromString,
            response_serializer=pb.WatchMatchResponse.SerializeToString,
        )
        server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", 0),
                ("grpc.max_receive_message_length", MAX_BYTES),
                ("grpc.server.max_pending_requests", MAX_CONCURRENT),
                ("grpc.server.max_pending_requests_hard_limit", 2 * MAX_CONCURRENT),
            ]
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        return server

    def flask(self) -> Flask:
        """The Flask application."""
        app = Flask("echo", static_folder=None)
        body = orjson.dumps({"accepted": True, "revision": 21, "events": [{"kind": "trick_taken", "seat": 0}] * 7})

        def plain() -> Response:
            orjson.loads(request.get_data(cache=False))
            return Response(body, content_type="application/json")

        def script() -> Response:
            asked = orjson.loads(request.get_data(cache=False))
            self.keep(asked["matchId"], asked["expectedRevision"], asked["requestId"], asked["move"]["cards"][0])
            return Response(body, content_type="application/json")

        app.add_url_rule("/plain", view_func=plain, methods=["POST"])
        app.add_url_rule("/script", view_func=script, methods=["POST"])
        return app


class AsgiFlask:
    """A Flask application for the HTTP server of the service, which answers from threads as the service does."""

    def __init__(self, app: Flask) -> None:
        """Answer by ``app``."""
        self._app = app
        self._threads = ThreadPoolExecutor(THREADS)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request."""
        environ = environ_of(scope)
        body = b""
        while (message := await receive()).get("more_body"):
            body += message["body"]
        add_body(environ, body + message["body"])
        loop = asyncio.get_running_loop()
        status, headers, content = await loop.run_in_executor(self._threads, call_wsgi, self._app, environ)
        await send({"type": "http.response.start", "status": status, "headers": encoded(headers)})
        await send({"type": "http.response.body", "body": content, "more_body": False})


async def serve(redis_url: str) -> None:
    """Serve until a signal stops the process; prints the addresses as ``chitarrella serve`` does."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    echo = Echo(redis_url, await PipelinedConnection.open(redis_url))
    server = echo.grpc()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    on_granian = HttpServer(AsgiFlask(echo.flask()), bind("127.0.0.1:0", share=False))
    await on_granian.start()
    sock = bind("127.0.0.1:0", share=False)
    with wsgi_server(echo.flask(), sock):
        print(f"gRPC   127.0.0.1:{port}\ngranian   http://127.0.0.1:{on_granian.port}")
        print(f"REST   http://127.0.0.1:{sock.getsockname()[1]}", flush=True)
        await stop.wait()
        await on_granian.stop(1)
        await server.stop(1)


def main(folder: Path) -> None:
    """Start the store, then the servers."""
    store = EmbeddedValkey(folder)
    try:
        with asyncio.Runner(loop_factory=event_loop()) as runner:
            runner.run(serve(store.url))
    finally:
        store.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
