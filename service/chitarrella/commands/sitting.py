"""A match played at one terminal: the position, everybody who sits there, and every move so far."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from chitarrella.bots import Bot, Outlook
from chitarrella.bots.chance import supply
from chitarrella.catalogue import Agreement, Catalogue
from chitarrella.game import AnyGame, play, waited_for
from chitarrella.record import Record, write_record
from chitarrella.words import CHANCE, Event, Move, Seat


class Left(Exception):
    """The player leaves the table; ``by_choice`` is false where the input has ended."""

    def __init__(self, *, by_choice: bool) -> None:
        """Say whether it was meant."""
        super().__init__()
        self.by_choice = by_choice


class Sitting:
    """A running match, whose packs and bots are moved by one seed.

    Each bot draws from a stream of its own, and so do the packs: what a person does never changes the next deal.
    """

    def __init__(self, agreement: Agreement, game: AnyGame, bots: Mapping[Seat, Bot], seed: int) -> None:
        """Sit down before the first card; the seats of ``bots`` move by themselves."""
        self.agreement = agreement
        self.game = game
        self.bots = bots
        self.seed = seed
        self.p = game.start()
        self.moves: list[tuple[Seat, Move]] = []
        self._chance = Random(f"{seed}/table")
        self._luck = {seat: Random(f"{seed}/seat {seat}") for seat in bots}

    @property
    def actor(self) -> Seat | None:
        """Name the person who moves next: `CHANCE` for the table, None when the match is over."""
        return CHANCE if self.game.turn(self.p) == CHANCE else waited_for(self.game, self.p)

    def play(self, actor: Seat, move: Move) -> tuple[Event, ...]:
        """Make a move; raises `Refused` and changes nothing where a rule forbids it."""
        self.p, events = play(self.game, self.p, actor, move)
        self.moves.append((actor, move))
        return events

    def go_on(self) -> tuple[Event, ...]:
        """Let the table or a bot make the next move."""
        actor = self.actor
        if actor is None:
            raise ValueError("the match is over")
        if actor == CHANCE:
            return self.play(actor, supply(self.game, self.p, self._chance))
        return self.play(actor, self.bots[actor](Outlook(self.game, self.p, actor), self._luck[actor]))

    def record(self, catalogue: Catalogue) -> str:
        """Write down the match as far as it has come."""
        return write_record(catalogue, Record(self.agreement, moves=tuple(self.moves)))
