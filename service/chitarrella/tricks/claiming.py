"""Claims: a match of points that a side wins by saying, when it has just won a trick, that it has reached the target.

Points of the sides add up from deal to deal. A right claim wins the match and a wrong one loses it; a side that takes
all tricks of a deal wins it outright; after a least number of deals reaching the target wins it as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.tricks.act import Act, Phase
from chitarrella.tricks.race import deal_points, played_out
from chitarrella.tricks.reckoning import Match, end_match, next_deal, tell_counts
from chitarrella.tricks.revoking import Offence, offence_facts
from chitarrella.tricks.table import Standing, Table
from chitarrella.words import EVERYBODY, Event, Fact, Form, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame

CLAIM_NOT_AVAILABLE = Reason("claim_not_available", "Nobody may claim 777 now.")
DEAL_WORTH = 130


class Venice(NamedTuple):
    """What a match with claims remembers: a revoke in this deal, and the side that has won."""

    offence: Offence | None = None
    champion: int | None = None


@dataclass(frozen=True)
class Claim(Act):
    """The winner of the last trick says that his side has reached the target."""

    form = Form("claim_777", "Claim that your side has reached the target.", frozenset())
    reasons = (CLAIM_NOT_AVAILABLE,)

    def objections(self, g: TrickGame, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object before the agreed deal, before a trick is won, and while one is under way."""
        early = t.standing.deal < claims(g).first_claim
        return (g.refuse(CLAIM_NOT_AVAILABLE),) if early or t.trick or not t.tricks else ()

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Count, and end the match one way or the other."""
        return claims(g).claimed(g, t, seat, tell)


@dataclass(frozen=True)
class Decline(Act):
    """The winner of the last trick of a deal does not claim."""

    form = Form("decline_claim", "Do not claim.", frozenset(), lapse=True)

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Let the deal be counted."""
        tell.append(public("claim_declined", seat))
        return g.leave(t, tell)


