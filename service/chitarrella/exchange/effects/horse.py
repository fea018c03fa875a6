"""The horse (XIII): is jumped over by an exchange."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.exchange.base import Effect, Rules
from chitarrella.exchange.phases.turns import asker_and_target, pass_to_target, try_exchange
from chitarrella.exchange.round import Round, draw_next, next_speaker, show_card


@dataclass(frozen=True)
class Jump(Effect):
    """The horse is shown, and the exchange goes on with the next seat.

    At the dealer's horse the asker takes a card of the pack instead, by ``draw``: the next one, or the card at the end
    from which nothing is dealt.
    """

    draw: Callable[[Round, Seat, list[Event]], Round] = draw_next

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the horse, then try the exchange with the seat beyond, or draw."""
        asker, horse = asker_and_target(r)
        r = show_card(r, horse, events)
        beyond = next_speaker(r, horse)
        if beyond is None:
            return pass_to_target(self.draw(r, asker, events)._replace(chain=()))
        events.append(public_event("jump", asker, other=horse))
        return try_exchange(g, r.with_exchange(r.chain, r.asker, beyond), beyond, events)
