"""The cat (XII): one undoes the swaps of the card of who asks, the other sends it back from seat to seat."""

from __future__ import annotations

from chitarrella.core.model import Event, Seat
from chitarrella.exchange.base import Effect, Rules
from chitarrella.exchange.faces import CAT, HORSE, HUNTER, INN
from chitarrella.exchange.phases.turns import asker_and_target
from chitarrella.exchange.round import Round, card_of, held_by, show_card, swap_cards, swap_event

STRIKING_CARDS = {CAT: "cat", HUNTER: "hunter"}
"""Cards that, met on the way back, cost the holder a token, with the word of the event."""


class UndoSwaps(Effect):
    """The asker loses a token, and the card returns along the chain of its swaps."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cat, take the token, and undo the swaps, the last one first. No card on the way stops it."""
        asker, target = asker_and_target(r)
        r = g.penalty.take_token(g, show_card(r, target, events), asker, "cat", events)
        for giver, taker in reversed(list(zip(r.chain, r.chain[1:], strict=False))):
            r = swap_cards(r, giver, taker)
            events.append(swap_event("undo", r, giver, taker))
        return g.penalty.continue_deal(g, r._replace(chain=()), events)


class SendBack(Effect):
    """The asker loses a token and must try to give the card back."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cat and take the token. The penalty sends the card back unless the asker is out."""
        asker, target = asker_and_target(r)
        r = show_card(r, target, events)._replace(chain=(), reverse=True)
        return g.penalty.continue_deal(g, g.penalty.take_token(g, r, asker, "cat", events), events)


def send_card_back(g: Rules, r: Round, holder: Seat, events: list[Event]) -> Round:
    """Send the card of ``holder`` back, seat by seat, until a card stops it or no seat is left.

    A plain card is swapped, and its owner becomes the holder. An inn that has changed hands counts as plain.
    """
    partner = left_of(r, holder)
    while partner is not None:
        card = card_of(r, partner)
        is_plain = card.rank not in g.effects or (card.rank == INN and held_by(r, partner).moved)
        if is_plain:
            r = swap_cards(r, holder, partner)
            events.append(swap_event("reverse", r, holder, partner))
            holder = partner
        else:
            r = show_card(r, partner, events)
            if card.rank in STRIKING_CARDS:
                return g.penalty.take_token(g, r, holder, STRIKING_CARDS[card.rank], events)
            if card.rank != HORSE:
                return r
        partner = left_of(r, partner)
    return r


def left_of(r: Round, seat: Seat) -> Seat | None:
    """Return the nearest earlier speaker who has a card; None before the first."""
    earlier = [one for one in r.order[: r.order.index(seat)] if r.held[one]]
    return earlier[-1] if earlier else None
