"""Bots: random, greedy, and search over determinizations.

A bot gets an information state (`chitarrella.bots.information_state.InformationState`): what its seat can know, and
nothing more. It gets its random generator from the caller, so that a match can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from chitarrella.bots.evaluation import play_greedily
from chitarrella.bots.information_state import Bot, InformationState
from chitarrella.bots.search import DEFAULT, Effort, search_bot
from chitarrella.core.game import AnyGame
from chitarrella.core.model import Move


def play_randomly(info_state: InformationState, rng: Random) -> Move:
    """Return a legal move, each with the same probability."""
    return rng.choice(info_state.moves)


BOTS: Final[Mapping[str, Callable[[AnyGame, Effort], Bot]]] = {
    "random": lambda game, effort: play_randomly,
    "greedy": lambda game, effort: play_greedily,
    "search": search_bot,
}
"""Every bot by name: a function that builds it for a game, with the effort it may spend on a move."""
SLOW_BOTS: Final = frozenset({"search"})  # the bots that spend their effort; the others answer at once

__all__ = ["BOTS", "SLOW_BOTS", "Bot", "Effort", "InformationState", "bot_for", "play_greedily", "play_randomly"]


def bot_for(name: str, game: AnyGame, effort: Effort = DEFAULT) -> Bot:
    """Return the bot called ``name`` for ``game``. Only slow bots use ``effort``."""
    return BOTS[name](game, effort)
