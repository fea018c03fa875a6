"""The timekeeper: moves for the bots and rules on seats that let their time run out, so that nobody has to ask.

Every worker has one. Of several, one alone claims a match that is due; if it falls over, another has it a little later.
"""

from __future__ import annotations

import logging
import threading

from chitarrella import errors
from chitarrella.referee import now
from chitarrella.steward import Steward
from chitarrella.store import StoreAway

SECONDS_BETWEEN_LOOKS = 0.5
LEASE = 10_000
"""Milliseconds after which a match that was claimed and not seen to may be claimed again."""
AT_ONCE = 50
LOG = logging.getLogger("chitarrella")


class Timekeeper:
    """Looks for matches that are due, in a thread of its own."""

    def __init__(self, steward: Steward, seconds: float = SECONDS_BETWEEN_LOOKS) -> None:
        """Let ``steward`` see to it; nothing is looked for yet."""
        self._steward = steward
        self._store = steward.referee.store
        self._due = steward.referee.due
        self._seconds = seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look(self) -> int:
        """See to every match that is due; gives how many moves were made."""
        moves = 0
        for match in self._store.due(now(), LEASE, AT_ONCE):
            try:
                moves += self._steward.attend(match)
            except (errors.NotPossibleNow, errors.NotFound):  # it is over, or gone
                self._store.remind(match, None)
        return moves

    def _run(self) -> None:
        while not self._closed.is_set():
            self._due.wait(self._seconds)
            self._due.clear()
            try:
                while not self._closed.is_set() and self.look():
                    pass
            except (StoreAway, errors.ChitarrellaError):  # looked at again soon
                continue
            except Exception as error:
                LOG.error("what was due failed: %s", type(error).__name__)  # not its text, which may name a card

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()
        self._due.set()
        if self._thread.is_alive():
            self._thread.join(self._seconds + 1)
