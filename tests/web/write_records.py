"""Write the examples of the page `/records/`: the first deal of every game, played by greedy bots.

.venv/bin/python -m tests.web.write_records
"""

from __future__ import annotations

from typing import Final

from chitarrella.bots import bot_for
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.cli.local_match import LocalMatch
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE
from chitarrella.transports.rest.website.browser_files import STATIC
from tests.vectors.searching import chosen_games
from tests.walks import CATALOGUE

FOLDER: Final = STATIC / "records"
"""Where the service has the examples."""
SEED: Final = 7
MOST_MOVES: Final = 300
"""More moves than the first deal of any game has between bots."""


def example(catalogue: Catalogue, game: AnyGame) -> str:
    """The record of the first deal of a game with its usual number of players."""
    rule_set = catalogue.normalize(RuleSet(game.key, 0))
    configured = catalogue.game_for(rule_set)
    bots = {seat: bot_for("greedy", configured) for seat in range(configured.seats)}
    match = LocalMatch(rule_set, configured, bots, SEED)
    while match.actor is not None and len(match.moves) < MOST_MOVES:
        if match.actor == CHANCE and any(actor != CHANCE for actor, _ in match.moves):
            break
        match.advance()
    return match.record_text(catalogue)


def main() -> None:
    """Write a file for each game that the command line names, or for all."""
    FOLDER.mkdir(exist_ok=True)
    for game in map(CATALOGUE.game, chosen_games(__doc__)):
        (FOLDER / f"{game.key}.txt").write_text(example(CATALOGUE, game), encoding="utf-8")


if __name__ == "__main__":
    main()
