"""What all HTML pages have in common: the layout ``templates/page.html``, the style sheet, the language."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from flask import Flask, Response, current_app, render_template, request

from chitarrella.api.caller import Caller, negotiate_language
from chitarrella.api.dispatcher import Dispatcher
from chitarrella.catalogue.registry import Catalogue
from chitarrella.i18n.narration import capital
from chitarrella.i18n.translator import LANGUAGES, Translator, translator_for
from chitarrella.transports.rest import pages
from chitarrella.transports.rest.problems import PUBLIC_URL, restrict
from chitarrella.v1.catalogue_pb2 import Card as CardMessage
from chitarrella.v1.catalogue_pb2 import GameSummary, GetGameRequest, GetGameResponse

ACCEPT_LANGUAGE: Final = "Accept-Language"
STYLE_PAGE: Final = "/style.css"
KEPT: Final = 100  # how many bodies of one kind of page are kept
# The names of `LANGUAGES`, each in the language itself.
NAMES: Final = {"en": "English", "it": "Italiano", "de": "Deutsch"}
# The pages with scripts: the names of their templates and files, by path.
SCRIPTED_PAGES: Final = {
    pages.PLAY_PATH: "play",
    pages.ASK_PATH: "ask",
    pages.RECORDS_PATH: "records",
    pages.DUEL_PATH: "duel",
}


def layout_values(translator: Translator) -> dict[str, Any]:
    """Return the values of the layout for a page in the language of ``translator``."""
    return {
        "translator": translator,
        "code": translator.code,
        "say": translator.cli_text,
        "text": translator.page_text,
        "language_names": NAMES,
        "style": STYLE_PAGE,
        "is_in_another": is_in_another,
        "origin": current_app.config[PUBLIC_URL],
        **{name: path_of_page(path) for path, name in SCRIPTED_PAGES.items()},
    }


def render(template: str, translator: Translator, **values: Any) -> bytes:
    values = layout_values(translator) | {"languages": LANGUAGES, "query": f"?language={translator.code}"} | values
    return render_template(template, **values).encode()


def page_response(body: bytes, vary: str = ACCEPT_LANGUAGE) -> Response:
    return restrict(pages.cacheable(body, pages.HTML_UTF8, vary))


def add_page(
    app: Flask, rule: str, make: Callable[..., bytes], answer: Callable[[bytes], Response] = page_response
) -> None:
    """Serve what ``make`` returns for a translator and the names in the path; it is kept for each language."""

    @lru_cache(maxsize=KEPT)
    def body(language: str, _is_another: bool, **names: str) -> bytes:
        return make(translator_for(language), **names)

    app.add_url_rule(rule, rule, lambda **names: answer(body(language_of_reader(), is_in_another(), **names)))


def add_file(app: Flask, path: str, body: bytes, kind: str) -> None:
    app.add_url_rule(path, path, lambda: pages.cacheable(body, kind))


def path_of_page(path: str) -> str:
    """Return ``path``; empty where the running application has no page there."""
    return path if any(rule.rule == path for rule in current_app.url_map.iter_rules()) else ""


def language_of_reader() -> str:
    """Return the code of the requested language, and of one that is not supported the nearest that is."""
    name = request.args.get("language", "")
    return name if name in LANGUAGES else negotiate_language(request.headers.get(ACCEPT_LANGUAGE, ""))


def is_in_another() -> bool:
    """Whether the page is in another language than the requested one, which it then says."""
    return request.args.get("language", "") not in ("", *LANGUAGES)


SERVICE: Final = "/chitarrella.v1.CatalogueService"


def find_game(dispatcher: Dispatcher, game_id: str, caller: Caller) -> GetGameResponse:
    found: GetGameResponse = dispatcher.answer(f"{SERVICE}/GetGame", GetGameRequest(game_id=game_id), caller)
    return found


def all_games(dispatcher: Dispatcher, catalogue: Catalogue, caller: Caller) -> list[GetGameResponse]:
    """Return all games in the order of the pages: the best known come first, those that do not say it last."""
    games = sorted(catalogue, key=lambda game: -game.entry.book.fame)
    return [find_game(dispatcher, game.key, caller) for game in games]


HAND: Final = 5  # cards in the fan of a game on the home page


class CardRow(NamedTuple):
    """Cards of one suit, the best first. ``suits`` names all suits with the same order and count; "" without suits."""

    suits: str
    cards: tuple[CardMessage, ...]


def card_rows(game: GetGameResponse) -> list[CardRow]:
    """Return a row for each group of suits whose cards rank and count alike; it shows the third suit of four."""
    groups: dict[tuple[tuple[str, int, int], ...], list[str]] = {}
    suits = _by_suit(game.cards)
    for suit, cards in suits.items():
        groups.setdefault(tuple((card.rank, card.order, card.points) for card in cards), []).append(suit)
    names = {suit.code: suit.name for suit in game.suits}
    return [
        CardRow(capital(", ".join(names.get(code, "") for code in group)), tuple(suits[group[len(group) // 2]]))
        for group in groups.values()
    ]


def hands(games: Sequence[GetGameResponse]) -> list[tuple[GameSummary, list[CardMessage]]]:
    """Return each game with a fan of cards; games with one pack that follow each other begin with other suits."""
    return [(game.summary, _hand(game, begin)) for begin, game in enumerate(games)]


def _hand(game: GetGameResponse, begin: int) -> list[CardMessage]:
    suits = list(_by_suit(game.cards).values())
    return [suits[(begin + place) % len(suits)][place] for place in range(HAND)]


def _by_suit(cards: Sequence[CardMessage]) -> dict[str, list[CardMessage]]:
    found: dict[str, list[CardMessage]] = {}
    for card in sorted(cards, key=lambda card: -card.order):
        found.setdefault(card.suit, []).append(card)
    return found


# What a browser asks for to put the pages among the programs of a device.
MANIFEST: Final = {
    "name": "Chitarrella", "short_name": "Chitarrella", "start_url": pages.PLAY_PATH, "scope": "/",
    "display": "standalone", "background_color": "#fbf8f1", "theme_color": "#1d5c3f",
    "icons": [{"src": "/icon.png", "sizes": "192x192", "type": "image/png"}],
}  # fmt: skip
SHARED_PATH: Final = "/shared.js"  # the path of the script that the others import, with its digest as the query
STYLES: Final = {"duel": "records"}  # the pages that look like another one
STATIC: Final = Path(__file__).parent / "static"


def static_file(name: str) -> bytes:
    """Return a file of ``STATIC``. Scripts are kept compressed: nobody reads them, and they are half of its size."""
    if name.endswith(".js"):
        return gzip.decompress((STATIC / f"{name}.gz").read_bytes())
    return (STATIC / name).read_bytes()


# The name and the type of each file that is served, by path.
FILES: Final[dict[str, tuple[str, str]]] = {
    "/client.js": ("client.js", pages.SCRIPT),
    "/record.js": ("record.js", pages.SCRIPT),
    "/home.js": ("home.js", pages.SCRIPT),
    "/icon.png": ("icon.png", "image/png"),
    **{f"{path}page.js": (f"{name}.js", pages.SCRIPT) for path, name in SCRIPTED_PAGES.items()},
    **{f"{path}page.css": (f"{STYLES.get(name, name)}.css", pages.STYLE) for path, name in SCRIPTED_PAGES.items()},
}
