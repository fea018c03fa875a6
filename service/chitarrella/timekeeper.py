"""The timekeeper: rules by itself on seats that let their time run out, so that nobody has to ask.

Every worker has one. Of several, one alone claims a match that is due; if it falls over, another has it a little later.
"""

from __future__ import annotations

import logging
import threading

from chitarrella import errors
from chitarrella.referee import Referee, now
from chitarrella.store import StoreAway

SECONDS_BETWEEN_LOOKS = 0.5
LEASE = 10_000
"""Milliseconds after which a match that was claimed and not seen to may be claimed again."""
AT_ONCE = 50
LOG = logging.getLogger("chitarrella")


class Timekeeper:
    """Looks for matches that are due, in a thread of its own."""

    def __init__(self, referee: Referee, seconds: float = SECONDS_BETWEEN_LOOKS) -> None:
        """Ask ``referee`` for the rulings; nothing is looked for yet."""
        self._referee = referee
        self._seconds = seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look(self) -> int:
        """Rule on every match that is due; gives how many rulings there were."""
        rulings = 0
        for match in self._referee.store.due(now(), LEASE, AT_ONCE):
            try:
                ruled, _ = self._referee.rule_on_time(match)
            except (errors.NotPossibleNow, errors.NotFound):  # it is over, or gone
                self._referee.store.remind(match, None)
            else:
                rulings += ruled
        return rulings

    def _run(self) -> None:
        while not self._closed.wait(self._seconds):
            try:
                while self.look():
                    pass
            except (StoreAway, errors.ChitarrellaError):  # looked at again soon
                continue
            except Exception as error:
                LOG.error("a ruling on time failed: %s", type(error).__name__)  # not its text, which may name a card

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(self._seconds + 1)
