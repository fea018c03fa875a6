"""The floors: bare servers of several stacks that answer every call with the same message, without rules.

``python -m lab.bench.floors FOLDER`` starts grpc.aio, Flask on waitress and uvicorn
with httptools, on a Valkey of its own in FOLDER. They answer at once, or run the script that appends a move: in a
thread over redis-py, or from the event loop over `PipelinedConnection`. What the service costs beyond that is the cost
of its own code. ``--bare`` starts only the store and a grpc.aio server that reads and writes no message.
"""

import asyncio
import contextlib
import signal
import socket
import sys
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import grpc
import hiredis
import uvloop

from chitarrella import v1
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.storage.rows import timed

SERVICE = "bench.Floor"
THREADS, WSGI_THREADS = 16, 48
PENDING = 10_000  # watchers that come at once are more than gRPC lets wait by default
WEEK = 7 * 24 * 3600 * 1000
TIME = 1_800_000_000_000  # of each move, in milliseconds since 1970
POSITION = (
    "phase=play dealer=0 deal=1 wins=0,0 hands=4c,5b,Cd/6c,Rd,3d stock=Ac,Fd,6b,2s,7c,Rs,3b,As,4d,2c,Fb,7d,5s,Cc "
    "turn_up=Cc trump=c leader=1 trick=4s tricks=1;Ab,2b;1/1;6d,Ad;0/0;3s,6s;0/0;Rb,Rc;1/1;5d,2d;1"
)
"""A position of ordinary length, which the script writes."""


