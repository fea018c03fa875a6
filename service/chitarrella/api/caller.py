"""Who calls."""

from __future__ import annotations

from typing import NamedTuple


class Caller(NamedTuple):
    """The key a caller has shown (empty for none), the id under which the log knows the call, and the API key."""

    key: str = ""
    request_id: str = ""
    api_key: str = ""
