"""The pictures of the cards, as SVG: each face and back by itself, and all of a pack in one document."""

from __future__ import annotations

from functools import cache
from typing import Final

from flask import Flask, Response
from werkzeug.exceptions import NotFound

from chitarrella import svg
from chitarrella.core.cards import UnknownCard
from chitarrella.svg.paths import BACK, CARDS
from chitarrella.transports.rest.pages import SVG, cacheable

MAX_AGE_SECONDS: Final = 24 * 60 * 60
"""Seconds for which a picture may be kept. Its URL has no version, so a new release may draw it anew."""


def add_card_pictures(app: Flask) -> None:
    """Register the pictures in ``app``. Each is drawn when it is first asked for, and kept."""

    @cache
    def picture(pack: str, code: str) -> bytes:
        drawing = svg.back(pack) if code == BACK else svg.card(code, pack)
        return str(drawing).encode()

    @cache
    def sprite(pack: str) -> bytes:
        return str(svg.sprite(pack)).encode()

    def card(pack: str, code: str) -> Response:
        try:
            return cacheable(picture(pack, code), SVG, max_age=MAX_AGE_SECONDS)
        except (KeyError, UnknownCard):
            raise NotFound from None

    def whole_pack(pack: str) -> Response:
        if pack not in svg.PACKS:
            raise NotFound
        return cacheable(sprite(pack), SVG, max_age=MAX_AGE_SECONDS)

    app.add_url_rule(f"{CARDS}/<pack>/<code>.svg", "card_picture", card)
    app.add_url_rule(f"{CARDS}/<pack>.svg", "pack_picture", whole_pack)
