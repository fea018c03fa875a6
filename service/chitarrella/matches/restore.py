"""The restore of a backup: read twice, first to check all of it, then to write what it has to a store."""

from __future__ import annotations

from collections.abc import Callable

from chitarrella.matches.backup import BackupReader, Item, NotRestored, Summary, no_progress
from chitarrella.storage.backup import BATCH, BackupStore, WebhookCopy
from chitarrella.storage.rows import MatchCopy

Feed = Callable[[BackupReader], None]
"""Writes the whole of a backup to a reader. Called twice, first to check it."""


def restore(feed: Feed, store: BackupStore, *, replace: bool, progress: Callable[[int], None] = no_progress) -> Summary:
    """Restore a backup: nothing is written before all of it was read and checked.

    Without ``replace``, nothing that the store has may be in the backup, and the store may have no secret but that of
    the backup. Raises `InvalidBackup`, `NotRestored`.
    """
    check = _Check(store)
    _read_all(feed, check)
    if not replace:
        check.refuse_existing()
    restorer = _Restorer(store, replace, progress)
    summary = _read_all(feed, restorer)
    restorer.flush()
    return summary


def _read_all(feed: Feed, on_item: Callable[[Item], None]) -> Summary:
    reader = BackupReader(on_item)
    feed(reader)
    reader.close()
    return reader.summary


class _Check:
    """Counts what the store has already of a backup."""

    def __init__(self, store: BackupStore) -> None:
        self._store = store
        self._batch: list[str] = []
        self._matches = self._webhooks = 0
        self._other_secret = False

    def __call__(self, item: Item) -> None:
        if isinstance(item, MatchCopy):
            self._batch.append(item.match)
            if len(self._batch) == BATCH:
                self._count_existing()
        elif isinstance(item, WebhookCopy):
            self._webhooks += self._store.has_webhook(item)
        else:
            self._other_secret = self._store.get_secret() not in ("", item)

    def _count_existing(self) -> None:
        self._matches += self._store.existing_matches(self._batch)
        self._batch.clear()

    def refuse_existing(self) -> None:
        """Raise `NotRestored` where anything would be replaced."""
        self._count_existing()
        if self._matches or self._webhooks:
            raise NotRestored(
                f"the store has {self._matches} matches and {self._webhooks} webhooks of the backup already"
            )
        if self._other_secret:
            raise NotRestored("the store has a secret of its own, from which its ids and keys are derived")


class _Restorer:
    """Writes what a backup has to a store."""

    def __init__(self, store: BackupStore, replace: bool, progress: Callable[[int], None]) -> None:
        self._store, self._replace, self._progress = store, replace, progress
        self._batch: list[MatchCopy] = []
        self._count = 0

    def __call__(self, item: Item) -> None:
        if isinstance(item, MatchCopy):
            self._batch.append(item)
            if len(self._batch) == BATCH:
                self.flush()
        elif isinstance(item, WebhookCopy):
            self._store.put_webhook(item)
        elif item:
            self._store.set_secret(item)

    def flush(self) -> None:
        """Write the matches that were read and not yet written."""
        if self._store.put_matches(self._batch, replace=self._replace) < len(self._batch):
            raise NotRestored("a match of the backup was created meanwhile")
        self._count += len(self._batch)
        self._batch.clear()
        self._progress(self._count)
