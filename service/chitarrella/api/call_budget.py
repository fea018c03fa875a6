"""What a long call may still use: processor time, as long as its caller waits for the answer.

`FairExecutor` opens the budget, and the call asks at each step whether it may go on. Calls outside of it have no
budget: they are short.
"""

from __future__ import annotations

import time
from asyncio import CancelledError
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeVar

from chitarrella import errors

BUDGET_SECONDS: Final = 5.0
"""Processor time of a long call. A batch of 1,000 ordinary questions takes a fifth of it."""

Item = TypeVar("Item")


class CallBudget:
    """The budget of one call. Another thread may cancel it."""

    def __init__(self, seconds: float = BUDGET_SECONDS) -> None:
        """Allow so much processor time from the moment that the call begins."""
        self.is_cancelled = False
        self._seconds = seconds
        self._end = float("inf")

    def cancel(self) -> None:
        """Stop the call at its next step: nobody waits for the answer."""
        self.is_cancelled = True

    @contextmanager
    def spent_here(self) -> Iterator[None]:
        """Count the processor time of this thread during the block, in which `check_budget` asks this budget."""
        self._end = time.thread_time() + self._seconds
        token = CURRENT.set(self)
        try:
            yield
        finally:
            CURRENT.reset(token)

    def check(self) -> None:
        """Raise `errors.TooLarge` where the time is used up, `asyncio.CancelledError` where nobody waits any more."""
        if self.is_cancelled:
            raise CancelledError
        if time.thread_time() > self._end:
            text = f"A call may take {self._seconds:g} seconds of processor time: ask less at once."
            raise errors.TooLarge("too_large", text)


CURRENT: Final[ContextVar[CallBudget | None]] = ContextVar("budget", default=None)
"""The budget of the call that this thread answers."""


def check_budget() -> None:
    """Check the budget of the call that this thread answers, if it has one; raises as `CallBudget.check` does."""
    if (budget := CURRENT.get()) is not None:
        budget.check()


def within_budget(items: Iterable[Item]) -> Iterator[Item]:
    """Yield each item if the call may go on; raises as `CallBudget.check` does."""
    for item in items:
        check_budget()
        yield item
