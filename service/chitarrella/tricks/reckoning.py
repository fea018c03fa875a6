"""What the piles are worth, who wins the deal, and when deals make a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from chitarrella.tricks.act import AfterTrick
from chitarrella.tricks.table import Standing, Table, Trick
from chitarrella.words import EVERYBODY, Event, Fact, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

Counted: TypeAlias = tuple[tuple[int, ...], ...]
"""What each side has taken: a row a side, a number a count."""

MOST = 1_000_000
"""No match comes near this number of deals or chips; all that is counted from it still goes into 32 bits."""


class Reckoning:
    """A way to win a deal."""

    avoided: ClassVar[bool] = False
    """Whether the points of a deal are bad for who takes them."""

    def points(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Count what each seat has taken in this deal, by the first count."""
        return g.tally(t, 0)

    def by_side(self, g: TrickGame, t: Table, sides: tuple[int, ...] = ()) -> Counted:
        """Count what each side has taken, count by count; ``sides`` are those of this deal, if it has its own."""
        sides = sides or g.sides
        piles = [[0] * len(g.order.counts) for _ in range(max(sides) + 1)]
        for trick in t.tricks:
            pile = piles[sides[trick.winner]]
            for place, count in enumerate(g.order.counts):
                pile[place] += count.of(trick.cards, t.trump)
        return tuple(map(tuple, piles))

    def winner(self, g: TrickGame, t: Table, counted: Counted) -> int | None:
        """Name the side that wins the deal, None where nobody does."""
        raise NotImplementedError


@dataclass(frozen=True)
class MostCounted(Reckoning):
    """The side with more than every other wins the deal.

    The counts of the order are asked one after the other: a later one decides only where all before it are level. If
    the best are level in all of them nobody wins.
    """

    def winner(self, g: TrickGame, t: Table, counted: Counted) -> int | None:
        """Name the side that has most, None for a stand-off."""
        best = max(counted)
        return counted.index(best) if counted.count(best) == 1 else None


class Match:
    """How deals make a match: what is entered after a deal, when it is over, and who has won."""

    over: str

    @property
    def most(self) -> int:
        """Say how much a seat can win or lose in a match at most."""
        return MOST

    @property
    def endless(self) -> bool:
        """Tell whether wins are only tallied, for as long as the table likes."""
        return False

    def begun(self, g: TrickGame) -> Any:
        """Give the game's own record as it is before the first deal."""
        return g.own()

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Enter the deal that was just played, and ask for the next or end the match."""
        raise NotImplementedError

    def void(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Throw in a deal that nobody wants to play, and ask for the next."""
        tell.append(public("deal_void", amount=t.standing.deal))
        return next_deal(g, t, t.standing, tell)

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the score of every seat."""
        raise NotImplementedError

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seats that have won a match that is over."""
        raise NotImplementedError

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say what else is to be known of the match."""
        return ()

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Name the field and the reason why no match can stand as ``t`` says; every seat and row is there."""
        raise NotImplementedError


def tell_counts(g: TrickGame, counted: Counted, tell: list[Event], sides: tuple[int, ...] = ()) -> None:
    """Say what each side has taken; a later count is taken only where the ones before it are level.

    ``sides`` are those of this deal, if it has its own.
    """
    for place, count in enumerate(g.order.counts):
        before = [row[:place] for row in counted]
        if place and before.count(max(before)) == 1:
            break
        shares = tuple((str(seat), counted[side][place]) for seat, side in enumerate(sides or g.sides))
        tell.append(public("deal_counted", word=count.name, shares=shares))


def count_deal(g: TrickGame, t: Table, tell: list[Event]) -> tuple[Counted, int | None, Standing]:
    """Count the piles and name the side that wins the deal; one that nobody wins is entered as drawn."""
    counted = g.reckoning.by_side(g, t)
    tell_counts(g, counted, tell)
    side = g.reckoning.winner(g, t, counted)
    if side is not None:
        return counted, side, t.standing
    tell.append(public("deal_drawn", amount=t.standing.deal))
    return counted, None, t.standing._replace(draws=t.standing.draws + 1)


