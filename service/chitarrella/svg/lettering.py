"""Letters and figures drawn as lines, so that no drawing depends on a font."""

from __future__ import annotations

from typing import Final

from chitarrella.svg.palette import INK
from chitarrella.svg.shapes import element, path, placement

WIDTH: Final = 9
"""From one letter to the next; a letter itself is 6 wide and 10 high."""

GLYPHS: Final = {
    "A": "M0 10L3 0L6 10M1.2 6.5H4.8",
    "2": "M0 2.5C.5-1 6-.8 5.8 3C5.6 5.5 1 7.5 0 10H6",
    "3": "M.3 1.5C2-1 6 0 5.5 2.6C5.2 4.4 3.6 4.8 2.4 4.8C4.2 4.8 6 5.5 6 7.3C6 10.5 1.5 11 0 8.5",
    "4": "M6 7H0L4.5 0V10",
    "5": "M5.5 0H.9L.5 4.6C2 3.6 6 3.4 6 6.8C6 10.5 1.5 10.8 0 8.6",
    "6": "M5.3 1C3-1 0 1.5 0 6C0 11.5 6 11 6 7C6 3.2 1 3 .1 6.5",
    "7": "M0 0H6C4.5 3 2.5 6 2 10",
    "8": "M3 4.7C-.5 4 0 0 3 0C6 0 6.5 4 3 4.7C-1 5.2-1 10 3 10C7 10 7 5.2 3 4.7",
    "9": "M.7 9C3 11 6 8.5 6 4C6-1.5 0-1 0 3C0 6.8 5 7 5.9 3.5",
    "1": "M.8 2L3.5 0V10M1 10H6",
    "0": "M3 0C-1 0-1 10 3 10C7 10 7 0 3 0Z",
    "J": "M2 0H6M4.5 0V7C4.5 10.5.5 10.8 0 7.8",
    "Q": "M3 0C-1 0-1 9.5 3 9.5C7 9.5 7 0 3 0ZM3.2 7L6.2 10.8",
    "K": "M.5 0V10M6 0L.5 6.2M2.6 4L6 10",
    "F": "M6 0H.5V10M.5 4.8H4.5",
    "C": "M6 2C4.5-1 0-.5 0 5C0 10.5 4.5 11 6 8",
    "E": "M6 0H.5V10H6M.5 4.8H4.5",
    "G": "M6 2C4.5-1 0-.5 0 5C0 10.5 6 11 6 8V5.5H3.5",
    "L": "M.5 0V10H6",
    "M": "M0 10V0L3 5L6 0V10",
    "N": "M.3 10V0L5.7 10V0",
    "O": "M3 0C-1 0-1 10 3 10C7 10 7 0 3 0Z",
    "S": "M5.6 1.6C4-.8 0-.3 .3 2.5C.6 5.4 5.8 4.6 5.8 7.5C5.8 10.6 1.5 10.8 0 8.3",
    "T": "M0 0H6M3 0V10",
    "U": "M.3 0V6.5C.3 11.2 5.7 11.2 5.7 6.5V0",
    "B": "M.5 4.8V0H3C6 0 6 4.8 3 4.8H.5V10H3C6.8 10 6.8 4.8 3 4.8",
    "H": "M.3 0V10M5.7 0V10M.3 5H5.7",
    "I": "M1 0H5M3 0V10M1 10H5",
    "V": "M0 0L3 10L6 0",
    "X": "M0 0L6 10M6 0L0 10",
    "R": "M.5 10V0H3C6.8 0 6.8 5.2 3 5.2H.5M3 5.2L6 10",
}
"""The line of each letter, in a box of 6 by 10."""


def lettering(text: str, x: float, y: float, size: float = 10, ink: str = INK) -> str:
    """Return ``text`` in lines; (``x``, ``y``) is the middle of its upper edge, ``size`` the height of a letter."""
    scale = size / 10
    begin = x - scale * (WIDTH * len(text) - 3) / 2
    lines = (
        path(GLYPHS[letter], transform=placement(begin + place * WIDTH * scale, y, scale=scale))
        for place, letter in enumerate(text)
        if letter != " "
    )
    return element("g", *lines, stroke=ink, stroke_width=1.6, stroke_linecap="round", stroke_linejoin="round")
