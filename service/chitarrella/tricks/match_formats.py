"""How deals make a match: a series, contracts, a race to a target, and tiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from chitarrella.core.model import EVERYBODY, Event, Fact, Move, Seat, public_event
from chitarrella.tricks.auction import ally, soloist
from chitarrella.tricks.dealing import StartDeal
from chitarrella.tricks.parts import (
    MAX_COUNT,
    CardCounts,
    Fault,
    MatchFormat,
    Rules,
    TrickEffect,
    end_match,
    next_deal,
    strictly_best,
)
from chitarrella.tricks.scoring import (
    LAST_TRICK_BONUS,
    count_deal,
    deal_points,
    points_facts,
    report_counts,
    report_last_trick,
)
from chitarrella.tricks.table import MatchState, Table


# A series
@dataclass(frozen=True)
class Series(MatchFormat):
    """The first side to win ``to_win`` deals wins the match, or else the side with more wins after ``deals`` deals.

    ``lost_deal_score`` is what a lost deal adds to the score of a seat. With neither number the match is endless.
    """

    to_win: int = 0
    deals: int = 0
    end_phase: str = "match_over"
    lost_deal_score: int = 0

    @property
    def is_endless(self) -> bool:
        return not (self.to_win or self.deals)

    def total_count(self, g: Rules) -> int:
        """Return 0: the deals won are counted, and nothing is added up."""
        return 0

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Count what each side has taken, and enter the win; wait for the next deal or end the match."""
        _, side, match_state = count_deal(g, t, events)
        if side is not None:
            wins = tuple(won + (place == side) for place, won in enumerate(match_state.wins))
            match_state = match_state._replace(wins=wins)
            events.extend(public_event("deal_won", seat, amount=match_state.deal) for seat in g.seating.seats_of(side))
        return go_on(g, t, match_state, self.is_decided(match_state, match_state.deal), events)

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the deals won by each seat, and in an endless match the number that nobody won."""
        won = [Fact("deals_won", t.match_state.wins[side], seat, EVERYBODY) for seat, side in enumerate(g.sides)]
        return (*won, *([Fact("draws", t.match_state.draws, seen_by=EVERYBODY)] if self.is_endless else []))

    def is_decided(self, match_state: MatchState, entered: int) -> bool:
        """Return whether the last of the deals ``entered`` was the last of the match."""
        if self.to_win:
            return max(match_state.wins) >= self.to_win
        return 0 < self.deals <= entered

    def fault(self, g: Rules, t: Table) -> Fault | None:
        match_state = t.match_state
        wins, entered = match_state.wins, match_state.deal - (t.phase in g.deal_phases)
        if sum(wins) + match_state.draws != entered:
            return "wins", "every deal that is over was won by one side, or drawn"
        if not (self.to_win or self.deals):
            return None
        if self.is_decided(match_state, entered) != (t.phase == self.end_phase):
            return "phase", f"{self.end_phase} is the phase after the deal that decides the match, and no other"
        if self.to_win and sum(sorted(wins)[-2:]) >= 2 * self.to_win:
            return "wins", "the match was over before"
        return None

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        """Return the deals won, with what lost ones add."""
        wins = t.match_state.wins
        by_side = [won + self.lost_deal_score * (sum(wins) - won) for won in wins]
        return tuple([by_side[side] for side in g.sides])

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        """Return the seats of the side that won more deals than every other; nobody where it is level."""
        return frozenset(g.seating.seats_of(strictly_best(t.match_state.wins)))


# Points that add up over the deals
def go_on(g: Rules, t: Table, match_state: MatchState, is_over: bool, events: list[Event]) -> Table:
    """End the match, or wait for the pack of the next dealer."""
    return (end_match if is_over else next_deal)(g, t, match_state, events)


def by_seat(numbers: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """Return the numbers with their seats, as `Event.shares` has them."""
    return tuple((str(seat), number) for seat, number in enumerate(numbers))


def add_scores(g: Rules, t: Table, scored: Sequence[int], events: list[Event]) -> MatchState:
    """Report what each side has ``scored`` in a deal, and add it to the totals."""
    events.append(public_event("deal_scored", shares=by_seat([scored[side] for side in g.sides])))
    totals = tuple([total + won for total, won in zip(t.match_state.totals, scored, strict=True)])
    return t.match_state._replace(totals=totals)


def total_facts(g: Rules, t: Table) -> tuple[Fact, ...]:
    """Return the total of each seat's side."""
    return tuple([Fact("total", t.match_state.totals[side], seat, EVERYBODY) for seat, side in enumerate(g.sides)])


