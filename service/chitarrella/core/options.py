"""Game options: what a table may choose before the first card, and the choices of one table.

An option is data: its allowed values, and what each of them means to the rules. The function that builds the rules of a
game reads the choices once; the rules themselves never ask whether an option is on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from chitarrella.core.cards import Hand
from chitarrella.core.model import COMMON, COMMON_REASON_CLAUSES, Clause, Edition, Reason, Refusal

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
"""What a value means to the rules."""


class InvalidOption(ValueError):
    """A number of players, an option or a value that the game does not offer. ``field`` names it."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the ``field`` at fault and the reason."""
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


@dataclass(frozen=True)
class Option(Generic[T_co]):
    """One option of a game: its description, its allowed values, and what each means.

    Allowed are the ``words``, each with its meaning, and, where ``minimum`` is set, whole numbers from ``minimum`` to
    ``maximum`` (None: no upper bound). ``players`` are the numbers of players for which it changes anything; none
    stands for all.
    """

    name: str
    description: str
    source: str
    default: str
    words: Mapping[str, T_co]
    minimum: int | None = None
    maximum: int | None = None
    players: tuple[int, ...] = ()

    def only_for(self, *players: int) -> Option[T_co]:
        """Return the option, which changes something only with these numbers of players."""
        return replace(self, players=players)

    def meaning(self, value: str) -> T_co | int:
        """Return what a value means, a number as an integer; raises `InvalidOption` for one that is not allowed."""
        if value in self.words:
            return self.words[value]
        if not self._counts(value):
            raise InvalidOption(f"options.{self.name}", f"{value[:40]!r} is not allowed; {self.allowed}")
        return int(value)

    def _counts(self, value: str) -> bool:
        """Whether ``value`` is a whole number in range, without sign or leading zeros."""
        if self.minimum is None or len(value) > 12 or not value.isascii() or not value.isdigit():
            return False
        number = int(value)
        return str(number) == value and self.minimum <= number and (self.maximum is None or number <= self.maximum)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words."""
        return tuple(self.words)

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


def choice_option(name: str, description: str, source: str, words: Mapping[str, T], default: str = "") -> Option[T]:
    """Build an option whose values are the keys of ``words``, by default the first; each means what stands with it."""
    return Option(name, description, source, default or next(iter(words)), words)


def bool_option(name: str, description: str, source: str, *, default: bool = False) -> Option[bool]:
    """Build an option with the values ``true`` and ``false``."""
    return Option(name, description, source, str(default).lower(), {"true": True, "false": False})


def number_option(
    name: str,
    description: str,
    source: str,
    default: int | str,
    least: int,
    most: int | None = None,
    words: Mapping[str, T] | None = None,
) -> Option[T | int]:
    """Build an option with whole numbers from ``least`` to ``most`` (None: no upper bound), and ``words``."""
    return Option(name, description, source, str(default), words or {}, least, most)


# A game in the catalogue, and what a table has agreed on
@dataclass(frozen=True)
class Choices:
    """What a table has agreed on: the game, the number of players, and what it has chosen of every option."""

    game: GameEntry
    players: int
    meanings: Mapping[str, Any]

    def __getitem__(self, option: Option[T]) -> T:
        """Return what the chosen value of an option means."""
        meaning: T = self.meanings[option.name]
        return meaning


@dataclass(frozen=True, kw_only=True)
class GameEntry:
    """A game of the catalogue: its name, origin, rule book and options, and the function that builds its rules.

    ``own_clauses`` are the clauses of this game alone. ``citations`` maps reason codes to keys of clauses, beyond
    `COMMON_REASON_CLAUSES`; the key ``verb code`` overrides ``code`` when that move is refused. ``editions`` is the
    history of the rules; the last entry is the present one. ``description`` says in a sentence what game it is.
    ``players`` are the possible numbers of players, the default first. ``rules`` builds the rules from the choices of a
    table, and raises `InvalidOption` where two of them exclude each other.
    """

    key: str
    title: str
    place: str
    sources: tuple[str, ...]
    rules: Callable[[Choices], Any]
    players: tuple[int, ...]
    options: tuple[Option[Any], ...] = ()
    description: str = ""
    editions: tuple[Edition, ...] = (Edition(1, "The first edition."),)
    own_clauses: tuple[Clause, ...] = ()
    citations: Mapping[str, str] = field(default_factory=dict)

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""
        return self.editions[-1].number

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses: the common ones, then the game's own."""
        return COMMON + self.own_clauses

    @cached_property
    def reason_clauses(self) -> dict[str, Clause]:
        """The clause by code, or by verb and code; raises `KeyError` where a citation names no clause of the game."""
        by_key = {clause.key: clause for clause in self.clauses}
        return {code: by_key[key] for code, key in {**COMMON_REASON_CLAUSES, **self.citations}.items()}

    def configure(self, players: int, chosen: Mapping[str, str]) -> Any:
        """Return the rules with these choices; raises `InvalidOption`.

        An option without effect with these players is accepted if its value is allowed (ALL-8).
        """
        known = [option.name for option in self.options]
        for name in chosen:
            if name not in known:
                text = f"{self.key} has no such option; {suggestion(name, known, 'options')}"
                raise InvalidOption(f"options.{name[:40]}", text)
        if players not in self.players:
            offers = ", ".join(map(str, sorted(self.players)))
            raise InvalidOption("players", f"{players} cannot play {self.key}; players: {offers}")
        meanings = {option.name: option.meaning(chosen.get(option.name, option.default)) for option in self.options}
        return self.rules(Choices(self, players, meanings))


@dataclass(frozen=True)
class AgreedRules:
    """The rules of a game as a table has ``agreed`` on them; the rules of every family derive from it."""

    family: ClassVar[str] = "other"
    lower_score_wins: ClassVar[bool] = False
    agreed: Choices

    @property
    def entry(self) -> GameEntry:
        """The game in the catalogue."""
        return self.agreed.game

    @property
    def key(self) -> str:
        """The key of the game in the catalogue."""
        return self.agreed.game.key

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""
        return self.agreed.game.edition

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The rule book."""
        return self.agreed.game.clauses

    def refuse(
        self,
        reason: Reason,
        *,
        verb: str = "",
        allowed_cards: Hand = (),
        offending_cards: Hand = (),
        word: str = "",
        amount: int | None = None,
    ) -> Refusal:
        """Build a refusal for ``reason`` with the clause that this game cites for it, or for it and ``verb``."""
        grounds, code = self.agreed.game.reason_clauses, reason.code
        clause = (grounds.get(f"{verb} {code}") if verb else None) or grounds[code]
        return Refusal(reason, clause, allowed_cards, offending_cards, word, amount)


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """Return the end of a message about an unknown ``name``: those that it may stand for, or all of them."""
    names = list(known)
    if close := get_close_matches(name.casefold().replace(" ", "-"), names, n=3):
        return f"did you mean {' or '.join(close)}?"
    return f"{what}: {', '.join(names)}"
