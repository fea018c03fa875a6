"""The archive of finished records: each is handed over once its match is finished, before the match expires.

A match is queued before and after the append that finishes it: before, so that a worker that is killed in between loses
none. Queued again afterwards, in case another worker claimed it before the append and found the match unfinished. Each
worker runs an archiver on the shared queue. A record is written at least once, always under the same name.
"""

from __future__ import annotations

import logging
import threading
from datetime import UTC, datetime
from typing import Protocol

from chitarrella import errors
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.model import Snapshot
from chitarrella.matches.repository import MatchRepository, translate_store_errors
from chitarrella.matches.signing import Signer
from chitarrella.matches.store import StoreError

DELAY_MS = 20_000
"""Delay before a queued match is archived; longer than an append can take."""
LEASE_MS = 30_000
"""After so many milliseconds a record that was not written is tried again, by any worker."""
KEEP_SECONDS = 3600
"""For so long at least a match is kept after an attempt that has failed."""
POLL_SECONDS = 1.0
"""Seconds between two looks at the queue."""
BATCH = 20
"""How many matches one look claims."""
LOG = logging.getLogger("chitarrella")


class ArchiveError(Exception):
    """The archive did not take a record; the text names the cause, and neither a match nor a key."""


class Archive(Protocol):
    """Where finished records are kept for good."""

    def put(self, name: str, text: str) -> None:
        """Write a record in place of the one with the same name. Raises `ArchiveError`."""


class ArchiveQueue(Protocol):
    """The matches whose records are to be written. Every method may raise `StoreError`."""

    def add(self, match: str, when: int) -> None:
        """Queue a match, or queue it anew, for the time ``when`` in milliseconds since 1970."""

    def claim(self, now: int, lease: int, count: int) -> list[str]:
        """Claim matches that are due; no other worker gets them for ``lease`` milliseconds."""

    def remove(self, match: str, until: int) -> None:
        """Remove a match whose lease ends at ``until``, unless it was queued anew since it was claimed."""

    def keep(self, match: str, seconds: int) -> None:
        """Extend the time to live of a match to so many seconds at least."""


class Archiver:
    """Writes records of finished matches to an archive, in a thread of its own."""

    def __init__(
        self, repository: MatchRepository, queue: ArchiveQueue, archive: Archive, signer: Signer | None = None
    ) -> None:
        """Write the records of ``repository``, signed where there is a ``signer``."""
        self._repository, self._queue, self._archive, self._signer = repository, queue, archive, signer
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="archiver", daemon=True)

    def finishing(self, match: str) -> None:
        """Queue a match that is being finished. Raises `errors.StoreUnavailable`."""
        with translate_store_errors():
            self._queue.add(match, now_ms() + DELAY_MS)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop the thread; other workers write the rest."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(POLL_SECONDS + 10)

    def run_once(self) -> int:
        """Write the records that are due; returns how many matches were claimed."""
        now = now_ms()
        claimed = self._queue.claim(now, LEASE_MS, BATCH)
        for match in claimed:
            if self._closed.is_set():
                break  # the others are claimed again at the end of the lease
            if self._is_settled(match):
                self._queue.remove(match, now + LEASE_MS)
        return len(claimed)

    def _is_settled(self, match: str) -> bool:
        """Write the record of a match that is finished; whether it need not be tried again."""
        try:
            snapshot = self._repository.load(match)
            if not snapshot.game.is_finished(snapshot.position):
                return True  # the append that would have finished it was refused, or taken back
            record = self._repository.format_record(match)
        except errors.NotFound:
            return True
        except errors.NotPossibleNow:  # a worker of another release may know these rules
            return False
        try:
            self._archive.put(name_of(match, snapshot), self._signer.sign(record) if self._signer else record)
        except ArchiveError as error:
            LOG.error("the archive does not take a record: %s", error)
            self._queue.keep(match, KEEP_SECONDS)
            return False
        return True

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                while not self._closed.is_set() and self.run_once() == BATCH:
                    pass
            except (StoreError, errors.ChitarrellaError):
                pass  # tried again at the next poll
            except Exception as error:
                LOG.error("archiving failed: %s", type(error).__name__)  # its text may name a card
            self._closed.wait(POLL_SECONDS)


def name_of(match: str, snapshot: Snapshot) -> str:
    """The name of a record in the archive, always the same: ``YEAR/MONTH/DAY/MATCH.txt``, by the day of creation."""
    day = datetime.fromtimestamp(snapshot.metadata.created_at, UTC)
    return f"{day:%Y/%m/%d}/{match}.txt"
