"""The closed API keys in the memory of one process. Thread-safe."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chitarrella.matches.store import Announcement, Subscription
from chitarrella.storage.memory_subscriptions import Change, MemorySubscription

CHANGED = Change("closed_api_keys", Announcement(""))
"""What subscribers get for any change."""


class MemoryClosedApiKeys:
    """The closed keys, each with the time at which it was closed."""

    def __init__(self) -> None:
        """Begin with no closed key."""
        self._closed_at: dict[str, int] = {}
        self._subscriptions: list[MemorySubscription] = []

    def all(self) -> Mapping[str, int]:
        """Read every closed key."""
        return self._closed_at.copy()

    def add(self, digest: str, closed_at: int) -> None:
        """Close a key."""
        self._closed_at.setdefault(digest, closed_at)
        self._announce()

    def remove(self, digest: str) -> bool:
        """Open a key."""
        was_closed = self._closed_at.pop(digest, None) is not None
        self._announce()
        return was_closed

    def subscribe(self, on_change: Callable[[], None]) -> Subscription:
        """Report every change."""
        subscription = MemorySubscription(lambda _: on_change())
        subscription.subscribe(CHANGED.name)
        self._subscriptions.append(subscription)
        return subscription

    def _announce(self) -> None:
        self._subscriptions = [one for one in self._subscriptions if one.notify(CHANGED)]
