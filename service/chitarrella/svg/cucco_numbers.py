"""The number cards of the Cucco pack: a Roman numeral in a wreath, which has as many roses as the number says."""

from __future__ import annotations

import math
from typing import Final

from chitarrella.svg.palette import BLUE, GREEN, INK, PAPER, RED, SKIN, SKY, YELLOW
from chitarrella.svg.shapes import circle, ellipse, group, inked, label, number, path, placement, rosette, use

ROSE: Final = "cucco-rose"
"""The id of a rose."""
NUMERALS: Final = {
    "I": ("M0-15V15M-5-15H5M-5 15H5", 9),
    "V": ("M-8-15L0 15L8-15M-12-15H-4M4-15H12", 18),
    "X": ("M-8-15L8 15M8-15L-8 15M-12-15H-4M4-15H12M-12 15H-4M4 15H12", 18),
}
"""The lines of each letter about its middle, and how wide it is."""
HEIGHT, WIDTH, LIMIT = 90, 50, 46
"""The middle of a card, and the most that a numeral may be wide."""


def rose() -> str:
    """Return a rose of radius 9 about the origin."""
    return path(rosette(5, 10), RED) + circle(0, 0, 3.2, YELLOW)


def numeral(text: str, ink: str = INK) -> str:
    """Return a Roman numeral about the origin, narrowed where it would be too wide."""
    widths = [NUMERALS[letter][1] for letter in text]
    total = sum(widths)
    middles = [sum(widths[:place]) + width / 2 - total / 2 for place, width in enumerate(widths)]
    letters = (path(NUMERALS[letter][0], transform=placement(x)) for letter, x in zip(text, middles, strict=True))
    narrow = min(1, LIMIT / (total + 6))
    lines = group(*letters, stroke=ink, stroke_width=4, stroke_linecap="square")
    return group(lines, transform=f"scale({narrow:.2g} 1.1)" if narrow < 1 else "scale(1.2)")


def wreath(roses: int) -> str:
    """Return a wreath of leaves about the middle of the card, with ``roses`` evenly along it."""
    leaves = "".join(leaf(*along(place / 36 + 1 / 72), 40 if place % 2 else -40) for place in range(36))
    flowers = (use(ROSE, placement(*along(place / roses)[:2])) for place in range(roses))
    return path(leaves, GREEN, stroke_width=1) + "".join(flowers)


def leaf(x: float, y: float, turn: float, aside: float) -> str:
    """Return path data of a leaf that grows from (``x``, ``y``), ``aside`` of the direction ``turn``, in degrees."""
    angle, bend = math.radians(turn + aside), math.copysign(8, aside)
    cos, sin = math.cos(angle), math.sin(angle)
    points = ((bend, 5), (bend / 2, 14), (-bend / 2, 9), (0, 0))
    bulge, tip, inner, root = (f"{number(x + a * cos + b * sin)} {number(y + a * sin - b * cos)}" for a, b in points)
    return f"M{root}Q{bulge} {tip}Q{inner} {root}"


def tulips(ink: str) -> str:
    """Return the flowers above and under the numeral."""
    one = path("M0 0V-18M0-2C-12-4-14-14-12-20C-6-18-2-10 0-2C2-10 6-18 12-20C14-14 12-4 0-2Z", GREEN) + path(
        "M0-16C-8-20-8-30-7-35L-3-29L0-38L3-29L7-35C8-30 8-20 0-16Z", ink
    )
    return group(one, transform=f"translate({WIDTH} 66)") + group(
        one, transform=f"rotate(180) translate(-{WIDTH} -114)"
    )


def along(share: float) -> tuple[float, float, float]:
    """Return a point of the wreath, ``share`` of the way round from the top, and the direction there in degrees."""
    angle = math.tau * share
    x, y = 33 * math.sin(angle), -72 * math.cos(angle)
    return WIDTH + x, HEIGHT + y, math.degrees(math.atan2(72 * math.sin(angle), 34 * math.cos(angle))) + 90


def number_card(rank: str, value: int) -> str:
    """Return the face of the card of ``value``, without its frame."""
    ground, ink = ((PAPER, BLUE), (SKY, RED), (YELLOW, BLUE), (SKIN, RED))[value % 4]
    return inked(
        ellipse(WIDTH, HEIGHT, (34, 72), ground),
        wreath(value),
        tulips(ink),
        ellipse(WIDTH, HEIGHT, (29, 26), PAPER),
        ellipse(WIDTH, HEIGHT, (26.5, 23.5), stroke=RED),
        label(numeral(rank), transform=placement(WIDTH, HEIGHT)),
    )
