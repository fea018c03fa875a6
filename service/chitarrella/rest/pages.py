"""The pages beside the contract: its document, what explains it, and what machines ask about the service itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import orjson
from flask import Flask, Response, redirect, render_template, request
from flask_swagger_ui import get_swaggerui_blueprint  # type: ignore[import-untyped]  # has no types
from prometheus_client import CONTENT_TYPE_LATEST
from werkzeug.wrappers import Response as AnyResponse

from chitarrella import errors
from chitarrella.api.api import Api
from chitarrella.api.caller import Caller
from chitarrella.rest.calls import JSON
from chitarrella.rest.headers import is_known, tag_of
from chitarrella.rest.openapi import openapi
from chitarrella.rest.problems import ERRORS_PAGE, KNOWN
from chitarrella.v1.catalogue_pb2 import GetGameRequest, ListGamesRequest

DOCUMENT: Final = "/openapi.json"
DOCS: Final = "/docs"
SECONDS: Final = 300
HTML: Final = "text/html; charset=utf-8"


def add_pages(app: Flask, api: Api, ready: Callable[[], None], metrics: Callable[[], bytes]) -> None:
    """Put the pages into ``app``; ``ready`` raises where the service could not answer a call."""

    @cache
    def document() -> bytes:
        return orjson.dumps(openapi(api))

    @cache
    def explained() -> str:
        return render_template("errors.html", errors=_errors(), reasons=_reasons(api))

    def healthz() -> Response:
        return Response(b'{"status":"alive"}', content_type=JSON, headers={"Cache-Control": "no-store"})

    def readyz() -> Response:
        try:
            ready()
        except errors.ChitarrellaError:
            raise
        except Exception:
            raise errors.StoreDown() from None
        return Response(b'{"status":"ready"}', content_type=JSON, headers={"Cache-Control": "no-store"})

    def home() -> AnyResponse:
        return redirect(f"{DOCS}/")

    app.add_url_rule("/", "home", home)
    app.add_url_rule("/healthz", "healthz", healthz)
    app.add_url_rule("/readyz", "readyz", readyz)
    app.add_url_rule("/metrics", "metrics", lambda: Response(metrics(), content_type=CONTENT_TYPE_LATEST))
    app.add_url_rule(DOCUMENT, "openapi", lambda: kept(document(), JSON))
    app.add_url_rule(ERRORS_PAGE, "errors", lambda: kept(explained().encode()))
    # validatorUrl: the badge would ask a server on the internet about the document.
    config = {"app_name": "Chitarrella", "validatorUrl": None}
    app.register_blueprint(get_swaggerui_blueprint(DOCS, DOCUMENT, config=config))


def kept(body: bytes, kind: str = HTML, vary: str = "") -> Response:
    """Answer with something that changes only with the version of the service, and with the header ``vary`` names."""
    tag = tag_of(body, None)
    known = is_known(request.environ, tag)
    response = Response(status=304) if known else Response(body, content_type=kind)
    response.headers["ETag"] = f'"{tag.text}"'
    response.headers["Cache-Control"] = f"public, max-age={SECONDS}"
    if vary:
        response.headers["Vary"] = vary
    return response


def _errors() -> list[dict[str, Any]]:
    """Give every error code once, with all the statuses it comes with."""
    found: dict[str, dict[str, Any]] = {}
    for known in KNOWN:
        row = found.setdefault(known.code, {"code": known.code, "means": known.means, "http": "", "grpc": ""})
        for name, value in (("http", str(known.kind.http)), ("grpc", known.kind.grpc)):
            row[name] = " or ".join(dict.fromkeys([*filter(None, [row[name]]), value]))
    return list(found.values())


def _reasons(api: Api) -> list[dict[str, str]]:
    """Give every reason for a refusal, with the games that know it."""
    says: dict[str, str] = {}
    games: defaultdict[str, list[str]] = defaultdict(list)
    token = ""
    while True:
        page = api.answer("/chitarrella.v1.CatalogueService/ListGames", ListGamesRequest(page_token=token), Caller())
        for summary in page.games:
            asked = GetGameRequest(game=summary.game)
            game = api.answer("/chitarrella.v1.CatalogueService/GetGame", asked, Caller())
            for reason in game.reasons:
                says.setdefault(reason.code, reason.says)
                games[reason.code].append(summary.title)
        if not (token := page.next_page_token):
            break
    return [{"code": code, "says": says[code], "games": ", ".join(games[code])} for code in sorted(says)]
