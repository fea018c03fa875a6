"""Backups of a store on Redis or Valkey: one server, Sentinel's master, or all masters of a cluster.

The keys of the matches are found by SCAN, which blocks no server. SCAN promises to find every key only on the same
server, so a copy during which a server was replaced, or slots were moved, fails at its end and has to be repeated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

from chitarrella.storage.archive import ARCHIVE, ArchiveQueue, MatchCopyStore
from chitarrella.storage.redis_connection import RedisConnection, scripts
from chitarrella.storage.redis_store import PlatformIndex, Schedule
from chitarrella.storage.rows import ANONYMOUS, MatchCopy, StoreError, index_entry
from chitarrella.storage.webhooks import CONSUMER_GROUP, DELIVERY_MS, TAG, lines_key, new_version, queue_key

BATCH = 200  # how many matches are looked up in one round trip
KEYS_PER_MATCH = 3  # a match has so many keys: its row, its log, and the tokens of the log
SCAN_SIZE = 500  # how many keys one SCAN is asked to look at
WRITERS = 16  # how many matches are stored at the same time
NO_MATCHES = frozenset({TAG, "{probe}"})  # what stands in braces in keys that belong to no match
SPECIAL = re.compile(r"[\\*?\[\]^-]")  # a character that the pattern of SCAN does not take literally


class WebhookCopy(NamedTuple):
    """A webhook (its text is empty if it stands in the settings), the queue of its deliveries, and the records of its
    latest ones.
    """

    webhook_id: str
    webhook: str
    queue: Sequence[tuple[str, Mapping[str, str]]]
    records: Sequence[str]


class BackupStore:
    def __init__(self, connection: RedisConnection) -> None:
        self._connection = connection
        self._client: Any = connection.client
        self._schedule, self._index = Schedule(connection, "schedule"), PlatformIndex(connection)
        self._archive = ArchiveQueue(connection)
        self._copy = scripts()["copy_match"]
        self._copies = MatchCopyStore(connection)
        self._webhooks_key, self._version_key = connection.key(TAG), connection.key(TAG, "version")
        self._secret_key = connection.key("secret")

    def get_secret(self) -> str:
        return self._connection.execute(lambda: self._client.get(self._secret_key)) or ""

    def set_secret(self, secret: str) -> None:
        self._connection.execute(lambda: self._client.set(self._secret_key, secret))

    def estimate(self) -> int:
        sizes: list[int] = [self._connection.execute(node.dbsize) for node in self._connection.masters()]
        return sum(sizes) // KEYS_PER_MATCH

    def _servers(self) -> list[str]:
        names = [
            str(self._connection.execute(partial(node.info, "server"))["run_id"]) for node in self._connection.masters()
        ]
        return [*sorted(names), *self._connection.slots()]

    def _scan(self, pattern: str, kind: str) -> Iterator[tuple[Any, list[str]]]:
        """Find the keys that fit a pattern, in pieces. Raises `StoreError` where SCAN may have missed some."""
        prefix = SPECIAL.sub(lambda found: f"\\{found[0]}", self._connection.prefix)
        before = self._servers()
        for node in self._connection.masters():
            cursor = 0
            while True:
                scan = partial(node.scan, cursor, match=f"{prefix}:{pattern}", count=SCAN_SIZE, _type=kind)
                cursor, keys = self._connection.execute(scan)
                yield node, [key.removeprefix(f"{self._connection.prefix}:") for key in keys]
                if not int(cursor):
                    break
        if self._servers() != before:
            raise StoreError("a server was replaced or slots were moved meanwhile: try again")

    def matches(self) -> Iterator[MatchCopy]:
        """Copy every match, each as it is at one moment; what is created meanwhile may be left out."""
        seen: set[str] = set()  # SCAN may return a key twice
        for node, keys in self._scan("{*}", "hash"):
            found = {key[1:-1] for key in keys if key not in NO_MATCHES and ":" not in key} - seen
            seen |= found
            ordered = sorted(found)
            for start in range(0, len(ordered), BATCH):
                yield from self._copy_batch(node, ordered[start : start + BATCH])

    def _copy_batch(self, node: Any, matches: list[str]) -> Iterator[MatchCopy]:
        def read() -> Any:
            pipeline = node.pipeline(transaction=False)
            for match in matches:
                pipeline.execute_command("EVAL", self._copy, KEYS_PER_MATCH, *self._connection.match_keys(match))
            return pipeline.execute()

        rows = {
            match: (dict(zip(row[::2], row[1::2], strict=True)), log, tokens, ttl_ms)
            for match, (row, log, tokens, ttl_ms) in zip(matches, self._connection.execute(read), strict=True)
            if row
        }
        places = self._places({match: row for match, (row, *_) in rows.items()})
        for match, (row, log, tokens, ttl_ms) in rows.items():
            yield MatchCopy(match, row, log, tokens, ttl_ms, *places[match])

    def _places(self, rows: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[int | None, int | None, list[str]]]:
        def read(pipeline: Any) -> None:
            for match, row in rows.items():
                platform, entry = _index_place(match, row)
                pipeline.zscore(self._connection.key("schedule"), match)
                pipeline.zscore(self._connection.key(ARCHIVE), match)
                pipeline.hget(self._connection.key("platform_terms", platform), entry)

        answers = self._connection.send_together(read) if rows else []
        read_places = zip(rows, answers[::3], answers[1::3], answers[2::3], strict=True)
        return {
            match: (_time(due), _time(archive), (terms or "").split()) for match, due, archive, terms in read_places
        }

    def existing_matches(self, matches: Sequence[str]) -> int:
        def read(pipeline: Any) -> None:
            for match in matches:
                pipeline.hexists(self._connection.match_keys(match)[0], "length")

        return sum(self._connection.send_together(read)) if matches else 0

    def put_matches(self, matches: Sequence[MatchCopy], *, replace: bool) -> int:
        """Store matches, several at once: a server that writes through to its disk writes once for all that wait."""
        with ThreadPoolExecutor(WRITERS) as pool:
            return sum(pool.map(partial(self._put_match, replace=replace), matches))

    def _put_match(self, match: MatchCopy, *, replace: bool) -> bool:
        tokens = [*match.tokens, *[""] * len(match.log)][: len(match.log)]
        if not self._copies.put(match._replace(tokens=tokens), replace=replace):
            return False
        platform, entry = _index_place(match.match, match.row)
        self._index.add(platform, entry, match.terms, 0)  # whoever looks at it sees when it expires
        due = 0 if match.due is None and _may_be_due(match.row) else match.due
        if due is not None:
            self._schedule.set(match.match, due)
        if match.archive_due is not None:
            self._archive.add(match.match, match.archive_due)
        return True

    def webhooks(self) -> Iterator[WebhookCopy]:
        texts = self._connection.execute(lambda: self._client.hgetall(self._webhooks_key))
        queues = [key.split(":")[-2] for _, keys in self._scan(f"{TAG}:*:outbox", "stream") for key in keys]
        for webhook_id in sorted({*texts, *queues}):
            queue_of = partial(self._client.xrange, queue_key(self._connection, webhook_id))
            records_of = partial(self._client.zrange, self._records_key(webhook_id), 0, -1)
            queue, records = self._connection.execute(queue_of), self._connection.execute(records_of)
            yield WebhookCopy(webhook_id, texts.get(webhook_id, ""), queue, records)

    def _records_key(self, webhook_id: str) -> str:
        return self._connection.key(TAG, webhook_id, "deliveries")

    def has_webhook(self, webhook: WebhookCopy) -> bool:
        name, queue = webhook.webhook_id, queue_key(self._connection, webhook.webhook_id)
        reads: list[Callable[[], Any]] = [
            lambda: self._client.hexists(self._webhooks_key, name),
            lambda: self._client.xlen(queue),
        ]
        return any(map(self._connection.execute, reads))

    def put_webhook(self, webhook: WebhookCopy) -> None:
        name, queue = webhook.webhook_id, queue_key(self._connection, webhook.webhook_id)
        records = self._records_key(name)

        def write() -> None:
            pipeline = self._connection.connection_of(queue).pipeline(transaction=True)
            pipeline.delete(queue, lines_key(self._connection, name), records)
            for entry, fields in webhook.queue:
                pipeline.xadd(queue, dict(fields), id=entry)
            pipeline.xgroup_create(queue, CONSUMER_GROUP, id="0", mkstream=True)
            if webhook.records:
                pipeline.zadd(records, dict.fromkeys(webhook.records, 0))
                pipeline.pexpire(records, DELIVERY_MS)
            if webhook.webhook:
                pipeline.hset(self._webhooks_key, name, webhook.webhook)
                pipeline.set(self._version_key, new_version())
            pipeline.execute()

        self._connection.execute(write, queue)


def _time(score: float | None) -> int | None:
    return None if score is None else int(score)


def _index_place(match: str, row: Mapping[str, str]) -> tuple[str, str]:
    metadata = json.loads(row["metadata"])
    return metadata.get("platform") or ANONYMOUS, index_entry(match, metadata.get("created_at", 0))


def _may_be_due(row: Mapping[str, str]) -> bool:
    """Whether a match has bots or a clock: its writer may have been about to set when it is due."""
    clock = json.loads(row["metadata"]).get("clock") or {}
    return any(clock.values()) or '"bots"' in row.get("control", "")
