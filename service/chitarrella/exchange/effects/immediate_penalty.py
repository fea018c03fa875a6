"""The penalty at once: a seat without tokens is settled in the middle of the deal."""

from __future__ import annotations

from chitarrella.core.model import Event, Seat, public_event
from chitarrella.exchange.base import Penalty, Rules
from chitarrella.exchange.effects.cat import send_card_back
from chitarrella.exchange.phases.reentry import REENTRY_NOW, count_loss, eliminate
from chitarrella.exchange.phases.turns import asker_and_target, give_turn
from chitarrella.exchange.round import Round, in_game, put_aside
from chitarrella.exchange.tokens import lose_token


class ImmediatePenalty(Penalty):
    """A seat that loses its last token re-enters at once, or leaves the game and its card the deal."""

    def take_token(self, g: Rules, r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
        """Take the token. If it was the last one, ask the seat to re-enter or eliminate it."""
        r = lose_token(r, seat, why, events)
        if r.match_state.tokens[seat]:
            return r
        r = count_loss(g, r)
        if g.reentry.cost(g.stake, r.match_state) is not None:
            return r._replace(phase=REENTRY_NOW, at=seat)
        return self.eliminate(g, r, seat, events)

    def settles_after_comparison(self, was_compared: bool) -> bool:
        """Return whether the card was compared: the others were settled in the middle of the deal."""
        return was_compared

    def eliminate(self, g: Rules, r: Round, seat: Seat, events: list[Event]) -> Round:
        """Set the card aside. A single player left wins without a comparison."""
        r = put_aside(eliminate(r, seat, events), seat)._replace(reverse=False)
        events.append(public_event("set_aside", seat))
        return g.finish(r, events) if len(in_game(r)) == 1 else r

    def continue_deal(self, g: Rules, r: Round, events: list[Event]) -> Round:
        """Send the card back where that is due, then pass the turn to the target."""
        if r.reverse and not self.is_interrupted(g, r):
            r = send_card_back(g, r._replace(reverse=False), asker_and_target(r)[0], events)
        return r if self.is_interrupted(g, r) else give_turn(r, asker_and_target(r)[1])

    def is_interrupted(self, g: Rules, r: Round) -> bool:
        """Whether a seat has to decide on re-entry first, or the game is over."""
        return r.phase == REENTRY_NOW or g.is_finished(r)
