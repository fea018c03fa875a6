"""Who calls."""

from __future__ import annotations

from typing import NamedTuple


class Caller(NamedTuple):
    """The key a caller has shown (empty for none), the id under which the log knows the call, the API key, and
    the platform it belongs to.
    """

    key: str = ""
    request_id: str = ""
    api_key: str = ""
    platform: str = ""
