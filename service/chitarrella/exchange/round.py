"""The position of an exchange game, and the operations on seats, cards, tokens and money that its parts share."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from math import inf
from typing import Final, NamedTuple

from chitarrella.core.cards import Card, Hand
from chitarrella.core.model import EVERYBODY, Event, Seat, Shares, hidden_cards_event, new_record, public_event
from chitarrella.core.notation import PositionCodec

DOWN, ANNOUNCED, OPEN = "down", "announced", "open"
"""States of a card before its seat: seen by its owner only, announced to everybody but face down, or face up."""

MAX_MONEY: Final = 2**53 - 1  # the largest pool. Money stays exact in clients that count in double precision.
MAX_PERSONS: Final = 64  # how many persons without a seat, and how many claims, a position has room for


class Phases:
    """The names of the phases: chance supplies cards, seats decide, a seat pays for new tokens, the game is over.

    The dealer decides last. Who has lost the last token is asked after the deal, or during it. The game is over before
    and after the table of the next one is named.
    """

    SUPPLY = AWAIT_SEATS, NEW_DEAL = "await_seats", "new_deal"
    SPLIT = SPLIT_OFFER, SPLIT_ANSWER = "agreement_offer", "agreement_answer"
    TURNS = TURN, DEALER_TURN = "turn", "dealer_turn"
    INN_GUEST, INN_HOST, INN_OFFER, INN_ANSWER = "inn_guest", "inn_host", "inn_offer", "inn_answer"
    PAY = REENTRY, REENTRY_NOW = "reentry", "reentry_now"
    OVER = GAME_OVER, MATCH_OVER = "game_over", "match_over"


class Held(NamedTuple):
    """The card before a seat: how it lies there, and whether it has changed hands in this deal."""

    card: Card
    lies: str = DOWN
    moved: bool = False


class Aside(NamedTuple):
    """A card that is out of this deal, the seat that held it, and how it lay there."""

    seat: Seat
    card: Card
    lies: str


class Debt(NamedTuple):
    """The guarantee of a host: he pays if the guest loses with a nulla."""

    host: Seat
    guest: Seat


class Promise(NamedTuple):
    """A percentage of the guest's prize, promised to a host."""

    guest: Seat
    host: Seat
    percent: int


class Payment(NamedTuple):
    """An amount that a person paid for the present tokens of a seat."""

    seat: Seat
    person: str
    amount: int


class MatchState(NamedTuple):
    """The part of the position that goes on from deal to deal. Amounts of money are in the smallest unit.

    - ``virgins``: seats that have neither lost, gained nor bought a token.
    - ``counter``: number that sets the price of a re-entry.
    - ``claims``: who paid for the tokens of a seat and shares in its prize.
    - ``agreement``: the agreed split of the pool, in percent by seat.
    - ``net``: what each person has received less what he has paid.
    - ``listed``: by seat the number on the list of the person who drew it; empty where seats are given.
    - ``next_table``: who sits where in the next game.
    """

    deal: int = 0
    dealer: Seat = 0
    tokens: tuple[int, ...] = ()
    virgins: tuple[Seat, ...] = ()
    pool: int = 0
    counter: int = 0
    claims: tuple[Payment, ...] = ()
    agreement: Shares = ()
    promises: tuple[Promise, ...] = ()
    net: Shares = ()
    listed: tuple[int, ...] = ()
    next_table: Shares = ()

    def change_tokens(self, gains: Iterable[Seat], losses: Iterable[Seat], touched: set[Seat]) -> MatchState:
        """Add a token for each of ``gains``, take one for each of ``losses``. Who was ``touched`` is no virgin now."""
        tokens = list(self.tokens)
        for seat in gains:
            tokens[seat] += 1
        for seat in losses:
            tokens[seat] -= 1
        virgins = tuple([seat for seat in self.virgins if seat not in touched])
        return self._replace(tokens=tuple(tokens), virgins=virgins)


