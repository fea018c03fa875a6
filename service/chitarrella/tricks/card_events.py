"""Events of single cards, built once: the same are appended whenever a card is played or drawn."""

from __future__ import annotations

from functools import lru_cache

from chitarrella.core.cards import Card, Pack
from chitarrella.core.model import Event, hidden_cards_event
from chitarrella.core.visibility import Visibility


@lru_cache(maxsize=256)
def card_events(kind: str, pack: Pack, seen_by: tuple[Visibility, ...]) -> tuple[dict[Card, Event], ...]:
    """Return the event of ``kind`` for each card and seat, given who sees the cards of each seat.

    All games with the same pack and seats share them.
    """
    return tuple(
        {card: hidden_cards_event(kind, seat, (card,), watchers) for card in pack.faces.values()}
        for seat, watchers in enumerate(seen_by)
    )
