"""Everything at the HTTP port that is for people, and the documents beside it."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from flask import Flask, Response, redirect, render_template, request
from markdown_it import MarkdownIt
from markdown_it.token import Token
from werkzeug.wrappers import Response as AnyResponse

from chitarrella import v1 as pb
from chitarrella.api.caller import Caller
from chitarrella.api.converters import RULES_PAGE, picture_path
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.translator import LANGUAGES, Translator, decimal, translate_proof, translator_for
from chitarrella.transports.rest import pages, views
from chitarrella.transports.rest.api_documents.documents import EXAMPLES, add_documents
from chitarrella.transports.rest.problems import (
    ERRORS_PAGE,
    HTML,
    JSON,
    PUBLIC_URL,
    WITH_SCRIPTS,
    error_codes,
    restrict,
)
from chitarrella.transports.rest.website import layout, rulebook


def add_home_page(app: Flask, dispatcher: Dispatcher, catalogue: Catalogue) -> None:
    @lru_cache(maxsize=2 * len(LANGUAGES))
    def page(language: str, _is_another: bool) -> bytes:
        translator = translator_for(language)
        games = layout.hands(layout.all_games(dispatcher, catalogue, Caller(translator=translator)))
        table = rulebook.worked_example(catalogue, games[0][0].game_id)
        # The picture is of the last seat's turn: the cards of the others lie in the trick.
        played = [card for _, card in table.trick[:-1]] if table else []
        hand = table.last_hand if table else ()
        address = app.config[PUBLIC_URL] or "http://127.0.0.1:8080"
        values = {"table": table, "played": played, "hand": hand, "picture": picture_path, "address": address}
        question = views.object_decoder(pb.ResolveTrickRequest.DESCRIPTOR)(EXAMPLES["ResolveTrick"])
        path = "/chitarrella.v1.RulesService/ResolveTrick"
        answer = JsonEncoder().to_data(dispatcher.answer(path, pb.ResolveTrickRequest(**question), Caller()))
        values |= {"question": json.dumps(EXAMPLES["ResolveTrick"]), "answer": json.dumps(answer)}
        return layout.render("home.html", translator, games=games, rules=RULES_PAGE, **values)

    def home() -> AnyResponse:
        # Of types that the caller accepts equally, the first one is taken: a redirect for `*/*`, as ever.
        if request.accept_mimetypes.best_match([JSON, HTML], JSON) == HTML:
            body = page(layout.language_of_reader(), layout.is_in_another())
            return restrict(layout.page_response(body, f"Accept, {layout.ACCEPT_LANGUAGE}"), WITH_SCRIPTS)
        response = redirect(f"{pages.DOCS_PATH}/")
        response.headers["Vary"] = "Accept"
        return response

    app.add_url_rule("/", "home", home)


def add_error_page(app: Flask, dispatcher: Dispatcher, catalogue: Catalogue) -> None:
    def page(translator: Translator) -> bytes:
        reasons = _refusal_reasons(dispatcher, catalogue, Caller(translator=translator))
        return layout.render("errors.html", translator, errors=error_codes(translator), reasons=reasons)

    layout.add_page(app, ERRORS_PAGE, page)


def _refusal_reasons(dispatcher: Dispatcher, catalogue: Catalogue, caller: Caller) -> list[dict[str, str]]:
    texts: dict[str, str] = {}
    games: defaultdict[str, list[str]] = defaultdict(list)
    for game in layout.all_games(dispatcher, catalogue, caller):
        for reason in game.reasons:
            texts.setdefault(reason.code, reason.text)
            games[reason.code].append(game.summary.title)
    return [{"code": code, "text": texts[code], "games": ", ".join(games[code])} for code in sorted(texts)]


def add_markdown_pages(app: Flask, dispatcher: Dispatcher, catalogue: Catalogue) -> None:
    """Register the pages in ``app``. The languages are chosen as for the HTML pages; the list is in English."""

    def book(translator: Translator, game: str) -> bytes:
        values = layout.layout_values(translator) | rulebook.book_values(dispatcher, catalogue, translator, game)
        return render_template("rules.md", **values).encode()

    @cache
    def llms() -> bytes:
        games = [game.summary for game in layout.all_games(dispatcher, catalogue, Caller())]
        paths = {
            "rules": RULES_PAGE,
            "play": layout.path_of_page(pages.PLAY_PATH),
            "ask": layout.path_of_page(pages.ASK_PATH),
        }
        return render_template("llms.txt", games=games, **paths).encode()

    layout.add_page(
        app, f"{RULES_PAGE}/<game>.md", book, partial(pages.cacheable, kind=pages.MARKDOWN, vary=layout.ACCEPT_LANGUAGE)
    )
    app.add_url_rule("/llms.txt", "llms", lambda: pages.cacheable(llms(), TEXT))


# The guides of the folder ``docs`` as pages, with contents at the side, and as Markdown


# The guides that are served, by name: those for users, and what they refer to.
GUIDES: Final = (
    "integration", "validating", "hosting-matches", "access", "watching", "webhooks", "fair-deals", "showing-a-table",
    "rest", "notation", "facts", "events", "sources", "glossary", "library", "command-line",
)  # fmt: skip
# Where a wheel has them; an editable install reads them in the repository.
PACKAGED: Final = Path(__file__).parent / "guides"
# The folder that they are read from.
FOLDER: Final = PACKAGED if PACKAGED.is_dir() else Path(__file__).parents[5] / "docs"
GUIDE_LINK: Final = re.compile(r"([\w-]+)\.md(#.*)?")
READER: Final = MarkdownIt("commonmark").enable("table")


class Guide(NamedTuple):
    title: str
    body: str
    sections: tuple[tuple[str, str], ...]


def add_guides(app: Flask) -> None:
    def page(name: str, text: str, translator: Translator) -> bytes:
        return layout.render("guide.html", translator, guide=read_guide(text), name=name)

    for name in GUIDES:
        text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
        layout.add_page(app, f"{pages.DOCS_PATH}/{name}", partial(page, name, text))
        layout.add_file(app, f"{pages.DOCS_PATH}/{name}.md", text.encode(), pages.MARKDOWN)


def read_guide(text: str) -> Guide:
    """Return a guide without comments, with an anchor for each heading; links to what is not served are removed."""
    tokens = [token for token in READER.parse(text) if token.type != "html_block"]
    sections = []
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = _plain_text(tokens[place + 1])
            token.attrSet("id", anchor(heading))
            sections += [(anchor(heading), heading)] if token.tag == "h2" else []
        if token.children:
            _rewrite_links(token.children)
    title = _plain_text(tokens[1])
    return Guide(title, READER.renderer.render(tokens[3:], READER.options, {}), tuple(sections))


def anchor(heading: str) -> str:
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _plain_text(token: Token) -> str:
    return "".join(child.content for child in token.children or ())


def _rewrite_links(tokens: list[Token]) -> None:
    kept = True
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")))
            kept = bool(target)
            token.attrs = {"href": target} if kept else {}
        if token.type in ("link_open", "link_close"):
            token.tag = "a" if kept else "span"


def _target(href: str) -> str:
    found = GUIDE_LINK.fullmatch(href)
    page = f"{pages.DOCS_PATH}/{found[1]}{found[2] or ''}" if found and found[1] in GUIDES else ""
    return href if href.startswith("#") else page


# The results of ``chitarrella strength``, which ``make strength`` writes.
RESULT: Final = Path(__file__).with_name("strength.json")


def strengths() -> list[dict[str, Any]]:
    """Return two bots each, the command that repeats their result, and its rows, the clearest advantage first."""
    found = []
    for result in orjson.loads(RESULT.read_bytes()):
        rows = sorted(map(_row, result["pairs"]), key=lambda row: (-row["ahead"], row["game"]))
        found.append({"bots": result["bots"], "command": result["command"], "rows": rows})
    return found


def _row(pair: dict[str, Any]) -> dict[str, Any]:
    """Return two bots at one game, in percent: how often the first was ahead, and the interval of 95 %."""
    mean, within = (100 * share for share in pair["ahead"])
    low, high = max(0.0, mean - within), min(100.0, mean + within)
    points = "{:+.2f} ± {:.2f}".format(*pair["points"])
    return {**pair, "ahead": mean, "low": low, "high": high, "points": points}


FIGURES: Final = Path(__file__).with_name("proofs.json")  # the figures, which ``make evidence`` writes in English
# Matches what stands between the laws in a note, which is shown as a list.
LIST_JOINT: Final = re.compile(r"; (?=\w+: )")
# The goals of the benchmark with what was measured, which ``make bench`` writes; in English.
SPEED: Final = Path(__file__).with_name("speed.json")


def add_proofs_page(app: Flask) -> None:
    def page(translator: Translator) -> bytes:
        return layout.render(
            "proofs.html", translator, proofs=orjson.loads(FIGURES.read_bytes()), strengths=strengths(),
            speed=orjson.loads(SPEED.read_bytes()), rules=RULES_PAGE,
            translate=partial(translate_proof, translator), decimal=partial(decimal, translator),
            laws=LIST_JOINT,
        )  # fmt: skip

    layout.add_page(app, f"{pages.DOCS_PATH}/proofs", page)


TEXT: Final = "text/plain; charset=utf-8"
DIGEST_DIGITS: Final = 16  # how many hexadecimal digits of the SHA-256 of `SHARED_PATH` are its digest
KEPT_SECONDS: Final = 31_536_000  # seconds for which a file may be kept whose address has its digest: a year
# The key of a seat stands in the fragment of the address of a page, which no browser sends.
HEADERS: Final = {"Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"}


def add_browser_pages(app: Flask, dispatcher: Dispatcher, catalogue: Catalogue) -> None:
    shared_script = layout.static_file("shared.js")
    digest = sha256(shared_script).hexdigest()[:DIGEST_DIGITS]

    def page(name: str, translator: Translator) -> bytes:
        shared = f"{layout.SHARED_PATH}?{digest}"
        games = " ".join(trick_games() if name == "ask" else ids())
        return layout.render("scripted.html", translator, name=name, shared=shared, games=games)

    @cache
    def ids() -> list[str]:
        return [game.summary.game_id for game in layout.all_games(dispatcher, catalogue, Caller())]

    @cache
    def trick_games() -> list[str]:
        games = layout.all_games(dispatcher, catalogue, Caller())
        return [game.summary.game_id for game in games if any(zone.name == "trick" for zone in game.zones)]

    def shared() -> Response:
        is_this_one = request.query_string.decode("ascii", "replace") == digest
        return _file(shared_script, pages.SCRIPT, max_age=KEPT_SECONDS if is_this_one else pages.MAX_AGE_SECONDS)

    for path, name in layout.SCRIPTED_PAGES.items():
        layout.add_page(
            app, path, partial(page, name), partial(_file, kind=pages.HTML_UTF8, vary=layout.ACCEPT_LANGUAGE)
        )
        app.add_url_rule(path.rstrip("/"), f"redirect to {path}", partial(_redirect_to, path))
    app.add_url_rule(layout.SHARED_PATH, "shared script", shared)
    layout.add_file(app, "/manifest.json", orjson.dumps(layout.MANIFEST), "application/manifest+json")
    for path, (name, kind) in layout.FILES.items():
        app.add_url_rule(path, f"file {path}", partial(_file, layout.static_file(name), kind))
    for game in Catalogue():
        path = f"{pages.RECORDS_PATH}{game.key}.txt"
        app.add_url_rule(path, path, lambda key=game.key: _file(rulebook.example_record(key).encode(), TEXT))


def _redirect_to(path: str) -> AnyResponse:
    query = request.query_string.decode("ascii", "replace")
    return redirect(f"{path}?{query}" if query else path)


def _file(body: bytes, kind: str, vary: str = "", max_age: int = pages.MAX_AGE_SECONDS) -> Response:
    response = pages.cacheable(body, kind, vary, max_age)
    response.headers.update(HEADERS)
    return restrict(response, WITH_SCRIPTS)


def add_website(catalogue: Catalogue, app: Flask, dispatcher: Dispatcher) -> None:
    layout.add_file(app, layout.STYLE_PAGE, Path(__file__).with_name("style.css").read_bytes(), pages.STYLE)
    add_home_page(app, dispatcher, catalogue)
    rulebook.add_rulebook_pages(app, dispatcher, catalogue)
    add_markdown_pages(app, dispatcher, catalogue)
    add_proofs_page(app)
    add_guides(app)
    add_documents(app, dispatcher)
    add_error_page(app, dispatcher, catalogue)
    rulebook.add_card_pictures(app)
    rulebook.add_table_words(app, dispatcher)
    add_browser_pages(app, dispatcher, catalogue)
