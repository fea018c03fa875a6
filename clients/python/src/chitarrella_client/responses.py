"""Response types: what the service returns about positions and matches, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from chitarrella_client.types import (
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
    """A position and its agreement. ``line`` is the position as text: written by the service, opaque to the client."""

    agreement: Agreement
    line: str

    def __str__(self) -> str:
        """Return the position as text."""
        return self.line


@dataclass(frozen=True, slots=True)
class Wanted:
    """What chance has to supply: the pack in some order, or one of several numbers."""

    verb: str
    cards: tuple[str, ...] = ()
    amounts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a match."""

    position: Position
    wanted: Wanted | None
    view: View


@dataclass(frozen=True, slots=True)
class MoveList:
    """A list of moves; iterable and indexable like the tuple ``moves``."""

    moves: tuple[Move, ...] = ()
    seat: int | None = None
    """The seat that may make them; None if no seat is to move."""

    def __iter__(self) -> Iterator[Move]:
        """Iterate over the moves."""
        return iter(self.moves)

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.moves)

    def __getitem__(self, place: int) -> Move:
        """Return the move at an index."""
        return self.moves[place]


@dataclass(frozen=True, slots=True)
class LegalMoves(MoveList):
    """The legal moves of a seat in a position."""

    wanted: Wanted | None = None
    """What chance has to supply, if the game waits for that."""


@dataclass(frozen=True, slots=True)
class ExplainedHand:
    """Every card of a hand, and every other move within reach, each with the clauses that forbid it."""

    moves: tuple[ExplainedMove, ...] = ()
    seat: int | None = None
    """The seat that was explained."""

    def __iter__(self) -> Iterator[ExplainedMove]:
        """Iterate over the moves."""
        return iter(self.moves)

    def __len__(self) -> int:
        """Return the number of moves."""
        return len(self.moves)

    def __str__(self) -> str:
        """Return one line for each move."""
        return "\n".join(map(str, self.moves))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a move would be accepted, and every clause that it breaks."""

    accepted: bool
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayedMoves:
    """The result of playing moves in a position, as the referee sees it."""

    position: Position
    """The position after the last accepted move."""
    played: int
    """Number of accepted moves."""
    refusals: tuple[Refusal, ...]
    """Why the move after those was refused."""
    events: tuple[Event, ...]
    view: View
    wanted: Wanted | None
    points: tuple[int, ...]
    """The points that each seat has taken in this deal, by the first of the game's counts."""


@dataclass(frozen=True, slots=True)
class Tally:
    """A number of points of one kind, such as "card_points"."""

    name: str
    number: int


@dataclass(frozen=True, slots=True)
class Trick:
    """The card that takes a trick, its place in order of play (from 0), and the points of the trick."""

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
    """Milliseconds for a move; 0 for the bot's default."""


@dataclass(frozen=True, slots=True)
class AskedBack:
    """A pending request to take back the last decision."""

    seat: int
    """The seat that made the decision and requests the takeback."""
    awaited: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The result of a takeback request: the decision is taken back, or answers are awaited."""

    revision: int
    taken_back: bool
    awaited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """A match as it stands, as far as it is visible to the reader."""

    match: str
    agreement: Agreement
    revision: int
    """Number of moves so far; secret ones do not count."""
    view: View
    seat: int | None = None
    """The seat whose view this is; None for the public and the referee."""
    ended: bool = False
    """It was aborted."""
    cursor: str = field(default="", repr=False)
    """The cursor to watch from, for what happens after this."""
    next_commitment: str = field(default="", repr=False)
    """The commitment to the service's next draw; empty if the referee deals."""
    words_awaited: tuple[int, ...] = ()
    """The seats whose contributions to the next shuffle are awaited."""
    deadline_ms: int | None = None
    """The deadline of the seat to move, in milliseconds since 1970; None if no clock is running."""
    bank_ms: tuple[int, ...] = ()
    """The time left in the bank of each seat, in milliseconds."""
    asked_back: AskedBack | None = None
    """The pending takeback request."""
    bots: tuple[BotSeat, ...] = ()
    """The seats that bots play."""

    @property
    def over(self) -> bool:
        """Whether the match is finished or aborted."""
        return self.ended or self.view.waiting is Waiting.NOBODY


@dataclass(frozen=True, slots=True)
class Ruling:
    """The result of enforcing the clock: whether time was up, so that a move was made for the seat."""

    ruled: bool
    revision: int
    deadline_ms: int | None = None
    """The deadline of the seat to move now, in milliseconds since 1970; None if there is none."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list of a platform."""

    match: str
    agreement: Agreement
    revision: int
    opened_at: int = 0
    """When it was created, in seconds since 1970."""
    over: bool = False
    """It is finished."""
    ended: bool = False
    """It was aborted."""
    private: bool = False


@dataclass(frozen=True, slots=True)
class MatchMoves(MoveList):
    """The legal moves of a seat in a match."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchHand(ExplainedHand):
    """A hand in a match, explained."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchVerdict(Verdict):
    """A verdict on a move in a match."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class Told:
    """The events of one move, as far as they are visible to the reader."""

    revision: int
    cursor: str = field(repr=False)
    """The cursor to watch from, for what happens after it."""
    events: tuple[Event, ...]

    def __str__(self) -> str:
        """Return the events."""
        return "; ".join(map(str, self.events))


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a move."""

    accepted: bool
    """Whether the move was made."""
    refusals: tuple[Refusal, ...]
    """Every clause that it breaks; of an accepted move, those that it breaks at a penalty."""
    revision: int
    """The revision of the match after it."""
    events: tuple[Event, ...]
    """What happened, as far as it is visible to the player."""
    view: View | None = None
    """The view after it, if it was requested."""
    repeated_request: bool = False
    """A request with this id had been carried out before; nothing happened now."""
