"""The score of a deal: the points of each side, count by count, and the side that has most."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import Card
from chitarrella.core.model import Event, public_event
from chitarrella.tricks.base import CardCounts, DealScoring, Rules
from chitarrella.tricks.table import MatchState, Table


class CountedCards(DealScoring):
    """Counting what each side has taken by the counts of the order; a subclass names the winner."""

    def points(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return what each seat has taken in this deal, by the first count."""
        return g.card_points(t, 0)

    def by_side(self, g: Rules, t: Table, sides: tuple[int, ...] = ()) -> CardCounts:
        """Return what each side has taken, count by count."""
        sides = sides or g.sides
        taken: list[list[Card]] = [[] for _ in range(max(sides) + 1)]
        for _, cards, winner in t.tricks:
            taken[sides[winner]] += cards
        counts, trump = g.order.counts, t.trump
        return tuple([tuple([count.of(cards, trump) for count in counts]) for cards in taken])


@dataclass(frozen=True)
class MostCounted(CountedCards):
    """The side with more than every other wins the deal.

    The counts of the order are compared one after the other: a later one decides only where all before it are level.
    If the best are level in all of them nobody wins.
    """

    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        """Return the side that has most, None for a stand-off."""
        best = max(counted)
        return counted.index(best) if counted.count(best) == 1 else None


def report_counts(g: Rules, counted: CardCounts, events: list[Event], sides: tuple[int, ...] = ()) -> None:
    """Append what each side has taken; a later count is reported only where the ones before it are level.

    ``sides`` are those of this deal, if it has its own.
    """
    for place, count in enumerate(g.order.counts):
        before = [row[:place] for row in counted]
        if place and before.count(max(before)) == 1:
            break
        shares = tuple((str(seat), counted[side][place]) for seat, side in enumerate(sides or g.sides))
        events.append(public_event("deal_counted", word=count.name, shares=shares))


def count_deal(g: Rules, t: Table, events: list[Event]) -> tuple[CardCounts, int | None, MatchState]:
    """Count the cards taken and return the side that wins the deal; a deal that nobody wins is entered as drawn."""
    counted = g.deal_scoring.by_side(g, t)
    report_counts(g, counted, events)
    side = g.deal_scoring.winner(g, t, counted)
    if side is not None:
        return counted, side, t.match_state
    events.append(public_event("deal_drawn", amount=t.match_state.deal))
    return counted, None, t.match_state._replace(draws=t.match_state.draws + 1)
