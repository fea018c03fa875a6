"""The pages with scripts, ``/client.js`` and ``/record.js`` as they are served; ``tests/web`` plays there."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from tests.transports.rest_client import Rest

PAGES = {"/play/": "/client.js", "/ask/": "", "/records/": "/record.js", "/duel/": "/record.js"}
"""The pages, each with the script of the element that it shows."""


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


@pytest.mark.parametrize("page", PAGES)
def test_page_loads_from_the_service_alone(curl: Rest, page: str) -> None:
    """The page has no script and no style of its own text, and its policy allows those of the service only."""
    answer = curl.get(page)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; "))
    assert ("'none'", "'self'", "'self'") == (rules["default-src"], rules["script-src"], rules["style-src"])
    assert "no-referrer" == answer.headers["Referrer-Policy"]
    assert [] == re.findall(r"<style|style=|<script(?![^>]* src=)|\son\w+=", answer.text)
    loaded = r'<(?:script [^>]*src|link rel="(?:stylesheet|icon)"[^>]* href)="([^"]+)"'
    paths = [urljoin(page, path) for path in re.findall(loaded, answer.text)]
    common = {"/cards/cucco/back.svg", "/style.css", *filter(None, [PAGES[page]])}
    assert {f"{page}page.css", f"{page}page.js"} | common == set(paths)
    assert {200} == {curl.get(path).status_code for path in paths}
    redirect = curl.get(f"{page.rstrip('/')}?language=it")
    assert redirect.headers["Location"].endswith(f"{page}?language=it")


def test_script_has_a_strong_tag(curl: Rest) -> None:
    """The script is a module in UTF-8 for pages of every origin; who has it is told that it has not changed."""
    plain = {"Accept-Encoding": "identity"}
    answer = curl.get("/client.js", headers=plain)
    assert ("text/javascript; charset=utf-8", "*") == (
        answer.headers["Content-Type"],
        answer.headers["Access-Control-Allow-Origin"],
    )
    tag = answer.headers["ETag"]
    assert re.fullmatch(r'"[0-9a-f]+"', tag)
    assert 304 == curl.get("/client.js", headers={**plain, "If-None-Match": tag}).status_code
    assert 'customElements.define("chitarrella-table"' in answer.text


@pytest.mark.parametrize("path", ["/client.js", "/record.js", *(f"{page}page.js" for page in PAGES)])
def test_scripts_import_one_that_is_kept(curl: Rest, path: str) -> None:
    """Each script imports the shared one alone, at an address that has its digest and may be kept for a year."""
    (address,) = set(re.findall(r'\bfrom ?"([^"]+)"', curl.get(path).text))
    shared = curl.get(urljoin(path, address))
    assert ("public, max-age=31536000", "*") == (
        shared.headers["Cache-Control"],
        shared.headers["Access-Control-Allow-Origin"],
    )
    assert "public, max-age=300" == curl.get("/shared.js?0123456789abcdef").headers["Cache-Control"]
    if path.endswith("/page.js"):
        page = curl.get(urljoin(path, "."))
        assert f'<link rel="modulepreload" href="{urljoin(path, address)}">' in page.text


def test_scripts_evaluate_no_text_and_call_no_other_host(curl: Rest) -> None:
    """The scripts make no code and no markup out of text, and name no host but in the name of SVG."""
    for path in ("/client.js", "/record.js", "/shared.js", *(f"{page}page.js" for page in PAGES)):
        script = curl.get(path).text.replace('"http://www.w3.org/2000/svg"', "")
        assert [] == re.findall(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|https?://", script)
        assert [] == re.findall(r'setAttribute\("style"|\.style\.', script)


def test_example_of_a_record_is_text(curl: Rest) -> None:
    """A record of each game can be loaded by pages of every origin."""
    answer = curl.get("/records/cucu.txt")
    assert ("text/plain; charset=utf-8", "*") == (
        answer.headers["Content-Type"],
        answer.headers["Access-Control-Allow-Origin"],
    )
    assert answer.text.startswith("game cucu\n")
