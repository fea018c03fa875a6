"""The scheduler: plays for bots and enforces clocks when they are due, so that nobody has to ask.

Every worker runs one. Of several, only one claims a match that is due; where it is killed, another claims the match
when the lease is over. Searches of bots wait in a queue of their own, by owner (`RedisSearchQueue`), and run in a pool
of threads in fair shares of their owners: nothing that takes little time waits for them. A move that is found before
the think time of its bot is over waits for that without a thread.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from sched import scheduler as EventQueue  # noqa: N812 - it is a class

from chitarrella import errors
from chitarrella.matches.clock import now_ms
from chitarrella.matches.metadata import UNKNOWN_RULES
from chitarrella.matches.operations import MatchOperations
from chitarrella.runtime.threads import FairPool
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.rows import SearchClaim, StoreError

POLL_SECONDS = 0.5  # seconds between two looks at the schedule
LEASE_MS = 10_000  # after so many milliseconds a match that was claimed and not served may be claimed again
BATCH = 50  # how many matches are claimed at once
LIST_SECONDS = 5.0  # how often a worker looks for expired matches in lists
LOG = logging.getLogger("chitarrella")


class Scheduler:
    """Serves matches that are due, in a thread of its own."""

    def __init__(
        self,
        operations: MatchOperations,
        store: RedisStore,
        searching: FairPool | None = None,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Bots search in the pool ``searching``; without it, one by one in the thread of the scheduler."""
        self._operations = operations
        self._schedule, self._searches = store.schedule, store.searches
        self._pool = searching or FairPool("bot", 0)
        self._work_due = operations.writer.work_due
        self._poll_seconds = poll_seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)
        self._last_claim = SearchClaim()
        self._next_cleaning = 0.0
        self._found = EventQueue(time.monotonic, time.sleep)  # the moves that wait for the think time of their bots

    def start(self) -> None:
        self._thread.start()

    def waiting_searches(self) -> tuple[int, float]:
        """How many searches of all workers waited at the last claim, and since how many seconds the oldest does."""
        waiting, oldest = self._last_claim.waiting, self._last_claim.oldest
        return waiting, max(0.0, (now_ms() - oldest) / 1000) if oldest else 0.0

    def run_once(self) -> int:
        """Serve every match that is due, and start searches; returns how many moves were made or searches started."""
        self._operations.repository.presence.write()
        served = sum(map(self._run_match, self._schedule.claim(now_ms(), LEASE_MS, BATCH))) + self._start_searches()
        self._found.run(blocking=not self._pool.has_threads)
        return served

    def _run_match(self, match: str) -> bool:
        try:
            snapshot = self._operations.repository.load(match)
            if self._operations.writer.searching_bot(snapshot) is not None:
                self._operations.writer.schedule(match, snapshot)
                return False
            return self._operations.run_due(match, snapshot)
        except (errors.NotPossibleNow, errors.NotFound) as error:  # it is finished, or gone
            if error.code not in UNKNOWN_RULES:
                self._schedule.set(match, None)
            return False
        except (StoreError, errors.ChitarrellaError):
            raise
        except Exception as error:  # of its game: others go on, and this one is claimed again after the lease
            log_failure(error)
            return False

    def _start_searches(self) -> int:
        self._last_claim, started = self._searches.claim(), 0
        for _ in range(self._pool.most_running):
            if (owner := self._pool.first(self._last_claim.owners)) is None:
                break
            claim = self._last_claim = self._searches.claim(owner)
            if claim.match:
                search = self._pool.submit(owner, partial(self._try, partial(self._search, claim.match)))
                search.add_done_callback(lambda _: self._work_due.set())
                started += 1
        return started

    def _search(self, match: str) -> None:
        self._schedule.set(match, now_ms() + LEASE_MS)
        self._operations.run_due(match, hold=self._hold)

    def _hold(self, due: float, play: Callable[[], bool]) -> bool:
        self._found.enterabs(due, 0, self._try, (play,))
        return True

    def _try(self, call: Callable[[], object]) -> None:
        try:
            call()
        except (errors.ChitarrellaError, StoreError):  # it is gone, or claimed again at the end of the lease
            pass
        except Exception as error:
            log_failure(error)

    def _run(self) -> None:
        while not self._closed.is_set():
            due = self._found.run(blocking=False)  # in so many seconds
            self._work_due.wait(self._poll_seconds if due is None else min(self._poll_seconds, due))
            self._work_due.clear()
            try:
                while not self._closed.is_set() and self.run_once():
                    pass
                self._remove_expired()
            except (StoreError, errors.ChitarrellaError):  # tried again at the next poll
                continue
            except Exception as error:
                log_failure(error)

    def _remove_expired(self) -> None:
        if (now := time.monotonic()) >= self._next_cleaning and self._operations.lists.remove_expired(BATCH) < BATCH:
            self._next_cleaning = now + LIST_SECONDS

    def close(self) -> None:
        self._closed.set()
        self._work_due.set()
        if self._thread.is_alive():
            self._thread.join(self._poll_seconds + 1)
        self._pool.shutdown()


def log_failure(error: Exception) -> None:
    """Log the type of an error, not its text, which may name a card."""
    LOG.error("a scheduled task failed: %s", type(error).__name__)
