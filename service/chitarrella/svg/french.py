"""The French pack: one set of drawings for the packs of 52, 40, 36 and 32 cards."""

from __future__ import annotations

from typing import Final

from chitarrella.core.cards import Card
from chitarrella.svg.french_courts import court, half, half_id
from chitarrella.svg.french_pips import COLOURS, number_card, sign, sign_id
from chitarrella.svg.lettering import lettering
from chitarrella.svg.shapes import group, label, placement, use

COURTS: Final = "JQK"
"""The ranks with a figure."""


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    parts = {sign_id(card.suit): sign(card.suit)}
    if card.rank in COURTS:
        parts[half_id(card)] = half(card.rank, card.suit)
    return parts


def face(card: Card) -> str:
    """Return the face of ``card``."""
    is_court = card.rank in COURTS
    drawn = court(card.rank, card.suit) if is_court else number_card(card.rank, card.suit)
    return drawn + index(card)


def index(card: Card) -> str:
    """Return the index of ``card`` in two corners: rank, and the sign of the suit beneath."""
    rank = "10" if card.rank == "T" else card.rank
    one = lettering(rank, 13, 9, 12 if len(rank) == 1 else 9.5, COLOURS[card.suit]) + use(
        sign_id(card.suit), placement(13, 33, scale=0.65)
    )
    return label(one, group(one, transform="rotate(180 60 84)"))
