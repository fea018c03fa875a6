"""The paths at which the HTTP interface serves the drawings."""

from __future__ import annotations

from typing import Final

from chitarrella.core.cards import Card, Pack
from chitarrella.svg.packs import id_of

CARDS: Final = "/cards"
"""The path under which all pictures of cards are."""
BACK: Final = "back"
"""What stands for the notation of a card where its back is meant."""


def picture_path(card: Card, pack: Pack) -> str:
    """Return the path of the picture of a card of a game's ``pack``, such as ``/cards/italian/Ab.svg``."""
    return f"{CARDS}/{id_of(pack)}/{card}.svg"
