"""What all HTML pages have in common: the layout ``templates/page.html``, the style sheet, the language."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, current_app, render_template, request

from chitarrella import errors
from chitarrella.i18n.negotiation import negotiate_language
from chitarrella.i18n.translator import LANGUAGES, Translator
from chitarrella.transports.rest.content_policy import restrict
from chitarrella.transports.rest.pages import ASK_PATH, DUEL_PATH, HTML, PLAY_PATH, RECORDS_PATH, STYLE, cacheable

ACCEPT_LANGUAGE: Final = "Accept-Language"
"""The header that chooses the language of a page."""
STYLE_PAGE: Final = "/style.css"
"""The path of the style sheet of all pages."""
NAMES: Final = {"en": "English", "it": "Italiano", "de": "Deutsch"}
"""The names of `LANGUAGES`, each in the language itself."""


def add_layout(app: Flask) -> None:
    """Register the style sheet in ``app``."""
    style = Path(__file__).with_name("style.css").read_bytes()
    app.add_url_rule(STYLE_PAGE, "style", lambda: cacheable(style, STYLE))


def layout_values(translator: Translator) -> dict[str, Any]:
    """Return the values of the layout for a page in the language of ``translator``."""
    return {
        "translator": translator,
        "code": translator.code,
        "say": translator.cli_text,
        "text": translator.page_text,
        "language_names": NAMES,
        "style": STYLE_PAGE,
        "play": path_of_page(PLAY_PATH),
        "ask": path_of_page(ASK_PATH),
        "records": path_of_page(RECORDS_PATH),
        "duel": path_of_page(DUEL_PATH),
    }


def render(template: str, translator: Translator, **values: Any) -> bytes:
    """Render a page that there is in every language, with links to switch."""
    values = layout_values(translator) | {"languages": LANGUAGES, "query": f"?language={translator.code}"} | values
    return render_template(template, **values).encode()


def page_response(body: bytes, vary: str = "") -> Response:
    """Return the response with an HTML page; ``vary`` is the header that it depends on."""
    return restrict(cacheable(body, HTML, vary))


def path_of_page(path: str) -> str:
    """Return ``path``; empty where the running application has no page there."""
    return path if any(rule.rule == path for rule in current_app.url_map.iter_rules()) else ""


def language_of_reader() -> str:
    """Return the code of the requested language, and of one that is not supported the nearest that is."""
    name = request.args.get("language", "")
    return name if name in LANGUAGES else negotiate_language(request.headers.get(ACCEPT_LANGUAGE, ""))


def requested_language() -> str:
    """Return the code of the requested language; raises `errors.BadRequest` for one that is not supported."""
    name = request.args.get("language", "")
    if name and name not in LANGUAGES:
        raise errors.BadRequest("bad_request", f"The languages are {', '.join(LANGUAGES)}.", "language")
    return name or negotiate_language(request.headers.get(ACCEPT_LANGUAGE, ""))
