"""Finds the view of a streaming rpc by its REST path."""

from __future__ import annotations

from typing import NamedTuple

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.rest.routes import Segment, routes
from chitarrella.transports.rest.streams.watch_view import WatchView

SUFFIX = ":watch"
"""How the path of every streaming rpc ends."""


class WatchMatch(NamedTuple):
    """The view of a path, and the variables in it."""

    view: WatchView
    variables: dict[str, str]


class WatchRoutes:
    """The routes of the streaming rpcs."""

    def __init__(self, encoder: JsonEncoder) -> None:
        """Write responses by ``encoder``."""
        watched = [route for route in routes() if route.rpc.method.server_streaming]
        rules = [Rule(route.rule, endpoint=route.rpc.path, methods=[route.method]) for route in watched]
        self._views = {route.rpc.path: WatchView(route, encoder) for route in watched}
        self._map = Map(rules, converters={"segment": Segment}, merge_slashes=False).bind("")

    def find(self, method: str, path: str) -> WatchMatch | None:
        """Return the view of a path and the variables in it; None where it is none of these routes."""
        if not path.endswith(SUFFIX):
            return None
        try:
            endpoint, variables = self._map.match(path, method)
        except HTTPException:
            return None
        return WatchMatch(self._views[endpoint], dict(variables))
