"""Choice of a language by the header ``Accept-Language`` (RFC 9110, section 12.5.4)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from chitarrella.i18n.translator import LANGUAGES

MAX_LENGTH: Final = 256
"""A longer header is ignored: nobody's preferences are longer, and to parse it would take milliseconds."""


def negotiate_language(accept_language: str) -> str:
    """Return the code of the best of `LANGUAGES`: by quality, then in the order of the header, else English.

    Regions are ignored: ``de-AT`` asks for German. What cannot be read is skipped.
    """
    return _negotiate(accept_language) if len(accept_language) <= MAX_LENGTH else LANGUAGES[0]


@lru_cache(maxsize=1000)
def _negotiate(accept_language: str) -> str:
    ranges = parse_accept_header(accept_language, LanguageAccept)
    # Without regions from the start: else "de-AT, en;q=0.1" would match English exactly and German not at all.
    wanted = LanguageAccept([(tag.partition("-")[0].lower(), quality) for tag, quality in ranges])
    # Werkzeug decides between equal qualities by the server's order; many callers send none and mean their own order.
    in_order = dict.fromkeys([*(tag for tag, _ in wanted if tag in LANGUAGES), *LANGUAGES])
    return wanted.best_match(in_order, LANGUAGES[0])
