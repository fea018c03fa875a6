"""The webhooks of all platforms, as a worker knows them: those of the settings, and a copy of those in the store."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from chitarrella.storage.webhooks import Webhook, WebhookStore


class WebhookRegistry:
    """A copy of the webhooks that is at most as old as its last `refresh`. Thread-safe."""

    def __init__(self, store: WebhookStore, configured: Iterable[Webhook] = ()) -> None:
        """Copy from ``store``; the ``configured`` webhooks never change. Nothing is read yet."""
        self.changed = threading.Event()
        """Set after a refresh has found a change; whoever waits for it clears it."""
        self._store = store
        self._configured = tuple(configured)
        self._lock = threading.Lock()
        self._version: str | None = None
        self._by_platform = _by_platform(self._configured)

    def refresh(self) -> None:
        """Read the webhooks again where they have changed. Raises `chitarrella.storage.rows.StoreError`."""
        with self._lock:
            version = self._store.version()  # before the webhooks: what changes in between is read the next time
            if version == self._version:
                return
            found = _by_platform((*self._configured, *(self._store.all() if version else ())))
            self._by_platform, self._version = found, version
        self.changed.set()

    def active(self) -> list[Webhook]:
        """Every webhook that is not disabled."""
        found = self._by_platform.values()
        return [webhook for webhooks in found for webhook in webhooks if not webhook.disabled]

    def of_platform(self, platform: str) -> tuple[Webhook, ...]:
        """The webhooks of a platform, the configured one first, then by time."""
        if self._version is None:
            self.refresh()
        return self._by_platform.get(platform, ())

    def receivers(self, platform: str) -> tuple[Webhook, ...]:
        """The webhooks of a platform that are not disabled."""
        return tuple(webhook for webhook in self.of_platform(platform) if not webhook.disabled)


def _by_platform(webhooks: Iterable[Webhook]) -> dict[str, tuple[Webhook, ...]]:
    found: dict[str, tuple[Webhook, ...]] = {}
    for webhook in sorted(webhooks, key=lambda one: (not one.configured, one.create_time, one.webhook_id)):
        found[webhook.platform] = (*found.get(webhook.platform, ()), webhook)
    return found
