"""A match of contracts: a soloist, with an ally or alone, plays against all others; every seat has its own total."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.tricks.base import CardCounts, Rules
from chitarrella.tricks.bidding import soloist
from chitarrella.tricks.match_formats.match_format import MatchFormat, end_match, next_deal
from chitarrella.tricks.scoring.deal_scoring import report_counts
from chitarrella.tricks.secret_ally import ally
from chitarrella.tricks.table import Table


def pass_deal_on(g: Rules, t: Table, events: list[Event]) -> Table:
    """Wait for the pack of the next dealer."""
    return next_deal(g, t, t.match_state, events)


def deal_again(g: Rules, t: Table, events: list[Event]) -> Table:
    """Wait for another pack of the same dealer."""
    return g.dealing.enter(g, t, events)


@dataclass(frozen=True)
class SoloContract(MatchFormat):
    """A match of contracts; a subclass decides when one is made, what it is worth, and when the match is finished.

    A deal without a bid is void; ``after_void`` says who deals after it.
    """

    after_void: Callable[[Rules, Table, list[Event]], Table] = pass_deal_on

    def counting_sides(self, g: Rules, side: frozenset[Seat]) -> tuple[int, ...]:
        """Return the sides by which a deal is counted once the soloist's ``side`` is known: each seat alone."""
        return g.sides

    def is_made(self, g: Rules, t: Table, side: frozenset[Seat], counted: CardCounts) -> bool | None:
        """Return whether the soloist's ``side`` has won the deal; None where nobody has."""
        raise NotImplementedError

    def deal_scores(self, g: Rules, t: Table, friend: Seat, made: bool | None) -> tuple[int, ...]:
        """Return the score of every seat; a soloist who is alone is his own ``friend``."""
        raise NotImplementedError

    def is_last_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the deal just entered was the last."""
        raise NotImplementedError

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Score the contract and enter it; wait for the next deal or end the match. The ally becomes public."""
        alone, friend = soloist(t), ally(g, t).seat
        side = frozenset({alone, friend})
        sides = self.counting_sides(g, side)
        counted = g.deal_scoring.by_side(g, t, sides)
        report_counts(g, counted, events, sides)
        made = self.is_made(g, t, side, counted)
        kind = "deal_drawn" if made is None else "contract_made" if made else "contract_lost"
        company = "alone" if friend == alone else "with_an_ally"
        events.append(public_event(kind, alone, word=company, amount=t.match_state.deal, other=friend))
        winners = [seat for seat in range(g.seats) if made is not None and (seat in side) == made]
        events.extend(public_event("deal_won", seat, amount=t.match_state.deal) for seat in winners)
        worth = self.deal_scores(g, t, friend, made)
        events.append(public_event("deal_scored", shares=by_seat(worth)))
        totals = tuple(total + won for total, won in zip(t.match_state.totals, worth, strict=True))
        t = t._replace(match_state=t.match_state._replace(totals=totals))
        return (end_match if self.is_last_deal(g, t) else next_deal)(g, t, t.match_state, events)

    def void_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Throw the cards in unseen; the deal keeps its number and scores nothing."""
        events.append(public_event("deal_void", amount=t.match_state.deal))
        events.append(public_event("deal_scored", shares=by_seat((0,) * g.seats)))
        return self.after_void(g, t._replace(hands=()), events)

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the totals."""
        return t.match_state.totals

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seat with the strictly highest total; nobody where the highest are level."""
        totals = t.match_state.totals
        best = max(totals)
        return frozenset() if totals.count(best) > 1 else frozenset({totals.index(best)})


def by_seat(numbers: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """Return the numbers with their seats, as `Event.shares` has them."""
    return tuple((str(seat), number) for seat, number in enumerate(numbers))
