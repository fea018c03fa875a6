"""The time of a match: that of this machine, or, at a test, one that stands still until it is advanced.

A match keeps its deadlines in its own time. Everything that compares a time with them asks `match_time`; what waits for
a deadline by the clock of this machine asks `real_time`. The expiry of a match is counted in real time. All times are
in milliseconds since 1970.
"""

from __future__ import annotations

import time

from chitarrella.matches.control import ControlState
from chitarrella.matches.metadata import MatchMetadata


def now_ms() -> int:
    """The time of this machine's clock."""
    return int(time.time() * 1000)


def match_time(metadata: MatchMetadata, control: ControlState) -> int:
    """The time of a match now; at a test, its creation plus what its clock was advanced by."""
    return metadata.created_at * 1000 + control.advanced_ms if metadata.sandbox else now_ms()


def real_time(metadata: MatchMetadata, at: int | None) -> int | None:
    """When this machine's clock shows the time ``at`` of a match; None for never, as at a test."""
    return None if metadata.sandbox else at
