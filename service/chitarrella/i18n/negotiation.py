"""The language of a reader. In a module of its own: werkzeug is not there where the rules run in a page."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from chitarrella.i18n.translator import LANGUAGES

# A longer header is ignored: nobody's preferences are longer, and to parse it would take milliseconds.
MAX_LENGTH: Final = 256


def negotiate_language(accept_language: str) -> str:
    """Return the best of `LANGUAGES`, else English; regions are ignored, and what cannot be read is skipped."""
    return _negotiate(accept_language) if len(accept_language) <= MAX_LENGTH else LANGUAGES[0]


@lru_cache(maxsize=1000)
def _negotiate(accept_language: str) -> str:
    ranges = parse_accept_header(accept_language, LanguageAccept)
    # Without regions from the start: else "de-AT, en;q=0.1" would match English exactly and German not at all.
    wanted = LanguageAccept([(tag.partition("-")[0].lower(), quality) for tag, quality in ranges])
    # Werkzeug decides between equal qualities by the server's order; many callers send none and mean their own order.
    in_order = dict.fromkeys([*(tag for tag, _ in wanted if tag in LANGUAGES), *LANGUAGES])
    return wanted.best_match(in_order, LANGUAGES[0])
