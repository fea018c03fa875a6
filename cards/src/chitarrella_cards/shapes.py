"""Elements of SVG as text: shapes, groups, and what a drawing is made of.

Numbers have at most one decimal, scales two. Colours and lines are presentation attributes, which a strict content
security policy allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

INK: Final = "#111"  # outlines, clubs and spades
PAPER: Final = "#fffbee"  # the card itself
WHITE: Final = "#fff"  # linen, ermine, the light on a blade
RED: Final = "#c22"  # hearts, diamonds, and one of the four stencils
YELLOW: Final = "#fb3"  # gold
BLUE: Final = "#249"  # steel and cloth
SKY: Final = "#9cd"  # pale blue, the light side of steel
GREEN: Final = "#284"  # leaves, grass and cloth
SKIN: Final = "#fda"  # faces and hands
BROWN: Final = "#853"  # hair, wood and horses
GREY: Final = "#ccc"  # beards, and horses of another colour

NAMESPACE: Final = "http://www.w3.org/2000/svg"  # the XML namespace of SVG
INKED: Final[dict[str, str | float]] = {  # the attributes of a group whose shapes have black outlines
    "stroke": INK,
    "stroke_width": 1.5,
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}

Value: TypeAlias = str | float  # what an attribute may be


def number(value: float) -> str:
    """Return a number with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(name: str, *content: str, **attributes: Value) -> str:
    """Return an element; an empty value is left out.

    An underscore in the name of an attribute stands for a hyphen; at its end it only keeps it apart from a keyword.
    """
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else number(value)}"'
        for key, value in attributes.items()
        if value != ""
    )
    inner = "".join(content)
    return f"<{name}{named}>{inner}</{name}>" if inner else f"<{name}{named}/>"


def path(data: str, fill: str = "none", **attributes: Value) -> str:
    """Return a path with the path data ``data``."""
    return element("path", fill=fill, d=data, **attributes)


def circle(x: float, y: float, radius: float, fill: str = "none", **attributes: Value) -> str:
    """Return a circle about (``x``, ``y``)."""
    return element("circle", cx=x, cy=y, r=radius, fill=fill, **attributes)


def ellipse(x: float, y: float, radii: tuple[float, float], fill: str = "none", **attributes: Value) -> str:
    """Return an ellipse about (``x``, ``y``) with a horizontal and a vertical radius."""
    return element("ellipse", cx=x, cy=y, rx=radii[0], ry=radii[1], fill=fill, **attributes)


def box(x: float, y: float, size: tuple[float, float], fill: str = "none", **attributes: Value) -> str:
    """Return a rectangle whose upper left corner is (``x``, ``y``)."""
    return element("rect", x=x, y=y, width=size[0], height=size[1], fill=fill, **attributes)


def placement(x: float = 0, y: float = 0, turn: float = 0, scale: float = 1, *, flip: bool = False) -> str:
    """Return a transform: scaled, mirrored if ``flip``, turned by degrees, then moved; empty if it does nothing."""
    sizes = f"{scale:g}" if not flip else f"{-scale:g} {scale:g}"
    parts = (
        f"translate({number(x)} {number(y)})" if x or y else "",
        f"rotate({number(turn)})" if turn else "",
        f"scale({sizes})" if sizes != "1" else "",
    )
    return "".join(parts)


def group(*content: str, transform: str = "", **attributes: Value) -> str:
    """Return a group."""
    return element("g", *content, transform=transform, **attributes)


def inked(*content: str, **attributes: Value) -> str:
    """Return a group whose shapes have black outlines."""
    inked_attributes: dict[str, Value] = {**INKED, **attributes}
    return element("g", *content, **inked_attributes)


def label(*content: str, transform: str = "") -> str:
    """Return a group that names a card rather than shows it: an index, a numeral, a name. Its class is ``label``."""
    return element("g", *content, class_="label", transform=transform)


def use(name: str, transform: str = "") -> str:
    """Return a copy of the element with the id ``name``."""
    return element("use", href=f"#{name}", transform=transform)


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """Return path data that joins the points and closes."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "Z"


def rosette(petals: int, radius: float, waist: float = 0.35) -> str:
    """Return path data of a flower about the origin; its petals meet at the share ``waist`` of the radius."""
    step = math.tau / petals

    def at(share: float, turn: float) -> str:
        return f"{number(share * radius * math.sin(turn * step))} {number(-share * radius * math.cos(turn * step))}"

    curves = (f"C{at(1.2, place)} {at(1.2, place + 1)} {at(waist, place + 1)}" for place in range(petals))
    return f"M{at(waist, 0)}{''.join(curves)}Z"


def star(points: int, outer: float, inner: float) -> str:
    """Return path data of a star about the origin, one point up."""
    radii = (outer, inner)
    return polygon(
        (radii[place % 2] * math.sin(math.pi * place / points), -radii[place % 2] * math.cos(math.pi * place / points))
        for place in range(2 * points)
    )


@dataclass(frozen=True)
class Drawing:
    """An SVG document. ``str`` returns its text, and a notebook shows it as a picture."""

    text: str

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def _repr_svg_(self) -> str:
        """Return the text, as IPython asks for it."""
        return self.text


def document(content: str, title: str, size: tuple[float, float], parts: dict[str, str]) -> Drawing:
    """Return the document with ``content``, which has ``title`` for its accessible name, and copies ``parts`` by id."""
    box = f"0 0 {number(size[0])} {number(size[1])}"
    return Drawing(
        f'<svg xmlns="{NAMESPACE}" viewBox="{box}" role="img"><title>{escape(title)}</title>'
        f"{definitions(parts)}{content}</svg>"
    )


def definitions(parts: dict[str, str]) -> str:
    """Return the element that holds what a drawing copies, by its id."""
    return f"<defs>{''.join(group(part, id=name) for name, part in parts.items())}</defs>" if parts else ""


# Letters and figures drawn as lines, so that no drawing depends on a font


WIDTH: Final = 9  # from one letter to the next; a letter itself is 6 wide and 10 high

GLYPHS: Final = {  # the line of each letter, in a box of 6 by 10
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


COLOURS: Final = {"italian": (RED, BLUE), "spanish": (BLUE, GREEN), "french": (BLUE, RED), "cucco": (GREEN, RED)}
"""The ground of each pack's back, and the colour of the rose."""
STEP: Final = 10  # half the distance between two crossings


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


class Dress(NamedTuple):
    """The colours of a figure: coat, its lining, its trimmings, hair, and the horse."""

    coat: str
    lining: str
    trim: str
    hair: str
    horse: str


PUPILS: Final = circle(-4, 0, 1.1, INK) + circle(3.4, 0, 1.1, INK)  # two pupils, about the point between them


def young_face() -> str:
    """Return a young face, 18 wide, about the point between the pupils, looking to the right."""
    return (
        path("M-10-7C-10-12 8-12 9-7C10 0 9 8 7 11C4 14-2 14-5 11C-9 8-10 0-10-7Z", SKIN)
        + group(PUPILS, stroke="none")
        + path("M-6-3.5q2-1.8 4 0M2-3.5q1.8-1.8 3.6 0M.5 0L2 4.5H-.5", stroke_width=1)
        + path("M-2.5 8Q.5 9.5 3.5 8", stroke=RED, stroke_width=1.5)
    )
