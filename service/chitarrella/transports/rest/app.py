"""The Flask application, built from the contract: REST, Connect, gRPC-Web, documentation, health and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response

from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.api.telemetry import Telemetry
from chitarrella.transports.rest.compression import compress
from chitarrella.transports.rest.connect import ConnectApp, connect_view, http_methods
from chitarrella.transports.rest.cors import Cors
from chitarrella.transports.rest.documents import add_documents
from chitarrella.transports.rest.event_streams import StreamLimit
from chitarrella.transports.rest.middleware import RequestMiddleware
from chitarrella.transports.rest.pages import add_pages
from chitarrella.transports.rest.problems import PUBLIC_URL, problem_response
from chitarrella.transports.rest.routes import Segment, routes
from chitarrella.transports.rest.rulebook_pages import add_rulebook_pages
from chitarrella.transports.rest.views import unary_view
from chitarrella.transports.rest.watch_view import watch_view


def make_app(
    dispatcher: Dispatcher,
    telemetry: Telemetry,
    *,
    ready: Callable[[], None] = lambda: None,
    heartbeat: float = 15.0,
    watchers: int = 32,
    public_url: str = "",
    cors: Cors | None = None,
) -> Flask:
    """Build the WSGI application.

    ``ready`` raises if the service cannot answer calls. ``heartbeat`` is the longest silence of a stream in seconds.
    ``watchers`` limits the concurrent streams, each of which occupies a thread of the server. ``public_url`` is that
    under which callers reach this application, without a slash at its end. ``cors`` allows every origin if left out.
    """
    app = Flask("chitarrella.transports.rest", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.config[PUBLIC_URL] = public_url
    app.url_map.converters["segment"] = Segment
    app.url_map.merge_slashes = False  # a path with an empty segment is unknown, not redirected
    app.register_error_handler(Exception, problem_response)
    app.after_request(_path_only_location)
    app.after_request(compress)
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
    add_documents(app, dispatcher)
    add_pages(app, dispatcher, ready, telemetry.metrics)
    app.wsgi_app = RequestMiddleware(  # type: ignore[method-assign]  # documented by Flask
        app.wsgi_app, telemetry.request, cors or Cors()
    )
    return app


def _path_only_location(response: Response) -> Response:
    """Remove the host from a redirect: Werkzeug takes it from the header Host, which the caller chooses."""
    if response.location:
        response.location = urlsplit(response.location)._replace(scheme="", netloc="").geturl()
    return response
