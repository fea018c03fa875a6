"""The nouns of a card table as frozen values: what lies on it, what seats do, what happens, why a move is refused.

They have the names of the contract's messages.  What may be absent is None (seat 0 is a real seat), lists are tuples,
and `str` says it as a card player would.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class Agreement:
    """What a table has agreed to play."""

    game: str
    """The key of the game, such as "briscola"."""
    players: int = 0
    """How many persons play; 0 for the least number that the game is made for."""
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The house rules by name; one that is left out has its default."""
    edition: int = 0
    """The edition of the rules; 0 for the current one."""


@dataclass(frozen=True, slots=True)
class Share:
    """An amount that belongs to a person: a seat by its number, anybody else by a name."""

    person: str
    """The number of a seat, such as "3", or a name of any signs."""
    amount: int
    """In points, in percent, or in the smallest unit of money."""

    def __str__(self) -> str:
        """Write it in the notation, as one word: ``3:200``, ``Anna%20Maria:100``."""
        return f"{quote(self.person, safe='')}:{self.amount}"


Value: TypeAlias = str | int | tuple[Share, ...]
"""What a fact may say: a word, a number or an amount of money, or amounts by person."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a seat does: a verb and its arguments."""

    verb: str
    cards: tuple[str, ...] = ()
    word: str = ""
    """A suit, a rank or an answer."""
    amount: int | None = None
    """A number: a bid, a cut, a lot."""
    seat: int | None = None
    """The seat whose card is moved, where it is not the mover's own: a dummy's."""
    shares: tuple[Share, ...] = ()

    def __str__(self) -> str:
        """Write it in the notation: ``play_card Ab``."""
        amount = () if self.amount is None else (self.amount,)
        seat = () if self.seat is None else (f"@{self.seat}",)
        return _words(self.verb, *self.cards, self.word, *amount, *self.shares, *seat)


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, as the reader may know it."""

    kind: str
    """In the past tense, such as "trick_taken"."""
    seat: int | None = None
    cards: tuple[str, ...] = ()
    hidden: int = 0
    """How many cards were involved that the reader may not see."""
    word: str = ""
    amount: int | None = None
    other: int | None = None
    """The other seat concerned."""
    shares: tuple[Share, ...] = ()

    def __str__(self) -> str:
        """Say what happened, then whom it concerns, then the rest: ``trick_taken 1 Ab 3c``."""
        numbers = (number for number in (self.amount, self.other) if number is not None)
        backs = (f"({self.hidden} hidden)",) if self.hidden else ()
        seat = () if self.seat is None else (self.seat,)
        return _words(self.kind, *seat, *self.cards, *backs, self.word, *numbers, *self.shares)


@dataclass(frozen=True, slots=True)
class Pile:
    """A place where cards lie."""

    name: str
    """Such as "hand", "stock", "turn_up", "trick", "taken", "pack"."""
    seat: int | None = None
    cards: tuple[str, ...] = ()
    """The cards that the reader may see: none or all."""
    size: int = 0
    leader: int | None = None
    """The seat that played the first of these cards."""

    def __str__(self) -> str:
        """Say where it is, then the cards or their number."""
        cards = self.cards or ((f"({self.size} hidden)",) if self.size else ("(empty)",))
        return _words(_owned(self.name, self.seat) + ":", *cards)


@dataclass(frozen=True, slots=True)
class Fact:
    """Anything else that is true of the table: "trump", "dealer", "deals_won" ..."""

    name: str
    seat: int | None = None
    value: Value = ""
    """A word, a number, an amount of money (in the smallest unit), or amounts by person."""

    def __str__(self) -> str:
        """Say what it is of, then its value."""
        value = _words(*self.value) if isinstance(self.value, tuple) else self.value
        return f"{_owned(self.name, self.seat)}: {value}"


class Waiting(Enum):
    """Whom the table waits for; what a newer service may say besides is read as ``UNKNOWN``."""

    UNKNOWN = 0
    SEAT = 1
    """A seat is to move."""
    TABLE = 2
    """The table is to hand in a pack or to draw a lot."""
    NOBODY = 3
    """The match is over."""

    @classmethod
    def _missing_(cls, value: object) -> Waiting:
        return cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the seats that have won, none of them where it is drawn."""

    winners: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """The table as one reader sees it."""

    phase: str = ""
    waiting: Waiting = Waiting.UNKNOWN
    turn: int | None = None
    """The seat to move, where one is."""
    piles: tuple[Pile, ...] = ()
    facts: tuple[Fact, ...] = ()
    scores: tuple[int, ...] = ()
    outcome: Outcome | None = None
    """How the match ended; None while it lasts."""

    @property
    def over(self) -> bool:
        """Tell whether the match is over."""
        return self.waiting is Waiting.NOBODY

    def pile(self, name: str, seat: int | None = None) -> Pile:
        """Find the pile of that name, of that seat; an empty one where there is none."""
        found = (pile for pile in self.piles if (pile.name, pile.seat) == (name, seat))
        return next(found, Pile(name, seat))

    def fact(self, name: str, seat: int | None = None) -> Value | None:
        """Find what is true under that name, of that seat; None where nothing is."""
        return next((fact.value for fact in self.facts if (fact.name, fact.seat) == (name, seat)), None)

    def __str__(self) -> str:
        """Show the table, one pile or fact a line."""
        turn = "" if self.turn is None else f", seat {self.turn} to move"
        end = [] if self.outcome is None else [f"won by: {_words(*self.outcome.winners) or 'nobody'}"]
        return "\n".join([f"{self.phase}{turn}", *map(str, self.piles), *map(str, self.facts), *end])


@dataclass(frozen=True, slots=True)
class Clause:
    """One sentence of the rule book."""

    key: str
    """Its number, such as "CO-17": it never changes its meaning."""
    says: str = ""
    source: str = ""
    """The document it rests on, or "ruling" where the documents are silent."""

    def __str__(self) -> str:
        """Quote it."""
        return f"{self.key}: {self.says}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A broken clause with the particulars."""

    code: str
    """The reason, to be switched on: see `RefusalCode` for the ones that all or many games have."""
    clause: Clause
    """The clause that forbids it."""
    because: str = ""
    """The same in a sentence, in the language of the client."""
    instead: tuple[str, ...] = ()
    """The cards of this hand that might be played instead."""
    held: tuple[str, ...] = ()
    """The cards of this hand that are at fault."""
    word: str = ""
    amount: int | None = None
    penalty: bool = False
    """The move is accepted all the same, and costs what the clause says."""
    page: str = field(default="", repr=False)
    """Where the clause stands in the rule book, as a path at the REST door."""

    def __str__(self) -> str:
        """Say why, and by which clause."""
        return f"{self.because} [{self.code}, {self.clause.key}]"


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """One thing a seat might do, with the clauses against it."""

    move: Move
    refusals: tuple[Refusal, ...] = ()

    @property
    def legal(self) -> bool:
        """Tell whether no clause is against it."""
        return not self.refusals

    def __str__(self) -> str:
        """Say the move, then what is against it."""
        return f"{self.move}: {'; '.join(map(str, self.refusals)) or 'legal'}"


def _words(*parts: object) -> str:
    return " ".join(filter(None, map(str, parts)))


def _owned(name: str, seat: int | None) -> str:
    return name if seat is None else f"{name} of {seat}"
