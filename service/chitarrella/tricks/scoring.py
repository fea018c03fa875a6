"""What a deal is worth: counts, the last trick, payments, and sudden death."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.core.model import EVERYBODY, Event, Fact, Seat, public_event
from chitarrella.tricks.parts import CardCounts, DealScoring, Rules, TrickEffect, is_deal_running
from chitarrella.tricks.table import MatchState, Table, Trick


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


def report_last_trick(g: Rules, t: Table, points: int, events: list[Event]) -> None:
    """Append what the last trick counts, if it does and was played."""
    if points and is_played_out(t):
        side = g.sides[t.tricks[-1].winner]
        shares = tuple((str(seat), points) for seat in g.seating.seats_of(side))
        events.append(public_event("deal_counted", word="last_trick", shares=shares))


def count_deal(g: Rules, t: Table, events: list[Event]) -> tuple[CardCounts, int | None, MatchState]:
    """Count the cards taken and return the side that wins the deal; a deal that nobody wins is entered as drawn."""
    counted = g.deal_scoring.by_side(g, t)
    report_counts(g, counted, events)
    side = g.deal_scoring.winner(g, t, counted)
    if side is not None:
        return counted, side, t.match_state
    events.append(public_event("deal_drawn", amount=t.match_state.deal))
    return counted, None, t.match_state._replace(draws=t.match_state.draws + 1)


# Deals in which the winner of the last trick scores a bonus of 10 points
LAST_TRICK_BONUS = 10  # the points of the last trick


def is_played_out(t: Table) -> bool:
    """Return whether the last trick of the deal has been played."""
    return not t.stock and not any(t.hands)


def deal_points(g: Rules, t: Table) -> tuple[int, ...]:
    """Return what each seat has won in this deal, the last trick's bonus included once it is won."""
    points = list(g.deal_scoring.points(g, t))
    if is_played_out(t):
        points[t.tricks[-1].winner] += LAST_TRICK_BONUS
    return tuple(points)


def points_facts(g: Rules, t: Table) -> tuple[Fact, ...]:
    """Return what each seat has won in the deal that is over, the last trick's bonus included; none before."""
    if not t.tricks or is_deal_running(g, t):
        return ()
    return tuple(Fact("points", points, seat, EVERYBODY) for seat, points in enumerate(deal_points(g, t)))


def points_by_side(g: Rules, t: Table) -> tuple[int, ...]:
    """Return what each side has won in this deal, the last trick's bonus included once it is won."""
    points = deal_points(g, t)
    return tuple(sum(points[seat] for seat in g.seating.seats_of(side)) for side in (0, 1))


@dataclass(frozen=True)
class SidePayments(TrickEffect):
    """Chips that the loser of a trick pays its winner for certain cards in it, whoever played them; for two seats."""

    prices: tuple[tuple[str, int], ...]

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        prices = dict(self.prices)
        due = sum(prices.get(card.rank, 0) for card in trick.cards)
        if not due:
            return t
        loser = 1 - trick.winner
        events.append(public_event("chips_paid", loser, amount=due, other=trick.winner))
        chips = tuple(held + (due if seat == trick.winner else -due) for seat, held in enumerate(t.match_state.chips))
        return t._replace(match_state=t.match_state._replace(chips=chips))


# Sudden death
def from_opponent(g: Rules, winner: Seat, seat: Seat) -> bool:
    """Return whether the two seats are opponents."""
    return g.sides[seat] != g.sides[winner]


def from_anybody(g: Rules, winner: Seat, seat: Seat) -> bool:
    """Return True: the partner's card counts as well."""
    return True


@dataclass(frozen=True)
class SuddenDeath(TrickEffect):
    """The deal ends when the rank ``captor`` wins a trick with ``prey`` of its own suit.

    ``may_take`` says whether the winner at one seat may capture it from the seat that played it.
    """

    captor: str
    prey: str
    may_take: Callable[[Rules, Seat, Seat], bool] = from_opponent

    def apply(self, g: Rules, t: Table, trick: Trick, events: list[Event]) -> Table:
        """Report that the deal was won in this way, whatever the points."""
        if self.ends_deal(g, t):
            best = trick.cards[(trick.winner - trick.leader) % g.seats]
            prey = next(card for card in trick.cards if (card.rank, card.suit) == (self.prey, best.suit))
            events.append(public_event("sudden_death_won", trick.winner, (best, prey)))
        return t

    def ends_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the last trick was such a capture."""
        trick = t.tricks[-1]
        best = trick.cards[(trick.winner - trick.leader) % g.seats]
        if best.rank != self.captor:
            return False
        for place, card in enumerate(trick.cards):
            seat = (trick.leader + place) % g.seats
            if card.rank == self.prey and g.cards.suit[card] == g.cards.suit[best] and seat != trick.winner:
                return self.may_take(g, trick.winner, seat)
        return False


@dataclass(frozen=True)
class SuddenOrMost(DealScoring):
    """Sudden death wins the deal; without it the side that has most."""

    def winner(self, g: Rules, t: Table, counted: CardCounts) -> int | None:
        if t.tricks and any(after.ends_deal(g, t) for after in g.trick_effects):
            return g.sides[t.tricks[-1].winner]
        return super().winner(g, t, counted)