def side_at_target(totals: Sequence[int], target: int) -> int | None:
    """Return the side that is ahead once any has the ``target``; None while none has, or the best are level."""
    return strictly_best(totals) if max(totals) >= target else None


class Deal(NamedTuple):
    """A deal that is over, as a function that scores it sees it: what each side has taken, in the order of the sides.

    ``points`` are those of the main count, ``tricks`` the number of tricks, ``last`` is the side that took the last
    one. Before it ``level_before`` deals in a row scored nothing. ``own`` is what the game has recorded of the deal,
    ``side_of`` the side of each seat.
    """

    points: tuple[int, ...]
    tricks: tuple[int, ...]
    last: int
    level_before: int
    own: Any
    side_of: tuple[int, ...]

    @property
    def best(self) -> int | None:
        """The side with more points than every other, None where the best are level."""
        return strictly_best(self.points)

    def to(self, side: int | None, amount: int) -> list[int]:
        """Return what each side gets if ``side`` gets ``amount`` and the others nothing."""
        return [amount * (one == side) for one in range(len(self.points))]


def cards_alone(deal: Deal) -> int:
    """Return 0: the last trick counts what its cards do."""
    return 0


@dataclass(frozen=True)
class Scored(MatchFormat):
    """What each side gets for a deal adds up, as the function ``score`` says, until one has ``target`` and leads.

    What the ``last_trick`` counts is a part of the score.
    """

    score: Callable[[Deal], Sequence[int]]
    target: int
    last_trick: Callable[[Deal], int] = cards_alone

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        counted = g.deal_scoring.by_side(g, t)
        report_counts(g, counted, events)
        takers = [g.sides[trick.winner] for trick in t.tricks]
        tricks = tuple([takers.count(side) for side in range(len(counted))])
        level = t.match_state.draws
        deal = Deal(tuple([row[0] for row in counted]), tricks, takers[-1], level, t.own, g.sides)
        report_last_trick(g, t, self.last_trick(deal), events)
        scored = self.score(deal)
        match_state = add_scores(g, t, scored, events)._replace(draws=0 if any(scored) else level + 1)
        return go_on(g, t, match_state, self._leader(match_state) is not None, events)

    def _leader(self, match_state: MatchState) -> int | None:
        return side_at_target(match_state.totals, self.target)

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        return frozenset(g.seating.seats_of(self._leader(t.match_state)))

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        return total_facts(g, t)

    def fault(self, g: Rules, t: Table) -> Fault | None:
        match_state = t.match_state
        if match_state.draws > match_state.deal:
            return "draws", "no more deals scored nothing than were dealt"
        if (self._leader(match_state) is not None) != (t.phase == self.end_phase):
            return "totals", f"the match is over when a side has {self.target} and none is level with the best"
        return None


@dataclass(frozen=True)
class LowestWins(Scored):
    """The same, but the lowest total wins as soon as any side has the ``target``; if two share it, they play on."""

    lower_score_wins = True

    def _leader(self, match_state: MatchState) -> int | None:
        totals = match_state.totals
        return strictly_best([-total for total in totals]) if max(totals) >= self.target else None


# A match of contracts
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

    after_void: Callable[[Rules, Table, list[Event]], Table]

    def counting_sides(self, g: Rules, side: frozenset[Seat]) -> tuple[int, ...]:
        """Return the sides by which a deal is counted once the soloist's ``side`` is known: each seat alone."""
        return g.sides

    def is_made(self, g: Rules, t: Table, side: frozenset[Seat], counted: CardCounts) -> bool | None:
        """Return whether the soloist's ``side`` has won the deal; None where nobody has."""
        raise NotImplementedError

    def deal_scores(self, g: Rules, t: Table, ally: Seat, made: bool | None) -> tuple[int, ...]:
        """Return the score of every seat; a soloist who is alone is his own ``ally``."""
        raise NotImplementedError

    def is_last_deal(self, g: Rules, t: Table) -> bool:
        """Return whether the match is over with the deal that was just scored."""
        raise NotImplementedError

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Score the contract and enter it; wait for the next deal or end the match. The ally becomes public."""
        alone, ally_seat = soloist(t), ally(g, t).seat
        side = frozenset({alone, ally_seat})
        sides = self.counting_sides(g, side)
        counted = g.deal_scoring.by_side(g, t, sides)
        report_counts(g, counted, events, sides)
        made = self.is_made(g, t, side, counted)
        kind = "deal_drawn" if made is None else "contract_made" if made else "contract_lost"
        company = "alone" if ally_seat == alone else "with_an_ally"
        events.append(public_event(kind, alone, word=company, amount=t.match_state.deal, other=ally_seat))
        winners = [seat for seat in range(g.seats) if made is not None and (seat in side) == made]
        events.extend(public_event("deal_won", seat, amount=t.match_state.deal) for seat in winners)
        t = t._replace(match_state=add_scores(g, t, self.deal_scores(g, t, ally_seat, made), events))
        return go_on(g, t, t.match_state, self.is_last_deal(g, t), events)

    def void_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Throw the cards in unseen; the deal keeps its number and scores nothing."""
        events.append(public_event("deal_voided", amount=t.match_state.deal))
        events.append(public_event("deal_scored", shares=by_seat((0,) * g.seats)))
        return self.after_void(g, t._replace(hands=()), events)


