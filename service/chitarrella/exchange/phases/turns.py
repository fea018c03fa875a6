"""The turn of a seat: keep the card or exchange it with the next seat. The dealer exchanges with the pack."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella.core.model import Event, Move, Reason, Refusal, Seat
from chitarrella.exchange.base import Action, Rules, simple_spec
from chitarrella.exchange.round import (
    Round,
    card_of,
    deal_card,
    deal_next,
    draw_next,
    next_speaker,
    swap_cards,
    swap_event,
)

TURN, DEALER_TURN = "turn", "dealer_turn"
"""The phases in which a seat keeps or exchanges its card: each other seat, then the dealer."""
MUST_EXCHANGE = Reason("must_exchange", "With an agreement in force {word} must be exchanged.", duty=True)


def give_turn(r: Round, seat: Seat) -> Round:
    """Pass the turn to a seat that has its card."""
    return r.with_turn(turn_phase(r, seat), seat)


def turn_phase(r: Round, seat: Seat) -> str:
    """Return the phase in which ``seat`` decides about its card."""
    return DEALER_TURN if seat == r.order[-1] else TURN


def asker_and_target(r: Round) -> tuple[Seat, Seat]:
    """Return the two seats of the exchange in progress; raises `LookupError` where there is none."""
    if r.asker is None or r.target is None:
        raise LookupError("no exchange is going on")
    return r.asker, r.target


def pass_to_target(r: Round) -> Round:
    """Pass the turn to the target of the exchange that was just settled."""
    return give_turn(r, asker_and_target(r)[1])


class Keep(Action):
    """The seat keeps its card."""

    spec = simple_spec("keep", "Keep the card.", TURN, DEALER_TURN, timeout_default=True)
    is_spoken = True
    reasons = (MUST_EXCHANGE,)

    def legal_moves(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Return the move; without an agreement there is no duty."""
        return super().legal_moves(g, r, seat) if r.match_state.agreement else self.offers(g, r, seat)

    def duties(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse to keep a low card where the agreed pool split obliges to exchange it."""
        if r.phase == TURN and r.match_state.agreement and (card := card_of(r, seat)).rank in g.duty:
            return (g.refuse(MUST_EXCHANGE, offending_cards=(card,), word=card),)
        return ()

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Deal to the next seat; after the dealer compare the cards."""
        after = next_speaker(r, seat)
        if after is None:
            return g.showdown(r, events)
        return deal_next(r, after, turn_phase(r, after), events)


class Exchange(Action):
    """The seat exchanges its card with the next seat."""

    spec = simple_spec("exchange", "Exchange the card with the next seat.", TURN)
    is_spoken = True

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Try the exchange with the next seat. The card dealt to that seat decides the result."""
        chain = r.chain if r.chain and r.chain[-1] == seat else (seat,)
        target = next_speaker(r, seat)
        if target is None:
            raise LookupError("the dealer exchanges with the pack")
        return try_exchange(g, r.with_exchange(chain, seat, target), target, events)


class Draw(Action):
    """The dealer replaces his card by the next one of the pack."""

    spec = simple_spec("draw", "Lay the card aside and take the next one of the pack.", DEALER_TURN)

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Draw the card, which has no effect, and compare the cards."""
        return g.showdown(draw_next(r, seat, events), events)


def try_exchange(g: Rules, r: Round, target: Seat, events: list[Event]) -> Round:
    """Deal to the target and apply the effect of that card; a card without effect is swapped."""
    r = deal_card(r, target, events)
    effect = g.effects.get(card_of(r, target).rank)
    return effect.apply(g, r, events) if effect else pass_to_target(hand_over(r, events))


def hand_over(r: Round, events: list[Event]) -> Round:
    """Swap the cards of asker and target, and extend the chain of the asker's card."""
    asker, target = asker_and_target(r)
    r = swap_cards(r, asker, target)
    events.append(swap_event("swap", r, asker, target))
    return r.with_exchange((*r.chain, target), asker, target)