@dataclass(frozen=True)
class AfterLastTrick(Phase):
    """The phase in which the winner of a deal's last trick may still claim, where a claim is possible at all."""

    name: str = "after_last_trick"

    @property
    def acts(self) -> tuple[Act, ...]:
        """Claiming, or not."""
        return (Claim(), Decline())

    def enter(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Wait for the winner, unless there is nothing to be said."""
        t = t._replace(phase=self.name)
        early = t.standing.deal < claims(g).first_claim
        return g.leave(t, tell) if early or capotto(g, t) is not None else t

    def turn(self, g: TrickGame, t: Table) -> Seat:
        """Name the winner of the last trick."""
        return t.leader

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to cards still to be played, and to a deal in which there is nothing to be said."""
        if t.phase != self.name:
            return None
        if t.trick or any(t.hands) or not t.tricks:
            return "phase", "this is the phase after the last trick"
        if t.standing.deal < claims(g).first_claim or capotto(g, t) is not None:
            return "phase", "nobody can claim after this deal"
        return None


def capotto(g: TrickGame, t: Table) -> int | None:
    """Name the side that has taken all tricks of the deal."""
    sides = {g.sides[trick.winner] for trick in t.tricks}
    return sides.pop() if played_out(t) and len(sides) == 1 else None


def by_side(g: TrickGame, t: Table) -> tuple[int, ...]:
    """Count what each side has won in this deal, the last trick's bonus included once it is won."""
    points = deal_points(g, t)
    return tuple(sum(points[seat] for seat in g.seats_of(side)) for side in (0, 1))


@dataclass(frozen=True)
class Claims777(Match):
    """Points add up over the deals; a claim, a capotto, or the target after enough deals ends the match.

    ``claim_from`` is the first deal with claims; left open it is the one after the ``least_deals``.
    """

    target: int = 777
    least_deals: int = 10
    claim_from: int | None = None
    over: str = "game_over"

    @property
    def first_claim(self) -> int:
        """The first deal in which one may claim."""
        return self.least_deals + 1 if self.claim_from is None else self.claim_from

    def close(self, g: TrickGame, t: Table, tell: list[Event]) -> Table:
        """Enter the deal, and see whether it has ended the match."""
        offence: Offence | None = t.own.offence
        if offence is not None:
            scored = tuple(0 if side == g.sides[offence.seat] else DEAL_WORTH for side in (0, 1))
            return self._entered(g, t, scored, None, tell)
        tell_counts(g, g.reckoning.by_side(g, t), tell)
        return self._entered(g, t, by_side(g, t), capotto(g, t), tell)

    def _entered(
        self, g: TrickGame, t: Table, scored: tuple[int, ...], champion: int | None, tell: list[Event]
    ) -> Table:
        standing = self._added(g, t, scored, tell)
        if champion is None and standing.deal >= self.least_deals:
            champion = self._first(standing)
        if champion is None:
            return next_deal(g, t, standing, tell)
        return end_match(g, t._replace(own=t.own._replace(champion=champion)), standing, tell)

    def _first(self, standing: Standing) -> int | None:
        """Name the side that has reached the target, the higher of two."""
        best = max(standing.totals)
        return standing.totals.index(best) if best >= self.target and standing.totals.count(best) == 1 else None

    def _added(self, g: TrickGame, t: Table, scored: tuple[int, ...], tell: list[Event]) -> Standing:
        shares = tuple((str(seat), scored[side]) for seat, side in enumerate(g.sides))
        tell.append(public("deal_scored", shares=shares))
        totals = tuple(total + won for total, won in zip(t.standing.totals, scored, strict=True))
        return t.standing._replace(totals=totals)

    def claimed(self, g: TrickGame, t: Table, seat: Seat, tell: list[Event]) -> Table:
        """Count the claimant's side; a deal that is broken off by the claim is not entered."""
        side = g.sides[seat]
        total = t.standing.totals[side] + by_side(g, t)[side]
        right = total >= self.target
        tell.append(public("claimed", seat, word="right" if right else "wrong", amount=total))
        standing = self._added(g, t, by_side(g, t), tell) if played_out(t) else t.standing
        champion = side if right else 1 - side
        return end_match(g, t._replace(own=t.own._replace(champion=champion)), standing, tell)

    def fault(self, g: TrickGame, t: Table) -> tuple[str, str] | None:
        """Object to totals that so many deals cannot have left, and to a match that goes on when it is won."""
        standing, over = t.standing, t.phase == self.over
        broken_off = over and t.own.offence is None and not played_out(t)
        entered = standing.deal - (t.phase in g.running or broken_off)
        if min(standing.totals) < 0 or sum(standing.totals) != DEAL_WORTH * entered:
            return "totals", f"every deal that is over was worth {DEAL_WORTH}"
        reached = self._first(standing) if entered >= self.least_deals else None
        if not over and reached is not None:
            return "totals", "the match is over when a side has reached the target after enough deals"
        if over and t.own.champion not in (reached, capotto(g, t)) and standing.deal < self.first_claim:
            return "champion", "without a claim only who has reached the target, or taken every trick, has won"
        return None

    def scores(self, g: TrickGame, t: Table) -> tuple[int, ...]:
        """Give the totals of the sides, seat by seat."""
        return tuple(t.standing.totals[side] for side in g.sides)

    def winners(self, g: TrickGame, t: Table) -> frozenset[Seat]:
        """Name the side that has won."""
        return frozenset() if t.own.champion is None else frozenset(g.seats_of(t.own.champion))

    def facts(self, g: TrickGame, t: Table) -> tuple[Fact, ...]:
        """Say the totals, and a revoke."""
        totals = (Fact("total", t.standing.totals[side], seat, EVERYBODY) for seat, side in enumerate(g.sides))
        return (*totals, *offence_facts(t))


def claims(game: TrickGame) -> Claims777:
    """Give the way a match with claims is won."""
    if not isinstance(game.series, Claims777):
        raise TypeError(game.key)
    return game.series
