"""What a seat can know of a position, and the only thing that a bot is given."""

from __future__ import annotations

from functools import cached_property
from random import Random

from chitarrella.bots.imagining import Unseen
from chitarrella.game import AnyGame, Position, legal, look
from chitarrella.words import Move, Seat, View


class Outlook:
    """A position as the person of ``seat`` knows it; whatever it is asked is worked out when it is asked first."""

    def __init__(self, game: AnyGame, p: Position, seat: Seat) -> None:
        """Look at ``p`` from that seat; the position itself is shown to nobody."""
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
        return legal(self.game, self._p, self.seat)

    @cached_property
    def _unseen(self) -> Unseen:
        return Unseen(self.game, self._p, self.seat)

    def imagine(self, rng: Random) -> Position:
        """Give a position that looks the same to the seat, in which luck has dealt whatever it does not see."""
        return self._unseen.dealt(rng)
