"""Finds the rpc of a REST path before Flask does, for the calls whose rpc decides where they run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from chitarrella.api.dispatcher import Rpc
from chitarrella.transports.rest.routes import VARIABLE, Route, Segment


class LoopRoutes:
    """The routes whose calls `AsyncCalls` runs; Flask matches all of them again, and answers."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """Find these ``routes``."""
        self._fixed: dict[tuple[str, str], Rpc] = {}
        self._patterns: list[tuple[str, re.Pattern[str], Rpc]] = []
        for route in routes:
            if VARIABLE.search(route.path):
                parts = (re.escape(part) for part in VARIABLE.sub("\0", route.path).split("\0"))
                self._patterns.append((route.method, re.compile(Segment.regex.join(parts)), route.rpc))
            else:
                self._fixed[route.method, route.path] = route.rpc

    def find(self, method: str, path: str) -> Rpc | None:
        """Return the rpc of a path, None where it is none of these routes."""
        if (rpc := self._fixed.get((method, path))) is not None:
            return rpc
        for wanted, pattern, found in self._patterns:
            if wanted == method and pattern.fullmatch(path):
                return found
        return None
