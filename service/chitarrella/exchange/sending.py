"""The cat of Montorio: the card is sent back from seat to seat towards the first, and special cards act on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chitarrella.exchange.effects import Effect, Penalty
from chitarrella.exchange.reentry import REENTRY_NOW, counted_out, eliminated
from chitarrella.exchange.round import INN, Round, before, card_of, in_game, put_aside, shown, swapped, told_swap
from chitarrella.exchange.tokens import token_lost
from chitarrella.exchange.turns import decide, parties
from chitarrella.words import Event, Seat, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

STRIKES = {"XII": "cat", "XIV": "hunter"}


class SendBack(Effect):
    """The asker loses a token, and must try to give the card back."""

    def met(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Show it, strike, and send back unless the asker is out."""
        asker, target = parties(r)
        r = shown(r, target, tell)._replace(chain=(), reverse=True)
        return g.penalty.go_on(g, g.penalty.strike(g, r, asker, "cat", tell), tell)


class AtOnce(Penalty):
    """Who loses the last token buys himself back at once, or is out of the game and his card out of the deal."""

    def strike(self, g: ExchangeGame, r: Round, seat: Seat, why: str, tell: list[Event]) -> Round:
        """Take the token, and settle with a player who has no other."""
        r = token_lost(r, seat, why, tell)
        if r.standing.tokens[seat]:
            return r
        r = counted_out(g, r)
        if g.reentry.cost(g, r.standing) is not None:
            return r._replace(phase=REENTRY_NOW, at=seat)
        return self.out(g, r, seat, tell)

    def settles(self, compared: bool) -> bool:
        """Take nobody up again who was settled in the middle of the deal."""
        return compared

    def out(self, g: ExchangeGame, r: Round, seat: Seat, tell: list[Event]) -> Round:
        """Set the card aside; a single player left has won without a comparison."""
        r = put_aside(eliminated(r, seat, tell), seat)._replace(reverse=False)
        tell.append(public("set_aside", seat))
        return g.finish(r, tell) if len(in_game(r)) == 1 else r

    def go_on(self, g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
        """Send the card back where that is due; then the target decides."""
        if r.reverse and not self.stopped(g, r):
            r = sent_back(g, r._replace(reverse=False), parties(r)[0], tell)
        return r if self.stopped(g, r) else decide(r, parties(r)[1])

    def stopped(self, g: ExchangeGame, r: Round) -> bool:
        """Tell whether somebody has to decide first, or the game is over."""
        return r.phase == REENTRY_NOW or g.over(r)


def sent_back(g: ExchangeGame, r: Round, holder: Seat, tell: list[Event]) -> Round:
    """Give the card before ``holder`` back, seat by seat, until there is nobody left or a card stops it."""
    partner = left_of(r, holder)
    while partner is not None:
        met = card_of(r, partner)
        known = met.rank == INN and before(r, partner).moved  # an inn that has changed hands stops nobody any more
        if met.rank in g.effects and not known:
            r = shown(r, partner, tell)
            if met.rank in STRIKES:
                return g.penalty.strike(g, r, holder, STRIKES[met.rank], tell)
            if met.rank != "XIII":
                return r
        else:
            r = swapped(r, holder, partner)
            tell.append(told_swap("reverse", r, holder, partner))
            holder = partner
        partner = left_of(r, partner)
    return r


def left_of(r: Round, seat: Seat) -> Seat | None:
    """Name the nearest seat at the left that has a card; None from the first on."""
    earlier = [one for one in r.order[: r.order.index(seat)] if r.held[one]]
    return earlier[-1] if earlier else None
