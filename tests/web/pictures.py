"""Pictures of each game: `make pictures`."""

import pytest

from tests.web.conftest import MOVED_ON, Play
from tests.web.test_table import KEYS


@pytest.mark.parametrize("game", KEYS)
def test_moments_are_seen(play: Play, game: str) -> None:
    """The moments that never came are named, for each language."""
    print("missing:", *play(f"moments {game}", MOVED_ON))
