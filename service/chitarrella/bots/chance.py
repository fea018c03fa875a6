"""The moves of chance from a random generator: the shuffled pack, and the lots."""

from __future__ import annotations

from random import Random

from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move


def chance_move(game: AnyGame, p: Position, rng: Random) -> Move:
    """Return the move that `Game.chance_request` asks for: a lot, or the cards in random order."""
    request = game.chance_request(p)
    if request.amounts:
        return Move(request.verb, amount=rng.choice(request.amounts))
    pack = list(request.cards)
    rng.shuffle(pack)
    return Move(request.verb, tuple(pack))
