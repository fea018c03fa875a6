"""The guides of the folder ``docs`` as pages, with contents at the side, and as Markdown. They are in English."""

from __future__ import annotations

import re
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from flask import Flask
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chitarrella.i18n.translator import translator_for
from chitarrella.transports.rest.pages import DOCS_PATH, MARKDOWN, cacheable
from chitarrella.transports.rest.website.layout import ACCEPT_LANGUAGE, page_response, render, requested_language

GUIDES: Final = ("integration", "rest", "notation", "facts", "sources", "glossary", "library", "command-line")
"""The guides that are served, by name: those for users, and what they refer to."""
PACKAGED: Final = Path(__file__).parent / "guides"
"""Where a wheel has them; an editable install reads them in the repository."""
FOLDER: Final = PACKAGED if PACKAGED.is_dir() else Path(__file__).parents[5] / "docs"
"""The folder that they are read from."""
GUIDE_LINK: Final = re.compile(r"([\w-]+)\.md(#.*)?")
"""Matches a link from one guide to another."""
READER: Final = MarkdownIt("commonmark").enable("table")
"""Reads Markdown with tables, as the guides are written."""


class Guide(NamedTuple):
    """A guide as HTML: its title, the text under it, and the anchors and texts of its sections."""

    title: str
    body: str
    sections: tuple[tuple[str, str], ...]


def add_guides(app: Flask) -> None:
    """Register the guides in ``app``, each under its name in ``/docs/``."""

    @lru_cache(maxsize=len(GUIDES) * 3)
    def page(name: str, language: str) -> bytes:
        return render("guide.html", translator_for(language), guide=read_guide(text(name)), name=name)

    @cache
    def text(name: str) -> str:
        return (FOLDER / f"{name}.md").read_text(encoding="utf-8")

    show = partial(page_response, vary=ACCEPT_LANGUAGE)
    for name in GUIDES:
        path = f"{DOCS_PATH}/{name}"
        app.add_url_rule(path, f"guide {name}", lambda name=name: show(page(name, requested_language())))
        app.add_url_rule(f"{path}.md", f"{name}.md", lambda name=name: cacheable(text(name).encode(), MARKDOWN))


def read_guide(text: str) -> Guide:
    """Return a guide that is written in Markdown, with an anchor for each heading.

    Comments are left out. Links to other guides lead to their pages; what the service does not have gets none.
    """
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
    """Return the anchor of a heading, such as ``a-table-in-a-page``."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _plain_text(token: Token) -> str:
    return "".join(child.content for child in token.children or ())


def _rewrite_links(tokens: list[Token]) -> None:
    """Change the links of a line in place."""
    kept = True
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")))
            kept = bool(target)
            token.attrs = {"href": target} if kept else {}
        if token.type in ("link_open", "link_close"):
            token.tag = "a" if kept else "span"


def _target(href: str) -> str:
    """Return where a link of a guide leads; empty if that is not served."""
    found = GUIDE_LINK.fullmatch(href)
    page = f"{DOCS_PATH}/{found[1]}{found[2] or ''}" if found and found[1] in GUIDES else ""
    return href if href.startswith("#") else page
