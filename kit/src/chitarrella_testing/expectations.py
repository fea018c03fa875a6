"""What the laws cannot read off a game, and have to be told by who tests it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import gcd
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from chitarrella.core.cards import Card, Pack
from chitarrella.core.game import AnyGame, Position, legal_moves
from chitarrella.core.model import CHANCE, Move, Seat, View
from chitarrella.core.notation import make_move
from chitarrella.core.visibility import view_for
from chitarrella_testing.perft import requested_cards, stride_pack

FRIENDS = ("zia", "Anna Maria", "è 50% : mio", "@2", "|-~=,;/.", "名前", "a" * 80)
"""People without a seat; their names hold every character with a meaning in some notation."""


class PublicTable:
    """The public view of a position in which ``actor`` is to move."""

    def __init__(self, game: AnyGame, p: Position, actor: Seat) -> None:
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


Generators: TypeAlias = Mapping[str, ShareMoves]  # what a game brings, by verb


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


class EventKinds(NamedTuple):
    """Kinds of events, verbs, zones and facts by who learns of their cards; the law of secrecy does not ask the game.

    - ``to_both``: events that show cards to the two seats that they name.
    - ``turned_up``: events that show cards to everybody, for the rest of the deal.
    - ``to_partner``: verbs of moves that only the partner sees.
    - ``own_zones``: zones beside the hand that only their seat sees.
    - ``open_hands``: facts of a seat whose hand everybody sees from then on.
    """

    to_both: frozenset[str] = frozenset()
    turned_up: frozenset[str] = frozenset()
    to_partner: frozenset[str] = frozenset({"signal", "show_hand_to_partner"})
    own_zones: frozenset[str] = frozenset()
    open_hands: frozenset[str] = frozenset()


COMMON_KINDS: Final = EventKinds()  # the kinds that need not be named


class Expectations(NamedTuple):
    """What a rule book says beside what the protocol has.

    - ``totals``: what a whole pack counts, by the name of the count, and by the key of the game.
    - ``share_moves``: for each verb whose moves have shares, where legal and illegal ones come from.
    - ``kinds``: the events, verbs and zones that show cards to some seats.
    - ``reveals``: what others learn of hidden cards: a card, such as ``2c``, or a rank, that has a consequence where
      it lies, as for who leads; or the kind of an event that follows from hidden cards, or shows them.
    """

    totals: Mapping[str, Mapping[str, int]] = {}
    share_moves: Mapping[str, ShareMoves] = {}
    kinds: EventKinds = COMMON_KINDS
    reveals: frozenset[str] = frozenset()


NOTHING_MORE: Final = Expectations()  # no expectation beside the protocol


def strides(pack: Pack) -> list[int]:
    """The steps of the stride packs in the order in which they are used: from 7 on, all that reach every card."""
    number = len(pack.cards)
    return [step for step in range(7, number) if gcd(step, number) == 1]


def steady_chance(game: AnyGame, p: Position, deal: int) -> Move:
    """Chance's move for that deal, counted from 0: the next stride pack, or the next lot."""
    request = game.chance_request(p)
    if request.cards:
        steps = strides(game.pack)
        return make_move(
            game, request.verb, requested_cards(stride_pack(game.pack, steps[deal % len(steps)]), request.cards)
        )
    return make_move(game, request.verb, amount=request.amounts[deal % len(request.amounts)])


def steady_choice(game: AnyGame, p: Position, number: int) -> tuple[Seat, Move]:
    """Move ``number`` of a deal: of all legal moves, listed in order, the one at 7 x number + 3 modulo their count.

    The seat to move comes first; the others follow in order of play. The moves of a seat are in the order of verbs,
    cards of the pack, words and numbers.
    """
    places = {card: place for place, card in enumerate(game.pack.faces.values())}
    first = game.controller(game.turn(p) or 0)
    persons = [(first + step) % game.seats for step in range(game.seats)]
    listed = [
        (actor, move)
        for actor in persons
        for move in sorted(legal_moves(game, p, actor), key=lambda move: _order(move, places))
    ]
    return listed[(7 * number + 3) % len(listed)]


def _order(move: Move, places: dict[Card, int]) -> tuple[str, list[int], str, int, int]:
    amount, seat = -1 if move.amount is None else move.amount, -1 if move.seat is None else move.seat
    return move.verb, [places[card] for card in move.cards], move.choice, amount, seat
