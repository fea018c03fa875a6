"""Write the examples of the page `/records/` and of the rule books: the first deal of every game, played by bots.

.venv/bin/python -m tests.web.write_records
"""

from __future__ import annotations

import sys
from typing import Final

from chitarrella.bots import bot_for
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.cli.play import LocalMatch
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE
from chitarrella.transports.rest.website.layout import RECORDS
from tests.walks import CATALOGUE

DEALS: Final = {"bisca-brazil": ("random", 6), "cucu": ("greedy", 19), "lu-stu": ("greedy", 19)}
"""The bots and the seed of deals that show more than the usual one: a refused card, cards with powers."""
USUAL: Final = ("greedy", 7)
MOST_MOVES: Final = 300
"""More moves than the first deal of any game has between bots."""


def example(catalogue: Catalogue, game: AnyGame) -> str:
    """The record of the first deal of a game with its usual number of players."""
    rule_set = catalogue.normalize(RuleSet(game.key, 0))
    configured = catalogue.game_for(rule_set)
    kind, seed = DEALS.get(game.key, USUAL)
    bots = {seat: bot_for(kind, configured) for seat in range(configured.seats)}
    match = LocalMatch(rule_set, configured, bots, seed)
    while match.actor is not None and len(match.moves) < MOST_MOVES:
        if match.actor == CHANCE and any(actor != CHANCE for actor, _ in match.moves):
            break
        match.advance()
    return match.record_text(catalogue)


def main() -> None:
    """Write a file for each game that the command line names, or for all."""
    RECORDS.mkdir(exist_ok=True)
    for game in map(CATALOGUE.game, sys.argv[1:] or [game.key for game in CATALOGUE]):
        (RECORDS / f"{game.key}.txt").write_text(example(CATALOGUE, game), encoding="utf-8")


if __name__ == "__main__":
    main()
