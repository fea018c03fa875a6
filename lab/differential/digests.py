"""The digests of the transcripts of random deals: digests.txt.bz2, a line for each thousand deals of a rule set."""

from __future__ import annotations

import bz2
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.registry import RuleSet
from chitarrella.tricks.rules import Rules
from lab.differential.transcript import Transcript
from tests.vectors.digests import rule_sets
from tests.walks import CATALOGUE, defaults, name

FILE = Path(__file__).with_name("digests.txt.bz2")
HEAD = """\
# What the engine did in random deals; `make differential` plays them again, and expects the same.
# A line for each thousand deals of a rule set: its name, the edition of its rules, which of its thousands it is,
# from 0, and of each hundred deals the first two hexadecimal digits of the SHA-256 of all that was observable.
"""
DIGITS = 2
HUNDREDS = 10  # parts of a thousand. Each has a seed and a digest of its own, so that it can be played alone.
HUNDRED = 100
ROUNDS = 2  # so often every rule set is played before those of trick games by default are played again


class Thousand(NamedTuple):
    """Thousand random deals of one rule set, and the digests of its hundreds in a row, none before they are played."""

    rule_set: str
    edition: int
    turn: int
    digests: str = ""

    @property
    def seed(self) -> str:
        """What shuffles the deals; it follows from the name and the turn alone."""
        return sha256(f"{self.turn} {self.rule_set}".encode()).hexdigest()[:8]

    def transcript(self, hundred: int) -> Iterator[str]:
        """Yield the lines of the transcript of one hundred deals."""
        return Transcript(rule_sets()[self.rule_set], f"{self.seed} {hundred}").lines(HUNDRED)

    def played(self, hundreds: int = HUNDREDS) -> Thousand:
        digests = ""
        for hundred in range(hundreds):
            hashed = sha256()
            for line in self.transcript(hundred):
                hashed.update(f"{line}\n".encode())
            digests += hashed.hexdigest()[:DIGITS]
        return self._replace(digests=digests)

    def differing(self, other: Thousand) -> Iterator[int]:
        """Yield the hundreds that have other digests, of those that both have."""
        for hundred in range(min(len(self.digests), len(other.digests)) // DIGITS):
            part = slice(hundred * DIGITS, (hundred + 1) * DIGITS)
            if self.digests[part] != other.digests[part]:
                yield hundred

    @property
    def is_current(self) -> bool:
        """Whether the edition is that of the rules as they are."""
        return edition_of(rule_sets()[self.rule_set]) == self.edition

    @property
    def plan(self) -> Thousand:
        """The same deals without digests."""
        return self._replace(digests="")


def plan(number: int) -> list[Thousand]:
    """Plan so many thousands: every rule set in each of two rounds, then trick games by default in as many as it takes.

    The order within a round and the seeds follow from the names alone, so that a new rule set changes no other one's.
    """
    every = list(rule_sets().values())
    of_tricks = [rule_set for rule_set in defaults() if isinstance(CATALOGUE.game_for(rule_set), Rules)]
    planned: list[Thousand] = []
    for turn in count():
        found = (Thousand(name(one), edition_of(one), turn) for one in (every if turn < ROUNDS else of_tricks))
        planned += sorted(found, key=lambda thousand: thousand.seed)
        if len(planned) >= number:
            break
    return planned[:number]


def edition_of(rule_set: RuleSet) -> int:
    return CATALOGUE.game_for(rule_set).edition


def read() -> list[Thousand]:
    """Read the file; empty if there is none."""
    rows = [line.split() for line in bz2.decompress(FILE.read_bytes()).decode().splitlines()] if FILE.exists() else []
    return [Thousand(row[0], int(row[1]), int(row[2]), *row[3:]) for row in rows if row[0] != "#"]


def write(thousands: list[Thousand]) -> None:
    lines = [" ".join(map(str, thousand)) + "\n" for thousand in thousands]
    FILE.write_bytes(bz2.compress((HEAD + "".join(lines)).encode()))
