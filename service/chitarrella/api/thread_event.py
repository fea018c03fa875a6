"""An event that any thread sets and one coroutine waits for."""

from __future__ import annotations

import asyncio


class ThreadEvent:
    """Wakes a coroutine on an event loop from any thread. Set while nobody waits, it stays set."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Wake a coroutine on ``loop``."""
        self._loop = loop
        self._is_set = False
        self._waiting: asyncio.Future[bool] | None = None

    def set(self) -> None:
        """Wake the coroutine; raises `RuntimeError` if the loop is closed."""
        if not self._is_set:  # the loop is woken once for all calls before the next wait
            self._is_set = True
            self._loop.call_soon_threadsafe(self._wake, True)

    def _wake(self, is_set: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(is_set)

    async def wait(self, seconds: float) -> bool:
        """Wait until the event is set, and clear it; return False if it is not set within ``seconds``."""
        if not self._is_set:
            self._waiting = self._loop.create_future()
            timeout = self._loop.call_later(seconds, self._wake, False)
            try:
                if not await self._waiting:
                    return False
            finally:
                timeout.cancel()
                self._waiting = None
        self._is_set = False  # before the reader looks, or what comes right after that would be missed
        return True
