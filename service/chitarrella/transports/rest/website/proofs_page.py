"""The page that shows that the rules are right, in the language of the reader: figures, strength of the bots, plots.

The plots are those of the last run of the benchmark that was kept.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final

import orjson
from flask import Flask, Response
from werkzeug.exceptions import NotFound

from chitarrella.api.converters import RULES_PAGE
from chitarrella.i18n.proof_texts import decimal, translate_proof
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.pages import SVG, cacheable
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, page_response, render, requested_language
from chitarrella.transports.rest.website.strength_plot import strengths

PROOFS_PAGE: Final = "/docs/proofs"
"""The path of the page."""
FIGURES: Final = Path(__file__).with_name("proofs.json")
"""The figures, which ``make evidence`` writes in English."""
LIST_JOINT: Final = re.compile(r"; (?=\w+: )")
"""Matches what stands between the laws in a note, which is shown as a list."""
PLOTS: Final = Path(__file__).with_name("plots")
"""The plots of the benchmark, which ``make bench`` writes, with their index ``plots.json``."""


def add_proofs_page(app: Flask) -> None:
    """Register the page and its plots in ``app``."""

    @lru_cache(maxsize=len(LANGUAGES))
    def page(language: str) -> bytes:
        translator = translator_for(language)
        return render(
            "proofs.html", translator, proofs=orjson.loads(FIGURES.read_bytes()), strengths=strengths(),
            speed=orjson.loads((PLOTS / "plots.json").read_bytes()), rules=RULES_PAGE, here=PROOFS_PAGE,
            translate=partial(translate_proof, translator), decimal=partial(decimal, translator),
            laws=LIST_JOINT,
        )  # fmt: skip

    @cache
    def plots() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in PLOTS.glob("*.svg")}

    def plot(name: str) -> Response:
        if name not in plots():
            raise NotFound
        return cacheable(plots()[name], SVG)

    app.add_url_rule(PROOFS_PAGE, "proofs", lambda: page_response(page(requested_language()), ACCEPT_LANGUAGE))
    app.add_url_rule(f"{PROOFS_PAGE}/<name>", "plot", plot)
