"""Playing a card where a revoke is accepted and penalized."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella.core.cards import minus
from chitarrella.core.model import Event, Move, Seat, public_event
from chitarrella.tricks.base import Rules
from chitarrella.tricks.phases.play import PlayCard
from chitarrella.tricks.revoking import Offence
from chitarrella.tricks.table import Table


@dataclass(frozen=True)
class PlayOrRevoke(PlayCard):
    """A card goes to the trick; one that breaks a duty ends the deal, and nobody takes its trick."""

    breaks_off_deal = True

    def apply(self, g: Rules, t: Table, seat: Seat, move: Move, events: list[Event]) -> Table:
        """Play the card, or record the revoke and close the deal."""
        card = move.cards[0]
        against = g.following.refusals(g, t, t.hands[seat], card) if t.trick else ()
        if not against:
            return super().apply(g, t, seat, move, events)
        hands = (*t.hands[:seat], minus(t.hands[seat], card), *t.hands[seat + 1 :])
        events.append(public_event("card_played", seat, move.cards))
        events.append(public_event("revoked", seat, move.cards, against[0].code))
        own = t.own._replace(offence=Offence(seat, card, against[0].code))
        return g.series.close_deal(g, t._replace(hands=hands, trick=t.trick + move.cards, own=own), events)