class Round(NamedTuple):
    """The position. Fields that a game does not use stay empty; between deals the last deal is still there.

    - ``order``: seats in the order of speech. ``at``: the seat to move.
    - ``held``: by seat the card before it. ``pack``: cards not dealt yet, the next one first.
    - ``chain``: seats through whose hands the card on the move has passed.
    - ``asker``, ``target``: the two seats of an exchange that is not settled.
    - ``reverse``: a card is still to be sent back when a re-entry is settled.
    - ``pending``: seats without tokens that are still to be settled after the comparison.
    - ``offer``: money and percentage offered at the inn. ``offers``: how many offers were made.
    - ``asked``: seats that have spoken in the talk about the pool. ``proposal``: the proposed split.
    """

    phase: str
    match_state: MatchState
    order: tuple[Seat, ...] = ()
    at: Seat = 0
    held: tuple[Held | None, ...] = ()
    pack: Hand = ()
    aside: tuple[Aside, ...] = ()
    chain: tuple[Seat, ...] = ()
    asker: Seat | None = None
    target: Seat | None = None
    reverse: bool = False
    debts: tuple[Debt, ...] = ()
    pending: tuple[Seat, ...] = ()
    offer: tuple[int, int] = (0, 0)
    offers: int = 0
    asked: tuple[Seat, ...] = ()
    proposal: Shares = ()

    # Written out for speed: they are called for every card that is dealt or moved. A test holds the order of fields.

    def with_cards(self, held: tuple[Held | None, ...], pack: Hand) -> Round:
        """Return the round with other cards before the seats, and in the pack."""
        return new_record(Round, (*self[:4], held, pack, *self[6:]))

    def with_turn(self, phase: str, at: Seat, chain: tuple[Seat, ...] = ()) -> Round:
        """Return the round with the turn of another seat, to which ``chain`` has led, and no exchange in progress."""
        return new_record(Round, (phase, self[1], self[2], at, *self[4:7], chain, None, None, *self[10:]))

    def with_exchange(self, chain: tuple[Seat, ...], asker: Seat, target: Seat) -> Round:
        return new_record(Round, (*self[:7], chain, asker, target, *self[10:]))

    def with_match_state(self, match_state: MatchState) -> Round:
        return new_record(Round, (self[0], match_state, *self[2:]))

    def in_game(self) -> tuple[Seat, ...]:
        return tuple([seat for seat, tokens in enumerate(self.match_state.tokens) if tokens])

    def speakers(self) -> tuple[Seat, ...]:
        """Return the order of speech of the next deal: the seat after the dealer first, the dealer last."""
        seats, dealer = len(self.match_state.tokens), self.match_state.dealer
        return tuple(sorted(self.in_game(), key=lambda seat: (seat - dealer - 1) % seats))

    def next_speaker(self, seat: Seat) -> Seat | None:
        """Return the seat after ``seat`` in the order of speech; None after the dealer."""
        place = self.order.index(seat) + 1
        return self.order[place] if place < len(self.order) else None

    def give_turn(self, seat: Seat, chain: tuple[Seat, ...] = ()) -> Round:
        """Pass the turn to ``seat``, whose card has come through the hands of ``chain``."""
        return self.with_turn(Phases.DEALER_TURN if seat == self.order[-1] else Phases.TURN, seat, chain)

    def asker_and_target(self) -> tuple[Seat, Seat]:
        """Return the two seats of the exchange in progress; raises `LookupError` where there is none."""
        if self.asker is None or self.target is None:
            raise LookupError("no exchange is going on")
        return self.asker, self.target

    def held_by(self, seat: Seat) -> Held:
        """Return what lies before a seat; raises `LookupError` where no card does."""
        held = self.held[seat]
        if held is None:
            raise LookupError(f"no card lies before seat {seat}")
        return held

    def card_of(self, seat: Seat) -> Card:
        """Return the card before a seat; raises `LookupError` where there is none."""
        return self.held_by(seat).card

    def with_held(self, seat: Seat, held: Held | None, pack: Hand) -> Round:
        """Return the round with another card, or none, before a seat, and with this pack."""
        before = list(self.held)
        before[seat] = held
        return new_record(Round, (*self[:4], tuple(before), pack, *self[6:]))

    def turn_cards(self, seats: Iterable[Seat], lies: str = OPEN) -> Round:
        before = list(self.held)
        for seat in seats:
            card, _, moved = self.held_by(seat)
            before[seat] = new_record(Held, (card, lies, moved))
        return self.with_cards(tuple(before), self.pack)

    def show_card(self, seat: Seat, events: list[Event]) -> Round:
        events.append(public_event("card_shown", seat, (self.card_of(seat),)))
        return self.turn_cards((seat,))

    def deal_card(self, seat: Seat, events: list[Event]) -> Round:
        events.append(hidden_cards_event("dealt", seat, self.pack[:1], frozenset({seat})))
        return self.with_held(seat, new_record(Held, (self.pack[0], DOWN, False)), self.pack[1:])

    def deal_turn(self, seat: Seat, events: list[Event]) -> Round:
        """Deal the next card of the pack to a seat, which moves next."""
        return self.deal_card(seat, events).give_turn(seat)

    def put_aside(self, seat: Seat) -> Round:
        """Take the card of a seat out of this deal."""
        held = self.held_by(seat)
        return self.with_held(seat, None, self.pack)._replace(aside=(*self.aside, Aside(seat, held.card, held.lies)))

    def draw_card(self, seat: Seat, events: list[Event], place: int = 0) -> Round:
        """Set the card of a seat aside and deal it the one at index ``place`` of the pack, by default the next."""
        pack = list(self.pack)
        card = pack.pop(place)
        events.append(hidden_cards_event("card_replaced", seat, (card,), frozenset({seat})))
        return self.put_aside(seat).with_held(seat, Held(card), tuple(pack))

    def swap_cards(self, kind: str, one: Seat, other: Seat, events: list[Event]) -> Round:
        """Swap the cards of two seats, which are marked as moved.

        The two see the cards of the event: the new card of ``one``, then that of ``other``.
        """
        first, second, both = self.held_by(one), self.held_by(other), frozenset({one, other})
        before = list(self.held)
        before[one], before[other] = new_record(Held, (*second[:2], True)), new_record(Held, (*first[:2], True))
        events.append(Event(kind, one, (second.card, first.card), other=other, known_to=EVERYBODY, seen_by=both))
        return self.with_cards(tuple(before), self.pack)


codec_for = lru_cache(partial(PositionCodec[Round], Round))
"""Returns the notation of positions with the cards of a pack."""


# Money
def add_shares(shares: Shares, more: Iterable[tuple[str, int]]) -> Shares:
    """Return the amounts of ``shares`` and ``more`` by person: seats by number, then names in alphabetical order."""
    book = dict(shares)
    for person, amount in more:
        book[person] = book.get(person, 0) + amount
    return tuple(sorted(book.items(), key=lambda one: (int(one[0]) if is_number(one[0]) else inf, one[0])))


def is_number(person: str) -> bool:
    """Whether a person is written as a whole number. Only seats are; no name may look like one."""
    try:
        int(person)
    except ValueError:
        return False
    return True
