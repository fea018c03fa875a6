"""What the figures of all packs have in common: a face, and the colours of a dress."""

from __future__ import annotations

from typing import Final, NamedTuple

from chitarrella.svg.palette import INK, RED, SKIN
from chitarrella.svg.shapes import circle, group, path


class Dress(NamedTuple):
    """The colours of a figure: coat, its lining, its trimmings, hair, and the horse."""

    coat: str
    lining: str
    trim: str
    hair: str
    horse: str


PUPILS: Final = circle(-4, 0, 1.1, INK) + circle(3.4, 0, 1.1, INK)
"""Two pupils, about the point between them."""


def face() -> str:
    """Return a young face, 18 wide, about the point between the pupils, looking to the right."""
    return (
        path("M-10-7C-10-12 8-12 9-7C10 0 9 8 7 11C4 14-2 14-5 11C-9 8-10 0-10-7Z", SKIN)
        + group(PUPILS, stroke="none")
        + path("M-6-3.5q2-1.8 4 0M2-3.5q1.8-1.8 3.6 0M.5 0L2 4.5H-.5", stroke_width=1)
        + path("M-2.5 8Q.5 9.5 3.5 8", stroke=RED, stroke_width=1.5)
    )
