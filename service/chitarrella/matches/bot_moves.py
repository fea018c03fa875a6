"""Bots at matches: which of them is on turn, whether it searches, and its move, chosen from what its seat can see."""

from __future__ import annotations

from random import Random
from typing import Final

from chitarrella.bots import SLOW_BOTS, Effort, InformationState, bot_for
from chitarrella.core.game import AnyGame, Position, seat_to_move
from chitarrella.core.model import Move
from chitarrella.matches.clock import is_time_over
from chitarrella.matches.control import BotAssignment
from chitarrella.matches.model import Snapshot

FALLBACK: Final = "greedy"
"""The bot whose move a slow one plays that may not search."""


def choose_move(game: AnyGame, p: Position, bot: BotAssignment, rng: Random) -> Move:
    """Choose a move for a bot that is on turn, by ``rng`` where it is free to."""
    info_state = InformationState(game, p, bot.seat, out_of_turn=False)
    effort = Effort(bot.think_ms / 1000) if bot.think_ms else Effort()
    return bot_for(bot.bot, game, effort)(info_state, rng)


def bot_on_turn(snapshot: Snapshot) -> BotAssignment | None:
    """The bot that is on turn, None where no bot is."""
    return None if snapshot.row.aborted else snapshot.control.bot(seat_to_move(snapshot.game, snapshot.position))


def searching_bot(snapshot: Snapshot, budget_ms: int) -> BotAssignment | None:
    """The bot that is on turn and searches for its move, None where no bot does.

    A slow bot searches unless the searches of the match have used up ``budget_ms`` of processor time, or its clock has
    run out.
    """
    bot = bot_on_turn(snapshot)
    if bot is None or bot.bot not in SLOW_BOTS or snapshot.control.searched_ms >= budget_ms:
        return None
    return None if is_time_over(snapshot) else bot


def without_search(bot: BotAssignment) -> BotAssignment:
    """The bot whose move is played for ``bot`` where it may not search."""
    return bot._replace(bot=FALLBACK) if bot.bot in SLOW_BOTS else bot
