"""The `Game` protocol: what every game implements, and all that the rest of the service knows of one.

A game is an immutable value. A position is an immutable value; a move leads from one position to the next. The
functions on top of the protocol (validate, list, play) stand below it.

Chance is a seat: where a shuffled pack or a lot is needed, `Game.turn` is `CHANCE` and `Game.chance_request`
describes it. So the list of moves determines the match: the same list always leads to the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import (
    CHANCE,
    DEALT_IN,
    MATCH_OVER,
    NOT_YOUR_TURN,
    WRONG_PHASE,
    CardSpec,
    ChanceRequest,
    Clause,
    Event,
    Fact,
    Inference,
    Move,
    MoveSpec,
    Reason,
    Refusal,
    Seat,
    SuitRanking,
    View,
    Viewer,
    Zone,
    ZoneSpec,
)
from chitarrella.core.options import GameEntry

# Questions about single tricks


T = TypeVar("T")


class NoTrumpCard(Enum):
    """The type of `NO_TRUMP_CARD`."""

    NO_TRUMP_CARD = "no trump card"


NO_TRUMP_CARD: Final = NoTrumpCard.NO_TRUMP_CARD
"""What stands in place of the trump card where it is known that no card is the trump."""


class TrickState(NamedTuple):
    """What is known of a trick and of the table around it; None stands for unknown.

    - ``cards``: the cards of the trick in order of play, none for a lead.
    - ``trump``: the trump suit, empty for none. ``trump_card``: the single card that is the trump.
    - ``declared_suit``: the suit that the leader of the trump card has declared, empty for none.
    - ``stock_size``: the number of cards to draw. ``tricks``: the cards of each earlier trick of the deal.
    """

    cards: Hand = ()
    trump: str | None = None
    trump_card: Card | NoTrumpCard | None = None
    declared_suit: str | None = None
    stock_size: int | None = None
    tricks: tuple[Hand, ...] | None = None


class Answer(NamedTuple, Generic[T]):
    """What the answer can be, each value once, over all that the unknown fields of a `TrickState` can be.

    ``depends_on`` are the unknown fields that change it; there are none if it can be one value only.
    """

    values: tuple[T, ...]
    depends_on: tuple[str, ...] = ()


Validation = Answer[tuple[Refusal, ...]]
"""Every clause that a play breaks."""


class TrickRules(Protocol):
    """The rules of a single trick: suits, the plays of a hand, the winner, the counts. They are a protocol
    because `core`, whose `Game` names them, may not import the family that has them (`tricks.single_trick`).

    ``trump`` is the trump suit, empty for none. Cards that are played stand in order of play.
    """

    @property
    def suits(self) -> frozenset[str]:
        """The suits that a card can count as, by `suit_of`."""

    @property
    def has_trumps(self) -> bool:
        """Whether the game has a trump suit in some deal."""

    @property
    def has_trump_card(self) -> bool:
        """Whether the trump of the game is a single card."""

    @property
    def everybody_plays(self) -> bool:
        """Whether every seat takes part in each deal."""

    @property
    def largest_hand(self) -> int:
        """The number of cards that a seat holds at most while cards are played to tricks."""

    @property
    def largest_stock(self) -> int:
        """The number of cards that are left at most when the hands have been dealt."""

    @property
    def suit_of(self) -> Mapping[Card, str]:
        """The suit that each card counts as; a game may assign it by rank."""

    def verbs(self, trick: Hand) -> tuple[str, ...]:
        """Return the verbs of the moves that play cards to ``trick`` (empty for a lead)."""

    def plays(self, hand: Hand, state: TrickState, seat: Seat) -> Mapping[Move, Validation]:
        """Return the plays that a hand can make, legal or not; `validation` answers for any other move."""

    def validation(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        """Return the clauses that ``move`` breaks if ``seat`` is to play; its verb is one of `verbs`."""

    def conditions(self, hand: Hand, state: TrickState, seat: Seat, move: Move) -> Validation:
        """Return the clauses that ``move`` breaks whosever turn it is; its verb is one of `verbs`."""

    def winning_index(self, state: TrickState) -> Answer[int]:
        """Return the index of the card that takes ``state.cards`` (at least one)."""

    def count(self, cards: Hand, trump: str) -> tuple[tuple[str, int], ...]:
        """Return the sum over ``cards`` in each count of the game, by its name; the main count first."""


P = TypeVar("P")
"""The position type of a family: a frozen value."""

MoveValue: TypeAlias = tuple[float, ...]
"""The value of a move in a heuristic, compared as tuples: the greatest is the best."""
UNKNOWN: Final[MoveValue] = ()
"""The value of a move that the heuristic does not know, below all others: the bots try such moves by search."""


class Game(Protocol[P]):
    """The rules of a game as a table has agreed on them, ready to be played.

    ``P`` is the type of its positions. Parameters: ``p`` is a position, ``seat`` and ``actor`` are seats; ``actor`` is
    the seat whose person acts, which for a dummy's cards is the partner.
    """

    @property
    def entry(self) -> GameEntry:
        """The game in the catalogue, with its name, its options and its rule book."""

    @property
    def family(self) -> str:
        """How it is played: ``tricks``, ``exchange`` or ``other``."""

    @property
    def key(self) -> str:
        """The key of the game in the catalogue."""

    @property
    def edition(self) -> int:
        """The number of this version of the rules."""

    @property
    def pack(self) -> Pack:
        """The cards of the game in canonical order, and which of its faces are out of play."""

    @property
    def seats(self) -> int:
        """The number of seats, dummies included. Seats are numbered from 0 in order of play."""

    @property
    def sides(self) -> tuple[int, ...]:
        """The side of each seat, as known before the deal. Seats of one side play together."""

    @property
    def lower_score_wins(self) -> bool:
        """Whether of two scores of a match the lower one is better."""

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

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Every reason for which a move may be refused."""

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
        """Return the seat to play: `CHANCE` if a pack or a lot is needed, None if the match is finished.

        Where several decide at once it is the first of them who has still to decide.
        """

    def turns(self, p: P) -> tuple[Seat, ...]:
        """Return every seat that has to play now: `turn` alone, or all that have still to decide at once."""

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


