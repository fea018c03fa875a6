"""Moves with amounts by person: some that must be legal now, and some that must be refused.

Lists of legal moves have open amounts in their plainest form only. A game with such moves brings a `ShareMoves` for
each of its verbs, in `chitarrella.testing.expectations.Expectations`. They derive the others from the public view, not
from the rules, which are under test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from typing import Any, NamedTuple, TypeAlias

from chitarrella.core.game import AnyGame, Position, view_for
from chitarrella.core.model import CHANCE, Move, Seat, View

FRIENDS = ("zia", "Anna Maria", "è 50% : mio", "@2", "|-~=,;/.", "名前", "a" * 80)
"""People without a seat; their names hold every character with a meaning in some notation."""


class PublicTable:
    """The public view of a position in which ``actor`` is to move."""

    def __init__(self, game: AnyGame, p: Position, actor: Seat) -> None:
        """Read the public view."""
        self.game: Any = game  # of a family whose moves have shares
        self.actor = actor
        self.view: View = view_for(game, p, None)
        self.tokens = self.view.scores
        self.held = {zone.seat for zone in self.view.zones if zone.name == "hand" and zone.size}

    def number(self, name: str, seat: Seat | None = None) -> int:
        """Return a number that is true of the table, or of a seat; 0 where it is not."""
        found = (fact.value for fact in self.view.facts if fact.name == name and fact.seat == seat)
        return next((value for value in found if isinstance(value, int)), 0)


ShareGenerator: TypeAlias = Callable[[PublicTable, Random], Iterable[Move]]
"""Yields moves of one verb for the actor of a table."""


class ShareMoves(NamedTuple):
    """The moves with shares of one verb: some that the actor may make now, and some that are refused."""

    legal: ShareGenerator
    illegal: ShareGenerator


Generators: TypeAlias = Mapping[str, ShareMoves]
"""What a game brings, by verb."""


def share_moves_of(generators: Generators, verb: str) -> ShareMoves:
    """Return the generators of a verb; raises `AssertionError` if there are none, because nothing would be checked."""
    assert verb in generators, f"no generator of moves with shares for {verb}: see Expectations.share_moves"
    return generators[verb]


def legal_share_moves(
    generators: Generators, game: AnyGame, p: Position, actor: Seat, verb: str, rng: Random
) -> list[Move]:
    """Some moves with shares that ``actor`` may make now."""
    return list(share_moves_of(generators, verb).legal(PublicTable(game, p, actor), rng))


def illegal_share_moves(
    generators: Generators, game: AnyGame, p: Position, actor: Seat, verb: str, rng: Random
) -> list[Move]:
    """Some moves with shares, of the same phase, that ``actor`` may not make."""
    return list(share_moves_of(generators, verb).illegal(PublicTable(game, p, actor), rng))


def any_share_move(verb: str, seats: int, amount: int | None, rng: Random) -> Move:
    """A move with shares of any kind, whatever the position."""
    people = rng.sample([*FRIENDS, *map(str, range(-1, seats + 1))], rng.randint(0, 4))
    amounts = (-1, 0, 1, 50, 100, 2**53, -(2**53))
    return Move(verb, amount=amount, shares=tuple((person, rng.choice(amounts)) for person in people))


def next_games(generators: Generators, game: AnyGame, p: Position, rng: Random) -> list[Move]:
    """The moves of chance that start the next game; empty if none can start now."""
    verbs = [spec.verb for spec in game.move_specs.values() if spec.by_chance and spec.out_of_turn and spec.shares]
    due = [verb for verb in verbs if game.phase(p) in game.move_specs[verb].phases]
    return [move for verb in due for move in legal_share_moves(generators, game, p, CHANCE, verb, rng)]
