"""The value types of the client: moves, events, views, clauses and refusals, as frozen dataclasses.

They have the names and fields of the contract's messages.  An absent field is None (seat 0 is a real seat), a list is
a tuple, and `str` gives a readable form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Self, TypeAlias
from urllib.parse import quote


@dataclass(frozen=True, slots=True)
class RuleSet:
    """What is played: a game with its number of players, options and edition."""

    game_id: str
    """The key of the game, such as "briscola"."""
    players: int = 0
    """Number of players; 0 for the default number of the game (`GameSummary.default_players`)."""
    options: Mapping[str, str | int | bool] = field(default_factory=dict, hash=False)
    """Options by name; an option that is left out has its default."""
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
    choice: str = ""
    """A suit, a rank or an answer."""
    amount: int | None = None
    """A bid, the depth of a cut, the result of a lot."""
    dummy_seat: int | None = None
    """The seat whose card is played, where it is not the mover's own: a dummy."""
    shares: tuple[Share, ...] = ()

    def __str__(self) -> str:
        """Return the notation: ``play_card Ab``."""
        amount = () if self.amount is None else (self.amount,)
        seat = () if self.dummy_seat is None else (f"@{self.dummy_seat}",)
        return _join(self.verb, *self.cards, self.choice, *amount, *self.shares, *seat)


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
class Zone:
    """A place where cards lie."""

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
    """Anything else that is true of a position: "trump", "dealer", "deals_won" and others by game."""

    name: str
    seat: int | None = None
    value: Value = ""
    """A word, a number, an amount of money (in the smallest unit), or amounts by person."""

    def __str__(self) -> str:
        """Return the name and the seat, then the value."""
        value = _join(*self.value) if isinstance(self.value, tuple) else self.value
        return f"{_with_seat(self.name, self.seat)}: {value}"


class OpenEnum(Enum):
    """An enumeration of the contract; a value added by a newer service is read as ``UNKNOWN``."""

    @classmethod
    def _missing_(cls, value: object) -> Self:
        return cls["UNKNOWN"]


class Waiting(OpenEnum):
    """Who has to act; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    SEAT = 1
    """A seat has to move."""
    CHANCE = 2
    """Chance has to move: the service or the referee supplies a pack or a lot."""
    NOBODY = 3
    """Nobody: the match is finished or aborted."""


class Ending(OpenEnum):
    """By what a match ended; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    PLAYED = 1
    """It was played to its end."""
    RESIGNED = 2
    """All sides but one have resigned."""
    DECIDED = 3
    """Its referee or its platform decided it."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended: the winning seats; none if it is drawn."""

    winners: tuple[int, ...] = ()
    ending: Ending = Ending.UNKNOWN


@dataclass(frozen=True, slots=True)
class View:
    """A position as one reader may see it."""

    phase: str = ""
    waiting: Waiting = Waiting.UNKNOWN
    turn: int | None = None
    """The seat to move, if there is one."""
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    scores: tuple[int, ...] = ()
    outcome: Outcome | None = None
    """How the match ended; None while it is running."""
    turns: tuple[int, ...] = ()
    """Every seat that has to move: `turn`, and those that decide at the same time."""

    @property
    def finished(self) -> bool:
        """Whether the match was played to its end."""
        return self.waiting is Waiting.NOBODY

    def zone(self, name: str, seat: int | None = None) -> Zone:
        """Return the zone with a name, of a seat; an empty one if there is none."""
        found = (zone for zone in self.zones if (zone.name, zone.seat) == (name, seat))
        return next(found, Zone(name, seat))

    def fact(self, name: str, seat: int | None = None) -> Value | None:
        """Return the value of the fact with a name, of a seat; None if there is none."""
        return next((fact.value for fact in self.facts if (fact.name, fact.seat) == (name, seat)), None)

    def __str__(self) -> str:
        """Return one line for each zone and fact."""
        turn = "" if self.turn is None else f", seat {self.turn} to move"
        end = [] if self.outcome is None else [f"won by: {_join(*self.outcome.winners) or 'nobody'}"]
        return "\n".join([f"{self.phase}{turn}", *map(str, self.zones), *map(str, self.facts), *end])


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence of a rule book."""

    key: str
    """Such as "CO-17". A key never changes its meaning."""
    text: str = ""
    source: str = ""
    """The document it rests on, or "ruling" if the documents are silent."""

    def __str__(self) -> str:
        """Return the key and the text."""
        return f"{self.key}: {self.text}"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A clause that a move breaks, with details."""

    code: str
    """The reason, to switch on: `RefusalCode` has those that all or many games share."""
    clause: Clause
    """The clause that forbids it."""
    message: str = ""
    """The explanation, in the language of the client."""
    allowed_cards: tuple[str, ...] = ()
    """The cards of the hand that may be played instead."""
    offending_cards: tuple[str, ...] = ()
    """The cards of the hand that are at fault."""
    word: str = ""
    """The suit, rank, card or phase that the explanation names."""
    amount: int | None = None
    """The number that the explanation names."""
    penalty: bool = False
    """The move is accepted, at the price that the clause states."""
    page_path: str = field(default="", repr=False)
    """The page of the clause in the rule book, as a path of the REST API."""
    undecided: bool = False
    """It depends on unknown parts of the position whether the move breaks the clause."""

    def __str__(self) -> str:
        """Return the explanation, the code and the clause."""
        return f"{self.message} [{self.code}, {self.clause.key}]"


class Verdict(OpenEnum):
    """Whether a move is accepted; a value added by a newer service is read as ``UNKNOWN``."""

    UNKNOWN = 0
    ACCEPTED = 1
    """It is, whatever the unknown parts of a partial position are."""
    REFUSED = 2
    """It is not, whatever they are."""
    UNDECIDED = 3
    """That depends on unknown parts of a partial position."""


@dataclass(frozen=True, slots=True)
class ExplainedMove:
    """A move that a seat might make, with the clauses that forbid it."""

    move: Move
    verdict: Verdict
    refusals: tuple[Refusal, ...] = ()
    """Every clause that it breaks or may break; none if it is legal."""
    depends_on: tuple[str, ...] = ()
    """The unknown parts of a partial position that its refusals depend on, such as "trump"."""

    @property
    def legal(self) -> bool:
        """Whether no clause forbids it; False if that depends on unknown parts."""
        return not self.refusals and not self.depends_on

    def __str__(self) -> str:
        """Return the move, then the refusals, then what they depend on."""
        unknown = f" (depends on {', '.join(self.depends_on)})" if self.depends_on else ""
        return f"{self.move}: {'; '.join(map(str, self.refusals)) or 'legal'}{unknown}"


def _join(*parts: object) -> str:
    return " ".join(filter(None, map(str, parts)))


def _with_seat(name: str, seat: int | None) -> str:
    return name if seat is None else f"{name} of {seat}"
