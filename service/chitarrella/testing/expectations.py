"""What the laws cannot read off a game, and have to be told by who tests it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from chitarrella.testing.share_moves import ShareMoves


class Expectations(NamedTuple):
    """What a rule book says beside what the protocol has.

    - ``totals``: what a whole pack counts, by the name of the count, and by the key of the game.
    - ``share_moves``: for each verb whose moves have shares, where legal and illegal ones come from.
    """

    totals: Mapping[str, Mapping[str, int]] = {}
    share_moves: Mapping[str, ShareMoves] = {}


NOTHING_MORE: Final = Expectations()
"""No expectation beside the protocol."""
