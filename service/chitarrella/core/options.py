"""Game options: what a table may choose before the first card, and the choices of one table.

An option is data: its allowed values, and what each of them means to the rules. The function that builds the rules of a
game reads the choices once; the rules themselves never ask whether an option is on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from chitarrella.core.cards import Hand, Pack
from chitarrella.core.model import BAD_PACK, Clause, Edition, Inference, Reason, Refusal, Seat, Viewer

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
"""What a value means to the rules."""


class InvalidField(ValueError):
    """An input that is refused. ``field`` names the part at fault, and is empty for the whole."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the ``field`` at fault and the reason."""
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field
        self.message = message


class InvalidOption(InvalidField):
    """A number of players, an option or a value that the game does not offer."""


@dataclass(frozen=True)
class Option(Generic[T_co]):
    """One option of a game: its description, its allowed values, and what each means.

    Allowed are the ``words``, each with its meaning, and, where ``minimum`` is set, whole numbers from ``minimum`` to
    ``maximum`` (None: no upper bound). ``players`` are the numbers of players for which it changes anything; none
    stands for all. It ``sets_length`` if it says how long a match is: a target, a number of deals or games.
    """

    name: str
    description: str
    source: str
    default: str
    words: Mapping[str, T_co]
    minimum: int | None = None
    maximum: int | None = None
    players: tuple[int, ...] = ()
    sets_length: bool = False

    def only_for(self, *players: int) -> Option[T_co]:
        """Return the option, which changes something only with these numbers of players."""
        return replace(self, players=players)

    def of_length(self) -> Option[T_co]:
        """Return the option, which says how long a match is."""
        return replace(self, sets_length=True)

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


# The rule book of a game
class RuleBook(NamedTuple):
    """The clauses of a game, and the key of the clause that each reason for a refusal cites.

    A reason stands by its code, or by verb and code where a clause speaks of it for that move alone. ``how`` says
    how it is played, by the words of `HOW`; pages list games of more ``fame`` first.
    """

    clauses: tuple[Clause, ...]
    citations: Mapping[str, str]
    how: Mapping[str, str] = {}
    fame: int = 0


HOW = ("aim", "deal", "turn", "count")
LINE = re.compile(r"(\S+)(?: \(([a-z0-9_, ]+)\))?(?: ([^([][^[]*?))?(?: \[([^]]+)\])?")


def parse_rule_book(text: str, name: str = "rule book") -> RuleBook:
    """Read a rule book, a clause a line: ``KEY (REASON, VERB REASON) sentence [source]``.

    In parentheses are the reasons that cite it, if there are any. A line with a source alone gives that of the clauses
    below that name none; a line without a sentence cites a clause of all games; ``#`` begins a comment. Raises
    `ValueError`, with the ``name`` of the book, for any other line but ``fame: NUMBER`` and ``WORD of HOW: sentences``.
    """
    clauses: list[Clause] = []
    citations: dict[str, str] = {}
    heads: dict[str, str] = {}
    usual = ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            usual = line.strip("[]")
            continue
        head, _, said = line.partition(": ")
        if head in ("fame", *HOW):
            heads[head] = said
            continue
        found = LINE.fullmatch(line)
        key, codes, sentence, source = found.groups() if found else ("", None, None, None)
        if not (sentence or codes):
            raise ValueError(f"{name}: this is no clause: {line[:60]}")
        citations |= dict.fromkeys(codes.split(", ") if codes else (), key)
        if sentence:
            clauses.append(Clause(key, sentence, source or usual))
    fame = int(heads.pop("fame", 0))
    return RuleBook(tuple(clauses), citations, heads, fame)


def rule_book(module: str) -> RuleBook:
    """Read the rule book that lies beside the file of a ``module``: ``NAME.rules`` beside ``NAME.py``."""
    file = Path(module).with_suffix(".rules")
    return parse_rule_book(file.read_text(encoding="utf-8"), file.name)


COMMON = rule_book(str(Path(__file__).with_name("common")))
"""The clauses that hold in every game."""


# A game in the catalogue, and what a table has agreed on
FIRST_EDITION = (Edition(1, "The first edition."),)


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

    ``title`` is by default the key, ``sources`` are by default those that the clauses name. ``book`` has the
    clauses of this game alone. ``editions`` is the history of the rules; the last entry is the present
    one. ``description`` says in a sentence what game it is.
    ``players`` are the possible numbers of players, the default first. ``rules`` builds the rules from the choices of a
    table, and raises `InvalidOption` where two of them exclude each other.
    """

    key: str
    title: str = ""
    place: str
    sources: tuple[str, ...] = ()
    book: RuleBook
    rules: Callable[[Choices], Any]
    players: tuple[int, ...]
    options: tuple[Option[Any], ...] = ()
    description: str = ""
    editions: tuple[Edition, ...] = FIRST_EDITION

    def __post_init__(self) -> None:
        sources = tuple(dict.fromkeys(clause.source for clause in self.book.clauses if clause.source != "ruling"))
        object.__setattr__(self, "title", self.title or self.key.replace("-", " ").title())
        object.__setattr__(self, "sources", self.sources or sources)

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""
        return self.editions[-1].number

    def former(self, **defaults: str) -> GameEntry:
        """Return the edition before this one, in which options had other ``defaults``."""
        options = tuple(replace(one, default=defaults.get(one.name, one.default)) for one in self.options)
        return replace(self, options=options, editions=self.editions[:-1])

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses: the common ones, then the game's own."""
        return COMMON.clauses + self.book.clauses

    @cached_property
    def reason_clauses(self) -> dict[str, Clause]:
        """The clause by code, or by verb and code; raises `KeyError` where a citation names no clause of the game."""
        by_key = {clause.key: clause for clause in self.clauses}
        return {code: by_key[key] for code, key in {**COMMON.citations, **self.book.citations}.items()}

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
        meanings = {
            option.name: option.meaning(str(chosen.get(option.name, option.default))) for option in self.options
        }
        return self.rules(Choices(self, players, meanings))


@dataclass(frozen=True)
class AgreedRules:
    """The rules of a game as a table has ``agreed`` on them; the rules of every family derive from it."""

    family: ClassVar[str] = "other"
    agreed: Choices

    def turns(self, p: Any) -> tuple[Seat, ...]:
        """Return the seats that have to play now: the one on turn, where no others decide at the same time."""
        turn = self.turn(p)  # type: ignore[attr-defined]  # of the family
        return () if turn is None else (turn,)

    def phase(self, p: Any) -> str:
        """Return the name of the phase, which every position keeps in ``phase``."""
        return str(p.phase)

    def controller(self, seat: Seat) -> Seat:
        """Return ``seat``: there is no dummy."""
        return seat

    def inferences(self, p: Any, viewer: Viewer) -> Iterable[Inference]:
        """Return no inference: public play says nothing about hidden cards that the view does not show."""
        return ()

    @property
    def lower_score_wins(self) -> bool:
        """Whether of two scores of a match the lower one is better."""
        return False

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

    def refuse_pack(self, pack: Pack, cards: Hand) -> tuple[Refusal, ...]:
        """Refuse cards that are not exactly the ``pack``, with those that it misses and those that it has too often."""
        if pack.holds_exactly(cards):
            return ()
        return (self.refuse(BAD_PACK, allowed_cards=pack.missing(cards), offending_cards=pack.surplus(cards)),)


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """Return the end of a message about an unknown ``name``: those that it may stand for, or all of them."""
    names = list(known)
    if close := get_close_matches(name.casefold().replace(" ", "-"), names, n=3):
        return f"did you mean {' or '.join(close)}?"
    return f"{what}: {', '.join(names)}"
