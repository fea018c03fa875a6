"""The cuckoo (XV): stops an exchange."""

from __future__ import annotations

from chitarrella.core.model import Event
from chitarrella.exchange.base import Effect, Rules
from chitarrella.exchange.phases.turns import asker_and_target, pass_to_target
from chitarrella.exchange.round import Round, show_card


class StopExchange(Effect):
    """The cuckoo is shown and nothing changes hands."""

    def apply(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Show the cuckoo; the target moves next."""
        return pass_to_target(show_card(r, asker_and_target(r)[1], events)._replace(chain=()))
