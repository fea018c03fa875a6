"""Backups of a store: every match as one line of JSON, so that another store goes on where this one was.

The first line is the header, with the version of the format. Then come the secret of the store, the matches, and the
webhooks with what waits for them. The last line has the counts and the SHA-256 of all lines before it: a file that was
cut or changed is noticed before anything of it is written to a store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from chitarrella.storage.backup import BATCH, BackupStore, WebhookCopy
from chitarrella.storage.rows import MatchCopy

VERSION = 1  # the version of the format; another one is refused


class InvalidBackup(ValueError):
    """A file that is no backup, was cut or changed, or has another version of the format; the text says which."""


class NotRestored(Exception):
    """The store has something already that the backup would replace; the text says what."""


@dataclass
class Summary:
    """What a backup has: where and when it was made, and how much of it has been read."""

    prefix: str = ""
    time: str = ""
    matches: int = 0
    webhooks: int = 0


def backup_lines(
    store: BackupStore, prefix: str, time: str, summary: Summary, progress: Callable[[int], None] = lambda _: None
) -> Iterator[bytes]:
    """The lines of a backup, counted in ``summary``. Webhooks come last, so that no delivery is missing."""
    digest = sha256()
    for item in _items(store, prefix, time, summary, progress):
        line = _line(item)
        digest.update(line)
        yield line
    counts = {"matches": summary.matches, "webhooks": summary.webhooks}
    yield _line({"kind": "end", **counts, "sha256": digest.hexdigest()})


def _items(
    store: BackupStore, prefix: str, time: str, summary: Summary, progress: Callable[[int], None]
) -> Iterator[dict[str, Any]]:
    yield {"kind": "chitarrella-backup", "version": VERSION, "time": time, "prefix": prefix}
    yield {"kind": "secret", "secret": store.get_secret()}
    for match in store.matches():
        yield {"kind": "match", **match._asdict()}
        summary.matches += 1
        progress(summary.matches)
    for webhook in store.webhooks():
        yield {"kind": "webhook", **webhook._asdict()}
        summary.webhooks += 1


def _line(item: Mapping[str, Any]) -> bytes:
    return json.dumps(item, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


Item = MatchCopy | WebhookCopy | str  # a match, a webhook, or the secret of the store


@dataclass
class BackupReader:
    """Reads a backup from bytes in pieces of any size, and calls ``on_item`` with what each line has."""

    on_item: Callable[[Item], None]
    summary: Summary = field(default_factory=Summary)
    _rest: bytearray = field(default_factory=bytearray)
    _digest: Any = field(default_factory=sha256)
    _has_header: bool = False
    _is_ended: bool = False

    def write(self, data: bytes) -> int:
        """Read on. Raises `InvalidBackup`, and what ``on_item`` raises."""
        *lines, rest = bytes(data).split(b"\n")
        for line in lines:
            self._rest += line
            self._read(bytes(self._rest))
            self._rest.clear()
        self._rest += rest
        return len(data)

    def close(self) -> None:
        if not self._has_header and not self._rest:
            raise InvalidBackup("the file is empty")
        if self._rest or not self._is_ended:
            raise InvalidBackup("the backup is cut: its last line is missing")

    def _read(self, line: bytes) -> None:
        if self._is_ended:
            raise InvalidBackup("something follows the last line of the backup")
        try:
            item = json.loads(line)
            kind = item.pop("kind")
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            message = "a line of the backup cannot be read" if self._has_header else "the file is no backup"
            raise InvalidBackup(message) from error
        if not self._has_header:
            self._read_header(kind, item)
        elif kind == "end":
            self._read_end(item)
        else:
            self._read_item(kind, item)
        self._digest.update(line + b"\n")

    def _read_header(self, kind: object, item: dict[str, Any]) -> None:
        if kind != "chitarrella-backup":
            raise InvalidBackup("the file is no backup")
        if item.get("version") != VERSION:
            raise InvalidBackup(f"the backup has version {item.get('version')} of the format, and not {VERSION}")
        self.summary.prefix, self.summary.time = str(item.get("prefix")), str(item.get("time"))
        self._has_header = True

    def _read_item(self, kind: object, item: dict[str, Any]) -> None:
        try:
            read = _READERS[str(kind)](item)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidBackup("a line of the backup cannot be read") from error
        self.summary.matches += isinstance(read, MatchCopy)
        self.summary.webhooks += isinstance(read, WebhookCopy)
        self.on_item(read)

    def _read_end(self, item: dict[str, Any]) -> None:
        counts = (item.get("matches"), item.get("webhooks"))
        if counts != (self.summary.matches, self.summary.webhooks) or item.get("sha256") != self._digest.hexdigest():
            raise InvalidBackup("the backup was changed: its lines do not agree with its last line")
        self._is_ended = True


def _read_webhook(item: dict[str, Any]) -> WebhookCopy:
    queue = [(str(name), dict(fields)) for name, fields in item.pop("queue")]
    return WebhookCopy(**item, queue=queue)


_READERS: Mapping[str, Callable[[dict[str, Any]], Item]] = {
    "secret": lambda item: str(item["secret"]),
    "match": lambda item: MatchCopy(**item),
    "webhook": _read_webhook,
}


Feed = Callable[[BackupReader], None]  # writes the whole of a backup to a reader; called twice, first to check it


def restore(
    feed: Feed, store: BackupStore, *, replace: bool, progress: Callable[[int], None] = lambda _: None
) -> Summary:
    """Restore a backup, after all of it was checked. Raises `InvalidBackup`; without ``replace`` also `NotRestored`."""
    _check(feed, store, replace=replace)
    count = 0

    def put_matches(batch: list[MatchCopy]) -> None:
        nonlocal count
        if store.put_matches(batch, replace=replace) < len(batch):
            raise NotRestored("a match of the backup was created meanwhile")
        count += len(batch)
        progress(count)

    def put(item: WebhookCopy | str) -> None:
        if isinstance(item, WebhookCopy):
            store.put_webhook(item)
        elif item:
            store.set_secret(item)

    return _read_all(feed, put_matches, put)


def _check(feed: Feed, store: BackupStore, *, replace: bool) -> None:
    """Read all of a backup, and raise `NotRestored` where the store has any of it, unless it is to be replaced."""
    matches = webhooks = 0
    other_secret = False

    def count_matches(batch: list[MatchCopy]) -> None:
        nonlocal matches
        matches += store.existing_matches([copy.match for copy in batch])

    def count(item: WebhookCopy | str) -> None:
        nonlocal webhooks, other_secret
        if isinstance(item, WebhookCopy):
            webhooks += store.has_webhook(item)
        else:
            other_secret = store.get_secret() not in ("", item)

    _read_all(feed, count_matches, count)
    if (matches or webhooks) and not replace:
        raise NotRestored(f"the store has {matches} matches and {webhooks} webhooks of the backup already")
    if other_secret and not replace:
        raise NotRestored("the store has a secret of its own, from which its ids and keys are derived")


def _read_all(
    feed: Feed, on_matches: Callable[[list[MatchCopy]], None], on_other: Callable[[WebhookCopy | str], None]
) -> Summary:
    batch: list[MatchCopy] = []

    def on_item(item: Item) -> None:
        if not isinstance(item, MatchCopy):
            on_other(item)
            return
        batch.append(item)
        if len(batch) == BATCH:
            on_matches(batch)
            batch.clear()

    reader = BackupReader(on_item)
    feed(reader)
    reader.close()
    on_matches(batch)
    return reader.summary
