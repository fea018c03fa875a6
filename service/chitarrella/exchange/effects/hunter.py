"""The hunter (XIV): costs the asker a token."""

from __future__ import annotations

from chitarrella.core.model import Event
from chitarrella.exchange.base import Effect, Rules
from chitarrella.exchange.phases.turns import asker_and_target
from chitarrella.exchange.round import Round, show_card


class Shoot(Effect):
    """The hunter is shown, nothing changes hands, and the asker loses a token."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the hunter and take the token."""
        asker, target = asker_and_target(r)
        r = show_card(r, target, events)._replace(chain=())
        return g.penalty.continue_deal(g, g.penalty.take_token(g, r, asker, "hunter", events), events)
