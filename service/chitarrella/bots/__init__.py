"""Players that are no persons: one plays anything, one grabs what it can, one looks ahead.

A bot is given what its seat can know (`chitarrella.bots.outlook.Outlook`), never more. Randomness comes from outside,
so that a match can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Final, TypeAlias

from chitarrella.bots.greed import greedy
from chitarrella.bots.outlook import Outlook
from chitarrella.bots.search import DEFAULT, Effort, searching
from chitarrella.game import AnyGame
from chitarrella.words import Move

Bot: TypeAlias = Callable[[Outlook, Random], Move]
"""Chooses one of the legal moves of an outlook, of which there is at least one."""


def at_random(outlook: Outlook, rng: Random) -> Move:
    """Make any legal move, each as likely as the others."""
    return rng.choice(outlook.moves)


BOTS: Final[Mapping[str, Callable[[AnyGame, Effort], Bot]]] = {
    "random": lambda game, effort: at_random,
    "greedy": lambda game, effort: greedy(game),
    "search": searching,
}
"""Every bot by its name, each to be told the game first, and how much effort it may take over a move."""
THINKERS: Final = frozenset({"search"})
"""Those that take all the effort they may; the others have chosen at once."""

__all__ = ["BOTS", "THINKERS", "Bot", "Effort", "Outlook", "at_random", "bot_for", "greedy"]


def bot_for(name: str, game: AnyGame, effort: Effort = DEFAULT) -> Bot:
    """Give the bot of that name for a game; of those there are only one heeds the ``effort``."""
    return BOTS[name](game, effort)
