"""The platform hub: those who watch all matches of a platform, with one subscription to the store for each worker.

Every append to a match of a platform is announced on the channel of the platform. The hub reads what is new in an
announced match and replays it once, however many watch the platform, and they get it as the public sees it. Matches
that nobody announces cost nothing.

A watch begins when the subscription is in force, and has every announcement from then on. Where one may be missing,
because the connection or the store was lost, all watches end with an error: nobody takes a gap for silence.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from chitarrella import errors
from chitarrella.matches.cache import Cache
from chitarrella.matches.history import Cursor, MatchHistory, Update, ViewerFeed
from chitarrella.matches.repository import MatchRepository
from chitarrella.matches.watcher_queue import WatcherQueue
from chitarrella.storage.redis_pubsub import Subscription, Subscriptions
from chitarrella.storage.rows import ABORTED, Announcement, MatchRow, chain_digest

BEGIN_SECONDS = 3.0
"""How long a watcher waits for its subscription."""
CHECK_SECONDS = 5.0
"""How often the hub asks whether a subscription is still in force; it is lost if it is not by the next time."""
CACHE_SIZE = 1_000
"""How many matches a hub keeps the history of; any other is replayed from its beginning when it is announced."""

LOG = logging.getLogger("chitarrella")


class PlatformUpdate(NamedTuple):
    """One change of a match of a platform, as the public sees it; without a match a heartbeat.

    ``is_finished`` is set with the update that finishes the match. ``update`` is None where the match ``is_aborted``.
    """

    match: str = ""
    update: Update | None = None
    is_finished: bool = False
    is_aborted: bool = False


class PlatformWatcher(WatcherQueue[PlatformUpdate]):
    """One watcher of a platform. The first that it reads is a heartbeat."""

    def __init__(self, platform: str, notify: Callable[[], None], on_close: Callable[[PlatformWatcher], None]) -> None:
        """Watch ``platform``; ``notify`` is called when there is something to read."""
        super().__init__(notify)
        self.platform = platform
        self._on_close = on_close
        self.put([PlatformUpdate()])

    def close(self) -> None:
        """Stop watching. Does not wait for the store."""
        self._on_close(self)


class _WatchedPlatform:
    """A platform with its watchers. ``begun`` is set when its subscription is in force, or was lost."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.is_checked = False
        self.watchers: dict[PlatformWatcher, None] = {}


class _FollowedMatch:
    """The public history of a match, as far as it was announced."""

    def __init__(self, history: MatchHistory, metadata: str) -> None:
        self._history = history
        self._feed = ViewerFeed(None, Cursor())
        self._digest = chain_digest("", (metadata,))

    @property
    def length(self) -> int:
        """The number of log entries that were replayed."""
        return self._history.length

    def leads_to(self, row: MatchRow, entries: tuple[str, ...]) -> bool:
        """Whether the row is reached by ``entries``; not where the match was deleted and created again."""
        return chain_digest(self._digest, entries) == row.log_digest

    def advance(self, match: str, entries: tuple[str, ...], start: int) -> Iterator[PlatformUpdate]:
        """Replay the next entries; yields the updates of those from entry ``start`` of the log on."""
        self._digest = chain_digest(self._digest, entries)
        for number, (revision, events) in enumerate(self._history.replay(entries), self._history.length):
            update = self._feed.next_update(revision, events)
            if update is not None and number >= start:
                yield PlatformUpdate(match, update, self._history.game.is_finished(self._history.position))


