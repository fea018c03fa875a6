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
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from chitarrella import errors
from chitarrella.core.model import Seat, Viewer
from chitarrella.matches.clock import with_clock
from chitarrella.matches.history import Cursor, HistoryStep, MatchHistory, Update, ViewerFeed
from chitarrella.matches.metadata import ABORTED as ENDED_BY_ABORT
from chitarrella.matches.metadata import FINISHED, OPEN, Snapshot, key_hashes
from chitarrella.matches.repository import Cache, MatchRepository, moves_lost
from chitarrella.storage.redis_pubsub import Subscription, Subscriptions
from chitarrella.storage.rows import ABORTED, Announcement, MatchRow, chain_digest

MAX_QUEUE = 2000  # a watcher that is so many updates behind is dropped

Item = TypeVar("Item")


class WatcherQueue(Generic[Item]):
    """The updates that one watcher has not read yet. One thread at a time puts into it; another one takes."""

    def __init__(self, notify: Callable[[], None], on_close: Callable[[Any], None]) -> None:
        self.is_finished = False
        self.error: errors.ChitarrellaError | None = None
        self._notify, self._on_close = notify, on_close
        self._queue: deque[Item] = deque()

    def put(self, items: Iterable[Item]) -> None:
        if self.is_finished:
            return
        if len(self._queue) > MAX_QUEUE:
            self.finish(errors.TooMany("too_slow", "Watcher too slow; reconnect, for a match with the last cursor."))
            return
        self._queue.extend(items)
        self._notify_reader()

    def finish(self, error: errors.ChitarrellaError | None = None) -> None:
        """End the watch, because of ``error`` if there is one. Idempotent."""
        if not self.is_finished:
            self.error = error
            self.is_finished = True
            self._notify_reader()

    def _notify_reader(self) -> None:
        with suppress(RuntimeError):  # the reader's event loop was closed
            self._notify()

    @property
    def is_empty(self) -> bool:
        return not self._queue

    def take(self) -> list[Item]:
        items = []
        while self._queue:
            items.append(self._queue.popleft())
        return items

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._on_close(self)


class WatchAccess(NamedTuple):
    """By what a watcher was let in: the hash of its key, the length of the log when that was accepted (what an older
    row says of it does not count), when its token expires, in seconds since 1970, and whose key or token it is.
    """

    key_hash: str = ""
    log_length: int = 0
    expires_at: float = math.inf
    seat: Seat | None = None


PUBLIC = WatchAccess()  # a watcher without a key, whose watch does not end before the match


class Watcher(WatcherQueue[Update]):
    """One watcher of a match, and the updates that it has not read yet."""

    def __init__(
        self,
        match: str,
        viewer: Viewer,
        after: Cursor,
        notify: Callable[[], None],
        on_close: Callable[[Watcher], None],
        access: WatchAccess,
    ) -> None:
        super().__init__(notify, on_close)
        self.match, self.viewer, self.access = match, viewer, access
        self._after = after

    def push(self, updates: Sequence[Update]) -> None:
        self.finish_if_expired()
        if updates and updates[0].cursor <= self._after:  # the beginning was read before
            updates = updates[bisect_right(updates, self._after, key=attrgetter("cursor")) :]
        if updates:
            self.put(updates)

    def finish_if_expired(self) -> None:
        if self.access.expires_at <= time.time():
            self.finish(errors.NotAuthenticated("token_expired", "The token has expired.", "exp"))


POLL_SECONDS = 5.0  # the subscription may lose a notification; so every watched match is read this often
EXPIRY_SECONDS = 1.0  # how often watches with an expired token are ended; they get no update before

LOG = logging.getLogger("chitarrella")