AnyGame: TypeAlias = Game[Any]
"""A game of any family, for code that does not look into positions."""

Position: TypeAlias = Any
"""A position of any family."""


# Play on top of the `Game` protocol


class IllegalMove(Exception):
    """An illegal move, with every broken clause; nothing has changed. Its text has codes; `i18n` makes sentences."""

    def __init__(self, refusals: tuple[Refusal, ...], number: int | None = None) -> None:
        """Hold the ``refusals`` in the order of checking; ``number`` counts the moves of a replay, from 1."""
        super().__init__(", ".join(f"{refusal.code} ({refusal.clause.key})" for refusal in refusals))
        self.refusals, self.number = refusals, number


class CheckedMove(NamedTuple):
    """A move of ``actor`` with what its check has read in a position, for `apply_checked`.

    ``seat`` is the one whose cards it moves, ``spec`` the kind of the move, ``turn`` the seat to play (`Game.turn`).
    ``refusals`` are the clauses that it breaks. It ``is_accepted`` if there are none, or if each carries a penalty.
    """

    actor: Seat
    seat: Seat
    move: Move
    spec: MoveSpec
    turn: Seat | None
    refusals: tuple[Refusal, ...]
    is_accepted: bool


def validate_move(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[Refusal, ...]:
    """Return every clause that ``move`` by ``actor`` breaks; empty if it is legal. Phase first, then turn.

    A clause that cannot be evaluated because an earlier one is broken is left out. In the wrong phase nobody is on
    turn. Out of turn nobody has a duty, so the `conditions` follow alone: what does not depend on whose turn it is.
    They are evaluated only for a seat that ``actor`` plays, because the answer reveals what it holds.
    """
    return _refusals(game, p, actor, move, game.move_specs[move.verb], game.turn(p))


def _refusals(game: Game[P], p: P, actor: Seat, move: Move, spec: MoveSpec, turn: Seat | None) -> tuple[Refusal, ...]:
    verb, seat = move.verb, actor if move.seat is None else move.seat
    if not game.is_in_phase(p, verb):
        return (game.refuse(MATCH_OVER) if game.is_finished(p) else game.refuse(WRONG_PHASE, word=game.phase(p)),)
    if not (spec.by_chance if actor == CHANCE else not spec.by_chance and game.controller(seat) == actor):
        # reveals nothing about a hand that actor does not play
        return (game.refuse(MATCH_OVER) if turn is None else game.refuse(NOT_YOUR_TURN, verb=verb, amount=turn),)
    if seat == turn or spec.out_of_turn or seat in game.turns(p):
        return game.refusals(p, seat, move)
    return (game.refuse(NOT_YOUR_TURN, verb=verb, amount=turn), *game.conditions(p, seat, move))


def check_move(game: Game[P], p: P, actor: Seat, move: Move) -> CheckedMove:
    """Validate ``move`` by ``actor``, and keep what `apply_checked` and its callers need of it."""
    spec, turn, seat = game.move_specs[move.verb], game.turn(p), actor if move.seat is None else move.seat
    refusals = _refusals(game, p, actor, move, spec, turn)
    return CheckedMove(actor, seat, move, spec, turn, refusals, is_accepted(refusals))


def legal_moves(game: Game[P], p: P, actor: Seat) -> tuple[Move, ...]:
    """Return the legal moves of ``actor``, moves out of turn included."""
    return tuple(game.legal_moves(p, actor))


def default_move(game: Game[P], p: P, actor: Seat) -> Move:
    """Return the move that is made for ``actor``, who is on turn, when its time is over.

    It is the legal move with `MoveSpec.timeout_default`, such as a pass; else the first legal one.
    """
    moves = [move for move in legal_moves(game, p, actor) if not game.move_specs[move.verb].out_of_turn]
    return next((move for move in moves if game.move_specs[move.verb].timeout_default), moves[0])


def play(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Validate and apply one move; raises `IllegalMove` if it breaks a clause that has no penalty.

    >>> from chitarrella.catalogue.registry import Catalogue, RuleSet
    >>> best_known = max(Catalogue(), key=lambda game: game.entry.book.fame).key
    >>> game = Catalogue().game_for(RuleSet(best_known, players=2))
    >>> position, _ = play(game, game.start(), CHANCE, Move("start_deal", game.pack.cards))
    >>> [move.cards for move in legal_moves(game, position, 1)]
    [(Ab,), (2b,), (3b,)]
    >>> play(game, position, 1, Move("play_card", game.pack.hand(["As"])))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    chitarrella.core.game.IllegalMove: not_in_hand (...)
    >>> position, events = play(game, position, 1, Move("play_card", game.pack.hand(["3b"])))
    >>> seat_to_move(game, position)
    0
    """
    refusals = validate_move(game, p, actor, move)
    if refusals and not is_accepted(refusals):
        raise IllegalMove(refusals)
    return apply_move(game, p, actor, move)


def is_accepted(refusals: tuple[Refusal, ...]) -> bool:
    """Return whether a move with these refusals is played: if there are none, or if each carries a penalty."""
    return not refusals or all(refusal.reason.penalty for refusal in refusals)


def apply_checked(game: Game[P], p: P, checked: CheckedMove) -> tuple[P, tuple[Event, ...]]:
    """Apply a move that `check_move` has accepted on ``p``."""
    events: list[Event] = []
    return game.apply(p, checked.seat, checked.move, events), tuple(events)


def apply_move(game: Game[P], p: P, actor: Seat, move: Move) -> tuple[P, tuple[Event, ...]]:
    """Apply a move that is known to be legal on ``p``, such as one of `legal_moves`; it is not checked."""
    events: list[Event] = []
    return game.apply(p, actor if move.seat is None else move.seat, move, events), tuple(events)


def replay(game: Game[P], moves: Iterable[tuple[Seat, Move]], p: P | None = None) -> P:
    """Play ``moves`` in order, from the start or from ``p``; raises `IllegalMove` at the first illegal one."""
    at = game.start() if p is None else p
    for actor, move in moves:
        at, _ = play(game, at, actor, move)
    return at


def actors(game: Game[P], p: P) -> tuple[Seat, ...]:
    """Return the seats whose persons have a legal move now, in order. Depends on hidden cards: for the referee only."""
    persons = sorted({game.controller(seat) for seat in range(game.seats)})
    return tuple(seat for seat in persons if legal_moves(game, p, seat))


def seat_to_move(game: Game[P], p: P) -> Seat | None:
    """Return the seat of the person on turn; None if `CHANCE` is on turn or the match is over."""
    turn = game.turn(p)
    return None if turn is None or turn == CHANCE else game.controller(turn)


def persons_to_move(game: Game[P], p: P) -> tuple[Seat, ...]:
    """Return the seats of all persons that have to move: one, but where several decide at once."""
    return tuple([game.controller(seat) for seat in game.turns(p) if seat != CHANCE])


def turn_order(view: View, seats: int, first: Seat) -> tuple[Seat, ...]:
    """Return the seats that are dealt in, in order of play, from ``first`` on."""
    part = {fact.seat for fact in view.facts if fact.name == DEALT_IN} or range(seats)
    return tuple(seat for step in range(seats) if (seat := (first + step) % seats) in part)
