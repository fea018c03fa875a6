"""The page that shows that the rules are right, in the language of the reader: figures, strength of the bots, speed."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import orjson
from flask import Flask

from chitarrella.api.converters import RULES_PAGE
from chitarrella.i18n.proof_texts import decimal, translate_proof
from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, page_response, render, requested_language
from chitarrella.transports.rest.website.strength_plot import strengths

PROOFS_PAGE: Final = "/docs/proofs"
"""The path of the page."""
FIGURES: Final = Path(__file__).with_name("proofs.json")
"""The figures, which ``make evidence`` writes in English."""
LIST_JOINT: Final = re.compile(r"; (?=\w+: )")
"""Matches what stands between the laws in a note, which is shown as a list."""
SPEED: Final = Path(__file__).with_name("speed.json")
"""The goals of the benchmark with what was measured, which ``make bench`` writes; in English."""


def add_proofs_page(app: Flask) -> None:
    """Register the page in ``app``."""

    @lru_cache(maxsize=len(LANGUAGES))
    def page(language: str) -> bytes:
        translator = translator_for(language)
        return render(
            "proofs.html", translator, proofs=orjson.loads(FIGURES.read_bytes()), strengths=strengths(),
            speed=orjson.loads(SPEED.read_bytes()), rules=RULES_PAGE,
            translate=partial(translate_proof, translator), decimal=partial(decimal, translator),
            laws=LIST_JOINT,
        )  # fmt: skip

    app.add_url_rule(PROOFS_PAGE, "proofs", lambda: page_response(page(requested_language()), ACCEPT_LANGUAGE))
