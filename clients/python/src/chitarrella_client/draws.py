"""Draws: the packs and lots of a match with their proofs, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """A seat's contribution to a shuffle."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """The result of a contribution: the revision after it, and the seats whose contributions are awaited."""

    revision: int
    words_awaited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A pack or a lot that was drawn; `chitarrella_client.fairness.is_fair` verifies it."""

    number: int
    """The number of the draw in the match, from 1."""
    revision: int
    verb: str
    handed_in: bool = False
    """The referee supplied it, so there is no proof."""
    commitment: str = ""
    """The commitment, published before the draw."""
    words: tuple[Contribution, ...] = ()
    nonce: str = ""
    """Empty while it would reveal hidden cards."""
    cards: tuple[str, ...] = ()
    """The pack as it was dealt; empty while it would reveal hidden cards."""
    amount: int | None = None
    """The lot that was drawn."""
    lots: tuple[int, ...] = ()
    """The lots it was drawn from."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a match in order, and the commitment to the next one."""

    draws: tuple[Draw, ...] = ()
    next_commitment: str = ""

    def __iter__(self) -> Iterator[Draw]:
        """Iterate over the draws."""
        return iter(self.draws)


@dataclass(frozen=True, slots=True)
class Fairness:
    """Whether a draw was fair; if not, ``code`` tells why."""

    fair: bool
    code: str = ""

    def __bool__(self) -> bool:
        """Whether it was fair."""
        return self.fair