# A race
GAME_OVER = "game_over"  # the phase after a game, in which the next pack begins another one


class RaceScore(NamedTuple):
    """What goes on from deal to deal: tricks won in this game before the present deal, and games won so far."""

    tricks_before: tuple[int, ...] = (0, 0)
    games: tuple[int, ...] = (0, 0)


@dataclass(frozen=True)
class TargetReached(TrickEffect):
    """The deal ends when the winner of a trick has reached the ``target`` with it."""

    target: int

    def ends_deal(self, g: Rules, t: Table) -> bool:
        winner = t.tricks[-1].winner
        to_enter = deal_points(g, t)[winner] if t.phase in g.deal_phases else 0
        return t.match_state.totals[winner] + to_enter >= self.target


@dataclass(frozen=True)
class Race(MatchFormat):
    """The first seat to reach ``target`` wins a game, and who first has ``to_win`` games the match; 0 has no end.

    A game counts two where the loser is below ``jan``, three where the loser has no trick.
    """

    target: int
    jan: int
    to_win: int = 0

    @property
    def is_endless(self) -> bool:
        return not self.to_win

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Enter the points; of two totals that have reached the target the strictly higher wins the game."""
        report_counts(g, g.deal_scoring.by_side(g, t), events)
        report_last_trick(g, t, LAST_TRICK_BONUS, events)
        match_state = add_scores(g, t, deal_points(g, t), events)
        taken = [sum(trick.winner == seat for trick in t.tricks) for seat in (0, 1)]
        tricks = tuple(before + now for before, now in zip(t.own.tricks_before, taken, strict=True))
        t = t._replace(own=t.own._replace(tricks_before=tricks))
        if not self.is_decided(totals := match_state.totals):
            return next_deal(g, t, match_state, events)
        winner = totals.index(max(totals))
        worth = 3 if not tricks[1 - winner] else 2 if totals[1 - winner] < self.jan else 1
        events.append(public_event("game_won", winner, word=("game", "jan", "slam")[worth - 1], amount=worth))
        games = tuple(won + (worth if seat == winner else 0) for seat, won in enumerate(t.own.games))
        t = t._replace(own=t.own._replace(games=games))
        if self.winners(g, t):
            return end_match(g, t, match_state, events)
        return next_deal(g, t, match_state, events)._replace(phase=GAME_OVER)

    def is_decided(self, totals: tuple[int, ...]) -> bool:
        """Return whether a total has reached the target and is higher than the other."""
        return max(totals) >= self.target and totals[0] != totals[1]

    def fault(self, g: Rules, t: Table) -> Fault | None:
        for name, row in (("tricks_before", t.own.tricks_before), ("games", t.own.games)):
            if len(row) != g.seats or not all(0 <= number <= MAX_COUNT for number in row):
                return name, f"there must be {g.seats} numbers from 0 to {MAX_COUNT}"
        totals, is_over = t.match_state.totals, t.phase in (GAME_OVER, self.end_phase)
        if min(totals) < 0 or self.is_decided(totals) != is_over:
            return "totals", f"after a game alone one seat has reached {self.target}, and more than the other"
        ahead = {totals.index(max(totals))} if t.phase == self.end_phase else set()
        if self.winners(g, t) != ahead or max(t.own.games) > (self.to_win or MAX_COUNT) + 2:
            return (
                "games",
                f"in {self.end_phase} alone a seat has {self.to_win}, at most two more, and won the last one",
            )
        return None

    def scores(self, g: Rules, t: Table) -> tuple[int, ...]:
        games: tuple[int, ...] = t.own.games
        return games

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        return frozenset(seat for seat, games in enumerate(t.own.games) if games >= self.to_win > 0)

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals of this game, the games won, and after a deal what each seat has won in it."""
        games = (Fact("games", games, seat, EVERYBODY) for seat, games in enumerate(t.own.games))
        return (*points_facts(g, t), *total_facts(g, t), *games)


