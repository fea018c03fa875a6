"""Reads the worked examples of the specifications from ``data``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent.parent / "data"
GAMES = {
    "BR": "briscola",
    "BN": "briscolone",
    "BQ": "brusquembille",
    "BS": "brisca",
    "BB": "bisca-brazil",
    "BG": "bisca-guyana",
    "SN": "bohemian-schneider",
    "HU": "hundredogen",
    "EL": "elfern",
}
"""The games of complete deals, by the first letters of their examples."""


class Block(NamedTuple):
    """One block: the example it belongs to (numbered where an example has several), and its lines."""

    name: str
    lines: tuple[str, ...]

    @property
    def example(self) -> str:
        """The example, without the number of the block."""
        return self.name.partition("/")[0]

    def words(self) -> dict[str, str]:
        """Read lines of ``key: value``; ``pack+`` continues ``pack``."""
        said: dict[str, str] = {}
        for line in self.lines:
            key, _, value = line.partition(":")
            if key.endswith("+"):
                said[key[:-1]] += f" {value.strip()}"
            else:
                assert key not in said, f"{self.name} says {key} twice"
                said[key] = value.strip()
        return said


def blocks(file: str) -> list[Block]:
    """Read a file of blocks, each under its heading ``## name``."""
    found: list[Block] = []
    for part in (DATA / file).read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *lines = part.strip().splitlines()
        again = sum(block.example == name for block in found)
        found.append(Block(f"{name}/{again + 1}" if again else name, tuple(lines)))
    return found


class Round(NamedTuple):
    """A trick of an example: cards in order of play, winner, worth, chips paid, and draws."""

    plays: tuple[tuple[int, str], ...]
    winner: int
    worth: int
    chips: int
    draws: tuple[tuple[int, str], ...]


class Deal(NamedTuple):
    """A complete deal of the Briscola family of an example."""

    name: str
    dealer: int
    pack: str
    hands: dict[int, str]
    trump: str
    turn_up: str
    stock: str
    rounds: tuple[Round, ...]
    ending: tuple[str, ...]

    @property
    def game(self) -> str:
        """The key of the game."""
        return GAMES[self.name[:2]]


TRUMP = re.compile(r"^trump (\w) \(card (\w+), last of the stock\)$", re.MULTILINE)
HAND = re.compile(r"^s(\d) is dealt: (.+)$", re.MULTILINE)
TRICK = re.compile(r"^ *\d+  (s\d .+?) +-> s(\d) +(\d+)(?: \[(\d)\])?(?: +draws (.+))?$", re.MULTILINE)
ENDING = re.compile(r"^(?:card-points|side-payments).*$", re.MULTILINE)


def deals() -> list[Deal]:
    """Read the complete deals."""
    return [_deal(block.name, "\n".join(block.lines)) for block in blocks("deals.txt")]


def _deal(name: str, text: str) -> Deal:
    trump = TRUMP.search(text)
    rounds = tuple(
        Round(_cards(plays), int(winner), int(worth), int(chips or 0), _cards(draws))
        for plays, winner, worth, chips, draws in TRICK.findall(text)
    )
    return Deal(
        name=name,
        dealer=int(_line(text, "dealer s")),
        pack=_line(text, "pack (top first): "),
        hands={int(seat): hand for seat, hand in HAND.findall(text)},
        trump=trump[1] if trump else "",
        turn_up=trump[2] if trump else "",
        stock=_line(text, "stock (top first): "),
        rounds=rounds,
        ending=tuple(ENDING.findall(text)),
    )


def _line(text: str, start: str) -> str:
    (rest,) = re.findall(rf"^{re.escape(start)}(.+)$", text, re.MULTILINE)
    return str(rest)


def _cards(text: str) -> tuple[tuple[int, str], ...]:
    """Read ``s1 4c, s0 6c``."""
    return tuple((int(seat), card) for seat, card in re.findall(r"s(\d) (\w+)", text))
