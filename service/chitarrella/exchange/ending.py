"""The end of a deal and of the game: the next dealer, the division of the pool, the table of the next game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from chitarrella.exchange.act import Act
from chitarrella.exchange.dealing import PACK
from chitarrella.exchange.round import Round, Standing, in_game, speakers
from chitarrella.exchange.tokens import in_order, is_whole, paid
from chitarrella.words import Event, Form, Move, Reason, Refusal, Seat, Shares, public

if TYPE_CHECKING:
    from chitarrella.exchange.game import ExchangeGame

GAME_OVER, MATCH_OVER = "game_over", "match_over"
FEWEST, MOST = 2, 20
JOINS, LEAVES = 1, -1
WRONG_TABLE = Reason(
    "wrong_table",
    "Only seats leave and only others join, each named once, with -1 and 1; from 2 to 20 players must be left.",
)


def finish(g: ExchangeGame, r: Round, tell: list[Event]) -> Round:
    """When everybody without tokens is settled: pass the deal on, or give the prize to the last one left."""
    players = in_game(r)
    if len(players) == 1:
        return divided(r, players[0], tell)
    dealer = speakers(r)[0]
    tell.append(public("next_dealer", dealer))
    return r._replace(phase=PACK, at=0, asker=None, target=None, standing=r.standing._replace(dealer=dealer))


def divided(r: Round, winner: Seat, tell: list[Event]) -> Round:
    """Divide the pool and end the game."""
    prizes = in_order(added_up(prize_money(r.standing, winner)))
    for person, amount in prizes:
        seat = int(person) if is_whole(person) else None
        tell.append(public("prize", seat, shares=((person, amount),)))
    tell.append(public("match_won", winner))
    standing = r.standing._replace(pool=0, net=paid(r.standing.net, prizes))
    return r._replace(phase=GAME_OVER, at=0, asker=None, target=None, chain=(), standing=standing)


def added_up(amounts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Add up amounts by person; nothing is said of nothing."""
    book: dict[str, int] = {}
    for person, amount in amounts:
        book[person] = book.get(person, 0) + amount
    return {person: amount for person, amount in book.items() if amount}


def prize_money(standing: Standing, winner: Seat) -> Iterator[tuple[str, int]]:
    """Give every payment out of the pool: by agreement, then by promise, then within a syndicate."""
    by_seat = {int(person): standing.pool * share // 100 for person, share in standing.agreement}
    by_seat[winner] = by_seat.get(winner, 0) + standing.pool - sum(by_seat.values())
    for seat, amount in by_seat.items():
        rest = amount
        for promise in standing.promises:
            if promise.guest == seat == winner:
                due = amount * promise.percent // 100
                rest -= due
                yield str(promise.host), due
        yield from within_syndicate(standing, seat, rest)


def within_syndicate(standing: Standing, seat: Seat, amount: int) -> Iterator[tuple[str, int]]:
    """Divide what a seat receives among those who paid for its tokens; what is left over is the player's own."""
    members = [claim for claim in standing.claims if claim.seat == seat]
    cost = sum(claim.amount for claim in members)
    left = amount
    for claim in members:
        part = amount * claim.amount // cost
        left -= part
        yield claim.person, part
    yield str(seat), left


# ---------------------------------------------------------------------- the next game


class StartNextGame(Act):
    """Whoever runs the session says who joins and who leaves; the winner deals as seat 0 of a new table."""

    form = Form(
        "start_next_game",
        "Open the next game: the shares name with -1 the seats that leave, with 1 those who join.",
        frozenset({GAME_OVER}),
        shares=True,
        free=True,
        by_chance=True,
    )
    reasons = (WRONG_TABLE,)

    def offers(self, g: ExchangeGame, r: Round, seat: Seat) -> Iterable[Move]:
        """Offer nothing: it is not a move of anybody at the table."""
        return ()

    def objections(self, g: ExchangeGame, r: Round, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Object to changes that no table can make."""
        return () if next_table(g.seats, in_game(r)[0], move.shares) else (g.refuse(WRONG_TABLE),)

    def apply(self, g: ExchangeGame, r: Round, seat: Seat, move: Move, tell: list[Event]) -> Round:
        """Say who sits where in the next game, which is a match of its own."""
        persons = next_table(g.seats, in_game(r)[0], move.shares)
        table = tuple((person, place) for place, person in enumerate(persons))
        tell.append(public("next_game", shares=table))
        return r._replace(phase=MATCH_OVER, standing=r.standing._replace(next_table=table))


def next_table(seats: int, winner: Seat, changes: Shares) -> tuple[str, ...]:
    """Name who sits where in the next game, from seat 0 on; nothing where the changes cannot be.

    Persons who were at this table are named by their seats. The winner comes first, the others as they sat, newcomers
    last; where the winner leaves, the next who stays at his right comes first.
    """
    persons = [person for person, _ in changes]
    sitting = {str(seat) for seat in range(seats)}
    leaving = {person for person, change in changes if change == LEAVES}
    joining = [person for person, change in changes if change == JOINS]
    clean = len(set(persons)) == len(persons) == len(leaving) + len(joining)
    if not clean or not leaving <= sitting or not all(person and not is_whole(person) for person in joining):
        return ()
    old = [str((winner + step) % seats) for step in range(seats)]
    table = (*(person for person in old if person not in leaving), *joining)
    return table if FEWEST <= len(table) <= MOST else ()
