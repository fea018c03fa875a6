"""Matches in which a seat must claim that it has won, and the phase in which it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from chitarrella.core.model import Event, Fact, Move, MoveSpec, Reason, Refusal, Seat, public_event
from chitarrella.tricks.dealing import EndPhase
from chitarrella.tricks.following import Offence, offence_facts
from chitarrella.tricks.match_formats import add_scores, go_on, side_at_target, total_facts
from chitarrella.tricks.parts import Action, Fault, MatchFormat, Phase, Rules, end_match
from chitarrella.tricks.scoring import (
    LAST_TRICK_BONUS,
    is_played_out,
    points_by_side,
    points_facts,
    report_counts,
    report_last_trick,
)
from chitarrella.tricks.table import Table

DEAL_WORTH = 130  # the points that both sides together score in a deal


class ClaimState(NamedTuple):
    """The own record of a match with claims: a revoke in this deal, and the side that has won."""

    offence: Offence | None = None
    champion: int | None = None


def capotto_side(g: Rules, t: Table) -> int | None:
    """Return the side that has taken all tricks of the deal, None where there is none."""
    sides = {g.sides[trick.winner] for trick in t.tricks}
    return sides.pop() if is_played_out(t) and len(sides) == 1 else None


@dataclass(frozen=True)
class ClaimMatch(MatchFormat):
    """Points add up over the deals; a claim, a capotto, or the target after enough deals ends the match.

    ``claim_from`` is the first deal in which a claim is possible; None means the one after the ``least_deals``.
    """

    target: int
    least_deals: int
    claim_from: int | None
    end_phase = "game_over"

    @property
    def first_claim(self) -> int:
        """The number of the first deal in which a claim is possible."""
        return self.least_deals + 1 if self.claim_from is None else self.claim_from

    def close_deal(self, g: Rules, t: Table, events: list[Event]) -> Table:
        champion, offence = None, t.own.offence
        if offence is not None:
            scored = tuple(0 if side == g.sides[offence.seat] else DEAL_WORTH for side in (0, 1))
        else:
            report_counts(g, g.deal_scoring.by_side(g, t), events)
            report_last_trick(g, t, LAST_TRICK_BONUS, events)
            scored, champion = points_by_side(g, t), capotto_side(g, t)
        match_state = add_scores(g, t, scored, events)
        if champion is None and match_state.deal >= self.least_deals:
            champion = side_at_target(match_state.totals, self.target)
        return go_on(g, t._replace(own=t.own._replace(champion=champion)), match_state, champion is not None, events)

    def fault(self, g: Rules, t: Table) -> Fault | None:
        match_state, over = t.match_state, t.phase == self.end_phase
        broken_off = over and t.own.offence is None and not is_played_out(t)
        entered = match_state.deal - (t.phase in g.deal_phases or broken_off)
        if min(match_state.totals) < 0 or sum(match_state.totals) != DEAL_WORTH * entered:
            return "totals", f"every deal that is over was worth {DEAL_WORTH}"
        reached = side_at_target(match_state.totals, self.target) if entered >= self.least_deals else None
        if not over and reached is not None:
            return "totals", "the match is over when a side has reached the target after enough deals"
        if over and t.own.champion not in (reached, capotto_side(g, t)) and match_state.deal < self.first_claim:
            return "champion", "without a claim only who has reached the target, or taken every trick, has won"
        return None

    def winners(self, g: Rules, t: Table) -> frozenset[Seat]:
        return frozenset(g.seating.seats_of(t.own.champion))

    def facts(self, g: Rules, t: Table) -> tuple[Fact, ...]:
        """Return the totals, and after a deal what each seat has won in it, or a revoke."""
        points = () if t.own.offence else points_facts(g, t)
        return (*points, *total_facts(g, t), *offence_facts(t))


# Claiming
CLAIM_NOT_AVAILABLE = Reason("claim_not_available", "Nobody may claim 777 now.")


@dataclass(frozen=True)
class Claim(Action):
    """The winner of the last trick declares that its side has reached the target of the ``match``."""

    match: ClaimMatch

    spec = MoveSpec("claim_777", "Claim that your side has reached the target.", frozenset())
    reasons = (CLAIM_NOT_AVAILABLE,)
    breaks_off_deal = True

    def is_due(self, g: Rules, t: Table, seat: Seat) -> bool:
        """Return whether claims are possible in this deal, a trick is won, and the next one is not begun."""
        return t.match_state.deal >= self.match.first_claim and bool(t.tricks) and not t.trick

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        return () if self.is_due(g, t, seat) else (g.refuse(CLAIM_NOT_AVAILABLE),)

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Count the claimant's side and end the match; a deal that the claim breaks off is not entered."""
        side = g.sides[seat]
        total = t.match_state.totals[side] + points_by_side(g, t)[side]
        right = total >= self.match.target
        events.append(public_event("claimed", seat, word="right" if right else "wrong", amount=total))
        match_state = add_scores(g, t, points_by_side(g, t), events) if is_played_out(t) else t.match_state
        champion = side if right else 1 - side
        return end_match(g, t._replace(own=t.own._replace(champion=champion)), match_state, events)


@dataclass(frozen=True)
class Decline(EndPhase):
    """The winner of the last trick of a deal does not claim."""

    spec = MoveSpec("decline_claim", "Do not claim.", frozenset(), timeout_default=True)
    event_kind = "claim_declined"


@dataclass(frozen=True)
class AfterLastTrick(Phase):
    """The phase in which the winner of a deal's last trick may still claim, where a claim is possible."""

    match: ClaimMatch
    name: str = "after_last_trick"

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return Claim(self.match), Decline()

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the winner, unless no claim is possible."""
        t = t._replace(phase=self.name)
        early = t.match_state.deal < self.match.first_claim
        return g.next_phase(t, events) if early or capotto_side(g, t) is not None else t

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the phase is impossible: cards are still to be played, or no claim is possible."""
        if t.phase != self.name:
            return None
        if t.trick or any(t.hands) or not t.tricks:
            return "phase", "this is the phase after the last trick"
        if t.match_state.deal < self.match.first_claim or capotto_side(g, t) is not None:
            return "phase", "nobody can claim after this deal"
        return None
