"""Bots at kept matches: the move of a bot that holds a seat, chosen from what its seat can see."""

from __future__ import annotations

from random import SystemRandom

from chitarrella.affairs import BotSeat
from chitarrella.bots import THINKERS, Effort, Outlook, bot_for
from chitarrella.game import AnyGame, Position
from chitarrella.words import Move


def choose(game: AnyGame, p: Position, bot: BotSeat) -> Move:
    """Choose a move for a bot whose turn it is."""
    outlook = Outlook(game, p, bot.seat, free=False)
    effort = Effort(bot.think / 1000) if bot.think else Effort()
    return bot_for(bot.bot, game, effort)(outlook, SystemRandom())


def thinks(bot: BotSeat) -> bool:
    """Tell whether a bot takes its time over a move."""
    return bot.bot in THINKERS
