"""Pub/sub subscriptions to Redis, over which a worker receives every change of the matches or platforms it watches.

The channel of a match is sharded: in a cluster it lies in the slot of the match, so that news of a move goes to one
server, and not to all of them. That of a platform is not: its matches lie in all slots.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, NamedTuple

from redis import RedisError
from redis.exceptions import RedisClusterException

from chitarrella.storage.redis_connection import RedisConnection
from chitarrella.storage.rows import Announcement

RECONNECT_SECONDS = 0.5  # seconds from one connection to the next, where it is lost at once
POLL_SECONDS = 0.05  # how soon a match that is subscribed to or not any more is noticed
CLOSE_SECONDS = 1.0  # how long `RedisSubscription.close` waits for the thread
LOG = logging.getLogger("chitarrella")


class ChannelMoved(Exception):
    """The server has ended a subscription: it does not have the slot of the channel any more."""


class Channels(NamedTuple):
    """The channels of matches or of platforms: the name of each between ``prefix`` and ``suffix``."""

    prefix: str
    suffix: str = ""
    is_sharded: bool = False

    def of(self, name: str) -> str:
        return f"{self.prefix}{name}{self.suffix}"

    def name_of(self, channel: str) -> str:
        return channel.removeprefix(self.prefix).removesuffix(self.suffix)


class RedisSubscription:
    """One connection for all watched matches or platforms, owned by one thread: redis-py's is not thread-safe. When it
    is lost it is opened again, and every watched name is reported: nobody knows what was missed.
    """

    def __init__(
        self,
        open_pubsub: Callable[[], Any],
        channels: Channels,
        on_message: Callable[[str, str], None],
        on_loss: Callable[[], None] = lambda: None,
    ) -> None:
        """``on_message`` gets a name and the text of the message, empty when its subscription begins. ``on_loss`` is
        called when the connection is lost, and when the server ends a subscription because a channel is elsewhere now.
        """
        self._open_pubsub, self._channels = open_pubsub, channels
        self._on_message, self._on_loss = on_message, on_loss
        self._lock = threading.Lock()
        self._names: set[str] = set()
        self._asked: set[str] = set()
        self._unconfirmed = dict[str, int]()  # how many answers of the server are still to come
        self._ending: set[str] = set()
        self._changed = threading.Event()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-subscription", daemon=True)

    def subscribe(self, name: str) -> None:
        with self._lock:
            self._names.add(name)
            self._asked.add(name)
            self._changed.set()
            if not self._thread.is_alive() and not self._closed.is_set():
                self._thread.start()

    def unsubscribe(self, name: str) -> None:
        with self._lock:
            self._names.discard(name)
            self._changed.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            start = time.monotonic()
            try:
                self._receive()
            except Exception as error:  # whatever it is: the watchers need a new connection
                LOG.warning("subscribing again after %s", type(error).__name__)
                self._on_loss()
                self._changed.set()
                self._closed.wait(start + RECONNECT_SECONDS - time.monotonic())

    def _receive(self) -> None:
        """Follow what is watched until nothing is: a connection that nobody reads could be lost without notice."""
        self._changed.wait()
        with closing(self._open_pubsub()) as pubsub:
            subscribed: set[str] = set()
            self._ending.clear()
            self._unconfirmed.clear()
            while not self._closed.is_set():
                if self._changed.is_set():
                    self._changed.clear()
                    subscribed = self._send_changes(pubsub, subscribed)
                if not subscribed:
                    return
                self._notify(pubsub.get_message(timeout=POLL_SECONDS))

    def _send_changes(self, pubsub: Any, subscribed: set[str]) -> set[str]:
        with self._lock:
            watched = set(self._names)
            asked, self._asked = self._asked & watched, set()
        if self._channels.is_sharded:
            subscribe, unsubscribe = pubsub.ssubscribe, pubsub.sunsubscribe
        else:
            subscribe, unsubscribe = pubsub.subscribe, pubsub.unsubscribe
        for name in (watched - subscribed) | asked:  # one command each: its channels would have to be in one slot
            self._unconfirmed[name] = self._unconfirmed.get(name, 0) + 1
            subscribe(self._channels.of(name))
        for name in subscribed - watched:
            self._ending.add(name)
            unsubscribe(self._channels.of(name))
        return watched

    def _notify(self, message: Any) -> None:
        if message is None:
            return
        kind, name = message["type"], self._channels.name_of(message["channel"])
        with self._lock:
            is_watched, is_asked = name in self._names, name in self._asked
        if kind.endswith("unsubscribe"):
            if is_watched and name not in self._ending:
                raise ChannelMoved
            self._ending.discard(name)
        elif kind.endswith("subscribe"):
            if left := self._unconfirmed.pop(name, 1) - 1:
                self._unconfirmed[name] = left
            elif is_watched and not is_asked:  # else a later answer says that it begins
                self._on_message(name, "")
        elif is_watched and kind.endswith("message"):
            self._on_message(name, message["data"])

    def close(self) -> None:
        self._closed.set()
        self._changed.set()
        if self._thread.is_alive():
            self._thread.join(CLOSE_SECONDS)


def open_unsharded(
    connection: RedisConnection,
    channels: Channels,
    on_message: Callable[[str, str], None],
    on_loss: Callable[[], None] = lambda: None,
) -> RedisSubscription:
    client = connection.client

    def open_pubsub() -> Any:
        # A cluster publishes every such message at every node, so any node will do.
        node = {"node": client.get_random_node()} if connection.is_cluster else {}
        return client.pubsub(**node)

    return RedisSubscription(open_pubsub, channels, on_message, on_loss)


class ShardedSubscription:
    """Follows each name at the server that has the slot of its channel, wherever that moves. Thread-safe."""

    def __init__(self, client: Any, channels: Channels, on_message: Callable[[str, str], None]) -> None:
        self._client, self._channels, self._on_message = client, channels, on_message
        self._lock = threading.RLock()
        self._parts: dict[str, RedisSubscription] = {}
        self._server_of: dict[str, str] = {}

    def subscribe(self, name: str) -> None:
        with self._lock:
            part = self._place(name)
        part.subscribe(name)

    def unsubscribe(self, name: str) -> None:
        with self._lock:
            server = self._server_of.pop(name, "")
            part = self._parts.get(server)
        if part is not None:
            part.unsubscribe(name)

    def close(self) -> None:
        with self._lock:
            parts = list(self._parts.values())
        for part in parts:
            part.close()

    def _place(self, name: str) -> RedisSubscription:
        node = self._client.get_node_from_key(self._channels.of(name))
        self._server_of[name] = node.name
        if node.name not in self._parts:
            self._parts[node.name] = RedisSubscription(
                lambda: self._client.get_redis_connection(node).pubsub(),
                self._channels,
                self._on_message,
                self._follow_slots,
            )
        return self._parts[node.name]

    def _follow_slots(self) -> None:
        with suppress(RedisError, RedisClusterException, OSError):  # the next loss of the same connection asks again
            self._client.nodes_manager.initialize()
            with self._lock:
                servers = dict(self._server_of)
            for name, server in servers.items():
                self._move(name, server)

    def _move(self, name: str, server: str) -> None:
        with self._lock:
            if self._server_of.get(name) != server:  # unsubscribed or moved meanwhile
                return
            part = self._place(name)
            earlier = self._parts[server]
        if part is not earlier:
            earlier.unsubscribe(name)
            part.subscribe(name)


Subscription = RedisSubscription | ShardedSubscription


class Subscriptions:
    """Notification of changes, over pub/sub."""

    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection

    def open(self, on_change: Callable[[str], None]) -> Subscription:
        """``on_change`` gets a match in another thread, also when its subscription begins, or begins anew."""
        client, channels = self._connection.client, Channels(f"{self._connection.prefix}:{{", "}", is_sharded=True)
        if self._connection.is_cluster:
            return ShardedSubscription(client, channels, lambda match, _: on_change(match))
        return RedisSubscription(client.pubsub, channels, lambda match, _: on_change(match))

    def open_platforms(self, on_change: Callable[[Announcement], None], on_loss: Callable[[], None]) -> Subscription:
        """``on_loss`` says that announcements may be missing until every subscription has begun again."""

        def announce(platform: str, text: str) -> None:
            match, _, start = text.partition(" ")
            on_change(Announcement(platform, match, int(start or 0)))

        channels = Channels(self._connection.key("platform", ""))
        return open_unsharded(self._connection, channels, announce, on_loss)