def next_deal(g: TrickGame, t: Table, standing: Standing, tell: list[Event]) -> Table:
    """Pass the deal on and wait for the pack."""
    dealer = g.dealing.next_dealer(g, standing.dealer)
    return g.dealing.enter(g, t._replace(standing=standing._replace(dealer=dealer)), tell)


def end_match(g: TrickGame, t: Table, standing: Standing, tell: list[Event]) -> Table:
    """Say who has won, and accept no further move; there is nobody to lead any more."""
    t = t._replace(phase=g.series.over, standing=standing, leader=0)
    winners = sorted(g.series.winners(g, t))
    tell.extend([public("match_won", seat) for seat in winners] or [public("match_drawn")])
    return t


@dataclass(frozen=True)
class Series(Match):
    """The first side to win ``to_win`` deals wins the match, or else the side with more wins after ``deals``.

    ``over`` is what the end is called; ``lost`` is what a lost deal adds to the score of a seat. With neither number
    the wins are tallied for as long as the table likes.
    """

    to_win: int = 0
    deals: int = 0
    over: str = "match_over"
    lost: int = 0

    @property
    def endless(self) -> bool:
        """Tell whether neither number was agreed."""
        return not (self.to_win or self.deals)

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Count the piles, enter the win, and go on or end."""
        _, side, standing = count_deal(g, t, tell)
        if side is not None:
            wins = tuple(won + (place == side) for place, won in enumerate(standing.wins))
            standing = standing._replace(wins=wins)
            tell.extend(public("deal_won", seat, amount=standing.deal) for seat in g.seats_of(side))
        if self.ended(standing, standing.deal):
            return end_match(g, t, standing, tell)
        return next_deal(g, t, standing, tell)

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say how many deals each seat has won, and in a tally without end how many nobody has won."""
        won = [Fact("deals_won", t.standing.wins[side], seat, EVERYBODY) for seat, side in enumerate(g.sides)]
        return (*won, *([Fact("draws", t.standing.draws, seen_by=EVERYBODY)] if self.endless else []))

    def ended(self, standing: Standing, entered: int) -> bool:
        """Tell whether the last of the deals ``entered`` was the last of the match."""
        if self.to_win:
            return max(standing.wins) >= self.to_win
        return 0 < self.deals <= entered

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to wins that so many deals cannot have left, and to a match that goes on or ends out of time."""
        standing = t.standing
        entered = standing.deal - (t.phase in g.running)
        if sum(standing.wins) + standing.draws != entered:
            return "wins", "every deal that is over was won by one side, or drawn"
        if not self.endless and self.ended(standing, entered) != (t.phase == self.over):
            return "phase", f"{self.over} is the phase after the deal that decides the match, and no other"
        if self.to_win and sorted(standing.wins)[-1] + sorted(standing.wins)[-2] >= 2 * self.to_win:
            return "wins", "the match was over before"
        return None

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Count the deals won, less what lost ones cost."""
        wins = t.standing.wins
        by_side = [won + self.lost * (sum(wins) - won) for won in wins]
        return tuple([by_side[side] for side in g.sides])

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seats of the side that won more deals than every other; nobody where it is level."""
        wins = t.standing.wins
        best = max(wins)
        return frozenset() if wins.count(best) > 1 else frozenset(g.seats_of(wins.index(best)))


@dataclass(frozen=True)
class SidePayments(AfterTrick):
    """Chips that the loser of a trick pays its winner for certain cards in it, whoever played them (two seats)."""

    prices: tuple[tuple[str, int], ...]

    def taken(self, g: TrickGame, t: Table, trick: Trick, tell: list[Event]) -> Table:
        """Pay at once."""
        prices = dict(self.prices)
        due = sum(prices.get(card.rank, 0) for card in trick.cards)
        if not due:
            return t
        loser = 1 - trick.winner
        tell.append(public("chips_paid", loser, amount=due, other=trick.winner))
        chips = tuple(held + (due if seat == trick.winner else -due) for seat, held in enumerate(t.standing.chips))
        return t._replace(standing=t.standing._replace(chips=chips))
