"""The position of an exchange game, and the operations on cards that its parts share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import inf
from typing import Final, NamedTuple

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import EVERYBODY, Event, Seat, Shares, hidden_cards_event, new_record, public_event
from chitarrella.core.notation import PositionCodec

DOWN, ANNOUNCED, OPEN = "down", "announced", "open"
"""States of a card before its seat: seen by its owner only, announced to everybody but face down, or face up."""

MAX_MONEY: Final = 2**53 - 1  # the largest pool. Money stays exact in clients that count in double precision.


MAX_PERSONS: Final = 64
"""Limit of persons without a seat, and of claims, that a game keeps. It bounds the size of a position."""


class Held(NamedTuple):
    """The card before a seat.

    ``lies`` is one of `DOWN`, `ANNOUNCED` and `OPEN`. ``moved`` is true when the card has changed hands in this deal.
    """

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

    def with_next_turn(self, phase: str, at: Seat, held: tuple[Held | None, ...], pack: Hand) -> Round:
        """Return the round in which the next seat was dealt its card and is to move; no card is on the move."""
        return new_record(Round, (phase, self[1], self[2], at, held, pack, self[6], (), None, None, *self[10:]))

    def with_turn(self, phase: str, at: Seat) -> Round:
        """Return the round with the turn of another seat, and no exchange in progress."""
        return new_record(Round, (phase, self[1], self[2], at, *self[4:8], None, None, *self[10:]))

    def with_exchange(self, chain: tuple[Seat, ...], asker: Seat | None, target: Seat | None) -> Round:
        return new_record(Round, (*self[:7], chain, asker, target, *self[10:]))

    def with_match_state(self, match_state: MatchState) -> Round:
        return new_record(Round, (self[0], match_state, *self[2:]))


@lru_cache
def codec_for(pack: Pack) -> PositionCodec[Round]:
    return PositionCodec(Round, pack)


# Seats
def in_game(r: Round) -> tuple[Seat, ...]:
    return tuple([seat for seat, tokens in enumerate(r.match_state.tokens) if tokens])


def speakers(r: Round) -> tuple[Seat, ...]:
    """Return the order of speech of the next deal: the seat after the dealer first, the dealer last."""
    seats, dealer = len(r.match_state.tokens), r.match_state.dealer
    return tuple(sorted(in_game(r), key=lambda seat: (seat - dealer - 1) % seats))


def first_speaker(r: Round) -> Seat:
    """Return the first seat in the order of speech of the next deal."""
    tokens, seat = r.match_state.tokens, r.match_state.dealer + 1
    while not tokens[seat % len(tokens)]:
        seat += 1
    return seat % len(tokens)


def next_speaker(r: Round, seat: Seat) -> Seat | None:
    """Return the seat after ``seat`` in the order of speech; None after the dealer."""
    place = r.order.index(seat) + 1
    return r.order[place] if place < len(r.order) else None


def live_seats(r: Round) -> tuple[Seat, ...]:
    """Return the seats with a card and a token, in the order of speech."""
    held, tokens = r.held, r.match_state.tokens
    return tuple([seat for seat in r.order if held[seat] and tokens[seat]])


# Cards
def held_by(r: Round, seat: Seat) -> Held:
    """Return what lies before a seat; raises `LookupError` where no card does."""
    held = r.held[seat]
    if held is None:
        raise LookupError(f"no card lies before seat {seat}")
    return held


def card_of(r: Round, seat: Seat) -> Card:
    """Return the card before a seat; raises `LookupError` where there is none."""
    return held_by(r, seat).card


def with_held(r: Round, seat: Seat, held: Held | None) -> Round:
    return r.with_cards((*r.held[:seat], held, *r.held[seat + 1 :]), r.pack)


def turn_card(r: Round, seat: Seat, lies: str) -> Round:
    card, _, moved = held_by(r, seat)
    return with_held(r, seat, new_record(Held, (card, lies, moved)))


def deal_card(r: Round, seat: Seat, events: list[Event]) -> Round:
    return r.with_cards(*_dealt(r, seat, events))


def deal_next(r: Round, seat: Seat, phase: str, events: list[Event]) -> Round:
    """Deal the next card of the pack to a seat, which is to move in ``phase``; no card is on the move."""
    return r.with_next_turn(phase, seat, *_dealt(r, seat, events))


def _dealt(r: Round, seat: Seat, events: list[Event]) -> tuple[tuple[Held | None, ...], Hand]:
    """Return the cards before the seats, and the pack, after the next card was dealt to ``seat``."""
    pack, held = r.pack, list(r.held)
    events.append(hidden_cards_event("dealt", seat, pack[:1], frozenset({seat})))
    held[seat] = new_record(Held, (pack[0], DOWN, False))
    return tuple(held), pack[1:]


def swap_cards(r: Round, one: Seat, other: Seat) -> Round:
    """Swap the cards of two seats. Both keep their state and are marked as moved."""
    first, second = held_by(r, one), held_by(r, other)
    held = list(r.held)
    held[one] = Held(second.card, second.lies, moved=True)
    held[other] = Held(first.card, first.lies, moved=True)
    return r.with_cards(tuple(held), r.pack)


def swap_event(kind: str, r: Round, one: Seat, other: Seat) -> Event:
    """Build the event of a swap, whose cards the two seats see: the new card of ``one``, then that of ``other``."""
    cards = (card_of(r, one), card_of(r, other))
    return Event(kind, one, cards, other=other, known_to=EVERYBODY, seen_by=frozenset({one, other}))


def put_aside(r: Round, seat: Seat) -> Round:
    """Take the card of a seat out of this deal."""
    held = held_by(r, seat)
    return with_held(r, seat, None)._replace(aside=(*r.aside, Aside(seat, held.card, held.lies)))


def draw_next(r: Round, seat: Seat, events: list[Event]) -> Round:
    """Set the card of a seat aside and deal it the next one of the pack."""
    return _draw(r, seat, r.pack[0], r.pack[1:], events)


def draw_last(r: Round, seat: Seat, events: list[Event]) -> Round:
    """Set the card of a seat aside and deal it the one at the end of the pack from which nothing is dealt."""
    return _draw(r, seat, r.pack[-1], r.pack[:-1], events)


def _draw(r: Round, seat: Seat, card: Card, rest: Hand, events: list[Event]) -> Round:
    events.append(hidden_cards_event("card_replaced", seat, (card,), frozenset({seat})))
    r = put_aside(r, seat)
    return r.with_cards((*r.held[:seat], Held(card), *r.held[seat + 1 :]), rest)


def show_card(r: Round, seat: Seat, events: list[Event]) -> Round:
    events.append(public_event("card_shown", seat, (card_of(r, seat),)))
    return turn_card(r, seat, OPEN)


# Tokens and money
def change_tokens(match_state: MatchState, change: Mapping[Seat, int], touched: Iterable[Seat]) -> MatchState:
    """Add ``change`` to the tokens by seat. The seats in ``touched`` are no virgins any more."""
    tokens, gone = list(match_state.tokens), set(touched)
    for seat, gained in change.items():
        tokens[seat] += gained
    virgins = match_state.virgins
    if not gone.isdisjoint(virgins):
        virgins = tuple([seat for seat in virgins if seat not in gone])
    return match_state._replace(tokens=tuple(tokens), virgins=virgins)


def lose_token(r: Round, seat: Seat, why: str, events: list[Event]) -> Round:
    """Take one token from a seat at once; ``why`` is the word of the event."""
    events.append(public_event("token_lost", seat, word=why))
    return r._replace(match_state=change_tokens(r.match_state, {seat: -1}, {seat}))


def refill_tokens(match_state: MatchState, tokens: int, seats: Iterable[Seat]) -> MatchState:
    """Set the tokens of ``seats`` to ``tokens``. Claims on their old tokens are void."""
    refilled = set(seats)
    return match_state._replace(
        tokens=tuple(tokens if seat in refilled else held for seat, held in enumerate(match_state.tokens)),
        claims=tuple(claim for claim in match_state.claims if claim.seat not in refilled),
    )


def add_payments(net: Shares, amounts: Iterable[tuple[str, int]]) -> Shares:
    """Add amounts to the balances in ``net``: positive for money received, negative for money paid."""
    book = dict(net)
    for person, amount in amounts:
        book[person] = book.get(person, 0) + amount
    return sort_shares(book)


def sort_shares(book: Mapping[str, int]) -> Shares:
    """Sort amounts by person: seats by number, then names in the order of their characters."""
    return tuple(sorted(book.items(), key=lambda one: (int(one[0]) if is_number(one[0]) else inf, one[0])))


def is_number(person: str) -> bool:
    """Whether a person is written as a whole number. Only seats are; no name may look like one."""
    try:
        int(person)
    except ValueError:
        return False
    return True
