"""The information state: all that a seat can know of a position, and the only input of a bot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random
from typing import TypeAlias

from chitarrella.bots.determinization import HiddenCards
from chitarrella.core.game import AnyGame, MoveValue, Position, default_move, legal_moves, validate_move, view_for
from chitarrella.core.model import Move, Refusal, Seat, View


class InformationState:
    """A position as the person of ``seat`` knows it. Everything is computed when it is first needed.

    The position itself stays private: what is computed from it depends only on what the seat can see.
    """

    def __init__(self, game: AnyGame, p: Position, seat: Seat, *, out_of_turn: bool = True) -> None:
        """Wrap ``p``; without ``out_of_turn`` only moves that wait for the turn of the seat count as moves."""
        self.game = game
        self.seat = seat
        self._p = p
        self._out_of_turn = out_of_turn

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        return view_for(self.game, self._p, self.seat)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The legal moves of the seat."""
        specs, moves = self.game.move_specs, legal_moves(self.game, self._p, self.seat)
        return moves if self._out_of_turn else tuple(move for move in moves if not specs[move.verb].out_of_turn)

    @property
    def default_move(self) -> Move:
        """The move that is made for the seat, which is on turn, when its time is over."""
        return default_move(self.game, self._p, self.seat)

    def refusals(self, move: Move) -> tuple[Refusal, ...]:
        """Return every clause that a move of the seat would break."""
        return validate_move(self.game, self._p, self.seat, move)

    @cached_property
    def move_values(self) -> Sequence[MoveValue]:
        """The heuristic value of each of `moves`."""
        return self.game.move_values(self._p, self.seat, self.moves)

    @cached_property
    def _hidden_cards(self) -> HiddenCards:
        return HiddenCards(self.game, self._p, self.seat)

    def sample(self, rng: Random) -> Position:
        """Return a position that looks the same to the seat, in which the cards hidden from it are dealt at random."""
        return self._hidden_cards.redeal(rng)


Bot: TypeAlias = Callable[[InformationState, Random], Move]
"""Chooses one of the legal moves of an information state, of which there is at least one."""
