"""Revokes that are penalized: a card that breaks a duty is accepted, ends the deal, and is recorded.

The move is not listed as legal (`phases.play_or_revoke` applies it). The game's own record needs a field ``offence``,
which keeps the revoke until the next deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import Fact, Reason, Refusal, Seat
from chitarrella.core.visibility import EVERYBODY
from chitarrella.tricks.base import Fault, Following, Rules
from chitarrella.tricks.table import Table


class Offence(NamedTuple):
    """A revoke: the seat, the card, and the reason code of the duty that it broke."""

    seat: Seat
    card: Card
    code: str


@dataclass(frozen=True)
class PenalizedFollowing(Following):
    """The same duty, but a card that breaks it is accepted at a penalty."""

    duty: Following
    reasons: tuple[Reason, ...] = ()

    def allowed_cards(self, g: Rules, t: Table, hand: Hand) -> Hand:
        """Return the cards that the duty allows: those that cost no penalty."""
        return self.duty.allowed_cards(g, t, hand)

    def refusal(self, g: Rules, t: Table, hand: Hand, card: Card) -> Refusal:
        """Return the refusal of the duty as a penalty."""
        against = self.duty.refusal(g, t, hand, card)
        return against._replace(reason=as_penalty(against.reason))


def as_penalty(reason: Reason) -> Reason:
    """Return ``reason`` as a penalty: the move is accepted."""
    return reason._replace(penalty=True)


def offence_facts(t: Table) -> tuple[Fact, ...]:
    """Return who revoked in this deal, with which card and against which duty; empty where nobody did."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return ()
    card = Fact("revoke", offence.card, offence.seat, EVERYBODY)
    return (card, Fact("revoke_code", offence.code, offence.seat, EVERYBODY))


def offence_fault(g: Rules, t: Table) -> Fault | None:
    """Return why the revoke is impossible: unknown seat or code, or a card that is not the last of an untaken trick."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return None
    if not 0 <= offence.seat < g.seats:
        return "offence", "there is no such seat"
    if offence.code not in [reason.code for reason in g.following.reasons if reason.penalty]:
        return "offence", "nobody can revoke in this way here"
    if t.phase in g.deal_phases or len(t.trick) < 2 or t.trick[-1] != offence.card:
        return "offence", "a revoke ends the deal, and its card is the last of its trick"
    return None


def trick_leader(g: Rules, t: Table) -> Seat:
    """Return who led to the present trick; after a revoke it follows from the seat that revoked."""
    offence: Offence | None = t.own.offence
    return t.leader if offence is None else (offence.seat + 1 - len(t.trick)) % g.seats


def undo_revoke(g: Rules, t: Table) -> Table:
    """Return the table before the revoke; ``t`` itself where there was none."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return t
    seat, leader = offence.seat, trick_leader(g, t)
    hands = (*t.hands[:seat], (*t.hands[seat], offence.card), *t.hands[seat + 1 :])
    return t._replace(hands=hands, trick=t.trick[:-1], leader=leader, own=t.own._replace(offence=None))
