"""The round of every exchange game: the position that parts read and moves replace."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from chitarrella.cards import Card, Hand, Pack
from chitarrella.sheet import Sheet
from chitarrella.words import Event, Seat, Shares, covert, public

DOWN, ANNOUNCED, OPEN = "down", "announced", "open"
"""How a card lies before its seat: seen by its owner, named to everybody but not turned up, or turned up."""

INN: Final = "XI"
"""The rank of the card that is announced, and noted when it changes hands."""

MOST_MONEY: Final = 2**53 - 1
"""No pool is ever fuller, so that money stays exact in clients that count in double precision (CU-102, LS-102)."""


MOST_NAMED: Final = 64
"""No book of a game names more people who have no seat, and none notes more claims: a position has an end."""


class Held(NamedTuple):
    """The card before a seat, how it lies there, and whether it is an inn that has changed hands in this deal."""

    card: Card
    lies: str = DOWN
    moved: bool = False


class Aside(NamedTuple):
    """A card that is out of this deal, whose it was, and whether it was public before."""

    seat: Seat
    card: Card
    lies: str


class Debt(NamedTuple):
    """A host who answers for the nulla of a guest."""

    host: Seat
    guest: Seat


class Promise(NamedTuple):
    """A percentage of what a guest wins, promised to a host."""

    guest: Seat
    host: Seat
    percent: int


class Claim(NamedTuple):
    """What a person paid for the tokens that a seat has now."""

    seat: Seat
    person: str
    amount: int


class Standing(NamedTuple):
    """What goes on from deal to deal.

    ``counter`` is what the price of a re-entry rises with; ``net`` is what each person has received less what was paid,
    in the smallest unit of money; ``listed`` says, where seats were drawn, which of the listed players sits where,
    ``next_table`` who sits where in the next game.
    """

    deal: int = 0
    dealer: Seat = 0
    tokens: tuple[int, ...] = ()
    virgins: tuple[Seat, ...] = ()
    pool: int = 0
    counter: int = 0
    claims: tuple[Claim, ...] = ()
    agreement: Shares = ()
    promises: tuple[Promise, ...] = ()
    net: Shares = ()
    listed: tuple[int, ...] = ()
    next_table: Shares = ()


class Round(NamedTuple):
    """The position. What a game does not use stays empty; between two deals the last one still lies there.

    ``order`` is the order of speech, ``at`` the seat that decides. ``chain`` are the seats through whose hands the card
    on the move has come, ``asker`` and ``target`` the two of an exchange that is not settled, ``reverse`` tells that a
    card is still to be sent back. ``pending`` are the seats still to be dealt with after the comparison; ``offer`` is
    the money and the percentage named at the inn, ``offers`` how many were made, ``asked`` who had the word in the
    talk of the last two.
    """

    phase: str
    standing: Standing
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


@lru_cache
def sheet_of(pack: Pack) -> Sheet[Round]:
    """Give the notation of rounds with the cards of ``pack``."""
    return Sheet(Round, pack)


# ---------------------------------------------------------------------- who sits in it


def in_game(r: Round) -> tuple[Seat, ...]:
    """Name the seats that have tokens."""
    return tuple(seat for seat, tokens in enumerate(r.standing.tokens) if tokens)


def speakers(r: Round) -> tuple[Seat, ...]:
    """Give the order of speech of the coming deal: from the right of the dealer round to the dealer."""
    seats, dealer = len(r.standing.tokens), r.standing.dealer
    return tuple(sorted(in_game(r), key=lambda seat: (seat - dealer - 1) % seats))


def following(r: Round, seat: Seat) -> Seat | None:
    """Name the seat after ``seat`` in the order of speech; None after the dealer."""
    place = r.order.index(seat) + 1
    return r.order[place] if place < len(r.order) else None


def live(r: Round) -> tuple[Seat, ...]:
    """Name, in the order of speech, the seats with a card and a token."""
    return tuple(seat for seat in r.order if r.held[seat] and r.standing.tokens[seat])


# ---------------------------------------------------------------------- cards before the seats


def before(r: Round, seat: Seat) -> Held:
    """Give what lies before a seat that has a card."""
    held = r.held[seat]
    if held is None:
        raise LookupError(f"no card lies before seat {seat}")
    return held


def card_of(r: Round, seat: Seat) -> Card:
    """Give the card before a seat that has one."""
    return before(r, seat).card


def laid(r: Round, seat: Seat, held: Held | None) -> Round:
    """Lay something else before a seat."""
    return r._replace(held=(*r.held[:seat], held, *r.held[seat + 1 :]))


def lying(r: Round, seat: Seat, lies: str) -> Round:
    """Let the card of a seat lie otherwise."""
    return laid(r, seat, before(r, seat)._replace(lies=lies))


def dealt(r: Round, seat: Seat, tell: list[Event]) -> Round:
    """Deal the next card of the pack to a seat."""
    tell.append(covert("deal", seat, r.pack[:1], frozenset({seat})))
    return laid(r, seat, Held(r.pack[0]))._replace(pack=r.pack[1:])


def swapped(r: Round, one: Seat, other: Seat) -> Round:
    """Exchange the cards of two seats; what is public of them stays so, and that they have changed hands is public."""
    first, second = before(r, one), before(r, other)
    r = laid(r, one, second._replace(moved=True))
    return laid(r, other, first._replace(moved=True))


def told_swap(kind: str, r: Round, one: Seat, other: Seat) -> Event:
    """Tell that two cards changed places; the two seats learn the faces: what the first has now, then the second."""
    cards = (card_of(r, one), card_of(r, other))
    return covert(kind, one, cards, frozenset({one, other}))._replace(other=other)


def put_aside(r: Round, seat: Seat) -> Round:
    """Take the card of a seat out of this deal."""
    held = before(r, seat)
    return laid(r, seat, None)._replace(aside=(*r.aside, Aside(seat, held.card, held.lies)))


def drawn(r: Round, seat: Seat, from_the_end: bool, tell: list[Event]) -> Round:
    """Let a seat lay its card aside and take one of the pack: the next, or the one at the far end."""
    card = r.pack[-1] if from_the_end else r.pack[0]
    rest = r.pack[:-1] if from_the_end else r.pack[1:]
    tell.append(covert("draw", seat, (card,), frozenset({seat})))
    return laid(put_aside(r, seat), seat, Held(card))._replace(pack=rest)


def shown(r: Round, seat: Seat, tell: list[Event]) -> Round:
    """Turn up the card of a seat."""
    tell.append(public("show", seat, (card_of(r, seat),)))
    return lying(r, seat, OPEN)
