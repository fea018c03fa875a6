"""Choices, spent before the first card.

An option turns a game into another game; so does the number of players. `seated` reads the choices once and gives the
final game. Inside the rules nobody ever asks whether an option is on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

G = TypeVar("G", bound="Seatable[Any]")
T = TypeVar("T")


class BadChoice(ValueError):
    """A number of players, an option or a value that the game does not offer; ``field`` names which."""

    def __init__(self, field: str, because: str) -> None:
        """Say what is wrong with ``field``."""
        super().__init__(f"{field}: {because}")
        self.field = field
        self.because = because


@dataclass(frozen=True)
class Option(Generic[T]):
    """One thing a table may agree upon: what it means, what may be chosen, and what the choice changes."""

    name: str
    means: str
    source: str
    default: str
    edit: Callable[[T, str], T]
    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def spend(self, game: T, value: str) -> T:
        """Apply the choice; raises `BadChoice` for a value that is not allowed."""
        if value not in self.words and not self._counts(value):
            raise BadChoice(f"options.{self.name}", f"{value[:40]!r} is not allowed; {self.allowed}")
        return self.edit(game, value)

    def _counts(self, value: str) -> bool:
        """Whether ``value`` is a whole number in the range, written without frills."""
        if self.least is None or len(value) > 12 or not value.isascii() or not value.isdigit():
            return False
        number = int(value)
        return str(number) == value and self.least <= number and (self.most is None or number <= self.most)

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        parts = [", ".join(self.words)] if self.words else []
        if self.least is not None:
            parts.append(f"a number from {self.least}" + ("" if self.most is None else f" to {self.most}"))
        return "allowed: " + " or ".join(parts)


def words(name: str, means: str, source: str, edits: Mapping[str, Callable[[T], T]], default: str) -> Option[T]:
    """Make an option whose values are words, each with the change it stands for."""
    return Option(name, means, source, default, lambda game, value: edits[value](game), tuple(edits))


def numbers(
    name: str,
    means: str,
    source: str,
    edit: Callable[[T, int], T],
    default: int,
    least: int,
    most: int | None = None,
) -> Option[T]:
    """Make an option whose values are whole numbers from ``least`` to ``most`` (None: without end)."""
    return Option(name, means, source, str(default), lambda g, v: edit(g, int(v)), (), least, most)


class Seatable(Protocol[G]):
    """What `seated` needs to know of a game."""

    @property
    def key(self) -> str:
        """Name the game."""

    @property
    def options(self) -> tuple[Option[G], ...]:
        """List what may be agreed."""

    @property
    def seatings(self) -> Mapping[int, Callable[[G], G]]:
        """Say how many may play, and what each number changes."""

    def conflict(self) -> BadChoice | None:
        """Name two choices that exclude each other."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What a game leaves to its table: ``seatings`` say how many may play, and what each number of players changes.

    Each of the ``conflicts`` looks for two choices that exclude each other.
    """

    seatings: Mapping[int, Callable[[Self], Self]] = field(default_factory=dict)
    options: tuple[Option[Self], ...] = ()
    conflicts: tuple[Callable[[Self], BadChoice | None], ...] = ()

    def conflict(self: Self) -> BadChoice | None:
        """Name two choices that exclude each other."""
        return next((found for check in self.conflicts if (found := check(self))), None)


def default_players(game: Seatable[Any]) -> int:
    """Say how many play where nothing is said: the number that a game lists first."""
    players: int = next(iter(game.seatings))
    return players


def seated(game: G, players: int, chosen: Mapping[str, str]) -> G:
    """Spend the choices and give the game that is played; raises `BadChoice`.

    An option that can have no effect here is accepted all the same, if its value is an allowed one (ALL-8).
    """
    known = {option.name for option in game.options}
    for name in chosen:
        if name not in known:
            raise BadChoice(f"options.{name[:40]}", f"{game.key} has no such option")
    if players not in game.seatings:
        offers = ", ".join(map(str, sorted(game.seatings)))
        raise BadChoice("players", f"{players} cannot play {game.key}; players: {offers}")
    for option in game.options:
        game = option.spend(game, chosen.get(option.name, option.default))
    game = game.seatings[players](game)
    if conflict := game.conflict():
        raise conflict
    return game
