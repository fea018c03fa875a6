"""Bots at matches: the move of a bot that holds a seat, chosen from what its seat can see."""

from __future__ import annotations

from random import Random

from chitarrella.bots import SLOW_BOTS, Effort, InformationState, bot_for
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Move
from chitarrella.matches.control import BotAssignment


def choose_move(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
    """Choose a move for a bot that is on turn, by ``rng`` where it is free to."""
    info_state = InformationState(game, p, bot.seat, out_of_turn=False)
    effort = Effort(bot.think_ms / 1000) if bot.think_ms else Effort()
    return bot_for(bot.bot, game, effort)(info_state, rng)


def is_slow(bot: BotAssignment) -> bool:
    """Whether a bot thinks for some time before it moves."""
    return bot.bot in SLOW_BOTS
