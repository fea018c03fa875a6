"""What the piles are worth, who wins the deal, and when deals make a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chitarrella.tricks.table import Standing, Trick
from chitarrella.words import Event, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class MostCounted:
    """The side with more than every other wins the deal.

    The counts of the order are asked one after the other: a later one decides only where all before it are level. If
    the best are level in all of them nobody wins.
    """

    def by_side(self, g: TrickGame, tricks: tuple[Trick, ...]) -> tuple[tuple[int, ...], ...]:
        """Count what each side has taken: a row a side, a number a count."""
        piles: list[list[int]] = [[0] * len(g.order.counts) for _ in range(max(g.sides) + 1)]
        for trick in tricks:
            pile = piles[g.sides[trick.winner]]
            for place, count in enumerate(g.order.counts):
                pile[place] += count.of(trick.cards)
        return tuple(map(tuple, piles))

    def winner(self, sides: tuple[tuple[int, ...], ...]) -> int | None:
        """Name the side that has most, None for a stand-off."""
        best = max(sides)
        return sides.index(best) if sides.count(best) == 1 else None


@dataclass(frozen=True)
class Series:
    """Deals make a match: the first side to win ``to_win`` of them, or else the side with more after ``deals``.

    ``over`` is what the end is called; ``lost`` is what a lost deal adds to the score of a seat.
    """

    to_win: int = 0
    deals: int = 0
    over: str = "match_over"
    lost: int = 0

    def ended(self, standing: Standing) -> bool:
        """Tell whether the deal just entered was the last."""
        if self.to_win:
            return max(standing.wins) >= self.to_win
        return standing.deal >= self.deals

    def scores(self, g: TrickGame, standing: Standing) -> tuple[int, ...]:
        """Give the score of every seat."""
        wins = standing.wins
        by_side = [won + self.lost * (sum(wins) - won) for won in wins]
        return tuple([by_side[side] for side in g.sides])

    def winners(self, g: TrickGame, standing: Standing) -> frozenset[Seat]:
        """Name the seats of the side that won more deals than every other; nobody where it is level."""
        best = max(standing.wins)
        if standing.wins.count(best) > 1:
            return frozenset()
        side = standing.wins.index(best)
        return frozenset(seat for seat in range(g.seats) if g.sides[seat] == side)


@dataclass(frozen=True)
class SidePayments:
    """Chips that the loser of a trick pays its winner for certain cards in it, whoever played them (two seats)."""

    prices: tuple[tuple[str, int], ...]

    def collect(self, trick: Trick, chips: tuple[int, ...], tell: list[Event]) -> tuple[int, ...]:
        """Give the balances after ``trick``."""
        prices = dict(self.prices)
        due = sum(prices.get(card.rank, 0) for card in trick.cards)
        if not due:
            return chips
        loser = 1 - trick.winner
        tell.append(public("chips_paid", loser, amount=due, other=trick.winner))
        return tuple(chips[seat] + (due if seat == trick.winner else -due) for seat in (0, 1))
