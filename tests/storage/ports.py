"""The ports of the store, found in the service, and what stands for each in memory and on a server."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import chitarrella
from chitarrella.storage.archive import FolderArchive
from chitarrella.storage.memory_archive import MemoryArchive, MemoryArchiveQueue, MemoryMatchCopyStore
from chitarrella.storage.memory_backup import MemoryBackup
from chitarrella.storage.memory_closed_api_keys import MemoryClosedApiKeys
from chitarrella.storage.memory_open_match_set import MemoryOpenMatchSet
from chitarrella.storage.memory_open_matches import MemoryOpenMatches
from chitarrella.storage.memory_rates import MemoryRateStore
from chitarrella.storage.memory_searches import MemorySearchQueue
from chitarrella.storage.memory_store import MemoryMatchStore, MemoryPlatformIndex, MemorySchedule, MemoryStore
from chitarrella.storage.memory_subscriptions import MemorySubscription, MemorySubscriptions
from chitarrella.storage.memory_webhooks import MemoryDeliveryStore, MemoryOutbox, MemoryWebhookStore
from chitarrella.storage.redis_archive import RedisArchiveQueue
from chitarrella.storage.redis_backup import RedisBackup
from chitarrella.storage.redis_closed_api_keys import RedisClosedApiKeys
from chitarrella.storage.redis_match_copies import RedisMatchCopyStore
from chitarrella.storage.redis_open_match_set import RedisOpenMatchSet
from chitarrella.storage.redis_open_matches import RedisOpenMatches
from chitarrella.storage.redis_outbox import RedisOutbox
from chitarrella.storage.redis_rates import RedisRateStore
from chitarrella.storage.redis_webhooks import RedisWebhookStore
from tests.stores import AnyStore

FAKES: dict[str, type] = {
    "Archive": MemoryArchive,
    "ArchiveQueue": MemoryArchiveQueue,
    "BackupSource": MemoryBackup,
    "BackupTarget": MemoryBackup,
    "ClosedApiKeyStore": MemoryClosedApiKeys,
    "DeliveryStore": MemoryDeliveryStore,
    "MatchCopyStore": MemoryMatchCopyStore,
    "MatchStore": MemoryMatchStore,
    "OpenMatchSet": MemoryOpenMatchSet,
    "OpenMatchStore": MemoryOpenMatches,
    "Outbox": MemoryOutbox,
    "PlatformIndex": MemoryPlatformIndex,
    "RateStore": MemoryRateStore,
    "Schedule": MemorySchedule,
    "SearchQueue": MemorySearchQueue,
    "Store": MemoryStore,
    "Subscription": MemorySubscription,
    "Subscriptions": MemorySubscriptions,
    "WebhookStore": MemoryWebhookStore,
}
"""The class in memory for each port of the store."""

OTHERS = {
    "CallSpan": "a span of OpenTelemetry",
    "CallTracer": "OpenTelemetry",
    "Flag": "memory that processes share",
    "HasSeat": "a field of a message",
    "RunLong": "a function",
    "RunOnLoop": "greenlets on the event loop",
    "SetServing": "a function",
}
"""The protocols outside of the rules that are no ports of a store, each with what stands behind it."""

FOLDERS = ("api", "limits", "matches", "transports", "server")
"""Where ports may be defined: everywhere but in the rules, whose protocols are parts of games."""


def protocols() -> Iterator[type]:
    """Every protocol of those folders."""
    for found in pkgutil.walk_packages(chitarrella.__path__, "chitarrella."):
        if found.name.split(".")[1] in FOLDERS:
            module = importlib.import_module(found.name)
            for kind in vars(module).values():
                if type(kind) is type(Protocol) and Protocol in kind.__bases__ and kind.__module__ == module.__name__:
                    yield kind


def methods(port: type) -> set[str]:
    """The methods and properties of a port."""
    return {name for name in vars(port) if not name.startswith("_")}


PORTS = {port.__name__: methods(port) for port in protocols() if port.__name__ not in OTHERS}


class Recorded:
    """A part of a store that notes which methods of its port are called."""

    def __init__(self, part: Any, port: str, called: set[tuple[str, str]]) -> None:
        self._part, self._port, self._called = part, port, called

    def __getattr__(self, name: str) -> Any:
        self._called.add((self._port, name))
        return getattr(self._part, name)


class Parts(NamedTuple):
    """The parts beside the matches, each behind its port."""

    archive: Any
    archive_queue: Any
    backup_source: Any
    backup_target: Any
    closed_api_keys: Any
    copies: Any
    deliveries: Any
    open_match_set: Any
    open_matches: Any
    outbox: Any
    rates: Any
    webhooks: Any


def parts_of(store: AnyStore, folder: Path) -> Parts:
    """The parts of a store; the archive of a server is ``folder``."""
    if isinstance(store, MemoryStore):
        webhooks, backup = MemoryWebhookStore(), MemoryBackup()
        return Parts(
            MemoryArchive(),
            MemoryArchiveQueue(),
            backup,
            backup,
            MemoryClosedApiKeys(),
            MemoryMatchCopyStore(store.matches.unexpired),
            MemoryDeliveryStore(webhooks),
            MemoryOpenMatchSet(),
            MemoryOpenMatches(),
            MemoryOutbox(webhooks),
            MemoryRateStore(),
            webhooks,
        )
    kept = store.connection
    return Parts(
        FolderArchive(folder),
        RedisArchiveQueue(kept),
        RedisBackup(kept),
        RedisBackup(kept),
        RedisClosedApiKeys(kept),
        RedisMatchCopyStore(kept),
        RedisWebhookStore(kept),
        RedisOpenMatchSet(kept),
        RedisOpenMatches(kept),
        RedisOutbox(kept),
        RedisRateStore(kept),
        RedisWebhookStore(kept),
    )
