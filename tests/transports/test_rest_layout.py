"""The HTML pages as people read them: layout, languages, links and pictures; and as text."""

import json
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

import httpx
import pytest

from chitarrella.i18n.translator import LANGUAGES, translator_for
from chitarrella.transports.rest.website.website import GUIDES
from tests.transports.rest_client import PLAIN, Rest, failed
from tests.walks import CATALOGUE

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
GAMES = [game.key for game in CATALOGUE]
TRANSLATED = [
    "/", "/docs/rules/", "/docs/errors", "/docs/proofs", *(f"/docs/rules/{game}" for game in GAMES),
    *(f"/docs/{name}" for name in GUIDES),
]  # fmt: skip
ENGLISH = ["/docs/api/", "/nowhere"]
PAGES = [*TRANSLATED, *ENGLISH]


class Page(HTMLParser):
    """What a test asks of a page: its elements with their attributes, and the texts of some."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.title = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.elements and self.elements[-1][0] == "title" and not self.title:
            self.title = data.strip()

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def targets(self) -> Iterator[str]:
        for _, attributes in self.elements:
            yield from (attributes[name] for name in ("href", "src") if name in attributes)


@pytest.fixture(scope="module")
def pages(rest: str) -> dict[str, str]:
    """The text of every page, as a browser that asks for English gets it."""
    with httpx.Client(base_url=rest, **PLAIN) as browser:
        return {path: browser.get(path, headers=BROWSER).text for path in PAGES}


def test_pages_have_one_layout_without_inline_style_or_script(curl: Rest, pages: dict[str, str]) -> None:
    """Every page fits a phone and has a title; all that it loads is the service's own, and no policy allows more."""
    for path, text in pages.items():
        page = Page(text)
        assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta"), path
        assert "Chitarrella" in page.title
        said = {meta.get("name") or meta.get("property"): meta.get("content") for meta in page.all("meta")}
        assert said["description"] == said["og:description"] != ""
        assert ("/icon.png", page.title) == (said["og:image"], said["og:title"])
        assert "#content" == page.all("a")[0]["href"]
        assert ["content"] == [main["id"] for main in page.all("main")]
        assert not page.all("style"), path
        assert all("src" in script or "application/json" == script["type"] for script in page.all("script"))
        for _, attributes in page.elements:
            assert not [name for name in attributes if name == "style" or name.startswith("on")]
        for target in page.targets():
            assert ("", "") == urlsplit(target)[:2], target
    for path in (*TRANSLATED[:3], *ENGLISH[1:]):
        policy = curl.get(path, headers=BROWSER).headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        scripts = [part for part in policy.split("; ") if part.startswith("script-src")]
        assert (["script-src 'self'"] if path == "/" else []) == scripts


def test_links_and_pictures_of_every_page_lead_somewhere(rest: str, pages: dict[str, str]) -> None:
    """Each link, picture, style and script of a page is answered, and each anchor stands on its page."""
    with httpx.Client(base_url=rest, follow_redirects=True, headers=BROWSER, **PLAIN) as browser:

        @cache
        def answer(path: str) -> str:
            response = browser.get(path)
            assert 200 == response.status_code, path
            return response.text

        for path, text in pages.items():
            for target in Page(text).targets():
                found, anchor = urldefrag(urljoin(path, target))
                page = text if target.startswith("#") else answer(found)
                assert not anchor or f'id="{anchor}"' in page, (path, target)


@pytest.mark.parametrize("path", ["/", "/docs/rules/", "/docs/rules/cucu"])
def test_pages_speak_the_language_of_the_reader(curl: Rest, path: str) -> None:
    """The header chooses the language, a parameter overrules it, and the page links to the others."""
    texts = set()
    for language in LANGUAGES:
        by_header = curl.get(path, headers={**BROWSER, "Accept-Language": language})
        assert "Accept-Language" in by_header.headers["Vary"]
        by_name = curl.get(f"{path}?language={language}", headers={**BROWSER, "Accept-Language": "en"})
        assert by_name.text == by_header.text
        assert [{"lang": language}] == Page(by_header.text).all("html")
        links = [link["href"] for link in Page(by_header.text).all("a") if "hreflang" in link]
        assert [f"?language={each}" for each in LANGUAGES] == links
        texts.add(by_header.text)
    assert len(LANGUAGES) == len(texts)
    other = curl.get(f"{path}?language=fr", headers={**BROWSER, "Accept-Language": "it"})
    assert (200, [{"lang": "it"}]) == (other.status_code, Page(other.text).all("html"))
    assert f'role="note">{translator_for("it").page_text("another language")}</p>' in unescape(other.text)
    assert 'role="note"' not in by_header.text


def test_home_page_shows_a_hand_of_every_game(curl: Rest) -> None:
    """A browser finds each game with its name, its place, and five different cards of its own pack."""
    answer = curl.get("/", headers=BROWSER)
    for game in curl.get("/v1/games").json()["games"]:
        pictures = {card["picturePath"] for card in curl.get(f"/v1/games/{game['gameId']}").json()["cards"]}
        link = re.search(rf'<a href="/docs/rules/{game["gameId"]}\?.*?</a>', answer.text, re.DOTALL)
        assert link, game["gameId"]
        hand = re.findall(r'<img src="([^"]+)"', link[0])
        assert (5, 5) == (len(hand), len(pictures.intersection(hand)))
        assert f"<strong>{game['title']}</strong>" in link[0]
        assert game["place"] in link[0]
    assert "Accept" in answer.headers["Vary"].split(", ")


