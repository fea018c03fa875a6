"""What a newer release has written and this one does not know: it is refused, and never changed.

While a service is upgraded, workers of two releases share a store. A worker of the older one refuses a match whose
metadata, control state or log has something that it does not know, as it does with unknown editions of rules.
"""

from __future__ import annotations

from typing import Final

from chitarrella import errors

UNKNOWN_RULES: Final = frozenset({"edition_not_supported", "game_not_installed"})
"""The codes for a match whose rules are unknown here, while another worker may know them."""


def not_known() -> errors.NotPossibleNow:
    """The error for a match that only a newer release can read."""
    message = "A newer release has written to this match; this worker cannot read it."
    return errors.NotPossibleNow("edition_not_supported", message)
