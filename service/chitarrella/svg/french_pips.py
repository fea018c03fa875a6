"""The suits of the French pack: clubs, diamonds, hearts and spades, and the cards from ace to ten."""

from __future__ import annotations

from typing import Final

from chitarrella.svg.palette import INK, PAPER, RED, YELLOW
from chitarrella.svg.shapes import group, path, placement, rosette, use

SHAPES: Final = {
    "c": "M-1.5 4C-3 8-10 7-10 2C-10-2-6-3.5-4-2C-6-5-5-11 0-11C5-11 6-5 4-2C6-3.5 10-2 10 2C10 7 3 8 1.5 4"
    "Q1.5 9 4 11H-4Q-1.5 9-1.5 4Z",
    "d": "M0-11.5Q4-5 8.5 0Q4 5 0 11.5Q-4 5-8.5 0Q-4-5 0-11.5Z",
    "h": "M0 10C-4 4-10 1-10-5C-10-11-2-11.5 0-5C2-11.5 10-11 10-5C10 1 4 4 0 10Z",
    "s": "M0-11C4-5 10-1 10 4C10 9.5 3 9.5 1 5Q1.5 9 4 11H-4Q-1.5 9-1 5C-3 9.5-10 9.5-10 4C-10-1-4-5 0-11Z",
}
"""The outline of each suit's sign, about the origin and some 20 wide."""
COLOURS: Final = {"c": INK, "d": RED, "h": RED, "s": INK}
"""The colour of each suit."""

LEFT, MIDDLE, RIGHT = 38, 60, 82
"""The columns of signs."""
TOP, CENTRE, BOTTOM = 32, 84, 136
"""The rows of signs, where there are three."""


def sides(*heights: float) -> tuple[tuple[float, float], ...]:
    """Return the places left and right at each of the ``heights``."""
    return tuple((x, y) for y in heights for x in (LEFT, RIGHT))


PLACES: Final = {
    "2": ((MIDDLE, TOP), (MIDDLE, BOTTOM)),
    "3": ((MIDDLE, TOP), (MIDDLE, CENTRE), (MIDDLE, BOTTOM)),
    "4": sides(TOP, BOTTOM),
    "5": (*sides(TOP, BOTTOM), (MIDDLE, CENTRE)),
    "6": sides(TOP, CENTRE, BOTTOM),
    "7": (*sides(TOP, CENTRE, BOTTOM), (MIDDLE, 58)),
    "8": (*sides(TOP, CENTRE, BOTTOM), (MIDDLE, 58), (MIDDLE, 110)),
    "9": (*sides(TOP, 66.7, 101.3, BOTTOM), (MIDDLE, CENTRE)),
    "T": (*sides(TOP, 66.7, 101.3, BOTTOM), (MIDDLE, 49.3), (MIDDLE, 118.7)),
}
"""Where the signs of each rank lie."""


def sign_id(suit: str) -> str:
    """Return the id of a suit's sign."""
    return f"french-{suit}"


def sign(suit: str) -> str:
    """Return the sign of a suit."""
    return path(SHAPES[suit], COLOURS[suit])


def number_card(rank: str, suit: str) -> str:
    """Return the signs of a card from ace to ten; those in the lower half stand upside down."""
    if rank == "A":
        return ace(suit)
    scale = 1.1 if rank in "9T" else 1.3
    return "".join(use(sign_id(suit), placement(x, y, 180 if y > CENTRE else 0, scale)) for x, y in PLACES[rank])


def ace(suit: str) -> str:
    """Return the large sign of an ace, with a rosette in it; that of spades is larger."""
    scale = 4.2 if suit == "s" else 3
    ornament = path(rosette(8, 11), PAPER) + path(rosette(8, 7), COLOURS[suit]) + path(rosette(8, 4), YELLOW)
    inner = group(ornament, transform=placement(MIDDLE, CENTRE + (4 if suit == "s" else 0), scale=scale / 3.2))
    return use(sign_id(suit), placement(MIDDLE, CENTRE, scale=scale)) + inner
