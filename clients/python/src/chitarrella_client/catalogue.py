"""What the catalogue says of games, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass

from chitarrella_client.table import Clause


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game in one line."""

    game: str
    """Its key."""
    title: str
    """Its name as the players say it."""
    place: str
    players: tuple[int, ...]
    """How many may play."""
    default_players: int
    """How many of them play where an agreement does not say."""
    pack: str
    """The name of the pack."""
    sources: tuple[str, ...]
    edition: int
    """The number of this version of the rules."""

    def __str__(self) -> str:
        """Say its key and name, and how many may play."""
        return f"{self.game}: {self.title} ({self.place}), {', '.join(map(str, self.players))} players"


@dataclass(frozen=True, slots=True)
class Option:
    """Something the table may agree upon: one of ``words``, or a number from ``least`` to ``most``."""

    name: str
    means: str
    source: str
    default: str
    words: tuple[str, ...] = ()
    least: int | None = None
    """None where it takes no number."""
    most: int | None = None
    """None where there is no end."""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """What a move looks like: which arguments its verb takes, and when it belongs."""

    verb: str
    means: str = ""
    phases: tuple[str, ...] = ()
    least_cards: int = 0
    most_cards: int = 0
    words: tuple[str, ...] = ()
    """The words it takes, one of them; an empty one says that it also goes without. No words: it takes none."""
    amount: bool = False
    """It takes a number."""
    seat: bool = False
    """It may name the seat whose card is moved."""
    shares: bool = False
    """It takes amounts by person."""
    out_of_turn: bool = False
    """It does not wait for its seat's turn."""
    by_table: bool = False
    """It is made by the table, not by a person."""
    lapse: bool = False
    """It is what a seat is taken to do that lets its time run out, where it may."""
    written: str = ""
    """How it is written as text: small letters stay, capitals are filled in, brackets may be left out."""


@dataclass(frozen=True, slots=True)
class ReasonCode:
    """A reason for which a move may be refused, and the clause behind it."""

    code: str
    says: str
    """The English sentence, with the names of the particulars in braces."""
    clause: str
    """The key of the clause."""


@dataclass(frozen=True, slots=True)
class Edition:
    """A version of the rules of a game."""

    number: int
    changes: str
    """What changed with it, in a sentence."""
    kept: bool = True
    """It is still at hand, for matches and records that began with it."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game with all that can be known of it, the whole rule book included."""

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
    """Something that is not the same in two games; what one of them lacks is empty there."""

    about: str
    """What it is: "pack", "players", "option", "move", "reason" or "clause"."""
    name: str = ""
    first: str = ""
    second: str = ""
    first_clause: Clause | None = None
    second_clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two games, or two agreements on one."""

    differences: tuple[Difference, ...]
    clauses_alike: int = 0
    """How many clauses say the same in both."""
