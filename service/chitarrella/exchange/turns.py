"""The deal and the turns of an exchange game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chitarrella.core.cards import Hand
from chitarrella.core.model import BAD_PACK, Event, Move, MoveSpec, Reason, Refusal, Seat, public_event
from chitarrella.exchange.parts import Action, Rules, simple_spec
from chitarrella.exchange.round import (
    Round,
    card_of,
    deal_card,
    deal_next,
    draw_next,
    next_speaker,
    speakers,
    swap_cards,
    swap_event,
)

TURN, DEALER_TURN = "turn", "dealer_turn"
"""The phases in which a seat keeps or exchanges its card: each other seat, then the dealer."""
MUST_EXCHANGE = Reason("must_exchange", "With an agreement in force {word} must be exchanged.", duty=True)


def give_turn(r: Round, seat: Seat) -> Round:
    return r.with_turn(turn_phase(r, seat), seat)


def turn_phase(r: Round, seat: Seat) -> str:
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
    events.append(swap_event("swapped", r, asker, target))
    return r.with_exchange((*r.chain, target), asker, target)


# The pack
AWAIT_SEATS, NEW_DEAL = "await_seats", "new_deal"
"""The phases that wait for the cards by which seats are drawn, and for a pack."""


class SupplyCards(Action):
    """A move of chance that supplies the requested cards."""

    reasons = (BAD_PACK,)

    def offers(self, g: Rules, r: Round, seat: Seat) -> Iterable[Move]:
        """Return no candidates: there are too many orders of the pack to list."""
        return ()

    def conditions(self, g: Rules, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Refuse cards that are not exactly the requested ones, with those missing and those too many."""
        given, requested = Counter(move.cards), Counter(g.chance_request(r).cards)
        if dict(given) == dict(requested):  # counters themselves compare slowly, to allow for counts of zero
            return ()
        return (
            g.refuse(
                BAD_PACK,
                verb=self.spec.verb,
                allowed_cards=tuple(requested - given),
                offending_cards=tuple(given - requested),
            ),
        )


class DrawSeats(SupplyCards):
    """Draw the seats: each person on the list gets a card face up, and they sit down from the highest to the lowest."""

    spec = MoveSpec(
        "draw_seats", "Hand in cards to draw the seats by.", frozenset({AWAIT_SEATS}), (0, 104), by_chance=True
    )

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Seat the listed persons by their cards: the highest is seat 0; of equal cards the earlier is higher."""
        listed = seat_order(g, move.cards[: g.seats])
        for place, number in enumerate(listed):
            events.append(public_event("seat_drawn", place, (move.cards[number],), amount=number))
        return r._replace(phase=NEW_DEAL, match_state=r.match_state._replace(listed=listed))


def seat_order(g: Rules, cards: Hand) -> tuple[int, ...]:
    """Return for each seat the number on the list of the person who gets it. ``cards`` are in the order of the list."""
    ranks = [g.values.get(card.rank, min(g.values.values()) - 1) for card in cards]
    return tuple(sorted(range(len(cards)), key=lambda number: -ranks[number]))


class StartDeal(SupplyCards):
    """Supply the pack in the order in which it is dealt."""

    spec = MoveSpec(
        "start_deal", "Hand in the pack, first card first.", frozenset({NEW_DEAL}), (0, 104), by_chance=True
    )

    def apply(self, g: Rules, r: Round, seat: Seat, move: Move, events: list[Event]) -> Round:
        """Clear the last deal and open the next one, with the talk about the pool or the first card."""
        match_state = r.match_state._replace(deal=r.match_state.deal + 1)
        events.append(public_event("deal_started", match_state.dealer, amount=match_state.deal))
        opened = Round(NEW_DEAL, match_state, speakers(r), held=(None,) * g.seats, pack=move.cards)
        return g.pool_split.open_deal(g, opened, events)


def deal_first_card(r: Round, events: list[Event]) -> Round:
    """Deal the first card; its seat moves next."""
    return give_turn(deal_card(r, r.order[0], events), r.order[0])
