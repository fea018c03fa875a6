"""What a browser loads until it shows a table."""

from __future__ import annotations

from tests.web.conftest import Play

MOST_BYTES = 150_000
"""What the first table may weigh, compressed, with its pictures."""


def test_first_table_is_light_and_stands_elsewhere(play: Play) -> None:
    """A table with forty cards weighs less than 150 kB, and is shown to pages of another site by one script."""
    seen = play("weight")
    loaded = dict(seen["found"]["loaded"])
    assert ([], 4) == (seen["errors"], seen["found"]["elsewhere"])
    assert {"/play/", "/client.js", "/shared.js", "/play/page.js", "/style.css"} <= set(loaded)
    assert 30 < sum(path.endswith(".svg") for path in loaded)
    assert all(size > 0 for size in loaded.values())
    assert sum(loaded.values()) < MOST_BYTES
