"""Every rule set of a catalogue that the checks play.

A rule set here is a game, a number of players, and at most one option that is not the default. The lists come from the
catalogue, so that a new game is in every test that is parametrised by them.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame
from chitarrella.core.options import InvalidOption, Option

MANY = 4
"""Games with more numbers of players test their options only with the fewest, a middle number and the most."""


class RuleSets:
    """The rule sets of a catalogue, or of some of its games."""

    def __init__(self, catalogue: Catalogue, *keys: str) -> None:
        """List those of the games ``keys``, by default of all."""
        self.catalogue = catalogue
        self.games = tuple(game for game in catalogue if game.key in (keys or (game.key,)))

    def defaults(self) -> list[RuleSet]:
        """Every game with every number of players and default options."""
        return [RuleSet(game.key, players) for game in self.games for players in sorted(game.seatings)]

    def variants(self) -> list[RuleSet]:
        """The same with one option that is not the default, where game and players allow it."""
        found = []
        for game in self.games:
            for players, option in product(tables(game), game.options):
                single = [RuleSet(game.key, players, ((option.name, value),)) for value in values(option)]
                found += [offer for rule_set in single if (offer := self.nearest(rule_set))]
        return found

    def combined_variants(self) -> list[RuleSet]:
        """The options of `variants` in few rule sets: each value at least once, with as many others as go with it."""
        combined: list[RuleSet] = []
        for single in self.variants():
            for place, each in enumerate(combined):
                together = each._replace(options=tuple(sorted((*each.options, *single.options))))
                is_same_table = (each.game, each.players) == (single.game, single.players)
                if is_same_table and single.options[0][0] not in dict(each.options) and self.offered(together):
                    combined[place] = together
                    break
            else:
                combined.append(single)
        return combined

    def nearest(self, rule_set: RuleSet) -> RuleSet | None:
        """The rule set, or if its number is not offered the one with the next number; None if neither is."""
        ((option, value),) = rule_set.options
        following = [rule_set._replace(options=((option, str(int(value) + 1)),))] if value.isdecimal() else []
        return next((each for each in (rule_set, *following) if self.offered(each)), None)

    def offered(self, rule_set: RuleSet) -> bool:
        """Whether the catalogue configures the rule set; two choices may exclude each other."""
        try:
            self.catalogue.game_for(rule_set)
        except InvalidOption:
            return False
        return True

    def ends(self, rule_set: RuleSet) -> bool:
        """Whether a match comes to an end; if wins are only counted it goes on without limit (ALL-7).

        Tests of whole matches stop after some deals if there is no end.
        """
        return any(reason.code == "match_over" for reason in self.catalogue.game_for(rule_set).reasons)


def tables(game: AnyGame) -> list[int]:
    """The numbers of players of a game; of many only the fewest, a middle number and the most."""
    every = sorted(game.seatings)
    return every if len(every) <= MANY else [every[0], every[len(every) // 2], every[-1]]


def values(option: Option[Any]) -> list[str]:
    """The values of an option without the default: of many choices three, of numbers the least and a middle one."""
    found = list(option.choices)
    if len(found) > 2 * MANY:
        found = [found[1], found[len(found) // 2], found[-1]]
    if option.minimum is not None:
        middle = option.minimum + 3 if option.maximum is None else (option.minimum + option.maximum) // 2
        found += [str(option.minimum), str(middle)]
    return [value for value in dict.fromkeys(found) if value != option.default]


def name(rule_set: RuleSet) -> str:
    """The name of a rule set, for tests and files: ``KEY-4-signals=off``."""
    choices = [f"{option}={value}" for option, value in rule_set.options]
    return "-".join([rule_set.game, str(rule_set.players), *choices])
