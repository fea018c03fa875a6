"""Who calls."""

from __future__ import annotations

from typing import NamedTuple

from chitarrella.tongues import ENGLISH, Tongue


class Caller(NamedTuple):
    """The key a caller has shown (empty for none), the id under which the log knows the call, the API key, and
    the platform it belongs to, and the language to be answered in.
    """

    key: str = ""
    request_id: str = ""
    api_key: str = ""
    platform: str = ""
    tongue: Tongue = ENGLISH
