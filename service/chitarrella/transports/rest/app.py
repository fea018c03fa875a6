"""The Flask application, built from the contract: REST, documentation, health and metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request

from chitarrella import errors
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.api.request_limits import MAX_BYTES
from chitarrella.i18n.translator import translator_for
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.transports.rest.connect import http_methods
from chitarrella.transports.rest.http_exchange import compress
from chitarrella.transports.rest.pages import add_health
from chitarrella.transports.rest.problems import PUBLIC_URL, problem_response
from chitarrella.transports.rest.views import Segment, routes, unary_view
from chitarrella.transports.rest.website.layout import language_of_reader, layout_values
from chitarrella.transports.rest.website.rulebook import FindExample
from chitarrella.transports.rest.website.website import add_website


def make_app(
    dispatcher: Dispatcher,
    telemetry: Telemetry,
    find_example: FindExample,
    *,
    ready: Callable[[], None] = lambda: None,
    public_url: str = "",
) -> Flask:
    """``ready`` raises if the service cannot answer calls. ``public_url`` has no slash at its end."""
    app = _flask(public_url)
    app.url_map.converters["segment"] = Segment
    app.url_map.merge_slashes = False  # a path with an empty segment is unknown, not redirected
    encoder = JsonEncoder()
    for route in routes():
        view: Any = _refuse_grpc if route.rpc.method.server_streaming else unary_view(route, dispatcher, encoder)
        app.add_url_rule(route.rule, f"rest {route.rpc.path}", view, methods=[route.method])
    for rpc in rpcs():
        app.add_url_rule(rpc.path, f"connect {rpc.path}", _refuse_grpc, methods=http_methods(rpc))
    add_website(app, dispatcher, find_example)
    add_health(app, ready, telemetry.metrics)
    return app


def make_admin_app(telemetry: Telemetry, ready: Callable[[], None], public_url: str = "") -> Flask:
    app = _flask(public_url)
    add_health(app, ready, telemetry.metrics)
    return app


def _flask(public_url: str) -> Flask:
    app = Flask("chitarrella.transports.rest.website", static_folder=None)  # the folder with the templates
    app.config["MAX_CONTENT_LENGTH"] = MAX_BYTES
    app.config[PUBLIC_URL] = public_url
    app.context_processor(lambda: layout_values(translator_for(language_of_reader())))
    app.register_error_handler(Exception, problem_response)
    app.after_request(_path_only_location)
    app.after_request(lambda response: compress(response, request))
    return app


def _refuse_grpc() -> Response:
    raise errors.WrongMediaType("wrong_media_type", "gRPC itself has a port of its own; this one speaks gRPC-Web.")


def _path_only_location(response: Response) -> Response:
    """Remove the host from a redirect: Werkzeug takes it from the header Host, which the caller chooses."""
    if response.location:
        response.location = urlsplit(response.location)._replace(scheme="", netloc="").geturl()
    return response
