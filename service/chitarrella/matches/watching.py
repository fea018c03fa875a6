"""The watch hub: many watchers of a worker, one subscription to the store.

Each watched match is replayed once, and every viewer who watches it gets updates of their own; watchers with the same
viewer share them. A watcher is not even woken for what its viewer may not know. A watcher that does not read its
updates is dropped, so that nobody has to wait for it. A watch ends when the key it was opened with is replaced, or the
token expires.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterable

from chitarrella import errors
from chitarrella.core.model import Event, Viewer
from chitarrella.matches.history import Cursor, MatchHistory, Update, ViewerFeed
from chitarrella.matches.keys import key_hashes
from chitarrella.matches.loss import moves_lost
from chitarrella.matches.model import Snapshot
from chitarrella.matches.repository import MatchRepository
from chitarrella.matches.watcher import PUBLIC, WatchAccess, Watcher
from chitarrella.storage.redis_pubsub import Subscription, Subscriptions
from chitarrella.storage.rows import chain_digest

POLL_SECONDS = 5.0
"""The subscription may lose a notification; so every watched match is read this often."""
EXPIRY_SECONDS = 1.0
"""How often watches are ended whose token has expired. No update is queued for them before that either."""

LOG = logging.getLogger("chitarrella")

HistoryStep = tuple[int, tuple[Event, ...]]
"""One log entry: the revision after it, and its events."""


class _ViewerUpdates:
    """All updates of a match for one viewer, kept for watchers that come later."""

    def __init__(self, viewer: Viewer) -> None:
        self._feed = ViewerFeed(viewer, Cursor())
        self.updates: list[Update] = []

    def advance(self, steps: Iterable[HistoryStep]) -> list[Update]:
        """Filter the next log entries; returns the new updates."""
        new = [update for step in steps if (update := self._feed.next_update(*step)) is not None]
        self.updates += new
        return new


class _WatchedMatch:
    """A match with all its watchers, and its history as far as they have it. One thread at a time advances it."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.lock = threading.Lock()
        self.history: MatchHistory | None = None
        self.metadata = ""
        self.log_digest = ""
        self.steps: list[HistoryStep] = []
        self.by_viewer: dict[Viewer, _ViewerUpdates] = {}
        self.watchers: dict[Watcher, None] = {}

    def add(self, watcher: Watcher) -> None:
        """Add a watcher, and give it what the others have."""
        if watcher.viewer not in self.by_viewer:
            viewer_updates = self.by_viewer[watcher.viewer] = _ViewerUpdates(watcher.viewer)
            viewer_updates.advance(self.steps)
        watcher.push(self.by_viewer[watcher.viewer].updates)
        self.watchers[watcher] = None

    def finish_closed_keys(self, snapshot: Snapshot) -> None:
        """End the watches that were opened with a key that ``snapshot`` does not accept any more."""
        if not snapshot.control.rotated_keys:
            return
        accepted = set(key_hashes(snapshot.metadata, snapshot.control).values())
        for watcher in self.watchers:
            access = watcher.access
            if access.key_hash and access.key_hash not in accepted and access.log_length < snapshot.row.length:
                watcher.finish(errors.NotAuthenticated("bad_key", "This key was replaced by another one."))

    def push(self, steps: list[HistoryStep]) -> None:
        """Push the next log entries to all watchers, and keep them for viewers that come later."""
        self.steps += steps
        new = {viewer: viewer_updates.advance(steps) for viewer, viewer_updates in self.by_viewer.items()}
        for watcher in self.watchers:
            watcher.push(new[watcher.viewer])


