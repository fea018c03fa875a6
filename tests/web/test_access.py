"""Pages that everybody can use: WCAG 2.2, levels A and AA, in light and dark, on a small phone and on a desktop."""

from __future__ import annotations

import pytest

from chitarrella.catalogue.registry import Catalogue
from tests.web.conftest import Play

BUSY_SECONDS = 300
"""Until a scenario has failed; it takes a tenth of that where nothing else runs."""


@pytest.mark.slow
@pytest.mark.timeout(BUSY_SECONDS)
def test_no_page_has_a_barrier(play: Play) -> None:
    """Axe-core finds nothing on any page to which a link leads, and none is wider than a window of 360 pixels."""
    seen = play("pages")
    found = seen["found"]
    assert ({}, 1) == (found["findings"], len(seen["errors"]))  # the error is the path that there is not
    paths = {"/", "/play/", "/ask/", "/docs/rules/", "/docs/api/", "/docs/proofs", "/docs/errors"}
    books = {f"/docs/rules/{game.key}" for game in Catalogue()}
    assert paths | books <= set(found["seen"])


@pytest.mark.timeout(BUSY_SECONDS)
def test_no_part_of_a_page_has_a_barrier(play: Play) -> None:
    """Axe-core finds nothing in the form, at a table with a refusal, in all views, and in an answered question."""
    seen = play("parts")
    assert ([], {}) == (seen["errors"], seen["found"]["findings"])
