"""Pictures of cards, as SVG.

``card("Ab")`` is the ace of batons, ``back("french")`` the back of a French card, ``sprite("cucco")`` all cards of a
pack in one document, ``table(view)`` the table that a view shows. `str` of what they return is the document; a notebook
shows it. The drawings are in the public domain (CC0), see the file ``LICENSE.drawings`` of the distribution.
"""

from __future__ import annotations

from chitarrella_cards.packs import PACKS, id_of, pack_of
from chitarrella_cards.shapes import Drawing
from chitarrella_cards.table import table

__all__ = ["PACKS", "Drawing", "back", "card", "id_of", "sprite", "table"]


def card(code: str, pack: str = "", title: str = "") -> Drawing:
    """Draw the card with the notation ``code``.

    ``pack`` is ``italian``, ``spanish``, ``french`` or ``cucco``. Without it the first of them that has the card is
    taken: ``As`` is the Italian ace of swords, and the ace of spades needs ``pack="french"``. ``title`` is the
    accessible name, instead of the name of the card in English. Raises `KeyError` for an unknown pack,
    `chitarrella.core.cards.UnknownCard` for an unknown card.
    """
    return (PACKS[pack] if pack else pack_of(code)).card(code, title)


def back(pack: str = "italian", title: str = "") -> Drawing:
    """Draw the back of the cards of ``pack``; its accessible name is ``title``. Raises `KeyError`."""
    return PACKS[pack].back(title)


def sprite(pack: str) -> Drawing:
    """Draw all cards of ``pack`` into one document.

    It has a ``symbol`` for each card, whose id is the notation of the card, and one with the id ``back``:
    ``<use href="/cards/italian.svg#Ab"/>`` shows one of them. Raises `KeyError`.
    """
    return PACKS[pack].sprite()
