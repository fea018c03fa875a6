"""The texts of the page of proofs: all that the tests write for it is translated, with its numbers."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from gettext import NullTranslations

import pytest

from chitarrella.i18n.proof_texts import LAWS, translate_proof
from chitarrella.i18n.translator import ENGLISH, LANGUAGES, Translator, translator_for
from chitarrella.testing.laws.law_list import LAWS as LAWS_OF_THE_CODE
from chitarrella.transports.rest.website.proofs_page import FIGURES
from lab.chaos.attacks.all_attacks import ATTACKS
from lab.chaos.attacks.victim import Attacked
from lab.chaos.deployments import FaultKind
from lab.chaos.kills import Killed
from lab.chaos.run import Findings, figures_of
from lab.chaos.watchers import Noticed

FINDINGS = Findings(
    [Killed("a run", dict.fromkeys(FaultKind, 1200), 80, 1, 2, 900, 5.0, None)],
    Noticed(4, 4, 4, ()),
    {attack.name: Attacked(100, 50, 0, 20, 3.0) for attack in ATTACKS.values()},
)
"""What a run of the chaos tests finds: faults of every kind, and every attack."""


class Marking(NullTranslations):
    """Translates every text into a mark."""

    def pgettext(self, context: str, message: str) -> str:
        """Return the mark."""
        return "#"


def texts() -> Iterator[str]:
    """What the page shows today, and what it would show after a run of the chaos tests."""
    for figure in json.loads(FIGURES.read_text(encoding="utf-8")):
        yield from (figure["what"], figure["figure"], figure["says"])
    for figure in figures_of(FINDINGS):
        yield from (figure.what, figure.figure, figure.says)


def test_every_text_of_the_page_is_known() -> None:
    """Nothing is left in English; in English the texts are what was written."""
    for text in texts():
        assert re.fullmatch(r"#([;,.:] #)*", translate_proof(Translator("xx", Marking()), text)), text
        assert text == translate_proof(ENGLISH, text)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_numbers_are_those_of_the_text(code: str) -> None:
    """A translation has every number of its text, written as the language does."""
    translator = translator_for(code)
    for text in texts():
        found, shown = (re.findall(r"\d[\d.,]*\d|\d", one) for one in (text, translate_proof(translator, text)))
        assert Counter(number.translate(str.maketrans(",.", ".,")) for number in found) == Counter(shown), text


def test_laws_are_those_of_the_code() -> None:
    """Every law is among the texts, by its name."""
    assert [f"law {name}" for name in LAWS_OF_THE_CODE] == list(LAWS)
