"""The Flask application, built from the contract: REST, Connect, gRPC-Web, documentation, health and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from flask import Flask

from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.telemetry import Telemetry
from chitarrella.transports.rest.connect import ConnectApp, connect_view, http_methods
from chitarrella.transports.rest.event_streams import StreamLimit
from chitarrella.transports.rest.middleware import RequestMiddleware
from chitarrella.transports.rest.pages import add_pages
from chitarrella.transports.rest.problems import problem_response
from chitarrella.transports.rest.routes import Segment, routes
from chitarrella.transports.rest.rulebook_pages import add_rulebook_pages
from chitarrella.transports.rest.views import unary_view
from chitarrella.transports.rest.watch_view import watch_view

MAX_BODY_BYTES: Final = 1024 * 1024


def make_app(
    dispatcher: Dispatcher,
    telemetry: Telemetry,
    *,
    ready: Callable[[], None] = lambda: None,
    heartbeat: float = 15.0,
    watchers: int = 32,
) -> Flask:
    """Build the WSGI application.

    ``ready`` raises if the service cannot answer calls. ``heartbeat`` is the longest silence of a stream in seconds.
    ``watchers`` limits the concurrent streams, each of which occupies a thread of the server.
    """
    app = Flask("chitarrella.transports.rest", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BODY_BYTES
    app.url_map.converters["segment"] = Segment
    app.url_map.merge_slashes = False  # a path with an empty segment is unknown, not redirected
    app.register_error_handler(Exception, problem_response)
    encoder = JsonEncoder()
    streams = StreamLimit(dispatcher, heartbeat, watchers)
    for route in routes():
        if route.rpc.method.server_streaming:
            view: Any = watch_view(route, streams, encoder)
        else:
            view = unary_view(route, dispatcher, encoder)
        app.add_url_rule(route.rule, f"rest {route.rpc.path}", view, methods=[route.method])
    connect = ConnectApp(dispatcher, streams, encoder)
    for rpc in rpcs():
        app.add_url_rule(rpc.path, f"connect {rpc.path}", connect_view(rpc, connect), methods=http_methods(rpc))
    add_rulebook_pages(app, dispatcher)
    add_pages(app, dispatcher, ready, telemetry.metrics)
    app.wsgi_app = RequestMiddleware(app.wsgi_app, telemetry.request)  # type: ignore[method-assign]  # documented by Flask
    return app