class PipelinedConnection(asyncio.Protocol):
    """A connection to the store on whose loop commands go out together, and replies come in the same order."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._reader = hiredis.Reader()
        self._replies: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []
        self._transport: Any = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
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
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            self._replies.popleft().set_result(reply)


def append_arguments(match: str, number: int, request_id: str, card: str) -> tuple[list[str], list[str | int]]:
    """The keys and arguments of the append script for one more move of a match."""
    row = f"bench:{{{match}}}"
    args: list[str | int] = [number, request_id[:16], WEEK, number + 1, number + 1, POSITION, number + 1]
    earlier = f" {number:016x}" * 8
    args += ["", row, request_id[:16], "", "", earlier, TIME, TIME, "", *timed((f"0 play_card {card}",), TIME)]
    return [row, f"{row}:log", f"{row}:tokens"], args


def _check(reply: Any) -> None:
    if not isinstance(reply, list) or reply[0] not in ("appended", b"appended"):
        raise RuntimeError(f"the script answered {reply}")


class Floors:
    def __init__(self, redis_url: str, pipelined: PipelinedConnection) -> None:
        """Run scripts on the store at ``redis_url``, to which ``pipelined`` is a connection too."""
        from chitarrella.storage.redis_connection import scripts
        from chitarrella.storage.redis_url import connect
        from chitarrella.v1.table_pb2 import Event

        self._redis: Any = connect(redis_url)
        script = scripts()["append"]
        self._append = self._redis.register_script(script)
        self._sha = self._redis.script_load(script)
        self._pipelined = pipelined
        self._threads = ThreadPoolExecutor(THREADS)
        cards = ["Ab", "3b"]
        taken = Event(kind="trick_taken", seat=0, cards=cards, word="as long as an answer of the service with its view")
        events = [Event(kind="card_played", seat=1, cards=cards[1:]), *[taken] * 3]
        self._answer = v1.PlayMoveResponse(accepted=True, revision=21, events=events)
        played = Event(kind="card_played", seat=1, cards=["3b"])
        self._news = v1.MatchUpdate(revision=21, cursor="21.0", events=[played])
        self._watching: defaultdict[str, set[asyncio.Queue[Any]]] = defaultdict(set)

    async def plain(self, asked: Any, context: Any) -> Any:
        return self._answer

    async def script(self, asked: Any, context: Any) -> Any:
        words = asked.match_id, asked.expected_revision, asked.request_id, asked.move.cards[0]
        await asyncio.get_running_loop().run_in_executor(self._threads, self._keep, *words)
        return self._answer

    async def pipelined(self, asked: Any, context: Any) -> Any:
        keys, args = append_arguments(asked.match_id, asked.expected_revision, asked.request_id, asked.move.cards[0])
        _check(await self._pipelined.send("EVALSHA", self._sha, str(len(keys)), *keys, *map(str, args)))
        return self._answer

    async def watch(self, asked: Any, context: Any) -> AsyncIterator[Any]:
        waiting: asyncio.Queue[Any] = asyncio.Queue()
        waiting.put_nowait(self._news)
        self._watching[asked.match_id].add(waiting)
        try:
            while True:
                yield await waiting.get()
        finally:
            self._watching[asked.match_id].discard(waiting)

    async def publish(self, asked: Any, context: Any) -> Any:
        for waiting in self._watching[asked.match_id]:
            waiting.put_nowait(self._news)
        return self._answer

    def _keep(self, match: str, number: int, request_id: str, card: str) -> None:
        keys, args = append_arguments(match, number, request_id, card)
        _check(self._append(keys=keys, args=args))

    def grpc(self) -> grpc.aio.Server:
        methods = {"Plain": self.plain, "Script": self.script, "Pipelined": self.pipelined, "Publish": self.publish}
        codec = v1.PlayMoveRequest.FromString, v1.PlayMoveResponse.SerializeToString
        handlers: dict[str, Any] = {name: grpc.unary_unary_rpc_method_handler(f, *codec) for name, f in methods.items()}
        watched = v1.WatchMatchRequest.FromString, v1.MatchUpdate.SerializeToString
        handlers["Watch"] = grpc.unary_stream_rpc_method_handler(self.watch, *watched)
        return server_of({**handlers, **answers_bytes(self._answer.SerializeToString())})

    def waitress(self) -> int:
        """Serve Flask on waitress in a thread; the port."""
        import orjson
        import waitress
        from flask import Flask, Response, request

        app = Flask("floor", static_folder=None)
        body = orjson.dumps({"accepted": True, "revision": 21, "events": [{"kind": "trick_taken", "seat": 0}] * 7})

        def script() -> Response:
            asked = orjson.loads(request.get_data(cache=False))
            self._keep(asked["matchId"], asked["expectedRevision"], asked["requestId"], asked["move"]["cards"][0])
            return Response(body, content_type="application/json")

        app.add_url_rule("/script", view_func=script, methods=["POST"])
        server = waitress.create_server(app, host="127.0.0.1", port=0, threads=WSGI_THREADS, asyncore_use_poll=True)
        threading.Thread(target=server.run, name="rest", daemon=True).start()
        return int(server.effective_port)

    async def uvicorn(self, stack: contextlib.AsyncExitStack) -> int:
        """Serve with uvicorn and httptools on this loop until ``stack`` ends; the port."""
        import uvicorn

        answer = self._answer.SerializeToString()
        headers = [(b"content-type", b"application/proto"), (b"content-length", str(len(answer)).encode())]

        async def app(scope: Any, receive: Any, send: Any) -> None:
            while (await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer})

        config = uvicorn.Config(app, http="httptools", ws="none", lifespan="off", log_config=None, access_log=False)
        sock = socket.create_server(("127.0.0.1", 0))
        task = asyncio.create_task(uvicorn.Server(config)._serve([sock]))  # `serve` would take the signals
        stack.callback(task.cancel)
        return int(sock.getsockname()[1])


def answers_bytes(answer: bytes) -> dict[str, Any]:
    """A handler that reads and writes no message."""

    async def method(request: bytes, context: Any) -> bytes:
        return answer

    return {"Bytes": grpc.unary_unary_rpc_method_handler(method)}


def server_of(handlers: dict[str, Any]) -> grpc.aio.Server:
    pending = [("grpc.server.max_pending_requests", PENDING), ("grpc.server.max_pending_requests_hard_limit", PENDING)]
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0), *pending])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
    return server


async def serve(redis_url: str, *, bare: bool) -> None:
    """Serve until a signal stops the process; prints the addresses as ``chitarrella serve`` does."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with contextlib.AsyncExitStack() as stack:
        if bare:
            server = server_of(answers_bytes(b""))
        else:
            path, loop = unquote(urlsplit(redis_url).path), asyncio.get_running_loop()
            _, pipelined = await loop.create_unix_connection(PipelinedConnection, path)
            floors = Floors(redis_url, pipelined)
            server = floors.grpc()
            print(f"flask  127.0.0.1:{floors.waitress()}\nuvicorn 127.0.0.1:{await floors.uvicorn(stack)}")
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        print(f"gRPC   127.0.0.1:{port}\nCtrl-C stops.", flush=True)
        await stop.wait()
        await server.stop(1)


if __name__ == "__main__":
    store = EmbeddedValkey(Path(sys.argv[1]))
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve(store.url, bare="--bare" in sys.argv))
    finally:
        store.stop()
