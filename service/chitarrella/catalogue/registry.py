"""The catalogue: finds and configures the games of the folder ``games``, and those of other packages.

A game may have several editions. New matches get the latest; the older ones serve the matches and records that began
with them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache, reduce
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from chitarrella import games
from chitarrella.catalogue.packages import (
    GamePackage,
    InvalidPackage,
    Origin,
    PackageTexts,
    RefusedPackage,
    explained,
    load_packages,
    merged_texts,
    own_origin,
)
from chitarrella.catalogue.protocol_types import wrong_types
from chitarrella.core.game import AnyGame
from chitarrella.core.model import MoveSpec, Reason
from chitarrella.core.options import InvalidOption, configure, default_players


class UnknownGame(LookupError):
    """There is no game with this key."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        """The message names the ``key`` and the ``known`` ones."""
        super().__init__(f"there is no game {key[:40]!r}; games: {', '.join(known)}")


class UnknownEdition(LookupError):
    """The catalogue does not have this edition of a game."""

    def __init__(self, key: str, edition: int, current: int) -> None:
        """The message names the ``edition`` and the ``current`` one."""
        super().__init__(f"edition {edition} of {key} is not kept; the current one is {current}")


class RuleSet(NamedTuple):
    """A game with its options; ``edition`` 0 is the current one, ``players`` 0 the default number."""

    game: str
    players: int = 0
    options: tuple[tuple[str, str], ...] = ()
    edition: int = 0


class Catalogue:
    """All games, in the order of their keys. Configured games are cached."""

    def __init__(
        self,
        modules: Iterator[ModuleType] | None = None,
        packages: Iterable[GamePackage | RefusedPackage] = (),
    ) -> None:
        """Load and check the games; raises `ValueError` for a duplicate key and for a reason without a clause.

        Of other ``packages`` those are left out that are at fault, or clash with what is there; see `refused`.
        """
        editions = _checked(game for module in modules or _modules() for game in module.GAMES)
        served: dict[str, GamePackage] = {}
        refused: list[RefusedPackage] = []
        for package in packages:
            admitted = _admitted(package, editions)
            if isinstance(admitted, RefusedPackage):
                refused.append(admitted)
            else:
                editions |= {(game.key, game.edition): game for game in admitted.games}
                served |= dict.fromkeys((game.key for game in admitted.games), admitted)
        self.refused = tuple(refused)
        """The packages that are not served, each with the reason."""
        self._packages: Mapping[str, GamePackage] = served
        self._editions: Mapping[tuple[str, int], AnyGame] = dict(sorted(editions.items()))
        self._games: dict[str, AnyGame] = {game.key: game for game in self._editions.values()}
        self._configured = lru_cache(maxsize=4096)(self._game_for)
        self.reasons = lru_cache(maxsize=64)(self._all_reasons)
        self.move_specs = lru_cache(maxsize=64)(self._all_move_specs)

    @cached_property
    def _own_origin(self) -> Origin:
        return own_origin()

    def origin(self, key: str) -> Origin:
        """Return the distribution of the game ``key``."""
        return self._packages[key].origin if key in self._packages else self._own_origin

    @property
    def locales(self) -> tuple[Path, ...]:
        """The folders of the translations of other packages."""
        return tuple(dict.fromkeys(folder for package in self._packages.values() for folder in package.locales))

    @property
    def records(self) -> tuple[Path, ...]:
        """The folders of the records of other packages."""
        return tuple(dict.fromkeys(folder for package in self._packages.values() for folder in package.records))

    def texts(self, *keys: str) -> PackageTexts:
        """Return the other texts of the packages of the games ``keys``, by default of all."""
        chosen = keys or self._packages
        return reduce(
            merged_texts, (self._packages[key].texts for key in chosen if key in self._packages), PackageTexts()
        )

    def __iter__(self) -> Iterator[AnyGame]:
        """Yield the current edition of every game, not configured."""
        return iter(self._games.values())

    def game(self, key: str, edition: int = 0) -> AnyGame:
        """Return a game, not configured, by default its current edition; raises `UnknownGame` or `UnknownEdition`."""
        if key not in self._games:
            raise UnknownGame(key, tuple(self._games))
        current = self._games[key]
        if (key, edition or current.edition) not in self._editions:
            raise UnknownEdition(key, edition, current.edition)
        return self._editions[key, edition or current.edition]

    def has_edition(self, key: str, edition: int) -> bool:
        """Return whether the catalogue has this edition of a game."""
        return (key, edition) in self._editions

    def game_for(self, rule_set: RuleSet) -> AnyGame:
        """Return the configured game of a rule set.

        Raises `UnknownGame`, `UnknownEdition`, or `InvalidOption` for players and options that the game does not have.
        """
        return self._configured(rule_set)

    def _game_for(self, rule_set: RuleSet) -> AnyGame:
        game = self.game(rule_set.game, rule_set.edition)
        return configure(game, rule_set.players or default_players(game), dict(rule_set.options))

    def normalize(self, rule_set: RuleSet) -> RuleSet:
        """Return the canonical form: players and edition filled in, options sorted, defaults dropped.

        Raises `UnknownGame` or `UnknownEdition`; options are not checked.
        """
        game = self.game(rule_set.game, rule_set.edition)
        defaults = {option.name: option.default for option in game.options}
        chosen = tuple(sorted((name, value) for name, value in rule_set.options if defaults.get(name) != value))
        return RuleSet(game.key, rule_set.players or default_players(game), chosen, game.edition)

    def configurations(self, game: AnyGame) -> Iterator[AnyGame]:
        """Yield the game for every number of players: with all defaults, and with each value of each option alone.

        The three least values stand for the range of a number.
        """
        choices = [(option.name, word) for option in game.options for word in option.choices]
        numbers = [(option.name, option.minimum) for option in game.options if option.minimum is not None]
        choices += [(name, str(number)) for name, least in numbers for number in range(least, least + 3)]
        for players in game.seatings:
            for chosen in ((), *((choice,) for choice in choices)):
                try:
                    yield self.game_for(RuleSet(game.key, players, chosen, game.edition))
                except InvalidOption:
                    continue  # this value is not allowed with these players or defaults

    def _all_reasons(self, key: str, edition: int = 0) -> tuple[Reason, ...]:
        """Return every reason for refusal in some configuration of a game, sorted by code."""
        found: dict[str, Reason] = {}
        for table in self.configurations(self.game(key, edition)):
            for reason in table.reasons:
                found.setdefault(reason.code, reason)
        return tuple(sorted(found.values()))

    def _all_move_specs(self, key: str, edition: int = 0) -> tuple[MoveSpec, ...]:
        """Return every kind of move in some configuration of a game, those of the most players with defaults first."""
        game = self.game(key, edition)
        found: dict[str, MoveSpec] = dict(configure(game, max(game.seatings), {}).move_specs)
        for table in self.configurations(game):
            for spec in table.move_specs.values():
                found.setdefault(spec.verb, spec)
        return tuple(found.values())


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(games.__path__):
        yield importlib.import_module(f"{games.__name__}.{found.name}")


def open_catalogue(selection: str) -> Catalogue:
    """Open the catalogue with the installed packages of a ``selection``, see `load_packages`."""
    return Catalogue(packages=load_packages(selection))


def _admitted(
    package: GamePackage | RefusedPackage, present: Mapping[tuple[str, int], AnyGame]
) -> GamePackage | RefusedPackage:
    """Return a package that is sound and clashes with none of the games that are ``present``, or its refusal."""
    if isinstance(package, RefusedPackage):
        return package
    try:
        if fault := next(chain.from_iterable(map(wrong_types, package.games)), ""):
            raise InvalidPackage(fault)
        _check_clashes(_checked(package.games).values(), present.values())
    except Exception as error:  # whatever foreign code does while it is checked
        return RefusedPackage(package.origin, explained(error))
    return package


def _checked(found: Iterable[AnyGame]) -> dict[tuple[str, int], AnyGame]:
    """Return games by key and edition, in this order; raises `ValueError` for one that breaks the protocol."""
    in_order = sorted(found, key=lambda game: (game.key, game.edition))
    editions = {(game.key, game.edition): game for game in in_order}
    if len(editions) != len(in_order):
        raise ValueError("two games have one key and one edition")
    for game in in_order:
        _check_game(game)
    return editions


def _check_clashes(added: Iterable[AnyGame], present: Iterable[AnyGame]) -> None:
    """Raise `InvalidPackage` where an added game has the key of one that is there, or the key of another clause."""
    keys = {game.key for game in present}
    clauses = {clause.key: clause for game in present for clause in game.clauses}
    for game in added:
        if game.key in keys:
            raise InvalidPackage(f"there is a game {game.key} already")
        for clause in game.clauses:
            if clauses.get(clause.key, clause) != clause:
                raise InvalidPackage(f"{game.key}: there is another clause {clause.key} already")


def _check_game(game: AnyGame) -> None:
    """Check the clauses and the codec of a game for every number of players; raises `ValueError`."""
    keys = [clause.key for clause in game.clauses]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{game.key}: two clauses have one key")
    for players in game.seatings:
        table = configure(game, players, {})
        for reason in table.reasons:
            if reason.code not in table.reason_clauses:
                raise ValueError(f"{game.key}: no clause stands behind {reason.code}")
        table.decode(table.encode(table.start()))
