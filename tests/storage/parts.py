"""The parts of a store beside its matches, and which of their methods were called."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from chitarrella.storage.archive import ArchiveQueue, FolderArchive, MatchCopyStore
from chitarrella.storage.counters import ClosedApiKeyStore, OpenMatchSet, OpenMatchStore, RateStore
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.webhooks import Outbox, WebhookStore


def methods(part: type) -> set[tuple[str, str]]:
    """The public methods of a class, each beside the name of the class."""
    return {(part.__name__, name) for name, value in vars(part).items() if not name.startswith("_") and callable(value)}


class Recorded:
    """A part of a store that notes which of its methods are called."""

    def __init__(self, part: Any, called: set[tuple[str, str]]) -> None:
        self._part, self._called = part, called

    def __getattr__(self, name: str) -> Any:
        self._called.add((self._part.__class__.__name__, name))
        return getattr(self._part, name)


class Parts(NamedTuple):
    """The parts beside the matches."""

    archive: Any
    archive_queue: Any
    closed_api_keys: Any
    copies: Any
    open_match_set: Any
    open_matches: Any
    outbox: Any
    rates: Any
    webhooks: Any


def parts_of(store: RedisStore, folder: Path) -> Parts:
    """The parts of a store; its archive is ``folder``."""
    kept = store.connection
    return Parts(
        FolderArchive(folder),
        ArchiveQueue(kept),
        ClosedApiKeyStore(kept),
        MatchCopyStore(kept),
        OpenMatchSet(kept),
        OpenMatchStore(kept),
        Outbox(kept),
        RateStore(kept),
        WebhookStore(kept),
    )
