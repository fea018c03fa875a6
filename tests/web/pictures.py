"""Pictures of each game: `make pictures`."""

import pytest

from tests.web.conftest import MOVED_ON, Play
from tests.web.test_table import KEYS


@pytest.mark.parametrize("game", KEYS)
def test_moments_are_seen(play: Play, game: str) -> None:
    """Start, full trick and end are there in each language; what else never came is named."""
    missing = play(f"moments {game}", MOVED_ON)
    print("missing:", *missing)
    assert all({"refusal", "summary"}.issuperset(left) for left in missing)
