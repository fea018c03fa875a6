"""Tokens and money: what is lost, gained and paid, and what that does to virginity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chitarrella.exchange.round import Round, Standing
from chitarrella.words import Event, Seat, Shares, public


def counted(standing: Standing, change: Mapping[Seat, int], touched: Iterable[Seat]) -> Standing:
    """Add ``change`` to the tokens by seat; the seats ``touched`` are virgins no more."""
    gone = set(touched)
    return standing._replace(
        tokens=tuple(tokens + change.get(seat, 0) for seat, tokens in enumerate(standing.tokens)),
        virgins=tuple(seat for seat in standing.virgins if seat not in gone),
    )


def token_lost(r: Round, seat: Seat, why: str, tell: list[Event]) -> Round:
    """Take a token at once, and virginity with it."""
    tell.append(public("lose", seat, word=why))
    return r._replace(standing=counted(r.standing, {seat: -1}, {seat}))


def refilled(standing: Standing, tokens: int, seats: Iterable[Seat]) -> Standing:
    """Give these seats, who have lost their old tokens, new ones: what was claimed of the old ones is void."""
    those = set(seats)
    return standing._replace(
        tokens=tuple(tokens if seat in those else held for seat, held in enumerate(standing.tokens)),
        claims=tuple(claim for claim in standing.claims if claim.seat not in those),
    )


def paid(net: Shares, amounts: Iterable[tuple[str, int]]) -> Shares:
    """Enter amounts received (or, below zero, paid) by persons; the seats stand first, the others by name."""
    book = dict(net)
    for person, amount in amounts:
        book[person] = book.get(person, 0) + amount
    return in_order(book)


def in_order(book: Mapping[str, int]) -> Shares:
    """Put persons into order: seats by number, the others by name."""
    return tuple(sorted(book.items(), key=lambda entry: (not is_whole(entry[0]), number_of(entry[0]), entry[0])))


def is_whole(person: str) -> bool:
    """Tell whether a person is written as a whole number, in whatever way, as only seats are."""
    try:
        int(person)
    except ValueError:
        return False
    return True


def number_of(person: str) -> int:
    """Give the number of a seat, 0 for a name."""
    return int(person) if is_whole(person) else 0
