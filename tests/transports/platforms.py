"""A service for two platforms, and a caller who shows their API keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from chitarrella.api.api_keys import ApiKeys, digest_of, parse_api_keys
from tests.transports.conftest import WiredService, opened, wire_service

ACME, CLUB = "the-key-of-acme", "the-key-of-the-club"
LINES = f"acme all {digest_of(ACME)}\nclub all {digest_of(CLUB)}"


@contextmanager
def platform_service(url: str, prefix: str) -> Iterator[WiredService]:
    """Wire a service that only the two platforms may call, with keys of its own in the store at ``url``."""
    wired = wire_service(url, prefix, ApiKeys(parse_api_keys(LINES)))
    try:
        yield wired
    finally:
        wired.hub.close()
        wired.platform_hub.close()
        wired.store.close()


class Platform:
    """A caller over REST."""

    def __init__(self, url: str, api_key: str) -> None:
        self.url, self.headers = url, {"x-api-key": api_key}

    def get(self, path: str, key: str = "", **params: Any) -> httpx.Response:
        """Read a resource, with the key of a seat or the referee if there is one."""
        return httpx.get(f"{self.url}/v1/{path}", params=params, headers=self._headers(key))

    def post(self, path: str, key: str = "", **body: Any) -> httpx.Response:
        """Make a call whose request is the body."""
        return httpx.post(f"{self.url}/v1/{path}", json=body, headers=self._headers(key))

    def delete(self, path: str, key: str) -> httpx.Response:
        """Delete a resource."""
        return httpx.delete(f"{self.url}/v1/{path}", headers=self._headers(key))

    def _headers(self, key: str) -> dict[str, str]:
        return self.headers | ({"Authorization": f"Bearer {key}"} if key else {})

    def create(self, **fields: Any) -> dict[str, Any]:
        """Create a match of Briscola."""
        response = self.post("matches", **{"ruleSet": {"gameId": "briscola"}, **fields})
        assert 201 == response.status_code, response.text
        created: dict[str, Any] = response.json()
        return created


@contextmanager
def platforms(wired: WiredService) -> Iterator[tuple[Platform, Platform]]:
    """Serve REST during the block; gives the two platforms."""
    with opened(wired) as url:
        yield Platform(url, ACME), Platform(url, CLUB)
