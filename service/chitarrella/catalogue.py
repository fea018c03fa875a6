"""The catalogue: every game of the folder ``games``, checked once and found by its key.

A game may be there in several editions: the latest is the one that new matches get, the older ones are kept for the
matches and records that began with them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

from chitarrella import games
from chitarrella.game import AnyGame
from chitarrella.option import BadChoice, default_players, seated
from chitarrella.words import Form, Reason


class UnknownGame(LookupError):
    """A key that is no game of the catalogue."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        """Name the ``key`` and what there is."""
        super().__init__(f"there is no game {key[:40]!r}; games: {', '.join(known)}")


class EditionNotKept(LookupError):
    """An edition of a game that this catalogue does not hold any more, or not yet."""

    def __init__(self, key: str, edition: int, current: int) -> None:
        """Name what was asked for and what there is."""
        super().__init__(f"edition {edition} of {key} is not kept; the current one is {current}")


class Agreement(NamedTuple):
    """What a table has agreed to play; edition 0 is the current one, 0 players the number the game is best for."""

    game: str
    players: int = 0
    options: tuple[tuple[str, str], ...] = ()
    edition: int = 0


class Catalogue:
    """Every game by its key, in the order of the keys."""

    def __init__(self, modules: Iterator[ModuleType] | None = None) -> None:
        """Load the games; raises `ValueError` at once where two share a key or a game cites no clause of its own."""
        found = [game for module in modules or _modules() for game in module.GAMES]
        in_order = sorted(found, key=lambda game: (game.key, game.edition))
        self._kept: dict[tuple[str, int], AnyGame] = {(game.key, game.edition): game for game in in_order}
        if len(self._kept) != len(found):
            raise ValueError("two games have one key and one edition")
        self._games: dict[str, AnyGame] = {game.key: game for game in self._kept.values()}
        for game in found:
            _check(game)
        self._seated = lru_cache(maxsize=4096)(self._seat)
        self.reasons = lru_cache(maxsize=64)(self._reasons)
        self.forms = lru_cache(maxsize=64)(self._forms)

    def __iter__(self) -> Iterator[AnyGame]:
        """Go through the games as they stand in the book, not yet seated."""
        return iter(self._games.values())

    def game(self, key: str, edition: int = 0) -> AnyGame:
        """Find one game, in its latest edition where none is named; raises `UnknownGame` or `EditionNotKept`."""
        if key not in self._games:
            raise UnknownGame(key, tuple(self._games))
        current = self._games[key]
        if (key, edition or current.edition) not in self._kept:
            raise EditionNotKept(key, edition, current.edition)
        return self._kept[key, edition or current.edition]

    def keeps(self, key: str, edition: int) -> bool:
        """Tell whether an edition of a game is at hand."""
        return (key, edition) in self._kept

    def seat(self, agreement: Agreement) -> AnyGame:
        """Spend the choices and give the game to be played.

        Raises `UnknownGame`, `EditionNotKept`, or `BadChoice` for players and options that the game does not offer.
        """
        return self._seated(agreement)

    def _seat(self, agreement: Agreement) -> AnyGame:
        game = self.game(agreement.game, agreement.edition)
        return seated(game, agreement.players or default_players(game), dict(agreement.options))

    def settle(self, agreement: Agreement) -> Agreement:
        """Write out what an agreement leaves unsaid, players and edition, and drop options that say the default."""
        game = self.game(agreement.game, agreement.edition)
        defaults = {option.name: option.default for option in game.options}
        said = tuple(sorted((name, value) for name, value in agreement.options if defaults.get(name) != value))
        return Agreement(game.key, agreement.players or default_players(game), said, game.edition)

    def tables(self, game: AnyGame) -> Iterator[AnyGame]:
        """Seat a game in every way, with one option that is chosen; of numbers the least three stand for all."""
        choices = [(option.name, word) for option in game.options for word in option.words]
        numbers = [(option.name, option.least) for option in game.options if option.least is not None]
        choices += [(name, str(number)) for name, least in numbers for number in range(least, least + 3)]
        for players in game.seatings:
            for chosen in ((), *((choice,) for choice in choices)):
                try:
                    yield self.seat(Agreement(game.key, players, chosen, game.edition))
                except BadChoice:
                    continue  # two choices may exclude each other

    def _reasons(self, key: str, edition: int = 0) -> tuple[Reason, ...]:
        """Every reason for which a move is refused at some table of a game, whatever that has agreed upon."""
        found: dict[str, Reason] = {}
        for table in self.tables(self.game(key, edition)):
            for reason in table.reasons:
                found.setdefault(reason.code, reason)
        return tuple(sorted(found.values()))

    def _forms(self, key: str, edition: int = 0) -> tuple[Form, ...]:
        """Every kind of move that there is at some table of a game; at the largest one without a choice first."""
        game = self.game(key, edition)
        found: dict[str, Form] = dict(seated(game, max(game.seatings), {}).forms)
        for table in self.tables(game):
            for form in table.forms.values():
                found.setdefault(form.verb, form)
        return tuple(found.values())


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.iter_modules(games.__path__):
        yield importlib.import_module(f"{games.__name__}.{found.name}")


def _check(game: AnyGame) -> None:
    """Seat the game in every number of players, and look up every clause its acts may cite."""
    keys = [clause.key for clause in game.clauses]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{game.key}: two clauses have one key")
    for players in game.seatings:
        table = seated(game, players, {})
        for reason in table.reasons:
            if reason.code not in table.grounds:
                raise ValueError(f"{game.key}: no clause stands behind {reason.code}")
        table.read(table.write(table.start()))
