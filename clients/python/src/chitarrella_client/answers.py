"""What is answered about positions and matches, as frozen values: moves, verdicts, and what came of a move."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chitarrella_client.table import (
    Agreement,
    Event,
    ExplainedMove,
    Move,
    Refusal,
    View,
    Waiting,
)

# ---------------------------------------------------------------------- questions about the rules


@dataclass(frozen=True, slots=True)
class Position:
    """A position with the agreement it is played under; ``line`` is written by the service and only handed back."""

    agreement: Agreement
    line: str

    def __str__(self) -> str:
        """Give the line."""
        return self.line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the table has to supply: cards in some order, or one of some numbers."""

    verb: str
    cards: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """A beginning."""

    position: Position
    wanted: Wanted | None
    view: View


@dataclass(frozen=True, slots=True)
class MoveList:
    """Moves; it can be gone through and indexed like the tuple ``moves`` that it holds."""

    moves: tuple[Move, ...] = ()
    seat: int | None = None
    """The seat whose person may make them; None where nobody is to move."""

    def __iter__(self) -> Iterator[Move]:
        """Go through the moves."""
        return iter(self.moves)

    def __len__(self) -> int:
        """Count the moves."""
        return len(self.moves)

    def __getitem__(self, place: int) -> Move:
        """Give one of the moves."""
        return self.moves[place]


@dataclass(frozen=True, slots=True)
class LegalMoves(MoveList):
    """What a seat may do in a position."""

    wanted: Wanted | None = None
    """What the table has to supply, where it is to move."""


@dataclass(frozen=True, slots=True)
class ExplainedHand:
    """Every card of a hand, and every other act within reach, each with the clauses against it."""

    moves: tuple[ExplainedMove, ...] = ()
    seat: int | None = None
    """The seat that was explained."""

    def __iter__(self) -> Iterator[ExplainedMove]:
        """Go through what the seat might do."""
        return iter(self.moves)

    def __len__(self) -> int:
        """Count what the seat might do."""
        return len(self.moves)

    def __str__(self) -> str:
        """Show one move a line."""
        return "\n".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a move would be accepted, and every clause it breaks."""

    accepted: bool
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedMoves:
    """What came of moves that were played in a position, as the referee sees it."""

    position: Position
    """After the last move that was accepted."""
    played: int
    """How many were accepted."""
    refusals: tuple[Refusal, ...]
    """Why the next one was refused."""
    events: tuple[Event, ...]
    view: View
    wanted: Wanted | None
    points: tuple[int, ...]
    """What each seat has taken in this deal, in points of the first count."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A count, such as "card_points"."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Trick:
    """Which card takes a trick, its place in order of play, and what the trick is worth."""

    place: int
    card: str
    tallies: tuple[Tally, ...]


# ---------------------------------------------------------------------- matches


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that a bot plays."""

    seat: int
    bot: str
    think_ms: int = 0
    """How long it may think about a move; 0 for as long as is usual."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """An ask to take back the last decision."""

    seat: int
    """Who made the decision, and asks."""
    awaited: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What came of an ask to take back: it is taken back, or the seats are named that have not answered."""

    revision: int
    taken_back: bool
    awaited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """A match as those eyes see it."""

    match: str
    agreement: Agreement
    revision: int
    """Counts the moves that everybody may know of."""
    view: View
    seat: int | None = None
    """Whose eyes; None for the public and the referee."""
    ended: bool = False
    """It was ended before its time."""
    cursor: str = field(default="", repr=False)
    """Where watching goes on from here."""
    next_commitment: str = field(default="", repr=False)
    """The commitment to the next draw that the service makes; empty where the referee deals."""
    words_awaited: tuple[int, ...] = ()
    """The seats whose words the next pack is waiting for."""
    deadline_ms: int | None = None
    """Until when the seat on turn may think, in milliseconds since 1970; None where no clock runs."""
    bank_ms: tuple[int, ...] = ()
    """What is left in the bank of each seat, in milliseconds."""
    asked_back: AskedBack | None = None
    """Who asks to take back the last decision."""
    bots: tuple[BotSeat, ...] = ()
    """The seats that bots play."""

    @property
    def over(self) -> bool:
        """Tell whether nothing more will happen."""
        return self.ended or self.view.waiting is Waiting.NOBODY


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling on time: whether it was over, so that a move was made for the seat on turn."""

    ruled: bool
    revision: int
    deadline_ms: int | None = None
    """Until when the seat that is on turn now may think; None where nobody is."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match of the platform in one line."""

    match: str
    agreement: Agreement
    revision: int
    opened_at: int = 0
    """In seconds since 1970."""
    over: bool = False
    """It was played to its end."""
    ended: bool = False
    """It was ended before its time."""
    private: bool = False


@dataclass(frozen=True, slots=True)
class MatchMoves(MoveList):
    """What a seat may do in a match now."""

    revision: int = 0
    """What this holds for."""


@dataclass(frozen=True, slots=True)
class MatchHand(ExplainedHand):
    """A hand in a match, explained."""

    revision: int = 0
    """What this holds for."""


@dataclass(frozen=True, slots=True)
class MatchVerdict(Verdict):
    """A verdict on a move in a match."""

    revision: int = 0
    """What this holds for."""


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody learns of one move."""

    revision: int
    cursor: str = field(repr=False)
    """Where watching goes on after it."""
    events: tuple[Event, ...]

    def __str__(self) -> str:
        """Say what happened."""
        return "; ".join(map(str, self.events))


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a move."""

    accepted: bool
    """It was made."""
    refusals: tuple[Refusal, ...]
    """Every clause it breaks; where it is accepted, a breach that the rules let happen at a price."""
    revision: int
    """The revision after it."""
    events: tuple[Event, ...]
    """What happened, as the mover may know it."""
    view: View | None = None
    """The table after it, where it was asked for."""
    repeated_request: bool = False
    """This request id had been played before: nothing happened now."""
