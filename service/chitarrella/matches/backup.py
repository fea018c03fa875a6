"""Backups of a store: every match as one line of JSON, so that another store goes on where this one was.

The first line is the header, with the version of the format. Then come the secret of the store, the matches, and the
webhooks with what waits for them. The last line has the counts and the SHA-256 of all lines before it: a file that was
cut or changed is noticed before anything of it is written to a store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Any, BinaryIO

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


def read_backup(lines: Iterable[bytes], summary: Summary) -> Iterator[Item]:
    """Read a backup, counted in ``summary``; yields what each line has. Raises `InvalidBackup`: at the end of the lines
    where they were cut or changed.
    """
    digest, line, kind = sha256(), b"", ""
    for line in lines:
        if kind == "end":
            raise InvalidBackup("something follows the last line of the backup")
        if not line.endswith(b"\n"):
            break
        is_first = not kind
        try:
            item = json.loads(line)
            kind = str(item.pop("kind"))
        except (ValueError, AttributeError, KeyError, TypeError) as error:
            message = "the file is no backup" if is_first else "a line of the backup cannot be read"
            raise InvalidBackup(message) from error
        if is_first:
            _read_header(kind, item, summary)
        elif kind == "end":
            counts = {"matches": summary.matches, "webhooks": summary.webhooks}
            if item != {**counts, "sha256": digest.hexdigest()}:
                raise InvalidBackup("the backup was changed: its lines do not agree with its last line")
        else:
            read = _read_item(kind, item)
            summary.matches += isinstance(read, MatchCopy)
            summary.webhooks += isinstance(read, WebhookCopy)
            yield read
        digest.update(line)
    if kind != "end":
        raise InvalidBackup("the backup is cut: its last line is missing" if line else "the file is empty")


def _read_header(kind: str, item: dict[str, Any], summary: Summary) -> None:
    if kind != "chitarrella-backup":
        raise InvalidBackup("the file is no backup")
    if item.get("version") != VERSION:
        raise InvalidBackup(f"the backup has version {item.get('version')} of the format, and not {VERSION}")
    summary.prefix, summary.time = str(item.get("prefix")), str(item.get("time"))


def _read_item(kind: str, item: dict[str, Any]) -> Item:
    try:
        match kind:
            case "secret":
                return str(item["secret"])
            case "match":
                return MatchCopy(**item)
            case "webhook":
                queue = [(str(name), dict(fields)) for name, fields in item.pop("queue")]
                return WebhookCopy(**item, queue=queue)
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidBackup("a line of the backup cannot be read") from error
    raise InvalidBackup("a line of the backup cannot be read")


def restore(
    file: BinaryIO, store: BackupStore, *, replace: bool, progress: Callable[[int], None] = lambda _: None
) -> Summary:
    """Restore a backup, after all of it was checked. Raises `InvalidBackup`; without ``replace`` also `NotRestored`."""
    _check(file, store, replace=replace)
    summary = Summary()
    for items in _batches(file, summary):
        matches = [item for item in items if isinstance(item, MatchCopy)]
        if matches and store.put_matches(matches, replace=replace) < len(matches):
            raise NotRestored("a match of the backup was created meanwhile")
        for item in items:
            if isinstance(item, WebhookCopy):
                store.put_webhook(item)
            elif isinstance(item, str) and item:
                store.set_secret(item)
        progress(summary.matches)
    return summary


def _check(file: BinaryIO, store: BackupStore, *, replace: bool) -> None:
    """Read all of a backup, and raise `NotRestored` where the store has any of it, unless it is to be replaced."""
    matches = webhooks = 0
    other_secret = False
    for items in _batches(file, Summary()):
        matches += store.existing_matches([item.match for item in items if isinstance(item, MatchCopy)])
        webhooks += sum(store.has_webhook(item) for item in items if isinstance(item, WebhookCopy))
        other_secret |= any(store.get_secret() not in ("", item) for item in items if isinstance(item, str))
    if (matches or webhooks) and not replace:
        raise NotRestored(f"the store has {matches} matches and {webhooks} webhooks of the backup already")
    if other_secret and not replace:
        raise NotRestored("the store has a secret of its own, from which its ids and keys are derived")


def _batches(file: BinaryIO, summary: Summary) -> Iterator[list[Item]]:
    """Read a backup from the beginning of its file, several items at once."""
    file.seek(0)
    items = read_backup(file, summary)
    while batch := list(islice(items, BATCH)):
        yield batch
