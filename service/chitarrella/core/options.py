"""Game options and seatings, applied before the first card.

An option turns a game into another game, and so does the number of players. `configure` applies the choices once; the
rules themselves never ask whether an option is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Generic, Protocol, Self, TypeVar

G = TypeVar("G", bound="Configurable[Any]")
"""A game with options."""
T = TypeVar("T")


class InvalidOption(ValueError):
    """A number of players, an option or a value that the game does not offer. ``field`` names it."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the ``field`` at fault and the reason."""
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True)
class Option(Generic[T]):
    """One option of a game: its description, its allowed values, and the change that a value makes.

    Allowed are the words in ``choices`` and, where ``minimum`` is set, whole numbers from ``minimum`` to ``maximum``
    (None: no upper bound). ``players`` are the numbers of players for which it changes anything; none stands for all.
    """

    name: str
    description: str
    source: str
    default: str
    edit: Callable[[T, str], T]
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    players: tuple[int, ...] = ()

    def only_for(self, *players: int) -> Option[T]:
        """Return the option, which changes something only with these numbers of players."""
        return replace(self, players=players)

    def apply(self, game: T, value: str) -> T:
        """Return the game with this value; raises `InvalidOption` for a value that is not allowed."""
        if value not in self.choices and not self._counts(value):
            raise InvalidOption(f"options.{self.name}", f"{value[:40]!r} is not allowed; {self.allowed}")
        return self.edit(game, value)

    def _counts(self, value: str) -> bool:
        """Whether ``value`` is a whole number in range, without sign or leading zeros."""
        if self.minimum is None or len(value) > 12 or not value.isascii() or not value.isdigit():
            return False
        number = int(value)
        return str(number) == value and self.minimum <= number and (self.maximum is None or number <= self.maximum)

    @property
    def label(self) -> str:
        """A name of a few words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        parts = [", ".join(self.choices)] if self.choices else []
        if self.minimum is not None:
            parts.append(f"a number from {self.minimum}" + ("" if self.maximum is None else f" to {self.maximum}"))
        return "allowed: " + " or ".join(parts)


def choice_option(
    name: str, description: str, source: str, edits: Mapping[str, Callable[[T], T]], default: str = ""
) -> Option[T]:
    """Build an option whose values are the keys of ``edits``, by default the first; each edit changes the game."""
    values = tuple(edits)
    return Option(name, description, source, default or values[0], lambda game, value: edits[value](game), values)


def bool_option(name: str, description: str, source: str, edit: Callable[[T], T], default: str = "false") -> Option[T]:
    """Build an option with the values ``true`` and ``false``; the one that is not the ``default`` makes the edit."""
    edits = {value: _unchanged if value == default else edit for value in ("true", "false")}
    return choice_option(name, description, source, edits, default)


def _unchanged(game: T) -> T:
    return game


def number_option(
    name: str,
    description: str,
    source: str,
    edit: Callable[[T, int], T],
    default: int,
    least: int,
    most: int | None = None,
) -> Option[T]:
    """Build an option whose values are whole numbers from ``least`` to ``most`` (None: no upper bound)."""
    return Option(name, description, source, str(default), lambda g, v: edit(g, int(v)), (), least, most)


class Configurable(Protocol[G]):
    """The members of a game that `configure` needs."""

    @property
    def key(self) -> str:
        """The key of the game in the catalogue, which errors name."""

    @property
    def options(self) -> tuple[Option[G], ...]:
        """The choices that a caller may make, in the order in which they are applied."""

    @property
    def seatings(self) -> Mapping[int, Callable[[G], G]]:
        """The change that each possible number of players makes."""

    def conflict(self) -> InvalidOption | None:
        """Return two choices that exclude each other, as an error; None if there are none."""


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """The options of a game.

    ``seatings`` maps each possible number of players to the change it makes. Each of ``conflicts`` looks for choices
    that exclude each other.
    """

    seatings: Mapping[int, Callable[[Self], Self]] = field(default_factory=dict)
    options: tuple[Option[Self], ...] = ()
    conflicts: tuple[Callable[[Self], InvalidOption | None], ...] = ()

    def conflict(self: Self) -> InvalidOption | None:
        """Return the first conflict found, as an error; None if there is none."""
        return next((found for check in self.conflicts if (found := check(self))), None)


def require_part(key: str, part: object, kind: type[T]) -> T:
    """Return the ``part`` of a game, checked to be of ``kind``; raises `TypeError` with the ``key`` of the game."""
    if not isinstance(part, kind):
        raise TypeError(f"{key} has no {kind.__name__}")
    return part


def default_players(game: Configurable[Any]) -> int:
    """Return the default number of players: the first in ``seatings``."""
    players: int = next(iter(game.seatings))
    return players


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """Return the end of a message about an unknown ``name``: those that it may stand for, or all of them."""
    names = list(known)
    if close := get_close_matches(name.casefold().replace(" ", "-"), names, n=3):
        return f"did you mean {' or '.join(close)}?"
    return f"{what}: {', '.join(names)}"


def configure(game: G, players: int, chosen: Mapping[str, str]) -> G:
    """Return the game with these choices applied; raises `InvalidOption`.

    An option without effect in this configuration is accepted if its value is allowed (ALL-8).
    """
    known = [option.name for option in game.options]
    for name in chosen:
        if name not in known:
            text = f"{game.key} has no such option; {suggestion(name, known, 'options')}"
            raise InvalidOption(f"options.{name[:40]}", text)
    if players not in game.seatings:
        offers = ", ".join(map(str, sorted(game.seatings)))
        raise InvalidOption("players", f"{players} cannot play {game.key}; players: {offers}")
    for option in game.options:
        game = option.apply(game, chosen.get(option.name, option.default))
    game = game.seatings[players](game)
    if conflict := game.conflict():
        raise conflict
    return game
