"""The `Game` protocol: what every game implements, and all that the rest of the service knows of one.

A game is an immutable value. A position is an immutable value; a move leads from one position to the next. The
functions on top of the protocol (validate, list, play, view) stand in `chitarrella.core.play`.

Chance is a seat: where a shuffled pack or a lot is needed, `Game.turn` is `CHANCE` and `Game.chance_request`
describes it. So the list of moves determines the match: the same list always leads to the same position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from chitarrella.core.cards import Pack
from chitarrella.core.model import (
    CardSpec,
    ChanceRequest,
    Clause,
    Edition,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    Zone,
    ZoneSpec,
)
from chitarrella.core.options import InvalidOption, Option
from chitarrella.core.trick_rules import TrickRules
from chitarrella.core.visibility import Viewer

P = TypeVar("P")
"""The position type of a family: a frozen value."""

MoveValue: TypeAlias = tuple[float, ...]
"""The value of a move in a heuristic, compared as tuples: the greatest is the best."""


class Game(Protocol[P]):
    """A configured game, ready to be played.

    ``P`` is the type of its positions. Parameters: ``p`` is a position, ``seat`` and ``actor`` are seats; ``actor`` is
    the seat whose person acts, which for a dummy's cards is the partner.
    """

    @property
    def key(self) -> str:
        """The key of the game in the catalogue."""

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""

    @property
    def pack(self) -> Pack:
        """The pack of cards."""

    @property
    def seats(self) -> int:
        """The number of seats, dummies included. Seats are numbered from 0 in order of play."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat, as known before the deal. Seats of one side play together."""

    @property
    def avoids_points(self) -> bool:
        """Whether `points` are to be avoided."""

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The rule book."""

    @property
    def move_specs(self) -> Mapping[str, MoveSpec]:
        """The specification of every kind of move, by verb."""

    @property
    def trick_rules(self) -> TrickRules | None:
        """The rules of a single trick; None if the game is not played in tricks."""

    def refuse(self, reason: Reason, *, verb: str = "", word: str = "", amount: int | None = None) -> Refusal:
        """Return a refusal that cites the game's clause for ``reason``, or the special one for the move ``verb``."""

    def start(self) -> P:
        """Return the position before the first deal."""

    def phase(self, p: P) -> str:
        """Return the name of the phase of ``p``."""

    def is_in_phase(self, p: P, verb: str) -> bool:
        """Return whether moves of kind ``verb`` belong to the phase of ``p`` and to the state of that phase."""

    def is_finished(self, p: P) -> bool:
        """Return whether the match is finished: no further move will be accepted."""

    def turn(self, p: P) -> Seat | None:
        """Return the seat to play: `CHANCE` if a pack or a lot is needed, None if the match is finished."""

    def chance_request(self, p: P) -> ChanceRequest:
        """Return what `CHANCE` has to supply; defined only if `turn` is `CHANCE`."""

    def controller(self, seat: Seat) -> Seat:
        """Return the seat whose person moves the cards of ``seat``: itself, or the partner of a dummy."""

    def partner(self, seat: Seat) -> Seat | None:
        """Return the seat of the other person on the side of ``seat``, None if there is none."""

    def candidates(self, p: P, actor: Seat) -> Iterable[Move]:
        """Yield all moves that ``actor`` could physically make now, legal or not."""

    def legal_moves(self, p: P, actor: Seat) -> Iterable[Move]:
        """Yield those of the `candidates` for which `refusals` is empty, in the same order."""

    def potential_moves(self, p: P, actor: Seat) -> Iterable[Move]:
        """Yield `candidates`, and the moves that ``actor`` could make if it were on turn."""

    def conditions(self, p: P, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return the clauses that ``move`` of ``seat`` breaks whosever turn it is, possession first.

        A condition asks what the move, the cards of ``seat``, the options and the position answer, without the turn:
        whether the card is held, the number in range, the move agreed on. It shows ``seat`` nothing that is hidden
        from it.
        """

    def refusals(self, p: P, seat: Seat, move: Move) -> tuple[Refusal, ...]:
        """Return every clause that ``move`` would break if ``seat`` is to move: the one source of legality.

        They are the `conditions`, and the clauses about what the seat to move must do: follow suit, head the trick.
        """

    def apply(self, p: P, seat: Seat, move: Move, events: list[Event]) -> P:
        """Return the position after ``move``, without a check; append what happens to ``events``."""

    def zones(self, p: P) -> Iterable[Zone]:
        """Yield the zones. Every card of the pack lies in exactly one."""

    def facts(self, p: P) -> Iterable[Fact]:
        """Yield everything else that is true of ``p``."""

    def inferences(self, p: P, viewer: Viewer) -> Iterable[Inference]:
        """Yield what ``viewer`` can infer about the cards hidden from it."""

    def redeal(self, p: P, viewer: Viewer, zones: Sequence[Zone]) -> P:
        """Return ``p`` with its cards as in ``zones``, and without the private facts of others than ``viewer``.

        ``zones`` are those of `zones`, in the same order and of the same sizes. Only the cards of zones that are hidden
        from ``viewer`` may differ.
        """

    def move_values(self, p: P, seat: Seat, moves: Sequence[Move]) -> Sequence[MoveValue]:
        """Return the heuristic value of each of the legal ``moves`` of ``seat``.

        The values depend only on what ``seat`` can see in ``p``. They order the moves of one position; between
        positions they cannot be compared.
        """

    def points(self, p: P) -> tuple[int, ...]:
        """Return the points that each seat has taken in this deal, in the main count of the game."""

    def scores(self, p: P) -> tuple[int, ...]:
        """Return the score of the match for each seat."""

    def outcome(self, p: P) -> frozenset[Seat] | None:
        """Return the seats that have won the match: empty for a draw, None if it goes on."""

    def encode(self, p: P) -> str:
        """Return ``p`` as one line of text."""

    def decode(self, text: str) -> P:
        """Parse a line of `encode`; raises `InvalidPosition` for bad syntax and for impossible positions."""


class GameDefinition(Game[P], Protocol[P]):
    """A game with its catalogue entry."""

    @property
    def title(self) -> str:
        """The name that players use."""

    @property
    def place(self) -> str:
        """The place or region where it is played."""

    @property
    def sources(self) -> tuple[str, ...]:
        """The documents that the rules rest on."""

    @property
    def editions(self) -> tuple[Edition, ...]:
        """The versions of the rules, up to this one."""

    @property
    def seatings(self) -> Mapping[int, Callable[[Any], Any]]:
        """The numbers of players, each with the change that it makes to the game."""

    @property
    def options(self) -> tuple[Option[Any], ...]:
        """The options."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move may be refused."""

    @property
    def reason_clauses(self) -> Mapping[str, Clause]:
        """The clause for each reason code."""

    @property
    def phase_names(self) -> tuple[str, ...]:
        """The names of all phases, those without moves included."""

    @property
    def ranking(self) -> tuple[SuitRanking, ...]:
        """The ranks with their counts; one entry for all suits, or one for each group of ranks with its own suit."""

    @property
    def card_specs(self) -> tuple[CardSpec, ...]:
        """Each different card in play, in canonical order."""

    @property
    def zone_specs(self) -> tuple[ZoneSpec, ...]:
        """Every kind of zone that `zones` may yield."""

    def conflict(self) -> InvalidOption | None:
        """Return an error if two chosen options exclude each other."""


AnyGame: TypeAlias = GameDefinition[Any]
"""A game of any family, for code that does not look into positions."""

Position: TypeAlias = Any
"""A position of any family."""
