"""Response types: what the service returns about positions and matches, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from chitarrella_client.types import (
    Event,
    ExplainedMove,
    Move,
    Refusal,
    RuleSet,
    View,
    Waiting,
)

# ---------------------------------------------------------------------- questions about the rules


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game."""

    rule_set: RuleSet
    """What is played."""
    text: str
    """The position in one line, as the service writes it; opaque to the client."""

    def __str__(self) -> str:
        """Return the text."""
        return self.text


@dataclass(frozen=True, slots=True)
class ChanceRequest:
    """What chance has to supply: a pack in some order, or one of several lots."""

    verb: str
    """The verb of its move, such as "start_deal"."""
    cards: tuple[str, ...] = ()
    """The cards to be shuffled."""
    amounts: tuple[int, ...] = ()
    """The lots to draw from."""


@dataclass(frozen=True, slots=True)
class GameStart:
    """The beginning of a game."""

    position: Position
    """The position before the first card."""
    chance_request: ChanceRequest | None
    """What chance has to supply."""
    view: View
    """The view of the public."""


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

    def __getitem__(self, index: int) -> Move:
        """Return the move at an index."""
        return self.moves[index]


@dataclass(frozen=True, slots=True)
class LegalMoves(MoveList):
    """The legal moves of a seat in a position."""

    chance_request: ChanceRequest | None = None
    """What chance has to supply, if it is to move."""


@dataclass(frozen=True, slots=True)
class ExplainedHand:
    """Every move that a seat might make, each with the clauses that it would break."""

    moves: tuple[ExplainedMove, ...] = ()
    seat: int | None = None
    """The seat; None if no seat is to move."""

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
class MoveValidation:
    """Whether a move is accepted."""

    accepted: bool
    refusals: tuple[Refusal, ...] = ()
    """Every clause that it breaks."""


@dataclass(frozen=True, slots=True)
class AppliedMoves:
    """The result of moves in a position, as the referee sees it."""

    position: Position
    """The position after the last move that was accepted."""
    applied: int
    """Number of moves that were accepted."""
    refusals: tuple[Refusal, ...]
    """Why the next move was refused; empty if all were accepted."""
    events: tuple[Event, ...]
    view: View
    chance_request: ChanceRequest | None
    """What chance has to supply, if it is to move."""
    points: tuple[int, ...]
    """What each seat has taken in this deal, in points of the main count."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score in one count."""

    name: str
    """The name of the count, such as "card_points"."""
    value: int


@dataclass(frozen=True, slots=True)
class TrickResult:
    """The card that takes a trick."""

    winning_index: int
    """Its index in order of play, from 0."""
    winning_card: str
    """The card."""
    scores: tuple[Score, ...]
    """What the trick counts."""


# ---------------------------------------------------------------------- matches


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that a bot plays."""

    seat: int
    bot: str
    think_ms: int = 0
    """How long it may think about a move, in milliseconds; 0 for the default."""


@dataclass(frozen=True, slots=True)
class PendingTakeback:
    """A pending request to take back the last decision."""

    seat: int
    """The seat that made the decision and requests the takeback."""
    awaiting_answers_from: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class TakebackResult:
    """The result of requesting a takeback, or of answering a request."""

    revision: int
    """The revision of the match after it."""
    taken_back: bool
    """The decision is taken back."""
    awaiting_answers_from: tuple[int, ...] = ()
    """The seats that have not answered yet."""


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match as one reader sees it."""

    match_id: str
    rule_set: RuleSet
    revision: int
    """The number of the last public change of the match."""
    view: View
    seat: int | None = None
    """The seat whose view this is; None for the public and the referee."""
    aborted: bool = False
    """It was aborted."""
    cursor: str = field(default="", repr=False)
    """From here `Match.watch` and `Match.events` continue."""
    next_commitment: str = field(default="", repr=False)
    """The commitment to the next shuffle; empty if the referee supplies packs."""
    awaiting_seeds_from: tuple[int, ...] = ()
    """The seats whose seeds the next shuffle waits for."""
    deadline: datetime | None = None
    """Until when the seat to move may think, or seeds are waited for, in UTC; None without a clock."""
    bank_ms: tuple[int, ...] = ()
    """What is left in the bank of each seat, in milliseconds."""
    takeback_request: PendingTakeback | None = None
    """The request to take back the last decision; None if there is none."""
    bots: tuple[BotSeat, ...] = ()
    """The seats that bots play."""

    @property
    def over(self) -> bool:
        """Whether no further move is accepted: the match was played to its end, or aborted."""
        return self.aborted or self.view.waiting is Waiting.NOBODY


@dataclass(frozen=True, slots=True)
class ClockResult:
    """The result of enforcing the clock."""

    timed_out: bool
    """The time was used up: a move was played, or a shuffle made."""
    revision: int
    """The revision of the match after it."""
    deadline: datetime | None = None
    """The present deadline, in UTC; None without one."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in the list of a platform."""

    match_id: str
    rule_set: RuleSet
    revision: int
    """The number of the last public change of the match."""
    create_time: datetime
    """When it was created, in UTC and whole seconds."""
    finished: bool = False
    """It was played to its end."""
    aborted: bool = False
    """It was aborted."""
    private: bool = False
    """It can be seen only with one of its keys."""


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
class MatchMoveValidation(MoveValidation):
    """Whether a move is accepted in a match."""

    revision: int = 0
    """The revision of the match that this holds for."""


@dataclass(frozen=True, slots=True)
class MatchUpdate:
    """The events of one move, as its reader may know them."""

    revision: int
    """The revision they belong to."""
    cursor: str = field(repr=False)
    """From here `Match.watch` and `Match.events` continue."""
    events: tuple[Event, ...]

    def __str__(self) -> str:
        """Return the events."""
        return "; ".join(map(str, self.events))


@dataclass(frozen=True, slots=True)
class MoveResult:
    """The result of a move."""

    accepted: bool
    """The move was played."""
    refusals: tuple[Refusal, ...]
    """Every clause that it breaks; of an accepted move, those that it breaks at a penalty."""
    revision: int
    """The revision of the match after it."""
    events: tuple[Event, ...]
    """Its events, as the mover sees them."""
    view: View | None = None
    """The view after it, if the call asked for it."""
    repeated_request: bool = False
    """A call with this request id was answered before; this one has changed nothing."""
