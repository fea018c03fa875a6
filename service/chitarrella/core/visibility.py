"""Who may see a card, an event or a fact: `view_for` and `visible_to` hide the rest of a position and of an event.

What `core.model` builds has its `Visibility` in it; here is what that means for a viewer.
"""

from __future__ import annotations

from typing import TypeVar

from chitarrella.core.game import Game
from chitarrella.core.model import EVERYBODY, REFEREE, Event, View, Viewer, Visibility, ZoneView

P = TypeVar("P")


def seen_by_word(visibility: Visibility) -> str:
    """Return the word for who sees a zone: ``everybody``, ``nobody``, or its ``owner``, who plays the cards there."""
    if visibility is EVERYBODY:
        return "everybody"
    return "owner" if visibility else "nobody"


def can_see(visibility: Visibility, viewer: Viewer) -> bool:
    """Whether ``viewer`` may see what has this ``visibility``."""
    return visibility is EVERYBODY or viewer == REFEREE or viewer in visibility


def view_for(game: Game[P], p: P, viewer: Viewer) -> View:
    """Return what ``viewer`` sees of ``p``: hidden cards only by number, and no fact that it may not know."""
    turns = game.turns(p)
    return View(
        phase=game.phase(p),
        turn=turns[0] if turns else None,
        turns=turns,
        zones=tuple(
            [
                ZoneView(name, seat, cards if can_see(seen_by, viewer) else (), len(cards), leader)
                for name, seat, cards, seen_by, leader in game.zones(p)
            ]
        ),
        facts=tuple([fact for fact in game.facts(p) if can_see(fact.seen_by, viewer)]),
        scores=game.scores(p),
        winners=game.outcome(p),
    )


def visible_to(event: Event, viewer: Viewer) -> Event | None:
    """Return ``event`` as ``viewer`` learns of it: with the number of its cards instead of the cards, or None."""
    if event.known_to is event.seen_by is EVERYBODY:
        return event
    if not can_see(event.known_to, viewer):
        return None
    return event if can_see(event.seen_by, viewer) else event._replace(cards=(), hidden=len(event.cards))
