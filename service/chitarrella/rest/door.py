"""The REST door: a Flask application made from the contract, with Connect and gRPC-Web on the same port."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Flask

from chitarrella.api.api import Api, rpcs
from chitarrella.observation import Observation
from chitarrella.rest.access import Access
from chitarrella.rest.books import add_books
from chitarrella.rest.calls import unary
from chitarrella.rest.connect import Connect, connecting, methods
from chitarrella.rest.pages import add_pages
from chitarrella.rest.problems import problem_response
from chitarrella.rest.routes import Segment, routes
from chitarrella.rest.stream import Watchers, watching
from chitarrella.rest.writing import Writer

LARGEST_BODY: Final = 1024 * 1024


def make_app(
    api: Api,
    observation: Observation,
    *,
    ready: Callable[[], None] = lambda: None,
    heartbeat: float = 15.0,
    watchers: int = 32,
) -> Flask:
    """Make the WSGI application.

    ``ready`` raises where the service could not answer a call; no stream is silent for longer than ``heartbeat``
    seconds; at most ``watchers`` follow matches at a time, each of whom holds a thread of the server.
    """
    app = Flask("chitarrella.rest", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    app.url_map.converters["segment"] = Segment
    app.url_map.merge_slashes = False  # an empty name in a path is no route, not a redirection
    app.register_error_handler(Exception, problem_response)
    writer = Writer()
    places = Watchers(api, heartbeat, watchers)
    for route in routes():
        streams = route.rpc.method.server_streaming
        view: Any = watching(route, places, writer) if streams else unary(route, api, writer)
        app.add_url_rule(route.rule, f"rest {route.rpc.method.name}", view, methods=[route.method])
    connect = Connect(api, places, writer)
    for rpc in rpcs():
        app.add_url_rule(rpc.path, f"connect {rpc.method.name}", connecting(rpc, connect), methods=methods(rpc))
    add_books(app, api)
    add_pages(app, api, ready, observation.metrics)
    app.wsgi_app = Access(app.wsgi_app, observation.call)  # type: ignore[method-assign]  # as Flask's own pages do it
    return app
