"""Shuffles: the packs and lots of a match with their proofs, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClientSeed:
    """A text that a seat adds to a shuffle, so that nobody can know the order beforehand."""

    seat: int
    seed: str


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A pack that was shuffled or a lot that was drawn; `chitarrella_client.fairness.is_fair` verifies it."""

    number: int
    """Its number in the match, from 1."""
    revision: int
    """The revision of the match after it."""
    verb: str
    """The verb of its move, such as "start_deal"."""
    supplied: bool = False
    """It was supplied, by the referee or with the match, and cannot be verified."""
    commitment: str = ""
    """The commitment, published before the shuffle: the SHA-256 of the nonce, in hexadecimal digits."""
    client_seeds: tuple[ClientSeed, ...] = ()
    """The seeds of the seats, in the order of seats."""
    nonce: str = ""
    """In hexadecimal digits; empty while it would reveal hidden cards."""
    cards: tuple[str, ...] = ()
    """The pack in its order; empty while it would reveal hidden cards."""
    amount: int | None = None
    """The lot that was drawn."""
    lots: tuple[int, ...] = ()
    """The lots to draw from."""


@dataclass(frozen=True, slots=True)
class Shuffles:
    """The shuffles of a match in order, and the commitment to the next one."""

    shuffles: tuple[Shuffle, ...] = ()
    next_commitment: str = ""

    def __iter__(self) -> Iterator[Shuffle]:
        """Iterate over the shuffles."""
        return iter(self.shuffles)


@dataclass(frozen=True, slots=True)
class Fairness:
    """Whether a shuffle was fair; if not, ``code`` says why."""

    fair: bool
    code: str = ""

    def __bool__(self) -> bool:
        """Whether it was fair."""
        return self.fair
