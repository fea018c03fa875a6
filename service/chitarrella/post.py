"""The post: what is to be told to platforms, kept in the store until it was delivered.

A parcel is announced before the moves that it is about are added, and so it is there whenever they are: a worker may
fall at any moment, and nothing is lost. Whoever opens a parcel finds out from the log whether there is anything in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

ENDED = -1
"""In place of the first line: the match was ended before its time."""


class Parcel(NamedTuple):
    """Lines of the log of a match, from ``start`` to before ``stop``; ``tries`` counts how often it was opened."""

    name: str
    match: str
    start: int
    stop: int
    tries: int = 1


class Post(Protocol):
    """Where parcels wait. Every method may raise `chitarrella.store.StoreAway`."""

    def announce(self, platform: str, match: str, start: int, stop: int) -> None:
        """Put down a parcel for a platform."""

    def collect(self, platform: str, wait: int, pause: Callable[[int], int]) -> list[Parcel]:
        """Take new parcels, waiting for them so many milliseconds, and those whose ``pause`` is over.

        ``pause`` tells for a number of tries after how many milliseconds a parcel may be opened again, even by another
        worker.
        """

    def hold(self, platform: str, parcel: Parcel, waited: int) -> None:
        """Put a parcel back, as if ``waited`` milliseconds of its pause were over."""

    def done(self, platform: str, parcel: Parcel) -> None:
        """Throw a parcel away."""
