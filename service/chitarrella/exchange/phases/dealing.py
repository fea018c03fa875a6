"""The pack: drawing of seats, start of a deal, and its first card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from chitarrella.core.cards import Hand
from chitarrella.core.model import BAD_PACK, Event, Move, MoveSpec, Refusal, Seat, public_event
from chitarrella.exchange.base import Action, Rules
from chitarrella.exchange.phases.turns import give_turn
from chitarrella.exchange.round import Round, deal_card, speakers

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
