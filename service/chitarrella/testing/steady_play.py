"""Play by a fixed rule, without any dice: stride packs, and one of the legal moves by number."""

from __future__ import annotations

from math import gcd

from chitarrella.core.cards import Card, Pack
from chitarrella.core.game import AnyGame, Position, legal_moves
from chitarrella.core.model import Move, Seat
from chitarrella.core.notation import make_move
from chitarrella.perft.case import requested_cards, stride_pack


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

    The player to move comes first; the others follow in order of play. The moves of a player are in the order of verbs,
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