class WatchHub:
    """All watchers of a worker. Only the first watcher of a match waits for it to be read."""

    def __init__(
        self, repository: MatchRepository, subscriptions: Subscriptions, poll_seconds: float = POLL_SECONDS
    ) -> None:
        """Watch matches of ``repository``; the subscription is opened with the first watcher."""
        self._repository = repository
        self._subscriptions = subscriptions
        self._poll_seconds = poll_seconds
        self._lock = threading.Lock()
        self._matches: dict[str, _WatchedMatch] = {}
        self._expiring: set[Watcher] = set()
        self._subscription: Subscription | None = None
        self._closed = threading.Event()
        self._poller = threading.Thread(target=self._poll, name="watch-hub", daemon=True)

    def watch(
        self, match: str, viewer: Viewer, after: Cursor, notify: Callable[[], None], access: WatchAccess = PUBLIC
    ) -> Watcher:
        """Watch a match from ``after`` on, as long as ``access`` allows. Raises what `MatchRepository.load` raises."""
        watcher = Watcher(match, viewer, after, notify, self._remove, access)
        with self._lock:
            if self._closed.is_set():
                raise errors.ShuttingDown()
            if self._subscription is None:
                self._subscription = self._subscriptions.open(self._catch_up)
                self._poller.start()
            watched = self._matches.get(match)
            is_first = watched is None
            if watched is None:
                watched = self._matches[match] = _WatchedMatch(match)
                self._subscription.subscribe(match)
            watched.add(watcher)
            if access.expires_at < math.inf:
                self._expiring.add(watcher)
        if is_first:
            try:
                self._advance(watched)
            except BaseException:
                self._remove(watcher)
                raise
        return watcher

    def _catch_up(self, match: str) -> None:
        """Read what may be new in a match; an error ends its watches, and touches no other match."""
        with self._lock:
            watched = self._matches.get(match)
        if watched is None:
            return
        try:
            self._advance(watched)
        except errors.StoreUnavailable:  # read again at the next poll
            return
        except errors.ChitarrellaError as error:
            self._finish(watched, error)
        except Exception as error:
            LOG.error("a match cannot be replayed: %s", type(error).__name__)  # not its text, which may name a card
            self._finish(watched, errors.InternalError())

    def _advance(self, watched: _WatchedMatch) -> None:
        """Replay what is new in a match. Raises `errors.MovesLost` where the store has lost what watchers have read."""
        with watched.lock:
            snapshot = self._repository.load(watched.match)
            row = snapshot.row
            if watched.history is None:
                watched.history, entries = self._repository.history(watched.match)
                watched.metadata, watched.log_digest = row.metadata, chain_digest("", (row.metadata,))
            else:
                entries = self._repository.read_log(watched.match, watched.history.length)
            history = watched.history
            new = tuple(entries[: max(0, row.length - history.length)])
            digest = chain_digest(watched.log_digest, new)
            if digest != row.log_digest:
                raise self._loss(watched, snapshot, history.revision)
            steps = list(history.replay(new))
            with self._lock:
                watched.log_digest = digest
                watched.finish_closed_keys(snapshot)
                watched.push(steps)
        if row.aborted or history.game.is_finished(history.position):
            self._finish(watched)

    def _loss(self, watched: _WatchedMatch, snapshot: Snapshot, revision: int) -> errors.MovesLost:
        """Record that moves up to ``revision`` are lost, which watchers may have read; return the error for them.

        Raises `ValueError` if something other than the service changed the log.
        """
        try:
            self._repository.check_log(watched.match, snapshot.row)
        except ValueError:
            now = self._repository.load(watched.match)
            if now.row == snapshot.row:
                raise
            snapshot = now  # the moves were lost between the reads of the row and of the log
            self._repository.check_log(watched.match, snapshot.row)
        if watched.metadata == snapshot.row.metadata:
            snapshot = self._repository.on_loss(watched.match, snapshot, revision)
        return moves_lost(snapshot.row.revision, "cursor")

    def _finish(self, watched: _WatchedMatch, error: errors.ChitarrellaError | None = None) -> None:
        """End all watches of a match; who comes later starts anew."""
        with self._lock:
            for watcher in watched.watchers:
                watcher.finish(error)
            self._forget(watched)

    def _remove(self, watcher: Watcher) -> None:
        with self._lock:
            self._expiring.discard(watcher)
            watched = self._matches.get(watcher.match)
            if watched is None or watcher not in watched.watchers:
                return
            del watched.watchers[watcher]
            if not watched.watchers:
                self._forget(watched)

    def _forget(self, watched: _WatchedMatch) -> None:
        if self._matches.get(watched.match) is watched:
            del self._matches[watched.match]
            if self._subscription is not None:
                self._subscription.unsubscribe(watched.match)

    def _poll(self) -> None:
        next_poll = time.monotonic() + self._poll_seconds
        while not self._closed.wait(min(EXPIRY_SECONDS, self._poll_seconds)):
            with self._lock:
                for watcher in self._expiring:
                    watcher.finish_if_expired()
                matches = list(self._matches)
            if time.monotonic() >= next_poll:
                for match in matches:
                    self._catch_up(match)
                next_poll = time.monotonic() + self._poll_seconds

    def count(self) -> int:
        """The number of watchers."""
        with self._lock:
            return sum(len(watched.watchers) for watched in self._matches.values())

    def close(self) -> None:
        """End every watch, so that it is taken up at another worker, and close the subscription."""
        self._closed.set()
        with self._lock:
            for watched in self._matches.values():
                for watcher in watched.watchers:
                    watcher.finish(errors.ShuttingDown())
            subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()
