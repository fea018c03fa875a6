"""Who may see a card, an event or a fact: viewers, and the visibility that each of these declares.

Nobody may see anything by default. `chitarrella.core.play.view_for` and `visible_to` hide what a viewer may not see.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, TypeAlias

REFEREE: Final = -2
"""The viewer who sees everything."""

Viewer: TypeAlias = int | None
"""Who looks: a seat, `REFEREE`, or None for the public."""


class Everybody(Enum):
    """The type of `EVERYBODY`."""

    EVERYBODY = "everybody"


Visibility: TypeAlias = frozenset[int] | Everybody
"""Who may see: these seats, or `EVERYBODY`. `REFEREE` always may. None is no visibility, so a forgotten value fails."""

EVERYBODY: Final = Everybody.EVERYBODY
"""What everybody sees."""
NOBODY: Final[frozenset[int]] = frozenset()
"""What nobody sees but the referee."""


def seen_by_word(visibility: Visibility) -> str:
    """Return the word for who sees a zone: ``everybody``, ``nobody``, or its ``owner``, who plays the cards there."""
    if visibility is EVERYBODY:
        return "everybody"
    return "owner" if visibility else "nobody"


def can_see(visibility: Visibility, viewer: Viewer) -> bool:
    """Whether ``viewer`` may see what has this ``visibility``."""
    return visibility is EVERYBODY or viewer == REFEREE or viewer in visibility
