"""The documents of the HTTP interface for programs, OpenAPI and AsyncAPI, and the page that shows them, Swagger UI."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import orjson
from flask import Flask, redirect
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]  # has no types

from chitarrella.api.dispatcher import Dispatcher
from chitarrella.transports.rest.api_documents.asyncapi import asyncapi
from chitarrella.transports.rest.api_documents.openapi import openapi
from chitarrella.transports.rest.pages import DOCS_PATH, SCRIPT, STYLE, cacheable
from chitarrella.transports.rest.problems import JSON, PUBLIC_URL

OPENAPI_PATH: Final = "/openapi.json"
"""The path of the OpenAPI document."""
ASYNCAPI_PATH: Final = "/asyncapi.json"
"""The path of the AsyncAPI document."""
API_PAGE: Final = f"{DOCS_PATH}/api"
"""The path of Swagger UI, whose page is ``website/templates/index.template.html``; `DOCS_PATH` leads there."""


def add_documents(app: Flask, dispatcher: Dispatcher) -> None:
    """Register the documents and the page in ``app``; ``dispatcher`` answers the examples."""
    public_url = app.config[PUBLIC_URL]

    @cache
    def openapi_json() -> bytes:
        return orjson.dumps(openapi(dispatcher, public_url))

    @cache
    def asyncapi_json() -> bytes:
        return orjson.dumps(asyncapi(public_url))

    app.add_url_rule(OPENAPI_PATH, "openapi", lambda: cacheable(openapi_json(), JSON))
    app.add_url_rule(ASYNCAPI_PATH, "asyncapi", lambda: cacheable(asyncapi_json(), JSON))
    app.add_url_rule(f"{DOCS_PATH}/", "docs", lambda: redirect(f"{API_PAGE}/"))
    # Without validatorUrl the page would send the document to a server on the internet.
    config = {"app_name": "Chitarrella", "validatorUrl": None, "layout": "BaseLayout"}
    here = Path(__file__)
    start, style = (here.with_name(name).read_bytes() for name in ("start_swagger.js", "swagger.css"))
    app.add_url_rule(f"{API_PAGE}/start.js", "start of Swagger UI", lambda: cacheable(start, SCRIPT))
    app.add_url_rule(f"{API_PAGE}/page.css", "style of Swagger UI", lambda: cacheable(style, STYLE))
    app.register_blueprint(get_swaggerui_blueprint(API_PAGE, OPENAPI_PATH, config=config))
