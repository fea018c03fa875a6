"""Tokens and money: arithmetic of tokens, virgins, and amounts by person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chitarrella.core.model import Event, Seat, Shares, public_event
from chitarrella.exchange.round import MatchState, Round


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
    events.append(public_event("lose", seat, word=why))
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
    return tuple(sorted(book.items(), key=lambda entry: (not is_number(entry[0]), seat_number(entry[0]), entry[0])))


def is_number(person: str) -> bool:
    """Whether a person is written as a whole number. Only seats are; no name may look like one."""
    try:
        int(person)
    except ValueError:
        return False
    return True


def seat_number(person: str) -> int:
    """Return the number of a seat, 0 for a name."""
    return int(person) if is_number(person) else 0
