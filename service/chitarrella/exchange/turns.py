"""A seat's one decision: it keeps its card, or exchanges it with the next seat; the dealer exchanges with the pack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act, plain
from chitarrella.exchange.round import Round, card_of, dealt, drawn, following, swapped, told_swap
from chitarrella.words import Event, Move, Reason, Refusal, Seat

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

TURN, DEALER_TURN = "turn", "dealer_turn"
MUST_EXCHANGE = Reason("must_exchange", "With an agreement in force {word} must be exchanged.")


def decide(r: Round, seat: Seat) -> Round:
    """Give a seat that has its card the word."""
    phase = DEALER_TURN if seat == r.order[-1] else TURN
    return r._replace(phase=phase, at=seat, asker=None, target=None)


def parties(r: Round) -> tuple[Seat, Seat]:
    """Name the asker and the target of the exchange that is going on."""
    if r.asker is None or r.target is None:
        raise LookupError("no exchange is going on")
    return r.asker, r.target


def go_on(r: Round) -> Round:
    """Give the word to the target of the exchange that was just settled."""
    return decide(r, parties(r)[1])


class Keep(Act):
    """Keep the card."""

    form = plain("keep", "Keep the card.", TURN, DEALER_TURN, lapse=True)
    said = True
    reasons = (MUST_EXCHANGE,)

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object where an agreement of the last two obliges to exchange a low card."""
        if r.phase == TURN and r.standing.agreement and (card := card_of(r, seat)).rank in g.duty:
            return (g.refuse(MUST_EXCHANGE, held=(card,), word=card),)
        return ()

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Deal to the next seat, or turn up the cards after the dealer."""
        after = following(r, seat)
        if after is None:
            return g.showdown(r, tell)
        return decide(dealt(r, after, tell), after)._replace(chain=())


class Exchange(Act):
    """Exchange the card with the next seat."""

    form = plain("exchange", "Exchange the card with the next seat.", TURN)
    said = True

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Try it with the next seat, whose fresh card decides what comes of it."""
        chain = r.chain if r.chain and r.chain[-1] == seat else (seat,)
        target = following(r, seat)
        if target is None:
            raise LookupError("the dealer exchanges with the pack")
        return meet(g, r._replace(chain=chain, asker=seat), target, tell)


class Draw(Act):
    """The dealer changes his card for the next one of the pack."""

    form = plain("draw", "Lay the card aside and take the next one of the pack.", DEALER_TURN)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Take the card, which has no effect whatever it is, and turn up the cards."""
        return g.showdown(drawn(r, seat, False, tell), tell)


def meet(g: ExchangeGame, r: Round, target: Seat, tell: list[Event]) -> Round:
    """Deal to the target; its card decides what becomes of the exchange."""
    r = dealt(r, target, tell)._replace(target=target)
    effect = g.effects.get(card_of(r, target).rank)
    return effect.met(g, r, tell) if effect else go_on(handed_over(r, tell))


def handed_over(r: Round, tell: list[Event]) -> Round:
    """Exchange the cards of asker and target, and note it in the chain of the card."""
    asker, target = parties(r)
    r = swapped(r, asker, target)
    tell.append(told_swap("swap", r, asker, target))
    return r._replace(chain=(*r.chain, target))
