"""Elements of SVG as text: shapes, groups, and what a drawing is made of.

Numbers have at most one decimal, scales two. Colours and lines are presentation attributes, which a strict content
security policy allows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from chitarrella.svg.palette import INK

NAMESPACE: Final = "http://www.w3.org/2000/svg"
"""The XML namespace of SVG."""
INKED: Final[dict[str, str | float]] = {
    "stroke": INK,
    "stroke_width": 1.5,
    "stroke_linejoin": "round",
    "stroke_linecap": "round",
}
"""The attributes of a group whose shapes have black outlines."""

Value: TypeAlias = str | float
"""What an attribute may be."""


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
