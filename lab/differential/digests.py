"""The digests of the transcripts of random deals: digests.txt, a line for each thousand deals of a rule set."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import NamedTuple

from chitarrella.catalogue.registry import RuleSet
from chitarrella.tricks.game import TrickGame
from lab.differential.transcript import Transcript
from tests.walks import CATALOGUE, defaults, name, variants

FILE = Path(__file__).with_name("digests.txt")
HEAD = """\
# What the engine did in random deals; `make differential` plays them again, and expects the same.
# A line for each thousand deals of a rule set: its name, the edition of its rules, the seed, the SHA-256 of all that
# was observable (cut to 16 hexadecimal digits), and that of each hundred deals (cut to 8).
"""
HUNDREDS = 10
"""Parts of a thousand. Each has a seed and a digest of its own, so that it can be played alone."""
HUNDRED = 100
ROUNDS = 2
"""So often every rule set is played before those of trick games by default are played again."""


class Thousand(NamedTuple):
    """A thousand random deals of one rule set, and the digests of their transcripts; empty before they are played."""

    rule_set: str
    edition: int
    seed: str
    digest: str = ""
    hundreds: tuple[str, ...] = ()

    def transcript(self, hundred: int) -> Iterator[str]:
        """Yield the lines of the transcript of one hundred deals."""
        return Transcript(rule_sets()[self.rule_set], f"{self.seed} {hundred}").lines(HUNDRED)

    def played(self, hundreds: int = HUNDREDS) -> Thousand:
        """Play the first hundreds, and return them with their digests; the digest of all only if all were played."""
        digests = []
        for hundred in range(hundreds):
            hashed = sha256()
            for line in self.transcript(hundred):
                hashed.update(f"{line}\n".encode())
            digests.append(hashed.hexdigest())
        whole = sha256(" ".join(digests).encode()).hexdigest()[:16] if hundreds == HUNDREDS else ""
        return self._replace(digest=whole, hundreds=tuple(digest[:8] for digest in digests))

    @property
    def is_current(self) -> bool:
        """Whether the edition is that of the rules as they are."""
        return CATALOGUE.game_for(rule_sets()[self.rule_set]).edition == self.edition

    @property
    def plan(self) -> Thousand:
        """The same deals without digests."""
        return self._replace(digest="", hundreds=())


@cache
def rule_sets() -> dict[str, RuleSet]:
    """Every rule set by its name: all games with all numbers of players, and with one option that is no default."""
    return {name(rule_set): rule_set for rule_set in (*defaults(), *variants())}


def plan(number: int) -> list[Thousand]:
    """Plan so many thousands: every rule set in each of two rounds, then trick games by default in as many as it takes.

    The order within a round and the seeds follow from the names alone, so that a new rule set changes no other one's.
    """
    every = list(rule_sets().values())
    of_tricks = [rule_set for rule_set in defaults() if isinstance(CATALOGUE.game_for(rule_set), TrickGame)]
    planned: list[Thousand] = []
    for turn in count():
        found = [_planned(rule_set, turn) for rule_set in (every if turn < ROUNDS else of_tricks)]
        planned += sorted(found, key=lambda thousand: thousand.seed)
        if len(planned) >= number:
            break
    return planned[:number]


def _planned(rule_set: RuleSet, turn: int) -> Thousand:
    named = name(rule_set)
    return Thousand(named, CATALOGUE.game_for(rule_set).edition, sha256(f"{turn} {named}".encode()).hexdigest()[:8])


def read(path: Path = FILE) -> list[Thousand]:
    """Read the file; empty where there is none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [_parse(line) for line in lines if line and not line.startswith("#")]


def _parse(line: str) -> Thousand:
    rule_set, edition, seed, digest, *hundreds = line.split()
    return Thousand(rule_set, int(edition), seed, digest, tuple(hundreds))


def write(thousands: list[Thousand], path: Path = FILE) -> None:
    """Write the file."""
    lines = [f"{t.rule_set} {t.edition} {t.seed} {t.digest} {' '.join(t.hundreds)}\n" for t in thousands]
    path.write_text(HEAD + "".join(lines), encoding="utf-8")
