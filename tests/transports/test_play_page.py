"""The page ``/play/`` and ``/client.js`` as they are served; ``tests/web`` plays there."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import pytest

from tests.transports.rest_client import Rest

PAGE = "/play/"


@pytest.fixture
def curl(rest: str) -> Rest:
    """A caller without a key."""
    return Rest(rest)


def test_page_loads_from_the_service_alone(curl: Rest) -> None:
    """The page has no script and no style of its own text, and its policy allows those of the service only."""
    answer = curl.get(PAGE)
    rules = dict(rule.split(" ", 1) for rule in answer.headers["Content-Security-Policy"].split("; "))
    assert ("'none'", "'self'", "'self'") == (rules["default-src"], rules["script-src"], rules["style-src"])
    assert "no-referrer" == answer.headers["Referrer-Policy"]
    assert [] == re.findall(r"<style|style=|<script(?![^>]* src=)|\son\w+=", answer.text)
    paths = [urljoin(PAGE, path) for path in re.findall(r'(?:src|href)="(?!data:)([^"]+)"', answer.text)]
    assert ["/client.js", "/play/page.css", "/play/page.js"] == sorted(paths)
    assert [200] * 3 == [curl.get(path).status_code for path in paths]
    assert curl.get("/play").headers["Location"].endswith(PAGE)


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


def test_scripts_evaluate_no_text_and_call_no_other_host(curl: Rest) -> None:
    """The scripts make no code and no markup out of text, and name no host."""
    for path in ("/client.js", "/play/page.js"):
        script = curl.get(path).text
        assert [] == re.findall(r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write|https?://", script)
        assert [] == re.findall(r'setAttribute\("style"|\.style\.', script)
