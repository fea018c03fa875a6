"""What a deal of Scopa is worth: most cards, most coins, the seven of coins, primiera, sweeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from chitarrella.core.cards import ITALIAN, Card, Hand

VALUES: Final = {rank: place for place, rank in enumerate(ITALIAN.ranks, 1)}
"""What each rank captures: ace 1 to king 10."""
PRIMIERA: Final = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "F": 10, "C": 10, "R": 10}
"""What each rank counts for primiera, where the best card of each suit counts."""
COINS: Final = "d"
SETTEBELLO: Final = ITALIAN.face("7", COINS)
"""The seven of coins."""


def value(card: Card) -> int:
    """Return what a card captures."""
    return VALUES[card.rank]


def primiera(cards: Hand) -> int:
    """Return the sum of the best card of each suit."""
    best: dict[str, int] = {}
    for card in cards:
        best[card.suit] = max(best.get(card.suit, 0), PRIMIERA[card.rank])
    return sum(best.values())


POINTS: Final[Mapping[str, Callable[[Hand], int]]] = {
    "cards": len,
    "coins": lambda cards: sum(card.suit == COINS for card in cards),
    "settebello": lambda cards: cards.count(SETTEBELLO),
    "primiera": primiera,
}
"""What the side with the most of it gets a point for, nobody where two are level."""


def point_winners(taken: Mapping[int, Hand]) -> dict[str, int]:
    """Return the side that gets each point, by what it is for; ``taken`` are the cards of each side."""
    won = {}
    for word, count in POINTS.items():
        counted = {side: count(cards) for side, cards in taken.items()}
        most = max(counted.values())
        leaders = [side for side, number in counted.items() if number == most]
        if len(leaders) == 1:
            won[word] = leaders[0]
    return won


def captures(card: Card, table: Hand) -> list[Hand]:
    """Return every set of cards on the table whose values add up to that of ``card``, single cards first."""
    found = [taken for taken in _sums(table, value(card)) if taken]
    return sorted(found, key=len)


def _sums(cards: Hand, total: int) -> list[Hand]:
    if total == 0:
        return [()]
    if total < 0 or not cards:
        return []
    first, rest = cards[0], cards[1:]
    return [(first, *more) for more in _sums(rest, total - value(first))] + _sums(rest, total)
