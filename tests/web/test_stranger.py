"""What somebody does who knows nothing of the pages but what they say, from the first page to a copied request."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from tests.web.conftest import BUSY_SECONDS, Play

MOST_TAPS = 6
"""From the first page to a table of Cucù with three bots, by the form."""
KEY = re.compile(r"[0-9a-f]{40}")
"""The key of a seat or of the referee."""


@pytest.mark.timeout(BUSY_SECONDS)
def test_stranger_plays_reads_and_copies(play: Play) -> None:
    """On a phone a match is played to its end, a refusal read on its card, all views opened; the copied line runs."""
    seen = play("stranger")
    found = seen["found"]
    # A bot may move in between: then the page says that the match has moved on.
    assert [] == [error for error in seen["errors"] if "409" not in error]
    assert MOST_TAPS >= found["taps"]
    assert (3, True) == (found["bots"], found["moves"] > 0)
    assert "wins the match" in found["last"]

    refusal = found["refusal"]
    clause = refusal["read"].removeprefix("✗ ")
    assert re.fullmatch(r"MA-\d+\.\d+", clause)
    assert f"{refusal['card']}, Not allowed: {clause}" == refusal["name"]
    assert "Suit must be followed" in refusal["described"]
    assert "Suit must be followed" in refusal["alert"]
    assert f"Clause {clause}" in refusal["alert"]
    assert refusal["allowed"] > 0

    seats = [found["views"][f"View: Seat {seat}"] for seat in range(4)]
    assert [f"View: {who}" for who in ("Public", *(f"Seat {seat}" for seat in range(4)), "Referee")] == list(
        found["views"]
    )
    assert (0, sum(seats)) == (found["views"]["View: Public"], found["views"]["View: Referee"])
    assert all(cards > 0 for cards in seats)

    done = subprocess.run(["sh", "-c", found["curl"]], capture_output=True, text=True, timeout=60, check=True)
    answer = json.loads(done.stdout)
    assert (True, True) == (answer["accepted"], answer["repeatedRequest"])
    assert [] == [url for url in seen["urls"] if KEY.search(url)]
