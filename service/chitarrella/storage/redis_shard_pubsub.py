"""Sharded pub/sub of a cluster: one subscription for each server that has channels which somebody watches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from redis import RedisError
from redis.exceptions import RedisClusterException

from chitarrella.storage.redis_pubsub import Channels, RedisSubscription


class ShardedSubscription:
    """Follows each name at the server that has the slot of its channel, wherever that moves. Thread-safe."""

    def __init__(self, client: Any, channels: Channels, on_message: Callable[[str, str], None]) -> None:
        """Use a connection of its own to each server of the cluster of ``client``; see `RedisSubscription`."""
        self._client = client
        self._channels = channels
        self._on_message = on_message
        self._lock = threading.RLock()
        self._parts: dict[str, RedisSubscription] = {}
        self._server_of: dict[str, str] = {}

    def subscribe(self, name: str) -> None:
        """Report changes of a match."""
        with self._lock:
            part = self._place(name)
        part.subscribe(name)

    def unsubscribe(self, name: str) -> None:
        """Report no more changes of a match."""
        with self._lock:
            server = self._server_of.pop(name, "")
            part = self._parts.get(server)
        if part is not None:
            part.unsubscribe(name)

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            parts = list(self._parts.values())
        for part in parts:
            part.close()

    def _place(self, name: str) -> RedisSubscription:
        """Note which server has the channel of a name now, and return the subscription there."""
        node = self._client.get_node_from_key(self._channels.of(name))
        self._server_of[name] = node.name
        if node.name not in self._parts:

            def open_pubsub() -> Any:
                return self._client.get_redis_connection(node).pubsub()

            self._parts[node.name] = RedisSubscription(
                open_pubsub, self._channels, self._on_message, self._follow_slots
            )
        return self._parts[node.name]

    def _follow_slots(self) -> None:
        """Ask the cluster which server has which slot now, and move every name whose server is another one."""
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
