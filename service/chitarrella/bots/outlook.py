"""What a seat can know of a position, and the only thing that a bot is given."""

from __future__ import annotations

from functools import cached_property
from random import Random

from chitarrella.bots.imagining import Unseen
from chitarrella.game import AnyGame, Position, legal, look
from chitarrella.words import Move, Seat, View


class Outlook:
    """A position as the person of ``seat`` knows it; whatever it is asked is worked out when it is asked first."""

    def __init__(self, game: AnyGame, p: Position, seat: Seat, *, free: bool = True) -> None:
        """Look at ``p``, which is shown to nobody; without ``free`` what does not wait for its turn is no move."""
        self._free = free
        self.game = game
        self.seat = seat
        self._p = p

    @cached_property
    def view(self) -> View:
        """What the seat sees."""
        return look(self.game, self._p, self.seat)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """What the seat may do."""
        forms, moves = self.game.forms, legal(self.game, self._p, self.seat)
        return moves if self._free else tuple(move for move in moves if not forms[move.verb].free)

    @cached_property
    def _unseen(self) -> Unseen:
        return Unseen(self.game, self._p, self.seat)

    def imagine(self, rng: Random) -> Position:
        """Give a position that looks the same to the seat, in which luck has dealt whatever it does not see."""
        return self._unseen.dealt(rng)
