"""What is answered about the packs and lots that were drawn, as frozen values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """A word that a seat has added to a shuffle."""

    seat: int
    word: str


@dataclass(frozen=True, slots=True)
class Awaited:
    """What came of a word: the revision after it, and whose words are still waited for."""

    revision: int
    words_awaited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A pack or a lot that was drawn; `chitarrella_client.fairness.is_fair` checks it."""

    number: int
    """Counts the draws of the match from 1."""
    revision: int
    verb: str
    handed_in: bool = False
    """It was handed in: there is nothing to prove it by."""
    commitment: str = ""
    """What was published before the draw."""
    words: tuple[Contribution, ...] = ()
    nonce: str = ""
    """Empty as long as it could tell of hidden cards."""
    cards: tuple[str, ...] = ()
    """The pack as it was dealt; empty as long as it could tell of hidden cards."""
    amount: int | None = None
    """The lot."""
    lots: tuple[int, ...] = ()
    """The lots there were."""


@dataclass(frozen=True, slots=True)
class Draws:
    """The draws of a match in order, and the commitment to the next one."""

    draws: tuple[Draw, ...] = ()
    next_commitment: str = ""

    def __iter__(self) -> Iterator[Draw]:
        """Go through the draws."""
        return iter(self.draws)


@dataclass(frozen=True, slots=True)
class Fairness:
    """Whether a draw was fair; if not, ``code`` says why."""

    fair: bool
    code: str = ""

    def __bool__(self) -> bool:
        """Tell whether it was."""
        return self.fair
