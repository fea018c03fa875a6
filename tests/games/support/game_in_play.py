"""A game that is played at random beside a reference program, which names the moves that it expects."""

from __future__ import annotations

from random import Random

from chitarrella.core.game import legal_moves, play
from chitarrella.core.model import REFEREE, Event, Move, Seat
from chitarrella.exchange.game import ExchangeGame
from chitarrella.exchange.round import Round
from tests.games.support.exchange_events import in_words


class GameInPlay:
    """A game, its position, and all its events so far."""

    def __init__(self, game: ExchangeGame, p: Round, rng: Random) -> None:
        """Start at ``p``."""
        self.game = game
        self.p = p
        self._rng = rng
        self._emitted: list[Event] = []

    @property
    def words(self) -> list[str]:
        """The events in the notation of the reference."""
        return in_words(self._emitted, REFEREE)

    def move(self, actor: Seat, made: Move) -> None:
        """Play a move."""
        self.p, events = play(self.game, self.p, actor, made)
        self._emitted.extend(events)

    def choose(self, actor: Seat, phase: str, verbs: set[str], favoured: set[str]) -> str:
        """Choose one of ``verbs``, a favoured one twice as often; they must be the legal ones of the seat to move."""
        assert (phase, actor) == (self.p.phase, self.game.turn(self.p))
        assert verbs == {each.verb for each in legal_moves(self.game, self.p, actor)}
        return self._rng.choice([*sorted(verbs), *sorted(favoured & verbs)])