def test_home_page_begins_with_a_table_and_has_an_answered_command(curl: Rest) -> None:
    """The first link of the page leads to a match of the best known game, and its command has the answer shown."""
    text = unescape(curl.get("/", headers=BROWSER).text)
    assert '<p class="act">\n<a href="/play/?language=en&game=briscola#start">' in text
    command, shown = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", text, re.DOTALL)
    body = re.search(r"-d '(.*)'", command)
    assert body
    assert json.loads(shown) == curl.post("/v1/rules:resolveTrick", json.loads(body[1])).json()


MOST_WORDS = 150


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_book_says_how_it_is_played(language: str) -> None:
    """Aim, deal, turn and count of every game take at most 150 words."""
    for game in GAMES:
        parts = translator_for(language).how_to_play(CATALOGUE.game(game))
        assert ["aim", "deal", "turn", "count"] == [*parts], game
        assert sum(len(part.split()) for part in parts.values()) <= MOST_WORDS, game


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html;q=0.5,application/json"])
def test_programs_are_sent_from_home_to_the_api(curl: Rest, accept: str) -> None:
    """Whoever does not prefer HTML is redirected, and a cache learns that the answer depends on it."""
    answer = curl.get("/", headers={"Accept": accept})
    assert (302, "/docs/") == (answer.status_code, answer.headers["Location"])
    assert "Accept" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize(
    ("game", "rows", "best", "counts"),
    [
        ("briscola", [10], ["Ad", "3d", "Rd", "Cd", "Fd"], "11 10 4 3 2 0 0 0 0 0"),
        ("harjan", [13], ["Ah", "Th", "Kh", "Qh", "Jh"], "11 10 4 3 2 0 0 0 0 0 0 0 0"),
        ("cuccu-a-trionfo", [10, 10], ["X", "IX", "VIII"], "10 9 8 7 6 5 4 3 2 1 15 14 13 12 11 0 0 0 0 0"),
        ("cucu", [20], ["XV", "XIV", "XIII"], ""),
    ],
)
def test_rule_book_begins_with_the_order_of_the_cards(
    pages: dict[str, str], game: str, rows: list[int], best: list[str], counts: str
) -> None:
    """The cards follow how it is played, the best one first, each with what it counts; one row for suits alike."""
    text = pages[f"/docs/rules/{game}"]
    order = text[text.index('<section class="order"') : text.index('<div class="book">')]
    lists = re.findall(r'<ol class="cards.*?</ol>', order, re.DOTALL)
    assert rows == [len(re.findall("<li>", each)) for each in lists]
    codes = re.findall(r'src="/cards/\w+/(\w+)\.svg"', lists[0])
    assert best == codes[: len(best)]
    assert counts.split() == re.findall("<b>([^<]+)</b>", order)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_books_are_pages_and_markdown(curl: Rest, language: str) -> None:
    """Both have each title, card, clause, option, move and reason in the language, the page under their anchors."""
    for key in GAMES:
        game = curl.get(f"/v1/games/{key}", headers={"Accept-Language": language}).json()
        page, markdown = (curl.get(f"/docs/rules/{key}{kind}?language={language}") for kind in ("", ".md"))
        assert "text/markdown; charset=utf-8" == markdown.headers["Content-Type"]
        assert markdown.text.startswith(f"# {game['summary']['title']}\n\n{game['summary']['place']}")
        shown, lines = unescape(page.text), markdown.text.splitlines()
        for each in game["clauses"]:
            assert f"- **{each['key']}** {each['text']} ({each['source']})" in lines
            assert f'id="{each["key"]}"' in shown
            assert each["text"] in shown
        for each in game["reasons"]:
            assert f"- `{each['code']}`: {each['text']} ({each['clauseKey']})" in lines
            assert f'id="{each["code"]}"' in shown
        assert all(f"<code>{move['notation']}</code>" in shown for move in game["moves"])
        assert all(word in shown for option in game["options"] for word in option["choices"])
        for start in [*(each["name"] for each in game["options"]), *(each["notation"] for each in game["moves"])]:
            assert any(line.startswith(f"- `{start}`: ") for line in lines), start
        assert any(f"`{card['code']}` {card['name']}" in markdown.text for card in game["cards"])
        assert not re.search("&#|<[a-z/]|\n\n\n", markdown.text)
    failed(curl.get("/docs/rules/poker.md"), 404, "unknown_game", "game_id")
    index = curl.get("/docs/rules/", headers={"Accept-Language": f"{language}-AT,it;q=0.4"}).text
    assert all(f'href="{key}?language={language}"' in index for key in GAMES)


def test_llms_txt_says_what_is_where(curl: Rest) -> None:
    """The list has every rule book, and each of its links is answered."""
    answer = curl.get("/llms.txt")
    assert "text/plain; charset=utf-8" == answer.headers["Content-Type"]
    links = re.findall(r"\]\(([^)]+)\)", answer.text)
    assert {f"/docs/rules/{game}.md" for game in GAMES} <= set(links)
    for link in links:
        assert 200 == curl.get(link, follow_redirects=True).status_code, link
