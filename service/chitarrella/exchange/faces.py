"""The faces of the Cucco pack that have a rule of their own in the exchange games."""

from typing import Final

INN: Final = "XI"
"""The inn."""
CAT: Final = "XII"
"""The cat."""
HORSE: Final = "XIII"
"""The horse."""
HUNTER: Final = "XIV"
"""The hunter."""
CUCKOO: Final = "XV"
"""The cuckoo, the highest card."""
FOOL: Final = "MAT"
"""The Matto. It has no rank of its own."""
NULLA: Final = "NUL"
"""The card for whose loss a host at the inn may answer."""
