"""The value types of the client: moves, events, views, clauses and refusals, as frozen dataclasses.

They have the names and fields of the contract's messages.  An absent field is None (seat 0 is a real seat), a list is
a tuple, and `str` gives a readable form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Agreement:
    """A game with the number of players, the options and the edition it is played under."""

    game: str
    """The key of the game, such as "briscola"."""
    players: int = 0
    """Number of players; 0 for the least that the game allows."""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The options by name; one that is left out has its default."""
    edition: int = 0
    """The edition of the rules; 0 for the current one."""


@dataclass(frozen=True, slots=True)
class Share:
    """An amount that belongs to a person: a seat, or anybody else by name."""

    person: str
    """The number of a seat, such as "3", or a name in any characters."""
    amount: int
    """In points, in percent, or in the smallest unit of money."""

    def __str__(self) -> str:
        """Return the notation, a single word: ``3:200``, ``Anna%20Maria:100``."""
        return f"{quote(self.person, safe='')}:{self.amount}"


Value: TypeAlias = str | int | tuple[Share, ...]
"""The value of a fact: a word; a number or an amount of money; or amounts by person."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move: a verb and its arguments."""

    verb: str
    cards: tuple[str, ...] = ()
    word: str = ""
    """A suit, a rank or an answer."""
    amount: int | None = None
    """A number: a bid, a cut, a lot."""
    seat: int | None = None
    """The seat whose card is moved, if it is not the mover's own: a dummy's."""
    shares: tuple[Share, ...] = ()

    def __str__(self) -> str:
        """Return the notation: ``play_card Ab``."""
        amount = () if self.amount is None else (self.amount,)
        seat = () if self.seat is None else (f"@{self.seat}",)
        return _join(self.verb, *self.cards, self.word, *amount, *self.shares, *seat)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, as far as it is visible to the reader."""

    kind: str
    """In the past tense, such as "trick_taken"."""
    seat: int | None = None
    cards: tuple[str, ...] = ()
    hidden: int = 0
    """Number of cards involved that the reader may not see."""
    word: str = ""
    amount: int | None = None
    other: int | None = None
    """The other seat concerned."""
    shares: tuple[Share, ...] = ()

    def __str__(self) -> str:
        """Return the kind, then the seat, then the rest: ``trick_taken 1 Ab 3c``."""
        numbers = (number for number in (self.amount, self.other) if number is not None)
        backs = (f"({self.hidden} hidden)",) if self.hidden else ()
        seat = () if self.seat is None else (self.seat,)
        return _join(self.kind, *seat, *self.cards, *backs, self.word, *numbers, *self.shares)


@dataclass(frozen=True, slots=True)
class Pile:
    """Cards that lie together."""

    name: str
    """Such as "hand", "stock", "turn_up", "trick", "taken", "pack"."""
    seat: int | None = None
    cards: tuple[str, ...] = ()
    """The cards, if they are visible to the reader, else empty."""
    size: int = 0
    leader: int | None = None
    """The seat that played the first of these cards."""

    def __str__(self) -> str:
        """Return the name and the seat, then the cards or their number."""
        cards = self.cards or ((f"({self.size} hidden)",) if self.size else ("(empty)",))
        return _join(_with_seat(self.name, self.seat) + ":", *cards)


@dataclass(frozen=True, slots=True)
class Fact:
    """Any other state of the game: "trump", "dealer", "deals_won" ..."""

    name: str
    seat: int | None = None
    value: Value = ""
    """A word, a number, an amount of money (in the smallest unit), or amounts by person."""

    def __str__(self) -> str:
        """Return the name and the seat, then the value."""
        value = _join(*self.value) if isinstance(self.value, tuple) else self.value
        return f"{_with_seat(self.name, self.seat)}: {value}"


class Waiting(Enum):
    """What the game waits for; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    SEAT = 1
    """A seat is to move."""
    TABLE = 2
    """A pack or a lot is to be supplied, by the service or the referee."""
    NOBODY = 3
    """The match is over."""

    @classmethod
    def _missing_(cls, value: object) -> Waiting:
        return cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the winning seats; none if it is drawn."""

    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The state of the game as one reader sees it."""

    phase: str = ""
    waiting: Waiting = Waiting.UNKNOWN
    turn: int | None = None
    """The seat to move, if there is one."""
    piles: tuple[Pile, ...] = ()
    facts: tuple[Fact, ...] = ()
    scores: tuple[int, ...] = ()
    outcome: Outcome | None = None
    """How the match ended; None while it is running."""

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.waiting is Waiting.NOBODY

    def pile(self, name: str, seat: int | None = None) -> Pile:
        """Return the pile with a name, of a seat; an empty one if there is none."""
        found = (pile for pile in self.piles if (pile.name, pile.seat) == (name, seat))
        return next(found, Pile(name, seat))

    def fact(self, name: str, seat: int | None = None) -> Value | None:
        """Return the value of the fact with a name, of a seat; None if there is none."""
        return next((fact.value for fact in self.facts if (fact.name, fact.seat) == (name, seat)), None)

    def __str__(self) -> str:
        """Return one line for each pile and fact."""
        turn = "" if self.turn is None else f", seat {self.turn} to move"
        end = [] if self.outcome is None else [f"won by: {_join(*self.outcome.winners) or 'nobody'}"]
        return "\n".join([f"{self.phase}{turn}", *map(str, self.piles), *map(str, self.facts), *end])


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the rule book."""

    key: str
    """Its number, such as "CO-17". It never changes its meaning."""
    says: str = ""
    source: str = ""
    """The document it rests on, or "ruling" if the documents are silent."""

    def __str__(self) -> str:
        """Return the key and the text."""
        return f"{self.key}: {self.says}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A clause that a move breaks, with details."""

    code: str
    """The reason, to switch on: `RefusalCode` has those that all or many games share."""
    clause: Clause
    """The clause that forbids it."""
    because: str = ""
    """The reason as a sentence, in the language of the client."""
    instead: tuple[str, ...] = ()
    """The cards of the hand that may be played instead."""
    held: tuple[str, ...] = ()
    """The cards of the hand that cause the refusal."""
    word: str = ""
    amount: int | None = None
    penalty: bool = False
    """The move is accepted nevertheless, at the penalty that the clause gives."""
    page: str = field(default="", repr=False)
    """The page of the clause in the rule book, as a path of the REST API."""

    def __str__(self) -> str:
        """Return the sentence, the code and the clause."""
        return f"{self.because} [{self.code}, {self.clause.key}]"


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """A move that a seat might make, with the clauses that forbid it."""

    move: Move
    refusals: tuple[Refusal, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether no clause forbids it."""
        return not self.refusals

    def __str__(self) -> str:
        """Return the move, then the refusals."""
        return f"{self.move}: {'; '.join(map(str, self.refusals)) or 'legal'}"


def _join(*parts: object) -> str:
    return " ".join(filter(None, map(str, parts)))


def _with_seat(name: str, seat: int | None) -> str:
    return name if seat is None else f"{name} of {seat}"
