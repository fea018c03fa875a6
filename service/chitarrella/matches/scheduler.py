"""The scheduler: plays for bots and enforces clocks when they are due, so that nobody has to ask.

Every worker runs one. Of several, only one claims a match that is due; where it is killed, another claims the match
when the lease is over. Bots that search move in an executor, so that no clock waits for them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor

from chitarrella import errors
from chitarrella.matches.control import BotAssignment
from chitarrella.matches.match_time import now_ms
from chitarrella.matches.operations import MatchOperations, bot_on_turn
from chitarrella.matches.store import Schedule, StoreError

POLL_SECONDS = 0.5
LEASE_MS = 10_000
"""After so many milliseconds a match that was claimed and not served may be claimed again."""
BATCH = 50
"""How many matches are claimed at once."""
MAX_THINKING = 8
"""How many bots of a worker search, or wait for the executor, at a time: none for longer than a lease."""
RETRY_MS = 100
"""After so many milliseconds a match is due again whose bot found the executor full."""
LOG = logging.getLogger("chitarrella")


class Scheduler:
    """Serves matches that are due, in a thread of its own."""

    def __init__(
        self,
        operations: MatchOperations,
        schedule: Schedule,
        executor: Executor | None = None,
        is_slow: Callable[[BotAssignment], bool] = lambda bot: True,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        """Serve what ``schedule`` says is due, through ``operations``; slow bots move in ``executor``."""
        self._operations = operations
        self._schedule = schedule
        self._executor = executor
        self._is_slow = is_slow
        self._slots = threading.Semaphore(MAX_THINKING)
        self._work_due = operations.writer.work_due
        self._poll_seconds = poll_seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scheduler", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def run_once(self) -> int:
        """Serve every match that is due; returns how many moves were made, or are being searched for."""
        return sum(map(self._run_match, self._schedule.claim(now_ms(), LEASE_MS, BATCH)))

    def _run_match(self, match: str) -> bool:
        try:
            snapshot = self._operations.repository.load(match)
            bot = bot_on_turn(snapshot)
            if self._executor is None or bot is None or not self._is_slow(bot):
                return self._operations.run_due(match, snapshot)
        except (errors.NotPossibleNow, errors.NotFound) as error:  # it is finished, or gone
            if error.code != "edition_not_supported":  # a worker of another release may know its rules
                self._schedule.set(match, None)
            return False
        if not self._slots.acquire(blocking=False):
            self._schedule.set(match, now_ms() + RETRY_MS)  # another worker may have a free slot then
            return False
        self._executor.submit(self._search_and_play, match)
        return True

    def _search_and_play(self, match: str) -> None:
        try:
            self._operations.run_due(match)
        except (errors.ChitarrellaError, StoreError):  # it is gone, or claimed again soon
            pass
        except Exception as error:
            log_failure(error)
        finally:
            self._slots.release()
            self._work_due.set()

    def _run(self) -> None:
        while not self._closed.is_set():
            self._work_due.wait(self._poll_seconds)
            self._work_due.clear()
            try:
                while not self._closed.is_set() and self.run_once():
                    pass
            except (StoreError, errors.ChitarrellaError):  # tried again at the next poll
                continue
            except Exception as error:
                log_failure(error)

    def close(self) -> None:
        """Stop the thread."""
        self._closed.set()
        self._work_due.set()
        if self._thread.is_alive():
            self._thread.join(self._poll_seconds + 1)


def log_failure(error: Exception) -> None:
    """Log the type of an error, not its text, which may name a card."""
    LOG.error("a scheduled task failed: %s", type(error).__name__)