class _WatchedMatch:
    """A match with all its watchers, and its history as far as they have it. One thread at a time advances it."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.lock = threading.Lock()
        self.history: MatchHistory | None = None
        self.metadata = ""
        self.log_digest = ""
        self.steps: list[HistoryStep] = []
        self.by_viewer: dict[Viewer, tuple[ViewerFeed, list[Update]]] = {}  # with all updates so far
        self.watchers: dict[Watcher, None] = {}

    def add(self, watcher: Watcher) -> None:
        if watcher.viewer not in self.by_viewer:
            self.by_viewer[watcher.viewer] = ViewerFeed(watcher.viewer, Cursor()), []
            self._advance(watcher.viewer, self.steps)
        watcher.push(self.by_viewer[watcher.viewer][1])
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
        self.steps += steps
        new = {viewer: self._advance(viewer, steps) for viewer in self.by_viewer}
        for watcher in self.watchers:
            watcher.push(new[watcher.viewer])

    def _advance(self, viewer: Viewer, steps: Iterable[HistoryStep]) -> list[Update]:
        feed, updates = self.by_viewer[viewer]
        new = [update for step in steps if (update := feed.next_update(step)) is not None]
        updates += new
        return new


class WatchHub:
    """All watchers of a worker. Only the first watcher of a match waits for it to be read."""

    def __init__(
        self, repository: MatchRepository, subscriptions: Subscriptions, poll_seconds: float = POLL_SECONDS
    ) -> None:
        self._repository, self._subscriptions, self._poll_seconds = repository, subscriptions, poll_seconds
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
            if is_first := match not in self._matches:
                self._matches[match] = _WatchedMatch(match)
                self._subscription.subscribe(match)
            watched = self._matches[match]
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
            steps = [with_clock(snapshot, step) for step in history.replay(new)]
            with self._lock:
                watched.log_digest = digest
                watched.finish_closed_keys(snapshot)
                watched.push(steps)
        if row.aborted or history.is_over:
            self._finish(watched)

    def _loss(self, watched: _WatchedMatch, snapshot: Snapshot, revision: int) -> errors.MovesLost:
        """Record a loss; returns the error for watchers. Raises `ValueError` if the log was changed otherwise."""
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
                matches = {match: tuple(watched.watchers) for match, watched in self._matches.items()}
            if time.monotonic() >= next_poll:
                for match, watchers in matches.items():
                    for seat in {one.access.seat for one in watchers if one.access.seat is not None}:
                        self._repository.presence.note(match, seat)
                    self._catch_up(match)
                next_poll = time.monotonic() + self._poll_seconds

    def count(self) -> int:
        with self._lock:
            return sum(len(watched.watchers) for watched in self._matches.values())

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            for watched in self._matches.values():
                for watcher in watched.watchers:
                    watcher.finish(errors.ShuttingDown())
            subscription, self._subscription = self._subscription, None
        if subscription is not None:
            subscription.close()


BEGIN_SECONDS = 3.0  # how long a watcher waits for its subscription
CHECK_SECONDS = 5.0  # a subscription that is not confirmed within this time is lost
CACHE_SIZE = 1_000  # matches whose history a hub keeps; others are replayed from their beginning


class PlatformUpdate(NamedTuple):
    """A change of a match as the public sees it; a heartbeat without a match. ``update`` is None for an abort."""

    match: str = ""
    update: Update | None = None
    state: str = ""


class PlatformWatcher(WatcherQueue[PlatformUpdate]):
    """One watcher of a platform. The first that it reads is a heartbeat."""

    def __init__(self, platform: str, notify: Callable[[], None], on_close: Callable[[PlatformWatcher], None]) -> None:
        super().__init__(notify, on_close)
        self.platform = platform
        self.put([PlatformUpdate()])


class _WatchedPlatform:
    """A platform with its watchers. ``begun`` is set when its subscription is in force, or was lost."""

    def __init__(self, platform: str) -> None:
        self.platform = platform
        self.begun = threading.Event()
        self.is_checked = False
        self.watchers: dict[PlatformWatcher, None] = {}


class _FollowedMatch:
    """The public history of a match, as far as it was announced."""

    def __init__(self, history: MatchHistory, metadata: str) -> None:
        self.history = history
        self._feed = ViewerFeed(None, Cursor())
        self._digest = chain_digest("", (metadata,))

    def leads_to(self, row: MatchRow, entries: tuple[str, ...]) -> bool:
        """Whether the row is reached by ``entries``; not where the match was deleted and created again."""
        return chain_digest(self._digest, entries) == row.log_digest

    def advance(self, match: str, entries: tuple[str, ...], start: int) -> Iterator[PlatformUpdate]:
        """Replay the next entries; yields the updates of those from entry ``start`` of the log on."""
        self._digest = chain_digest(self._digest, entries)
        for number, step in enumerate(self.history.replay(entries), self.history.length):
            update = self._feed.next_update(step)
            if update is not None and number >= start:
                yield PlatformUpdate(match, update, FINISHED if self.history.is_over else OPEN)


class PlatformHub:
    """All watchers of platforms at a worker. Watchers are added and removed without waiting for the read of a match."""

    def __init__(self, repository: MatchRepository, subscriptions: Subscriptions) -> None:
        self._repository, self._subscriptions = repository, subscriptions
        self._changed = threading.Condition()
        self._platforms: dict[str, _WatchedPlatform] = {}
        self._announced: dict[tuple[_WatchedPlatform, str], list[int]] = {}
        self._followed: Cache[_FollowedMatch] = Cache(CACHE_SIZE)
        self._subscription: Subscription | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="platform-hub", daemon=True)

    def watch(self, platform: str, notify: Callable[[], None]) -> PlatformWatcher:
        watcher = PlatformWatcher(platform, notify, self._remove)
        with self._changed:
            if self._is_closed:
                raise errors.ShuttingDown
            if self._subscription is None:
                self._subscription = self._subscriptions.open_platforms(self._on_change, self._lose_all)
                self._thread.start()
            if (watched := self._platforms.get(platform)) is None:
                watched = self._platforms[platform] = _WatchedPlatform(platform)
                self._subscription.subscribe(platform)
            watched.watchers[watcher] = None
        if not watched.begun.wait(BEGIN_SECONDS):
            watcher.finish(errors.StoreUnavailable())
        if watcher.error is not None:
            self._remove(watcher)
            raise watcher.error
        return watcher

    def _on_change(self, announcement: Announcement) -> None:
        """Note what is announced; called in the thread of the subscription, which must not be kept waiting."""
        with self._changed:
            if (watched := self._platforms.get(announcement.platform)) is None:
                return
            if not announcement.match:
                watched.is_checked = False
                watched.begun.set()
                return
            if watched.begun.is_set():  # what an earlier subscription still delivers was before this one
                self._announced.setdefault((watched, announcement.match), []).append(announcement.start)
                self._changed.notify()

    def _run(self) -> None:
        check_at = time.monotonic() + CHECK_SECONDS
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._announced or self._is_closed, check_at - time.monotonic())
                if self._is_closed:
                    return
                announced, self._announced = self._announced, {}
            for (watched, match), starts in announced.items():
                self._publish(watched, match, starts)
            if time.monotonic() >= check_at:
                check_at = time.monotonic() + CHECK_SECONDS
                self._check()

    def _publish(self, watched: _WatchedPlatform, match: str, starts: list[int]) -> None:
        """Send what is new in a match to the watchers of its platform; an error touches no other match."""
        try:
            updates = self._read(match, [start for start in starts if start != ABORTED])
        except errors.StoreUnavailable as error:
            self._lose(watched, error)
            return
        except errors.ChitarrellaError:  # it was deleted, or its rules are unknown here
            return
        except Exception as error:
            LOG.error("a match cannot be replayed: %s", type(error).__name__)  # not its text, which may name a card
            self._followed.remove(match)
            return
        if ABORTED in starts:
            updates.append(PlatformUpdate(match, state=ENDED_BY_ABORT))
        with self._changed:
            if self._platforms.get(watched.platform) is not watched:
                # What was read may be news to those who watch now: it is replayed for them.
                self._followed.remove(match)
            for watcher in tuple(watched.watchers) if updates else ():
                watcher.put(updates)

    def _read(self, match: str, starts: list[int]) -> list[PlatformUpdate]:
        if not starts:
            return []
        row = self._repository.load(match).row
        if followed := self._followed.get(match):
            length = followed.history.length
            entries = tuple(self._repository.read_log(match, length)[: max(0, row.length - length)])
        if followed is None or not followed.leads_to(row, entries):
            history, log = self._repository.history(match)
            followed, entries = _FollowedMatch(history, row.metadata), tuple(log[: row.length])
            self._followed.put(match, followed)
        return list(followed.advance(match, entries, min(starts)))

    def _check(self) -> None:
        """Ask the store whether each subscription is in force, and end the watches where it did not say so before."""
        with self._changed:
            lost = [watched for watched in self._platforms.values() if watched.is_checked]
            for platform, watched in self._platforms.items():
                watched.is_checked = True
                if self._subscription is not None:
                    self._subscription.subscribe(platform)
        for watched in lost:
            self._lose(watched, errors.StoreUnavailable())

    def _lose_all(self) -> None:
        with self._changed:
            platforms = tuple(self._platforms.values())
        for watched in platforms:
            self._lose(watched, errors.StoreUnavailable())

    def _lose(self, watched: _WatchedPlatform, error: errors.ChitarrellaError) -> None:
        with self._changed:
            if self._platforms.get(watched.platform) is not watched:
                return
            del self._platforms[watched.platform]
            if self._subscription is not None:
                self._subscription.unsubscribe(watched.platform)
            for watcher in watched.watchers:
                watcher.finish(error)
            watched.begun.set()

    def _remove(self, watcher: PlatformWatcher) -> None:
        with self._changed:
            watched = self._platforms.get(watcher.platform)
            if watched is None or watcher not in watched.watchers:
                return
            del watched.watchers[watcher]
            if not watched.watchers:
                del self._platforms[watcher.platform]
                if self._subscription is not None:
                    self._subscription.unsubscribe(watcher.platform)

    def count(self) -> int:
        with self._changed:
            return sum(len(watched.watchers) for watched in self._platforms.values())

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()
            platforms, subscription = tuple(self._platforms.values()), self._subscription
        for watched in platforms:
            self._lose(watched, errors.ShuttingDown())
        with self._changed:
            self._subscription = None
        if subscription is not None:
            subscription.close()
