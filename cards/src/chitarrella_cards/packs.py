"""The packs that are drawn, by the id that stands in URLs: their faces, sizes and backs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from chitarrella.core.cards import CUCCO, FRENCH_52, ITALIAN, Card, Pack, UnknownCard
from chitarrella.i18n.narration import card_name, kind
from chitarrella_cards import cucco, french, italian, spanish
from chitarrella_cards.shapes import INK, PAPER, Drawing, box, document, element
from chitarrella_cards.shapes import back as draw_back


@dataclass(frozen=True)
class DrawnPack:
    """A pack with its drawings.

    ``size`` is the width and height of a card, in units of its own. ``face`` draws a card on its paper, ``parts`` are
    what that drawing copies, by id.
    """

    id: str
    pack: Pack
    size: tuple[int, int]
    face: Callable[[Card], str]
    parts: Callable[[Card], dict[str, str]]

    @cached_property
    def paper(self) -> str:
        """The card itself."""
        width, height = self.size
        return box(0.5, 0.5, (width - 1, height - 1), PAPER, rx=6, stroke=INK)

    def card(self, code: str, title: str = "") -> Drawing:
        """Draw the card with the notation ``code``; raises `UnknownCard`. ``title`` replaces its English name."""
        card = self.pack.card(code)
        name = title or card_name(card, self.pack)
        return document(self.paper + self.face(card), name, self.size, self.parts(card))

    def back(self, title: str = "") -> Drawing:
        """Draw the back of a card."""
        return document(self.paper + draw_back(self.id, self.size), title or "card back", self.size, {})

    def sprite(self) -> Drawing:
        """Draw all cards into one document: a symbol for each, whose id is its notation, and ``back``."""
        parts: dict[str, str] = {}
        symbols = []
        box_of_card = "0 0 {} {}".format(*self.size)
        for card in self.pack.faces.values():
            parts |= self.parts(card)
            title = element("title", card_name(card, self.pack))
            symbols.append(element("symbol", title, self.paper, self.face(card), id=card, viewBox=box_of_card))
        hidden = element("title", "card back"), self.paper, draw_back(self.id, self.size)
        symbols.append(element("symbol", *hidden, id="back", viewBox=box_of_card))
        return document("".join(symbols), f"{self.pack.name} pack", self.size, parts)


PACKS: Final = {
    one.id: one
    for one in (
        DrawnPack("italian", ITALIAN, (100, 200), italian.face, italian.definitions),
        DrawnPack("spanish", replace(ITALIAN, name="Spanish"), (120, 186), spanish.face, spanish.definitions),
        DrawnPack("french", FRENCH_52, (120, 168), french.face, french.definitions),
        DrawnPack("cucco", CUCCO, (100, 180), cucco.face, cucco.definitions),
    )
}
"""Every pack that is drawn, by its id. The Spanish pack has the codes of the Italian one, so it has to be named."""


def id_of(pack: Pack) -> str:
    """Return the id of the drawn pack that has the cards of a game's ``pack``."""
    return PACKS[kind(pack).lower()].id


def pack_of(*codes: str) -> DrawnPack:
    """Return the first pack that has all ``codes``, of Italian, French and Cucco cards; raises `UnknownCard`."""
    for pack in PACKS.values():
        if pack.pack.faces.keys() >= set(codes):
            return pack
    raise UnknownCard(" ".join(sorted(codes)), "Italian, French or Cucco")
