"""What follows from the cards and the seats of a game, built once: the moves and the events of single cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.model import Event, Move, Seat, hidden_cards_event
from chitarrella.core.visibility import EVERYBODY, Visibility
from chitarrella.tricks.card_index import CardIndex
from chitarrella.tricks.seating import Seating


class PlayTables(NamedTuple):
    """What playing a card looks up in a game, put together once.

    ``best`` is that of `Taking`. ``size`` is the number of cards of a full trick, 0 where it changes from deal to deal.
    ``draws_at_once`` says that nothing comes between a trick and the cards that everybody draws for it.
    """

    size: int
    play_events: tuple[dict[Card, Event], ...]
    orders: tuple[tuple[Seat, ...], ...]
    best: Callable[[Any, Any, Hand], int]
    draws_at_once: bool
    draw_events: tuple[dict[Card, Event], ...]


@dataclass(frozen=True, kw_only=True)
class CardTables(Seating, CardIndex):
    """The cards and the seats, with the move and the events of each card at each seat."""

    @cached_property
    def moves_by_card(self) -> tuple[dict[Card, Move], ...]:
        """The move that plays each card, seat by seat; the move of a dummy's card names the seat."""
        return tuple(
            {
                card: Move("play_card", (card,), seat=None if self.controllers[seat] == seat else seat)
                for card in self.pack.faces.values()
            }
            for seat in range(self.seats)
        )

    @cached_property
    def play_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is played, seat by seat."""
        return _card_events("card_played", self.pack, (EVERYBODY,) * self.seats)

    @cached_property
    def draw_events(self) -> tuple[dict[Card, Event], ...]:
        """The event of each card that is drawn unseen by others, seat by seat."""
        return _card_events("card_drawn", self.pack, tuple(map(self.watchers, self.everybody)))


@lru_cache(maxsize=256)
def _card_events(kind: str, pack: Pack, seen_by: tuple[Visibility, ...]) -> tuple[dict[Card, Event], ...]:
    """Return the event of ``kind`` for each card and seat, given who sees the cards of each seat.

    All games with the same pack and seats share them.
    """
    return tuple(
        {card: hidden_cards_event(kind, seat, (card,), watchers) for card in pack.faces.values()}
        for seat, watchers in enumerate(seen_by)
    )
