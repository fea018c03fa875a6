"""Claiming: the winner of a trick declares that its side has reached the target."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.model import Event, Move, MoveSpec, Reason, Refusal, Seat
from chitarrella.tricks.base import Action, Fault, Phase, Rules
from chitarrella.tricks.match_formats.claim_match import capotto_side, claim_match
from chitarrella.tricks.phases.end_phase import EndPhase
from chitarrella.tricks.table import Table

CLAIM_NOT_AVAILABLE = Reason("claim_not_available", "Nobody may claim 777 now.")


@dataclass(frozen=True)
class Claim(Action):
    """The winner of the last trick declares that its side has reached the target."""

    spec = MoveSpec("claim_777", "Claim that your side has reached the target.", frozenset())
    reasons = (CLAIM_NOT_AVAILABLE,)
    breaks_off_deal = True

    def conditions(self, g: Rules, t: Table, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse a claim before the first deal with claims, before a trick is won, and during a trick."""
        early = t.match_state.deal < claim_match(g).first_claim
        return (g.refuse(CLAIM_NOT_AVAILABLE),) if early or t.trick or not t.tricks else ()

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Count, and end the match one way or the other."""
        return claim_match(g).settle_claim(g, t, seat, events)


@dataclass(frozen=True)
class Decline(EndPhase):
    """The winner of the last trick of a deal does not claim."""

    spec = MoveSpec("decline_claim", "Do not claim.", frozenset(), timeout_default=True)
    event_kind = "claim_declined"


@dataclass(frozen=True)
class AfterLastTrick(Phase):
    """The phase in which the winner of a deal's last trick may still claim, where a claim is possible."""

    name: str = "after_last_trick"

    @property
    def actions(self) -> tuple[Action, ...]:
        """Claiming, and declining to."""
        return (Claim(), Decline())

    def enter(self, g: Rules, t: Table, events: list[Event]) -> Table:
        """Wait for the winner, unless no claim is possible."""
        t = t._replace(phase=self.name)
        early = t.match_state.deal < claim_match(g).first_claim
        return g.next_phase(t, events) if early or capotto_side(g, t) is not None else t

    def turn(self, g: Rules, t: Table) -> Seat:
        """Return the winner of the last trick."""
        return t.leader

    def fault(self, g: Rules, t: Table) -> Fault | None:
        """Return why the phase is impossible: cards are still to be played, or no claim is possible."""
        if t.phase != self.name:
            return None
        if t.trick or any(t.hands) or not t.tricks:
            return "phase", "this is the phase after the last trick"
        if t.match_state.deal < claim_match(g).first_claim or capotto_side(g, t) is not None:
            return "phase", "nobody can claim after this deal"
        return None
