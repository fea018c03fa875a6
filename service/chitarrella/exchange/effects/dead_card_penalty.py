"""The penalty by dead cards: a seat without tokens stays in the deal with a dead card."""

from __future__ import annotations

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.exchange.base import Penalty, Rules
from chitarrella.exchange.phases.turns import pass_to_target
from chitarrella.exchange.round import Round, card_of, show_card
from chitarrella.exchange.tokens import lose_token


class DeadCard(Penalty):
    """A seat that loses its last token is dead for this deal. Its card stays and counts for nothing."""

    def take_token(self, g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
        """Take the token. A seat with a protecting card shows it and keeps the token."""
        if card_of(r, seat).rank in g.protectors:
            return show_card(r, seat, events)
        r = lose_token(r, seat, why, events)
        if not r.match_state.tokens[seat]:
            events.append(public_event("dead", seat))
        return r

    def continue_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Pass the turn to the target."""
        return pass_to_target(r)

    def settles_after_comparison(self, was_compared: bool) -> bool:
        """Return True: every seat without tokens is settled after the comparison."""
        return True

    def eliminate(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        """Raise `NotImplementedError`: no seat leaves the game in the middle of a deal."""
        raise NotImplementedError
