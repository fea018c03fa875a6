"""Bots at kept matches: the move of a bot that holds a seat, chosen from what its seat can see."""

from __future__ import annotations

from random import SystemRandom

from chitarrella.affairs import BotSeat
from chitarrella.bots import BOTS
from chitarrella.game import AnyGame, Position, legal, look
from chitarrella.words import Move


def choose(game: AnyGame, p: Position, bot: BotSeat) -> Move:
    """Choose a move for a bot whose turn it is."""
    moves = tuple(move for move in legal(game, p, bot.seat) if not game.forms[move.verb].free)
    return BOTS[bot.bot](game)(look(game, p, bot.seat), moves, SystemRandom())
