"""The composition root: one worker put together from its parts, run until it is told to stop.

A worker is one process: gRPC on an asyncio loop, REST on threads beside it, both in front of one application and one
store. Several workers share both ports and the store, and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import waitress
from waitress import wasyncore

from chitarrella.api.api import Api
from chitarrella.api.catalogue import CatalogueApi
from chitarrella.api.matches import MatchApi
from chitarrella.api.rules import RulesApi
from chitarrella.botplay import choose, thinks
from chitarrella.catalogue import Catalogue
from chitarrella.grpc_door import GrpcDoor
from chitarrella.hub import Hub
from chitarrella.messenger import Messenger, announcer
from chitarrella.observation import Observation
from chitarrella.platforms import Platforms, read_lines
from chitarrella.proving import read_signer
from chitarrella.redis_post import RedisPost
from chitarrella.redis_store import RedisStore, connect
from chitarrella.referee import Referee
from chitarrella.rest.door import make_app
from chitarrella.settings import Settings, host_and_port
from chitarrella.steward import Steward
from chitarrella.timekeeper import Timekeeper
from chitarrella.webhooks import read_webhooks

REST_THREADS = 48
THINKERS = 2
"""Bots that think at once; they share what the calls leave of one processor."""
GRACE_SECONDS = 5.0
LARGEST_REST_BODY = 4 * 1024 * 1024
"""More is not even read; the door itself refuses less, and says why."""


class Worker:
    """Everything a worker holds, wired."""

    def __init__(self, settings: Settings, redis_url: str) -> None:
        """Put the parts together; nothing listens and nothing is sent to the store yet."""
        self.settings = settings
        self.store = RedisStore(connect(redis_url), settings.prefix)
        catalogue = Catalogue()
        post, hooks = RedisPost(self.store), read_webhooks(settings.webhooks)
        referee = Referee(catalogue, self.store, settings.expires, announcer(post, hooks))
        steward = Steward(referee, choose)
        self.hub = Hub(referee)
        signer = read_signer(settings.signing_key) if settings.signing_key else None
        matches = MatchApi(referee, steward, self.hub, signer)
        platforms = Platforms(read_lines(settings.api_keys))
        self.api = Api(CatalogueApi(catalogue), RulesApi(catalogue), matches, platforms)
        self.thinkers = ThreadPoolExecutor(THINKERS, thread_name_prefix="bot")
        self.timekeeper = Timekeeper(steward, self.thinkers, thinks)
        self.observation = Observation(watchers=self.hub.count)
        self.messenger = Messenger(referee, post, hooks, self.observation.webhook)

    async def run(self, listening: Callable[[int, int], None], stop: asyncio.Event, *, share: bool) -> None:
        """Listen at both doors, say at which ports, and serve until ``stop`` is set."""
        self.api.warm_up()
        settle_memory()
        door = GrpcDoor(
            self.api,
            self.settings.grpc,
            observe=self.observation.call,
            heartbeat=self.settings.heartbeat,
            reuse_port=share,
        )
        rest = bound(self.settings.rest, share=share)
        await door.start()
        app = make_app(self.api, self.observation, ready=self.store.ping, heartbeat=self.settings.heartbeat)
        with serving(app, rest):
            self.timekeeper.start()
            self.messenger.start()
            listening(door.port, rest.getsockname()[1])
            await stop.wait()
            await door.leave()
            for part in (self.timekeeper, self.messenger, self.hub):
                await asyncio.to_thread(part.close)  # calls are answered meanwhile
            self.thinkers.shutdown(wait=False, cancel_futures=True)  # bots elsewhere finish what these began
            await door.stop(GRACE_SECONDS)
        self.store.close()


def settle_memory() -> None:
    """Let what is there for good out of every later collection, and collect seldom.

    A worker makes much garbage that dies by itself and remembers thousands of positions that do not; looking through
    those again and again would stop it for a tenth of a second each time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)


def bound(address: str, *, share: bool) -> socket.socket:
    """Take a port for REST; with ``share`` other workers may take the same one. Raises `OSError` with the address."""
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


@contextlib.contextmanager
def serving(app: Any, sock: socket.socket) -> Iterator[None]:
    """Serve a WSGI application in a thread for as long as the block lasts; at its end finish what is under way."""
    connections: dict[int, Any] = {}
    server = waitress.create_server(
        app,
        map=connections,
        sockets=[sock],
        threads=REST_THREADS,
        ident=None,
        channel_timeout=60,
        connection_limit=2000,
        max_request_body_size=LARGEST_REST_BODY,
        asyncore_use_poll=True,  # select fails at the 1024th connection, and when one is closed behind its back
        channel_request_lookahead=1,  # else it does not notice that a client who watches has gone
    )
    thread = threading.Thread(target=server.run, name="rest", daemon=True)
    thread.start()
    on_its_loop = server.trigger.pull_trigger
    try:
        yield
    finally:
        on_its_loop(lambda: wasyncore.dispatcher.close(server))  # takes nobody in any more
        server.task_dispatcher.shutdown(timeout=GRACE_SECONDS)
        with contextlib.suppress(OSError):  # a loop just awake closes everything, and its bell, before it is rung
            on_its_loop(lambda: wasyncore.close_all(connections))  # has nothing left to wait for, so it ends
        thread.join(1)


def event_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    """Choose the loop: uvloop where there is one, some ten percent cheaper a call."""
    if sys.platform != "win32":
        with contextlib.suppress(ImportError):
            import uvloop  # noqa: PLC0415 - there is none on every system

            return uvloop.new_event_loop
    return asyncio.new_event_loop
