"""A finished drawing: the text of an SVG document."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from chitarrella.svg.shapes import NAMESPACE, group, number


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
