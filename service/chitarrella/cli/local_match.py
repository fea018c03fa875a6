"""A match in this process: its position, its bots and its moves so far."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from chitarrella.bots import Bot, InformationState
from chitarrella.bots.chance import chance_move
from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import Catalogue, RuleSet
from chitarrella.core.game import AnyGame, play, seat_to_move
from chitarrella.core.model import CHANCE, Event, Move, Seat


class PlayerLeft(Exception):
    """The player has left the match; ``by_choice`` is false if the input has ended."""

    def __init__(self, *, by_choice: bool) -> None:
        """Hold whether the player chose to leave."""
        super().__init__()
        self.by_choice = by_choice


class LocalMatch:
    """A running match. One seed determines the shuffles and the bots.

    Chance and each bot have a random generator of their own, so the moves of a person do not change the next deal.
    """

    def __init__(self, rule_set: RuleSet, game: AnyGame, bots: Mapping[Seat, Bot], seed: int) -> None:
        """Start before the first deal, with ``bots`` by seat."""
        self.rule_set = rule_set
        self.game = game
        self.bots = bots
        self.seed = seed
        self.p = game.start()
        self.moves: list[tuple[Seat, Move]] = []
        self._chance_rng = Random(f"{seed}/table")
        self._bot_rngs = {seat: Random(f"{seed}/seat {seat}") for seat in bots}

    @property
    def actor(self) -> Seat | None:
        """The seat whose person moves next: `CHANCE` for a pack or a lot, None if the match is finished."""
        return CHANCE if self.game.turn(self.p) == CHANCE else seat_to_move(self.game, self.p)

    def play(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Play a move and return its events; raises `IllegalMove`."""
        self.p, events = play(self.game, self.p, actor, move)
        self.moves.append((actor, move))
        return events

    def advance(self) -> tuple[Event, ...]:
        """Play the next move of chance or a bot and return its events; raises `ValueError` if the match is finished."""
        actor = self.actor
        if actor is None:
            raise ValueError("the match is finished")
        if actor == CHANCE:
            return self.play(actor, chance_move(self.game, self.p, self._chance_rng))
        return self.play(actor, self.bots[actor](InformationState(self.game, self.p, actor), self._bot_rngs[actor]))

    def record_text(self, catalogue: Catalogue) -> str:
        """Return the record of the match so far."""
        return format_record(catalogue, Record(self.rule_set, moves=tuple(self.moves)))
