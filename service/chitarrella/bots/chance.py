"""The table's part, where no dealer does it: the shuffled pack, and the lot."""

from __future__ import annotations

from random import Random

from chitarrella.game import AnyGame, Position
from chitarrella.words import Move


def supply(game: AnyGame, p: Position, rng: Random) -> Move:
    """Do the table's part: shuffle the pack, or draw the lot that is wanted."""
    wanted = game.chance(p)
    if wanted.amounts:
        return Move(wanted.verb, amount=rng.choice(wanted.amounts))
    pack = list(wanted.cards)
    rng.shuffle(pack)
    return Move(wanted.verb, tuple(pack))
