"""Whether a worker is ready: it is in service, and the store takes what a match writes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from chitarrella import errors
from chitarrella.api.draining import Draining

POLL_SECONDS = 0.25
"""Seconds between two readings of the state that the workers of a node share."""
LOG = logging.getLogger("chitarrella")


class SetServing(Protocol):
    """Reports to health checks whether load balancers should send calls."""

    def __call__(self, *, is_serving: bool) -> None:
        """Report it."""


class Readiness:
    """The readiness of one worker."""

    def __init__(self, draining: Draining, probe: Callable[[], None]) -> None:
        """Ready while the node is not drained and ``probe``, which asks the store, raises nothing."""
        self._draining = draining
        self._probe = probe
        self._is_stopping = False
        self.is_listening: Callable[[], bool] = lambda: True
        """Whether the gRPC port accepts calls."""

    @property
    def is_in_service(self) -> bool:
        """Whether load balancers should send calls to this worker, as far as it depends on the worker."""
        return not (self._is_stopping or self._draining.is_on)

    def stop(self) -> None:
        """Be ready no more: the worker is being stopped."""
        self._is_stopping = True

    def check(self) -> None:
        """Raise `errors.ShuttingDown` where the worker is out of service or not listening, and faults of the store."""
        if not (self.is_in_service and self.is_listening()):
            raise errors.ShuttingDown()
        self._probe()

    async def report(self, set_serving: SetServing) -> None:
        """Report every change until cancelled."""
        was_serving = True
        while True:
            if self.is_in_service != was_serving:
                was_serving = self.is_in_service
                LOG.info("this worker is %s", "in service again" if was_serving else "out of service")
                set_serving(is_serving=was_serving)
            await asyncio.sleep(POLL_SECONDS)
