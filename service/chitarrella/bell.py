"""A bell: whoever has news for a reader on an asyncio loop rings it, from whatever thread."""

from __future__ import annotations

import asyncio


class Bell:
    """Calls a reader on the loop from any thread. What rings while nobody waits is not lost."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ring on ``loop``."""
        self._loop = loop
        self._rung = False
        self._waiting: asyncio.Future[bool] | None = None

    def ring(self) -> None:
        """Call; raises `RuntimeError` where the loop is closed."""
        if not self._rung:  # who has been called already need not be called again
            self._rung = True
            self._loop.call_soon_threadsafe(self._wake, True)

    def _wake(self, rung: bool) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(rung)

    async def rings(self, seconds: float) -> bool:
        """Wait until it rings; False where it does not for so long."""
        if not self._rung:
            self._waiting = self._loop.create_future()
            patience = self._loop.call_later(seconds, self._wake, False)
            try:
                if not await self._waiting:
                    return False
            finally:
                patience.cancel()
                self._waiting = None
        self._rung = False  # before the reader looks, or what comes right after that would be missed
        return True
