"""Card backs: a lattice with a star at each crossing, about a rose."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from chitarrella.svg.palette import BLUE, GREEN, INK, PAPER, RED, YELLOW
from chitarrella.svg.shapes import box, circle, ellipse, group, number, path, placement, rosette, star

COLOURS: Final = {"italian": (RED, BLUE), "spanish": (BLUE, GREEN), "french": (BLUE, RED), "cucco": (GREEN, RED)}
"""The ground of each pack's back, and the colour of the rose."""
STEP: Final = 10
"""Half the distance between two crossings."""


def back(pack: str, size: tuple[int, int]) -> str:
    """Return the back of the cards of ``pack``."""
    ground, petals = COLOURS[pack]
    width, height = size[0] - 2 * STEP, size[1] - 2 * STEP - (size[1] % (2 * STEP))
    left, top = STEP, (size[1] - height) / 2
    lattice = group(
        path(_lines(width, height), stroke=PAPER, stroke_width=1.5),
        path(_stars(width, height), YELLOW),
        transform=placement(left, top),
    )
    rose = group(
        ellipse(0, 0, (30, 34), ground, stroke=PAPER, stroke_width=3),
        path(rosette(8, 27), YELLOW, stroke=INK),
        path(rosette(8, 19), petals, stroke=INK),
        circle(0, 0, 7, YELLOW, stroke=INK),
        transform=placement(size[0] / 2, size[1] / 2),
    )
    edge = box(left - 4, top - 4, (width + 8, height + 8), ground, rx=4, stroke=INK)
    return edge + lattice + rose


def _lines(width: float, height: float) -> str:
    """Return the diagonals of a rectangle from edge to edge."""
    data = ""
    for begin in range(int(-height), int(width), 2 * STEP):
        low, high = max(0, begin), min(width, begin + height)
        data += f"M{number(low)} {number(low - begin)}L{number(high)} {number(high - begin)}"
        data += f"M{number(low)} {number(height - low + begin)}L{number(high)} {number(height - high + begin)}"
    return data


def _stars(width: float, height: float) -> str:
    """Return a star in the middle of each mesh, as one path."""
    shape = star(4, 4, 1.5).removeprefix("M").removesuffix("Z").replace("L", " ").split()
    points = list(zip(map(float, shape[::2]), map(float, shape[1::2]), strict=True))
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    relative = "".join(f"l{number(x)} {number(y)}" for x, y in steps) + "z"
    rows = range(1, int(height / STEP))
    places = [(STEP * x, STEP * y) for y in rows for x in range(1, int(width / STEP)) if (x + y) % 2]
    return "".join(f"M{number(x + points[0][0])} {number(y + points[0][1])}{relative}" for x, y in places)
