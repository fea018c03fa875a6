"""Moves with amounts by person: some that must be legal now, and some that must be refused.

Lists of legal moves have open amounts in their plainest form only. The others are derived here from the public view,
not from the rules, which are under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Move, Seat, Shares, View
from chitarrella.core.play import legal_moves, view_for
from chitarrella.exchange.effects.inn_bargain import InnBargain
from chitarrella.exchange.reentry_terms import nobody

FRIENDS = ("zia", "Anna Maria", "è 50% : mio", "@2", "|-~=,;/.", "名前", "a" * 80)
"""People without a seat; their names hold every character with a meaning in some notation."""


class Table:
    """The public view of a position in which ``actor`` is to move."""

    def __init__(self, game: AnyGame, p: Position, actor: Seat) -> None:
        """Read the public view."""
        self.game: Any = game  # of a family whose moves have shares
        self.actor = actor
        self.view: View = view_for(game, p, None)
        self.tokens = self.view.scores
        self.dealer = self.number("dealer")
        self.held = {zone.seat for zone in self.view.zones if zone.name == "hand" and zone.size}

    def number(self, name: str, seat: Seat | None = None) -> int:
        """Return a number that is true of the table, or of a seat; 0 where it is not."""
        found = (fact.value for fact in self.view.facts if fact.name == name and fact.seat == seat)
        return next((value for value in found if isinstance(value, int)), 0)

    def in_game(self) -> list[Seat]:
        """The seats with tokens."""
        return [seat for seat, tokens in enumerate(self.tokens) if tokens]

    def payers(self) -> list[str]:
        """The persons other than the player who may pay for a re-entry: seats that are out for good, non-players."""
        if self.game.reentry.helpers is nobody:
            return []
        waiting = [seat for seat in self.held if seat is not None and self.after(seat) > self.after(self.actor)]
        out = [seat for seat, tokens in enumerate(self.tokens) if not tokens and seat not in (*waiting, self.actor)]
        return [*map(str, out), *FRIENDS]

    def after(self, seat: Seat) -> int:
        """How many seats after the dealer a seat plays."""
        return int((seat - self.dealer - 1) % self.game.seats)

    def host(self) -> Seat:
        """The seat whose inn was announced."""
        return next(fact.seat for fact in self.view.facts if fact.name == "announced" and fact.seat is not None)

    def unpromised(self) -> int:
        """The percentage that a guest has not promised yet."""
        promised = (fact.value for fact in self.view.facts if fact.name == "promised" and fact.seat == self.actor)
        return 100 - sum(percent for value in promised if isinstance(value, tuple) for _, percent in value)


def legal_share_moves(game: AnyGame, p: Position, actor: Seat, verb: str, rng: Random) -> list[Move]:
    """Some moves with shares that ``actor`` may make now; of a verb that is not known here, those that are listed."""
    if verb not in _ALLOWED:
        return [move for move in legal_moves(game, p, actor) if move.verb == verb]
    return list(_ALLOWED[verb](Table(game, p, actor), rng))


def illegal_share_moves(game: AnyGame, p: Position, actor: Seat, verb: str, rng: Random) -> list[Move]:
    """Some moves with shares, of the same phase, that ``actor`` may not make; none of a verb that is not known here."""
    return list(_FORBIDDEN[verb](Table(game, p, actor), rng)) if verb in _FORBIDDEN else []


def any_share_move(verb: str, seats: int, amount: int | None, rng: Random) -> Move:
    """A move with shares of any kind, whatever the position."""
    people = rng.sample([*FRIENDS, *map(str, range(-1, seats + 1))], rng.randint(0, 4))
    amounts = (-1, 0, 1, 50, 100, 2**53, -(2**53))
    return Move(verb, amount=amount, shares=tuple((person, rng.choice(amounts)) for person in people))


def next_games(game: AnyGame, p: Position, rng: Random) -> list[Move]:
    """The moves of chance that start the next game; empty if none can start now."""
    form = game.move_specs.get("start_next_game")
    if form is None or game.phase(p) not in form.phases:
        return []
    return legal_share_moves(game, p, CHANCE, form.verb, rng)


# ---------------------------------------------------------------------- re-entry


def _split(total: int, parts: int, rng: Random) -> list[int]:
    """Split an amount into so many parts of at least 1."""
    cuts = sorted(rng.sample(range(1, min(total, 10**6)), parts - 1))
    return [high - low for low, high in zip([0, *cuts], [*cuts, total], strict=True)]


def _reenter(table: Table, rng: Random) -> Iterator[Move]:
    cost, own_seat = table.number("cost"), str(table.actor)
    yield Move("reenter")
    yield Move("reenter", shares=((own_seat, cost),))
    others = table.payers()
    if others:
        yield Move("reenter", shares=((rng.choice(others), cost),))
        people = rng.sample([own_seat, *others], rng.randint(1, min(len(others), 4, cost)))
        yield Move("reenter", shares=tuple(zip(people, _split(cost, len(people), rng), strict=True)))


def _no_reentry(table: Table, rng: Random) -> Iterator[Move]:
    cost, own_seat = table.number("cost"), str(table.actor)
    wrong = (((own_seat, cost + 1),), ((own_seat, cost - 1),), ((own_seat, 0),), ((own_seat, -cost),))
    people = [*map(str, set(table.in_game()) - {table.actor}), "-1", str(table.game.seats), "007"]
    others = [((person, cost),) for person in people]
    twice = ((own_seat, 1), (own_seat, cost - 1))
    nothing = ((own_seat, cost), ("zia", 0))
    less = ((own_seat, cost + 1), ("zia", -1))
    if not table.payers():
        others.append((("zia", cost),))
    for shares in (*wrong, *others, twice, nothing, less):
        yield Move("reenter", shares=shares)


# ---------------------------------------------------------------------- agreements of the last two


def _both(table: Table) -> tuple[str, str]:
    one, two = map(str, table.in_game())
    return one, two


def _proposals(table: Table, rng: Random) -> Iterator[Move]:
    one, two = _both(table)
    for share in (0, 100, rng.randint(1, 99)):
        yield Move("propose_agreement", shares=((one, share), (two, 100 - share)))
    yield Move("propose_agreement", shares=((two, 1), (one, 99)))


def _no_proposals(table: Table, rng: Random) -> Iterator[Move]:
    one, two = _both(table)
    for shares in (
        (),
        ((one, 100),),
        ((one, 50), (one, 50)),
        ((one, 101), (two, -1)),
        ((one, 50), (two, 49)),
        ((one, 50), ("zia", 50)),
        ((one, 50), (two, 50), ("zia", 0)),
    ):
        yield Move("propose_agreement", shares=shares)


# ---------------------------------------------------------------------- bargains at the inn


def _terms(table: Table) -> InnBargain:
    inn: InnBargain = table.game.effects["XI"]
    return inn


def _offers(table: Table, rng: Random) -> Iterator[Move]:
    inn, host, most = _terms(table), str(table.host()), table.unpromised()
    percents = [percent for percent in (1, most, rng.randint(1, max(most, 1))) if inn.max_percent and most]
    for percent in percents:
        yield Move("make_offer", amount=0, shares=((host, percent),))
    for money in (1, 1_000_000_000, rng.randint(1, 500)) if inn.max_money else ():
        yield Move("make_offer", amount=money)
        if percents:
            yield Move("make_offer", amount=money, shares=((host, rng.choice(percents)),))


def _no_offers(table: Table, rng: Random) -> Iterator[Move]:
    inn, host, most = _terms(table), table.host(), table.unpromised()
    yield Move("make_offer", amount=0)
    yield Move("make_offer", amount=1, shares=((str(host), most + 1),))
    yield Move("make_offer", amount=1, shares=((str(host), -1),))
    yield Move("make_offer", amount=1, shares=(("zia", 1),))
    yield Move("make_offer", amount=1, shares=((str(table.actor), 1),))
    if not inn.max_money:
        yield Move("make_offer", amount=1)
    if not inn.max_percent:
        yield Move("make_offer", amount=1, shares=((str(host), 1),))


# ---------------------------------------------------------------------- the next game


def _tables(table: Table, rng: Random) -> Iterator[Move]:
    seats = table.game.seats
    yield Move("start_next_game")
    room = 20 - seats
    joining = [(name, 1) for name in rng.sample(FRIENDS, rng.randint(0, min(room, len(FRIENDS))))]
    most = min(seats, seats + len(joining) - 2)
    leaving = [(str(seat), -1) for seat in rng.sample(range(seats), rng.randint(0, most))]
    yield Move("start_next_game", shares=tuple(rng.sample([*joining, *leaving], len(joining) + len(leaving))))


def _no_tables(table: Table, rng: Random) -> Iterator[Move]:
    seats = table.game.seats
    wrong: list[Shares] = [
        (("zia", -1),),
        ((str(seats), -1),),
        (("0", 1),),
        (("0", -1), ("0", -1)),
        (("zia", 1), ("zia", 1)),
        (("zia", 2),),
        (("0", 0),),
        tuple((str(seat), -1) for seat in range(seats - 1)),
        tuple((f"friend {number}", 1) for number in range(21 - seats)),
    ]
    for shares in wrong:
        yield Move("start_next_game", shares=shares)


_ALLOWED = {
    "reenter": _reenter,
    "propose_agreement": _proposals,
    "make_offer": _offers,
    "start_next_game": _tables,
}
_FORBIDDEN = {
    "reenter": _no_reentry,
    "propose_agreement": _no_proposals,
    "make_offer": _no_offers,
    "start_next_game": _no_tables,
}
