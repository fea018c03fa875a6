"""The cat (XII) that undoes: it takes back the swaps of the asker's card."""

from __future__ import annotations

from chitarrella.core.model import Event
from chitarrella.exchange.base import Effect, Rules
from chitarrella.exchange.phases.turns import asker_and_target
from chitarrella.exchange.round import Round, show_card, swap_cards, swap_event


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
