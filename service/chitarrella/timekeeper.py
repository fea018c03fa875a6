"""The timekeeper: moves for the bots and rules on seats that let their time run out, so that nobody has to ask.

Every worker has one. Of several, one alone claims a match that is due; if it falls over, another has it a little later.
Bots that think do so aside, in threads of their own, so that no clock waits for them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor

from chitarrella import errors
from chitarrella.affairs import BotSeat
from chitarrella.referee import now
from chitarrella.steward import Steward, bot_on_turn
from chitarrella.store import StoreAway

SECONDS_BETWEEN_LOOKS = 0.5
LEASE = 10_000
"""Milliseconds after which a match that was claimed and not seen to may be claimed again."""
AT_ONCE = 50
THINKING = 8
"""How many bots of a worker think, or wait to do so, at a time: none for longer than a claim holds."""
PATIENCE = 100
"""Milliseconds after which a match is looked at again whose bot found no place to think."""
LOG = logging.getLogger("chitarrella")


class Timekeeper:
    """Looks for matches that are due, in a thread of its own."""

    def __init__(
        self,
        steward: Steward,
        aside: Executor | None = None,
        thinks: Callable[[BotSeat], bool] = lambda bot: True,
        seconds: float = SECONDS_BETWEEN_LOOKS,
    ) -> None:
        """Let ``steward`` see to it; nothing is looked for yet.

        Of bots those of which ``thinks`` says that they take their time move ``aside``, where there is such a place.
        """
        self._steward = steward
        self._aside = aside
        self._thinks = thinks
        self._places = threading.Semaphore(THINKING)
        self._store = steward.referee.store
        self._due = steward.referee.due
        self._seconds = seconds
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="timekeeper", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look(self) -> int:
        """See to every match that is due; gives how many moves were made, or are being thought about."""
        return sum(map(self._see_to, self._store.due(now(), LEASE, AT_ONCE)))

    def _see_to(self, match: str) -> bool:
        try:
            seen = self._steward.referee.see(match)
            bot = bot_on_turn(seen)
            if self._aside is None or bot is None or not self._thinks(bot):
                return self._steward.attend(match, seen)
        except (errors.NotPossibleNow, errors.NotFound) as error:  # it is over, or gone
            if error.code != "edition_not_kept":  # a worker of another release may know its rules
                self._store.remind(match, None)
            return False
        if not self._places.acquire(blocking=False):
            self._store.remind(match, now() + PATIENCE)  # perhaps a worker with nothing to do has it then
            return False
        self._aside.submit(self._think, match)
        return True

    def _think(self, match: str) -> None:
        try:
            self._steward.attend(match)
        except (errors.ChitarrellaError, StoreAway):  # it is gone, or claimed again soon
            pass
        except Exception as error:
            complain(error)
        finally:
            self._places.release()
            self._due.set()

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
                complain(error)

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()
        self._due.set()
        if self._thread.is_alive():
            self._thread.join(self._seconds + 1)


def complain(error: Exception) -> None:
    """Log what went wrong, not its text, which may name a card."""
    LOG.error("what was due failed: %s", type(error).__name__)
