"""Who calls."""

from __future__ import annotations

from typing import NamedTuple


class Caller(NamedTuple):
    """The key a caller has shown (empty for none), and the id under which the log knows the call."""

    key: str = ""
    request_id: str = ""
