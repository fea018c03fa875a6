"""The Cucco pack: ten numbers in a wreath, and ten pictures with their names beneath."""

from __future__ import annotations

from typing import Final

from chitarrella.core.cards import CUCCO, Card
from chitarrella.svg.cucco_animals import cat, cuckoo, horse, lion
from chitarrella.svg.cucco_figures import bucket, fool, hunter, mask, tavern, zero
from chitarrella.svg.cucco_numbers import ROSE, number_card, rose
from chitarrella.svg.lettering import lettering
from chitarrella.svg.palette import INK, PAPER, RED
from chitarrella.svg.shapes import box, label

PICTURES: Final = {
    "MAT": ("MATTO", fool),
    "MAS": ("MASCHERONE", mask),
    "SEC": ("SECCHIA", bucket),
    "NUL": ("NULLA", zero),
    "XI": ("XI TAVERNA", tavern),
    "XII": ("XII GNAF", cat),
    "XIII": ("XIII SALTA", horse),
    "XIV": ("XIV BUM", hunter),
    "XV": ("XV CUCCO", cuckoo),
    "LEO": ("LEONE", lion),
}
"""What is written under each picture, and the picture."""


def definitions(card: Card) -> dict[str, str]:
    """Return what the face of ``card`` copies, by its id."""
    return {} if card in PICTURES else {ROSE: rose()}


def face(card: Card) -> str:
    """Return the face of ``card``."""
    frame = box(4.5, 4.5, (91, 171), rx=4, stroke=RED, stroke_width=2)
    if card not in PICTURES:
        return frame + number_card(card, CUCCO.ranks.index(card) + 1)
    name, draw = PICTURES[card]
    return frame + draw() + name_under(name)


def name_under(name: str) -> str:
    """Return the strip with the name of a picture."""
    return box(4.5, 156, (91, 19.5), PAPER, stroke=RED, stroke_width=2) + label(lettering(name, 50, 161.5, 8.5, INK))