# A match in which a deal counts more the more of the points its winner has taken
class DoubledDeal(NamedTuple):
    """The own record of a tiered match: whether the next deal that somebody wins counts double."""

    doubled: bool = False


def alternate(g: Rules, t: Table, match_state: MatchState, side: int | None, events: list[Event]) -> Table:
    """Wait for the pack of the next dealer, whoever has won."""
    return next_deal(g, t, match_state, events)


def loser_deals(g: Rules, t: Table, match_state: MatchState, side: int | None, events: list[Event]) -> Table:
    """Wait for the pack of the loser; after a stand-off for that of the next dealer."""
    if side is None:
        return next_deal(g, t, match_state, events)
    return g.dealing.enter(g, t._replace(match_state=match_state._replace(dealer=1 - side)), events)


@dataclass(frozen=True)
class TieredMatch(MatchFormat):
    """The winner of a deal scores by ``tiers``: pairs of the least points and what they are worth, the best first.

    After ``deals`` deals the higher total wins, or the first that has ``to_win``; with neither number the match has no
    end. After a stand-off the next deal that is won counts ``stand_off_factor`` times. ``pass_deal`` waits for the next
    pack; it gets the side that has won the deal, None where nobody has.
    """

    tiers: tuple[tuple[int, int], ...]
    deals: int = 0
    to_win: int = 0
    stand_off_factor: int = 1
    pass_deal: Callable[[Rules, Table, MatchState, int | None, list[Event]], Table] = alternate

    @property
    def is_endless(self) -> bool:
        return not (self.deals or self.to_win)

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        counted, side, match_state = count_deal(g, t, events)
        if side is None:
            t = t._replace(own=DoubledDeal(self.stand_off_factor > 1))
        else:
            worth = self.score_for(counted[side][0]) * (self.stand_off_factor if t.own.doubled else 1)
            events.append(public_event("deal_won", side, amount=match_state.deal))
            events.append(public_event("deal_scored", shares=((str(side), worth),)))
            totals = tuple(total + (worth if seat == side else 0) for seat, total in enumerate(match_state.totals))
            match_state = match_state._replace(totals=totals)
            t = t._replace(own=DoubledDeal())
        if 0 < self.deals <= match_state.deal or max(match_state.totals) >= self.to_win > 0:
            return end_match(g, t, match_state, events)
        return self.pass_deal(g, t, match_state, side, events)

    def fault(self, g: Rules, t: Table) -> Fault | None:
        if t.own.doubled and not (self.stand_off_factor > 1 and t.match_state.draws):
            return "doubled", "only a stand-off doubles the next deal, and only where that is agreed"
        entered = t.match_state.deal - (t.phase in g.deal_phases)
        most = max(worth for _, worth in self.tiers) * self.stand_off_factor * entered
        if min(t.match_state.totals) < 0 or sum(t.match_state.totals) > most:
            return "totals", f"so many deals score from 0 to {most}"
        dealt, is_over = t.match_state.deal, t.phase == self.end_phase
        if self.deals and (dealt + (t.phase == g.dealing.name) > self.deals or (is_over and dealt < self.deals)):
            return "deal", f"a match has {self.deals} deals"
        best, other = sorted(t.match_state.totals, reverse=True)
        if self.to_win and ((best >= self.to_win) != is_over or other >= self.to_win):
            return "totals", f"in {self.end_phase} alone one seat has {self.to_win}"
        return None

    def score_for(self, points: int) -> int:
        """Return what a deal won with so many points scores."""
        return next((worth for least, worth in self.tiers if points >= least), 0)

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals, the deals that nobody won, and whether the next one counts double."""
        pending = [Fact("doubled", 1, seen_by=EVERYBODY)] if t.own.doubled else []
        return (*total_facts(g, t), Fact("draws", t.match_state.draws, seen_by=EVERYBODY), *pending)


@dataclass(frozen=True)
class StartDealOrGame(StartDeal):
    """The deal of a race; after a game is over it opens the next one."""

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Deal; with a new game the totals begin again at nothing."""
        if t.phase == GAME_OVER:
            match_state = t.match_state._replace(totals=(0,) * g.seats)
            t = t._replace(match_state=match_state, own=t.own._replace(tricks_before=(0, 0)))
        return super().apply(g, t, seat, move, events)
