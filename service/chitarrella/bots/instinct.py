"""What simple players do in the head of one that looks ahead: it lies open there, so they need not look at a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from chitarrella.bots.greed import HELPS, Greed
from chitarrella.bots.prudence import Prudence
from chitarrella.exchange.game import ExchangeGame
from chitarrella.game import AnyGame, Position, look
from chitarrella.tricks.game import TrickGame
from chitarrella.tricks.play import in_order
from chitarrella.words import Move, Seat

Instinct: TypeAlias = Callable[[Position, Seat, Sequence[Move], Random], Move]
"""Chooses one of the moves that a person may make in a position."""


def instinct(game: AnyGame) -> Instinct:
    """Give the habits of a game's simple player, as quick as they can be had."""
    if isinstance(game, ExchangeGame):
        prudence = Prudence(game)
        return lambda p, actor, moves, rng: prudence.choose(look(game, p, actor), tuple(moves), rng)
    if isinstance(game, TrickGame):
        return tricks(game)
    return lambda p, actor, moves, rng: rng.choice(moves)


def tricks(game: TrickGame) -> Instinct:
    """Give the greedy player's way with tricks; all else is left to luck."""
    greed = Greed(game)

    def act(p: Position, actor: Seat, moves: Sequence[Move], rng: Random) -> Move:
        plays = [move for move in moves if move.verb == "play_card"]
        if len(plays) < len(moves):
            helping = [move for move in moves if move.verb in HELPS]
            if helping or not plays:
                return rng.choice(helping or moves)
        order = in_order(game, p) if p.trick else ()
        return greed.best(plays, p.trick, order, p.trump, rng)

    return act
