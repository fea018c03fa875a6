"""Positions, whole or partial, and what the service returns about them, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from chitarrella_client.types import Event, ExplainedMove, Move, Refusal, RuleSet, Verdict, View


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


Cards: TypeAlias = str | Sequence[str]
"""Cards as one text, separated by blanks, or as a list."""


@dataclass(frozen=True, slots=True)
class PartialTrick:
    """A trick, as far as it is known."""

    cards: Cards = ()
    """The cards in order of play."""
    leader: int | None = None
    """The seat that leads it; None if the seat of the question is the one to play."""
    declared_suit: str | None = None
    """The suit that the leader of the trump card has declared: "" for none, None if it is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartialPosition:
    """What is known of a position in a game of tricks, in place of a `Position`.

    A part that is left out is unknown, and nothing is assumed about it: an answer names the parts that it depends on.
    """

    rule_set: RuleSet | str = field(kw_only=False)
    """What is played; the key of a game for its default rule set."""
    hands: Mapping[int, Cards] = field(default_factory=dict, hash=False)
    """The known hands by seat, each complete."""
    trick: PartialTrick | Cards | None = None
    """The current trick, or only its cards; no cards for a lead, None if it is unknown."""
    trump: str | None = None
    """The trump suit: "" for no trumps, None if it is unknown."""
    trump_card: str | None = None
    """The trump card, in games where the trump is a single card: "" for none, None if it is unknown."""
    stock_size: int | None = None
    """The number of cards to draw; None if it is unknown."""
    dealt_in: Sequence[int] = ()
    """The seats that take part in the deal, where seats may sit out; none if unknown."""


PositionLike: TypeAlias = Position | PartialPosition
"""A position, or what is known of it."""


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
    undecided: tuple[ExplainedMove, ...] = ()
    """For a partial position: the moves whose legality depends on an unknown part. They are not among the moves."""
    depends_on: tuple[str, ...] = ()
    """The unknown parts of a partial position without which nothing can be listed: "hands", "trick"."""


@dataclass(frozen=True, slots=True)
class ExplainedMoveList:
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
class ExplainedHand(ExplainedMoveList):
    """A hand in a position, explained."""

    depends_on: tuple[str, ...] = ()
    """The unknown parts of a partial position without which nothing can be explained: "hands", "trick"."""


@dataclass(frozen=True, slots=True)
class MoveValidation:
    """Whether a move is accepted."""

    verdict: Verdict
    refusals: tuple[Refusal, ...] = ()
    """Every clause that it breaks or may break."""
    depends_on: tuple[str, ...] = ()
    """The unknown parts of a partial position that the refusals depend on, such as "trump"."""


@dataclass(frozen=True, slots=True)
class MovePenalty:
    """What an accepted move costs."""

    index: int
    """The index of the move, from 0."""
    refusals: tuple[Refusal, ...]
    """The clauses that it breaks at a penalty."""


@dataclass(frozen=True, slots=True)
class AppliedMoves:
    """The result of moves in a position, as the referee sees it."""

    position: Position
    """The position after the last move that was accepted."""
    applied: int
    """Number of moves that were accepted."""
    refusals: tuple[Refusal, ...]
    """Why the next move was refused; empty if all were accepted."""
    penalties: tuple[MovePenalty, ...]
    """The accepted moves that break clauses at a penalty."""
    events: tuple[Event, ...]
    view: View
    chance_request: ChanceRequest | None
    """What chance has to supply, if it is to move."""
    points: tuple[int, ...]
    """What each seat has taken in this deal, in points of the main count."""
    legal_moves: tuple[Move, ...]
    """The legal moves of the seat to move, which is the ``turn`` of the view."""


@dataclass(frozen=True, slots=True)
class Score:
    """A score in one count."""

    name: str
    """The name of the count, such as "card_points"."""
    value: int


@dataclass(frozen=True, slots=True)
class CardScores:
    """What cards count."""

    scores: tuple[Score, ...]
    """A score in each count of the game; none if that depends on an unknown part."""
    depends_on: tuple[str, ...] = ()
    """The unknown parts that the answer depends on, such as "trump"."""


@dataclass(frozen=True, slots=True)
class TrickResult:
    """The card that takes a trick."""

    winning_index: int | None
    """Its index in order of play, from 0; None if it depends on an unknown part."""
    winning_card: str
    """The card; empty if it depends on an unknown part."""
    scores: tuple[Score, ...]
    """What the trick counts; none if that depends on an unknown part."""
    depends_on: tuple[str, ...] = ()
    """The unknown parts that the answer depends on, such as "trump"."""
