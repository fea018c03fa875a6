"""The Italian pack: tall and narrow, with crossed batons and intertwined swords as in the north-east."""

from __future__ import annotations

from chitarrella.core.cards import Card
from chitarrella.svg.italian_courts import COURTS
from chitarrella.svg.italian_pips import PARTS, number_card
from chitarrella.svg.lettering import lettering
from chitarrella.svg.shapes import box, label


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    name, draw = PARTS[card.suit]
    return {name: draw()}


def face(card: Card) -> str:
    """Return the face of ``card``, with its rank in a corner."""
    index = label(lettering(card.rank, 11, 8, 8))
    draw = COURTS.get(card.rank)
    return frame() + (draw(card.suit) if draw else number_card(card.rank, card.suit)) + index


def frame() -> str:
    """Return the line about the face."""
    return box(4.5, 4.5, (91, 191), rx=4, stroke="#111")
