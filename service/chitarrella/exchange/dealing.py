"""The pack: who sits where, the start of a deal, and its first card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from chitarrella.cards import Hand
from chitarrella.exchange.act import Act
from chitarrella.exchange.round import Round, dealt, speakers
from chitarrella.exchange.turns import decide
from chitarrella.words import BAD_PACK, Event, Form, Move, Refusal, Seat, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

SEATS, PACK = "await_seats", "new_deal"


class FromThePack(Act):
    """A move of the table, which hands in the cards that are wanted."""

    reasons = (BAD_PACK,)

    def offers(self, g: ExchangeGame, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer nothing: there are more packs than anybody can list."""
        return ()

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to cards that are not exactly the ones wanted."""
        return () if sorted(move.cards) == sorted(g.chance(r).cards) else (g.refuse(BAD_PACK, verb=self.form.verb),)


class DrawSeats(FromThePack):
    """Each player, in the order of the list, is dealt a card face up; they sit down in descending order."""

    form = Form("draw_seats", "Hand in cards to draw the seats by.", frozenset({SEATS}), (0, 104), by_chance=True)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Seat the listed players; the highest card is seat 0 and first dealer, of equals the one dealt first."""
        listed = drawn_seats(g, move.cards[: g.seats])
        for place, player in enumerate(listed):
            tell.append(public("seat_drawn", place, (move.cards[player],), amount=player))
        return r._replace(phase=PACK, standing=r.standing._replace(listed=listed))


def drawn_seats(g: ExchangeGame, cards: Hand) -> tuple[int, ...]:
    """Say for each seat which of the listed players it falls to, their cards being given in the order of the list."""
    ranks = [g.values.get(card.rank, min(g.values.values()) - 1) for card in cards]
    return tuple(sorted(range(len(cards)), key=lambda player: -ranks[player]))


class StartDeal(FromThePack):
    """The table hands in the pack in the order in which it is dealt; the first speaker gets the first card."""

    form = Form("start_deal", "Hand in the pack, first card first.", frozenset({PACK}), (0, 104), by_chance=True)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Clear away the deal before; the last two may talk before the cards are dealt."""
        standing = r.standing._replace(deal=r.standing.deal + 1)
        tell.append(public("deal_started", standing.dealer, amount=standing.deal))
        fresh = Round(PACK, standing, speakers(r), held=(None,) * g.seats, pack=move.cards)
        return g.talk.opened(g, fresh, tell)


def begin(r: Round, tell: list[Event]) -> Round:
    """Deal the first card."""
    return decide(dealt(r, r.order[0], tell), r.order[0])