class PlatformHub:
    """All watchers of platforms at a worker. Watchers are added and removed without waiting for the read of a match."""

    def __init__(self, repository: MatchRepository, subscriptions: Subscriptions) -> None:
        """Watch matches of ``repository``; the subscription is opened with the first watcher."""
        self._repository = repository
        self._subscriptions = subscriptions
        self._changed = threading.Condition()
        self._platforms: dict[str, _WatchedPlatform] = {}
        self._announced: dict[tuple[str, str], list[int]] = {}
        self._followed: Cache[_FollowedMatch] = Cache(CACHE_SIZE)
        self._subscription: Subscription | None = None
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="platform-hub", daemon=True)

    def watch(self, platform: str, notify: Callable[[], None]) -> PlatformWatcher:
        """Watch the matches of a platform from now on. Raises `errors.StoreUnavailable`."""
        watcher = PlatformWatcher(platform, notify, self._remove)
        with self._changed:
            if self._is_closed:
                raise errors.ShuttingDown
            if self._subscription is None:
                self._subscription = self._subscriptions.open_platforms(self._on_change, self._lose_all)
                self._thread.start()
            if (watched := self._platforms.get(platform)) is None:
                watched = self._platforms[platform] = _WatchedPlatform()
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
                self._announced.setdefault((announcement.platform, announcement.match), []).append(announcement.start)
                self._changed.notify()

    def _run(self) -> None:
        check_at = time.monotonic() + CHECK_SECONDS
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._announced or self._is_closed, check_at - time.monotonic())
                if self._is_closed:
                    return
                announced, self._announced = self._announced, {}
            for (platform, match), starts in announced.items():
                self._publish(platform, match, starts)
            if time.monotonic() >= check_at:
                check_at = time.monotonic() + CHECK_SECONDS
                self._check()

    def _publish(self, platform: str, match: str, starts: list[int]) -> None:
        """Send what is new in a match to the watchers of its platform; an error touches no other match."""
        try:
            updates = self._read(match, [start for start in starts if start != ABORTED])
        except errors.StoreUnavailable as error:
            self._lose(platform, error)
            return
        except errors.ChitarrellaError:  # it was deleted, or its rules are unknown here
            return
        except Exception as error:
            LOG.error("a match cannot be replayed: %s", type(error).__name__)  # not its text, which may name a card
            self._followed.remove(match)
            return
        if ABORTED in starts:
            updates.append(PlatformUpdate(match, is_aborted=True))
        with self._changed:
            watched = self._platforms.get(platform)
            for watcher in tuple(watched.watchers) if watched and updates else ():
                watcher.put(updates)

    def _read(self, match: str, starts: list[int]) -> list[PlatformUpdate]:
        """Replay the entries that were announced, and were not sent before."""
        if not starts:
            return []
        row = self._repository.load(match).row
        followed = self._followed.get(match)
        entries = self._entries(match, row, followed) if followed else ()
        if followed is None or not followed.leads_to(row, entries):
            history, log = self._repository.history(match)
            followed, entries = _FollowedMatch(history, row.metadata), tuple(log[: row.length])
            self._followed.put(match, followed)
        return list(followed.advance(match, entries, min(starts)))

    def _entries(self, match: str, row: MatchRow, followed: _FollowedMatch) -> tuple[str, ...]:
        return tuple(self._repository.read_log(match, followed.length)[: max(0, row.length - followed.length)])

    def _check(self) -> None:
        """Ask the store whether each subscription is in force, and end the watches where it did not say so before."""
        with self._changed:
            lost = [platform for platform, watched in self._platforms.items() if watched.is_checked]
            for platform, watched in self._platforms.items():
                watched.is_checked = True
                if self._subscription is not None:
                    self._subscription.subscribe(platform)
        for platform in lost:
            self._lose(platform, errors.StoreUnavailable())

    def _lose_all(self) -> None:
        """End all watches: announcements may be missing."""
        with self._changed:
            platforms = tuple(self._platforms)
        for platform in platforms:
            self._lose(platform, errors.StoreUnavailable())

    def _lose(self, platform: str, error: errors.ChitarrellaError) -> None:
        """End the watches of a platform; who comes later starts anew."""
        with self._changed:
            watched = self._platforms.pop(platform, None)
            if watched is None:
                return
            if self._subscription is not None:
                self._subscription.unsubscribe(platform)
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
        """The number of watchers."""
        with self._changed:
            return sum(len(watched.watchers) for watched in self._platforms.values())

    def close(self) -> None:
        """End every watch, so that it is begun anew at another worker, and close the subscription."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()
            platforms, subscription = tuple(self._platforms), self._subscription
        for platform in platforms:
            self._lose(platform, errors.ShuttingDown())
        with self._changed:
            self._subscription = None
        if subscription is not None:
            subscription.close()
