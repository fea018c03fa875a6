"""Of many deals that show something, choose the few that show all of it: a greedy set cover for each game.

Covered is whatever any of them shows: acts, answers, events, phases and ends, and the clauses that forbid something to
a seat on turn. Each is covered once for every number of players, and twice in the game; an option that changes
something is covered once for every number of players. What the playthroughs by the fixed rule show needs no more deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from chitarrella.catalogue.record import parse_record
from chitarrella.core.game import AnyGame, validate_move
from chitarrella.core.model import CHANCE
from tests.playthroughs.random_deals import OPTION, changed_by_option, features, replayed
from tests.walks import CATALOGUE, Step

TIMES = 2
"""How often a thing is to be shown by the deals of a game, whatever the number of players."""


def cover(fixed: Iterable[str], offered: dict[str, str]) -> dict[str, str]:
    """Choose from the deals ``offered`` of a game what the ``fixed`` playthroughs lack; of equal deals the shortest."""
    seen = Counter(thing for text in fixed for thing in shown_by(text))
    left = {title: shown_by(text) for title, text in sorted(offered.items())}

    def gain(title: str) -> tuple[int, int]:
        return sum(seen[thing] < wanted(thing) for thing in left[title]), -len(offered[title])

    found: dict[str, str] = {}
    while left and gain(best := max(left, key=gain))[0]:
        found[best] = offered[best]
        seen.update(left.pop(best))
    return found


def wanted(thing: tuple[str, ...]) -> int:
    """How often a thing is to be shown: with a number of players once."""
    return TIMES if len(thing) == 1 else 1


def shown_by(text: str) -> frozenset[tuple[str, ...]]:
    """What a playthrough shows: each thing alone, and with the number of players."""
    record = parse_record(CATALOGUE, text)
    rule_set = record.rule_set
    game: AnyGame = CATALOGUE.game_for(rule_set)
    steps = replayed(game, game.decode(record.position) if record.position else game.start(), record.moves)
    things = {*features(game, steps), *refusals(game, steps)}
    found = {*((thing,) for thing in things), *((thing, str(rule_set.players)) for thing in things)}
    if rule_set.options and changed_by_option(rule_set, steps):
        found |= {(OPTION, name, value, str(rule_set.players)) for name, value in rule_set.options}
    return frozenset(found)


def refusals(game: AnyGame, steps: Iterable[Step]) -> Iterator[str]:
    """Name the clauses that forbid something to a seat on turn."""
    for step in steps:
        if step.actor != CHANCE:
            for move in game.candidates(step.before, step.actor):
                yield from (refusal.clause.key for refusal in validate_move(game, step.before, step.actor, move))
