"""Games as the catalogue describes them, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella_client.types import Clause


@dataclass(frozen=True, slots=True)
class GameSummary:
    """The key data of a game."""

    game: str
    """Its key."""
    title: str
    """Its name as players use it."""
    place: str
    players: tuple[int, ...]
    """The allowed numbers of players."""
    default_players: int
    """The number of players if an agreement gives none."""
    pack: str
    """The name of the pack."""
    sources: tuple[str, ...]
    edition: int
    """The number of this version of the rules."""

    def __str__(self) -> str:
        """Return the key, the name, the place and the numbers of players."""
        return f"{self.game}: {self.title} ({self.place}), {', '.join(map(str, self.players))} players"


@dataclass(frozen=True, slots=True)
class Option:
    """An option: one of ``words``, or a number from ``least`` to ``most``."""

    name: str
    means: str
    source: str
    default: str
    words: tuple[str, ...] = ()
    least: int | None = None
    """None if it takes no number."""
    most: int | None = None
    """None if there is no upper bound."""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """The form of a move: the arguments of its verb, and the phases it belongs to."""

    verb: str
    means: str = ""
    phases: tuple[str, ...] = ()
    least_cards: int = 0
    most_cards: int = 0
    words: tuple[str, ...] = ()
    """The words it takes one of; an empty word means that it may be left out. Empty: it takes no word."""
    amount: bool = False
    """It takes a number."""
    seat: bool = False
    """It may name the seat whose card is moved."""
    shares: bool = False
    """It takes amounts by person."""
    out_of_turn: bool = False
    """It can be made out of turn."""
    by_table: bool = False
    """It is made by chance (a shuffle, a lot), not by a seat."""
    lapse: bool = False
    """It is the default move of a seat whose time is up, if it is legal."""
    written: str = ""
    """Its notation: small letters are literal, capitals are placeholders, parts in brackets are optional."""


@dataclass(frozen=True, slots=True)
class ReasonCode:
    """A reason for which a move may be refused, and its clause."""

    code: str
    says: str
    """The English sentence, with placeholders in braces."""
    clause: str
    """The key of the clause."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of the rules of a game."""

    number: int
    changes: str
    """What changed with it, as a sentence."""
    kept: bool = True
    """Whether the service still plays matches and records of this edition."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with everything the catalogue has, including the rule book."""

    summary: GameSummary
    pack: tuple[str, ...]
    """Every card in canonical order."""
    options: tuple[Option, ...]
    moves: tuple[MoveForm, ...]
    reasons: tuple[ReasonCode, ...]
    clauses: tuple[Clause, ...]
    editions: tuple[Edition, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between two games; what one of them lacks is empty."""

    about: str
    """The kind: "pack", "players", "option", "move", "reason" or "clause"."""
    name: str = ""
    first: str = ""
    second: str = ""
    first_clause: Clause | None = None
    second_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The differences between two games, or between two agreements on one game."""

    differences: tuple[Difference, ...]
    clauses_alike: int = 0
    """Number of clauses that are equal in both."""
