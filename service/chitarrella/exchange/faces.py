"""The faces of the Cucco pack that have a rule of their own in the exchange games."""

from typing import Final

INN: Final = "XI"
CAT: Final = "XII"
HORSE: Final = "XIII"
HUNTER: Final = "XIV"
CUCKOO: Final = "XV"
FOOL: Final = "MAT"
"""The Matto. It has no rank of its own."""
NULLA: Final = "NUL"
"""The card for whose loss a host at the inn may answer."""
