"""The archive of finished matches: each is handed over once it is finished, before it expires in the store.

The archive gets the record, for people and programs, and a copy of the match as the store has it, from which
`archived_matches` answers when the match has expired. Once both are written the store keeps the match for a short time
only: what is kept, and not what is played, would fill its memory.

A match is queued before and after the append that finishes it: before, so that a worker that is killed in between loses
none. Queued again afterwards, in case another worker claimed it before the append and found the match unfinished. Each
worker runs an archiver on the shared queue. A record is written at least once, always under the same name.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from datetime import UTC, datetime
from threading import Lock

from cachetools import TTLCache

from chitarrella import errors
from chitarrella.matches.chance import Signer
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import MatchMetadata
from chitarrella.matches.model import RunLong
from chitarrella.matches.repository import MatchArchive, MatchRepository, translate_store_errors
from chitarrella.matches.service import MATCH_ID_LENGTH
from chitarrella.storage.archive import Archive, ArchiveError, ArchiveQueue, MatchCopyStore
from chitarrella.storage.rows import Backlog, MatchCopy, StoreError

DELAY_MS = 20_000  # delay before a queued match is archived; longer than an append can take
LEASE_MS = 30_000  # after so many milliseconds a record that was not written is tried again, by any worker
KEEP_SECONDS = 3600  # at least after a failed attempt, by default at most after a successful one
COPY_VERSION = 1  # the version of the format of a copy; another one cannot be read
POLL_SECONDS = 1.0  # seconds between two looks at the queue
BATCH = 20  # how many matches one look claims
LOG = logging.getLogger("chitarrella")


class Archiver:
    """Writes finished matches to an archive, in a thread of its own."""

    def __init__(self, repository: MatchRepository, archived: ArchivedMatches, signer: Signer | None = None) -> None:
        self._repository, self._signer = repository, signer
        self._queue, self._copies, self._archive = archived.queue, archived.copies, archived.archive
        self._keep_seconds = archived.keep_seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="archiver", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(POLL_SECONDS + 10)

    def backlog(self) -> Backlog:
        return self._queue.backlog()

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
        """Archive a match that is finished; whether it need not be tried again."""
        try:
            snapshot = self._repository.load(match)
            if not snapshot.is_over:
                return True  # the append that would have finished it was refused, or taken back
            record, copy = self._repository.format_record(match), self._copies.copy(match)
        except errors.NotFound:
            return True
        except errors.NotPossibleNow:  # a worker of another release may know these rules
            return False
        if copy is None:
            return True
        names = names_of(match, snapshot.metadata.created_at)
        texts = (self._signer.sign(record) if self._signer else record, format_copy(copy))
        try:
            for name, text in zip(names, texts, strict=True):
                self._archive.put(name, text)
            if not self._copies.shorten(match, self._keep_seconds):  # it was deleted meanwhile
                for name in names:
                    self._archive.delete(name)
        except ArchiveError as error:
            LOG.error("the archive does not take a match: %s", error)
            self._copies.keep(match, KEEP_SECONDS)
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


def names_of(match: str, created_at: int) -> tuple[str, str]:
    """The names of a match: of its record, by the day of creation (seconds since 1970), and of its copy."""
    return f"{datetime.fromtimestamp(created_at, UTC):%Y/%m/%d}/{match}.txt", copy_name(match)


def copy_name(match: str) -> str:
    return f"matches/{match[:2]}/{match}.json"


def format_copy(copy: MatchCopy) -> str:
    content = {"version": COPY_VERSION, "match": copy.match, "row": copy.row, "log": copy.log, "tokens": copy.tokens}
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def parse_copy(text: str) -> MatchCopy:
    try:
        content = json.loads(text)
        if content["version"] != COPY_VERSION:
            raise ValueError("another version")
        return MatchCopy(content["match"], content["row"], content["log"], content["tokens"], -1)
    except (KeyError, TypeError) as error:
        raise ValueError("no copy of a match") from error


UNKNOWN_SECONDS = 60.0  # for so long an id that the archive does not know is not looked up again
UNKNOWN_IDS = 10_000  # how many such ids are remembered
MATCH_ID = re.compile(rf"[0-9a-f]{{{MATCH_ID_LENGTH}}}")  # the id of a match; nothing else is looked up


class ArchivedMatches(MatchArchive):
    """The matches of an archive. Thread-safe."""

    def __init__(
        self,
        archive: Archive,
        queue: ArchiveQueue,
        copies: MatchCopyStore,
        run_long: RunLong[bool] = lambda call: call(),
        keep_seconds: int = KEEP_SECONDS,
    ) -> None:
        """Once a match is written, or restored, the store keeps it for ``keep_seconds`` more at most; ``run_long`` runs
        what must not hold up a loop.
        """
        self.archive, self.queue, self.copies, self.keep_seconds = archive, queue, copies, keep_seconds
        self._run_long = run_long
        self._unknown: TTLCache[str, bool] = TTLCache(UNKNOWN_IDS, UNKNOWN_SECONDS)
        self._lock = Lock()

    def finishing(self, match: str) -> None:
        with translate_store_errors():
            self.queue.add(match, now_ms() + DELAY_MS)
            self.copies.keep(match, (DELAY_MS + LEASE_MS) // 1000)  # one that was restored may be about to expire

    def restore(self, match: str) -> bool:
        """Store an archived match again; False where there is none. Raises `errors.StoreUnavailable`."""
        if not MATCH_ID.fullmatch(match):
            return False
        with self._lock:
            if match in self._unknown:
                return False
        return self._run_long(lambda: self._restore(match))

    def _restore(self, match: str) -> bool:
        try:
            text = self.archive.get(copy_name(match))
            copy = None if text is None else parse_copy(text)
        except ArchiveError as error:
            LOG.warning("the archive does not answer: %s", error)
            raise errors.StoreUnavailable from error
        except ValueError as error:  # its text may hold a card
            LOG.error("the archive has a match that cannot be read")
            raise errors.StoreUnavailable from error
        if copy is None:
            with self._lock:
                self._unknown[match] = True
            return False
        with translate_store_errors():
            self.copies.restore(copy, self.keep_seconds)
        return True

    def delete(self, match: str, metadata: MatchMetadata) -> None:
        """Delete an archived match, if there is one. Raises `errors.StoreUnavailable`: the caller repeats it."""
        try:
            for name in names_of(match, metadata.created_at):
                self.archive.delete(name)
        except ArchiveError as error:
            LOG.warning("the archive does not delete a match: %s", error)
            raise errors.StoreUnavailable from error
