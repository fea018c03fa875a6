"""The language of an answer, chosen by ``Accept-Language``."""

from __future__ import annotations

import pytest

from chitarrella.i18n.negotiation import negotiate_language


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("IT", "it"),
        ("de-AT", "de"),
        ("it-CH, de-CH;q=0.9", "it"),
        ("en-GB,it;q=0.8", "en"),
        ("de-AT,en;q=0.1", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.5, it;q=0.8", "it"),
        ("it;q=0.5,de;q=0.5", "it"),
        ("de;q=0.5,it;q=0.5", "de"),
        ("fr, de;q=0.3", "de"),
        ("fr, ja;q=0.3", "en"),
        ("de ; q=0.1 , it ; q=0.25", "it"),
        ("it;Q=0.100, de;q=1.000", "de"),
        ("*", "en"),
        ("*, it;q=0.5", "en"),
        ("it, *;q=0.5", "it"),
        ("en;q=0, *", "it"),
        ("en;q=0, it;q=0, *;q=0.1", "de"),
        ("de;q=0", "en"),
        ("*;q=0", "en"),
        ("de-CH;q=0.2, it;q=0.4, de-DE;q=0.6", "de"),
        ("it;q=2", "en"),
        ("it;q=-1", "en"),
        ("it;q=0.1234", "it"),
        ("it;q=nan", "en"),
        ("it;q=", "it"),
        ("it;level=1", "en"),
        ("it;;q=1", "it"),
        ("it_IT", "it"),
        ("italiano", "en"),
        ("-it", "en"),
        (",,;,de,;q=1", "de"),
        ("i\u0307t", "en"),
        ("it;q=\u0661", "it"),
        ("it\n", "en"),
        ("\x00", "en"),
        (", " * 5000 + "it", "en"),
        ("fr," * 39 + "it", "it"),
        ("it" * 5000, "en"),
    ],
)
def test_the_best_language_is_chosen(header: str, code: str) -> None:
    """Quality decides, then the order; regions do not matter; what names no language is passed over."""
    assert code == negotiate_language(header)
