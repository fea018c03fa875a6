"""Revokes: cards that break a duty and are let happen, because that ends the deal and costs what the game says.

A list of legal moves is the same as where revokes are prevented; who plays another card of his hand has revoked. The
game's own record needs a field ``offence``, in which the revoke is remembered until the next deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as but
from typing import TYPE_CHECKING, NamedTuple

from chitarrella.cards import Card, Hand, minus
from chitarrella.tricks.following import Following
from chitarrella.tricks.play import Play, PlayCard
from chitarrella.tricks.table import Table
from chitarrella.words import EVERYBODY, Event, Fact, Move, Reason, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.tricks.game import TrickGame


class Offence(NamedTuple):
    """A revoke: who, with which card, and the code of the duty that it broke."""

    seat: Seat
    card: Card
    code: str


@dataclass(frozen=True)
class Penal(Following):
    """The same duty, but breaking it is let happen at a price."""

    duty: Following
    reasons: tuple[Reason, ...] = ()

    def objections(self, g: TrickGame, t: Table, hand: Hand, card: Card) -> tuple[Refusal, ...]:
        """Object as the duty does, without barring the card."""
        against = self.duty.objections(g, t, hand, card)
        return tuple(refusal._replace(reason=at_a_price(refusal.reason)) for refusal in against)


def at_a_price(reason: Reason) -> Reason:
    """Turn a bar into a penalty."""
    return reason._replace(penalty=True)


@dataclass(frozen=True)
class PlayOrRevoke(PlayCard):
    """A card goes to the trick; one that breaks a duty ends the deal, and nobody takes its trick."""

    def apply(self, g: TrickGame, t: Table, seat: Seat, move: Move, tell: list[Event]) -> Table:
        """Lay the card down."""
        card = move.cards[0]
        against = g.following.objections(g, t, t.hands[seat], card) if t.trick else ()
        if not against:
            return super().apply(g, t, seat, move, tell)
        hands = (*t.hands[:seat], minus(t.hands[seat], card), *t.hands[seat + 1 :])
        tell.append(public("card_played", seat, move.cards))
        tell.append(public("revoked", seat, move.cards, against[0].code))
        own = t.own._replace(offence=Offence(seat, card, against[0].code))
        return g.series.close(g, t._replace(hands=hands, trick=t.trick + move.cards, own=own), tell)


def penalized(game: TrickGame) -> TrickGame:
    """Let revokes happen, at their price; to be asked for when the duty is known."""
    reasons = tuple(map(at_a_price, game.following.reasons))
    phases = tuple(but(phase, card=PlayOrRevoke()) if isinstance(phase, Play) else phase for phase in game.phases)
    return but(game, following=Penal(game.following, reasons), phases=phases)


def offence_facts(t: Table) -> tuple[Fact, ...]:
    """Say who revoked in this deal, with which card and against which duty; nothing where nobody did."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return ()
    card = Fact("revoke", offence.card, offence.seat, EVERYBODY)
    return (card, Fact("revoke_code", offence.code, offence.seat, EVERYBODY))


def offence_fault(g: TrickGame, t: Table) -> tuple[str, str] | None:
    """Check that a revoke is one that this game knows, and that its card is the last of a trick nobody took."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return None
    if not 0 <= offence.seat < g.seats:
        return "offence", "there is no such seat"
    if offence.code not in [reason.code for reason in g.following.reasons if reason.penalty]:
        return "offence", "nobody can revoke in this way here"
    if t.phase in g.running or len(t.trick) < 2 or t.trick[-1] != offence.card:
        return "offence", "a revoke ends the deal, and its card is the last of its trick"
    return None


def led_by(g: TrickGame, t: Table) -> Seat:
    """Name who led to the present trick: after a revoke it can be told from the seat that revoked."""
    offence: Offence | None = t.own.offence
    return t.leader if offence is None else (offence.seat + 1 - len(t.trick)) % g.seats


def taken_back(g: TrickGame, t: Table) -> Table:
    """Give the table as it was before the revoke, if there was one."""
    offence: Offence | None = t.own.offence
    if offence is None:
        return t
    seat, leader = offence.seat, led_by(g, t)
    hands = (*t.hands[:seat], (*t.hands[seat], offence.card), *t.hands[seat + 1 :])
    return t._replace(hands=hands, trick=t.trick[:-1], leader=leader, own=t.own._replace(offence=None))
