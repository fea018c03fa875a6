"""Contracts: a soloist, with an ally or alone, plays against all others, and every seat keeps its own total."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as but
from typing import TYPE_CHECKING

from chitarrella.option import Option, words
from chitarrella.tricks.ally import ally, soloist
from chitarrella.tricks.reckoning import Counted, Match, end_match, next_deal, tell_counts
from chitarrella.tricks.table import Table
from chitarrella.words import Event, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


@dataclass(frozen=True)
class Solo(Match):
    """A match of contracts; a game says when one is made, what it is worth to each seat, and when the match is over.

    A deal without a bid is void: the next dealer deals, or, where that is agreed, the same one again.
    """

    same_dealer_after_void: bool = False

    def sides(self, g: TrickGame, side: frozenset[Seat]) -> tuple[int, ...]:
        """Say by seat what is counted together when the soloist's ``side`` is known: each seat by itself."""
        return g.sides

    def made(self, g: TrickGame, t: Table, side: frozenset[Seat], counted: Counted) -> bool | None:
        """Tell whether the soloist's ``side`` has won the deal by what was counted; None where nobody has."""
        raise NotImplementedError

    def worth(self, g: TrickGame, t: Table, friend: Seat, made: bool | None) -> tuple[int, ...]:
        """Say what every seat scores; a soloist who is alone is his own ``friend``."""
        raise NotImplementedError

    def ended(self, g: TrickGame, t: Table) -> bool:
        """Tell whether the deal just entered was the last."""
        raise NotImplementedError

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Score the contract, add it up, and go on or end; now everybody learns who was the ally."""
        alone, friend = soloist(t), ally(g, t).seat
        side = frozenset({alone, friend})
        sides = self.sides(g, side)
        counted = g.reckoning.by_side(g, t, sides)
        tell_counts(g, counted, tell, sides)
        made = self.made(g, t, side, counted)
        kind = "deal_drawn" if made is None else "contract_made" if made else "contract_lost"
        company = "alone" if friend == alone else "with_an_ally"
        tell.append(public(kind, alone, word=company, amount=t.standing.deal, other=friend))
        winners = [seat for seat in range(g.seats) if made is not None and (seat in side) == made]
        tell.extend(public("deal_won", seat, amount=t.standing.deal) for seat in winners)
        worth = self.worth(g, t, friend, made)
        tell.append(public("deal_scored", shares=by_seat(worth)))
        totals = tuple(total + won for total, won in zip(t.standing.totals, worth, strict=True))
        t = t._replace(standing=t.standing._replace(totals=totals))
        return (end_match if self.ended(g, t) else next_deal)(g, t, t.standing, tell)

    def void(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Throw the cards in unseen; the deal keeps its number and is worth nothing to anybody."""
        tell.append(public("deal_void", amount=t.standing.deal))
        tell.append(public("deal_scored", shares=by_seat((0,) * g.seats)))
        t = t._replace(hands=())
        if self.same_dealer_after_void:
            return g.dealing.enter(g, t, tell)
        return next_deal(g, t, t.standing, tell)

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the totals."""
        return t.standing.totals

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the seat with the strictly highest total; nobody where the highest are level."""
        totals = t.standing.totals
        best = max(totals)
        return frozenset() if totals.count(best) > 1 else frozenset({totals.index(best)})


def by_seat(numbers: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """Write a number beside each seat."""
    return tuple((str(seat), number) for seat, number in enumerate(numbers))


def solo_with(**changes: object) -> Callable[[TrickGame], TrickGame]:
    """Change something about how contracts are scored."""

    def edit(game: TrickGame) -> TrickGame:
        if not isinstance(game.series, Solo):
            raise TypeError(f"{game.key} is not a game of contracts")
        return but(game, series=but(game.series, **changes))  # type: ignore[arg-type]  # fields of a game's own Solo

    return edit


def all_pass(source: str) -> Option[TrickGame]:
    """Let the table agree who deals after a deal that nobody wanted."""
    edits = {
        "next_dealer": solo_with(same_dealer_after_void=False),
        "same_dealer": solo_with(same_dealer_after_void=True),
    }
    return words("all_pass", "Who deals after a deal that nobody wanted.", source, edits, "next_dealer")
