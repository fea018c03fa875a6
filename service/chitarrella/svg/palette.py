"""The colours of all drawings: flat ones, as stencils give them."""

from __future__ import annotations

from typing import Final

INK: Final = "#111"
"""Outlines, clubs and spades."""
PAPER: Final = "#fffbee"
"""The card itself."""
WHITE: Final = "#fff"
"""Linen, ermine, the light on a blade."""
RED: Final = "#c22"
"""Hearts, diamonds, and one of the four stencils."""
YELLOW: Final = "#fb3"
"""Gold."""
BLUE: Final = "#249"
"""Steel and cloth."""
SKY: Final = "#9cd"
"""Pale blue, the light side of steel."""
GREEN: Final = "#284"
"""Leaves, grass and cloth."""
SKIN: Final = "#fda"
"""Faces and hands."""
BROWN: Final = "#853"
"""Hair, wood and horses."""
GREY: Final = "#ccc"
"""Beards, and horses of another colour."""
