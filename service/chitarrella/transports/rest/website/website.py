"""Everything at the HTTP port that is for people, and the documents beside it."""

from __future__ import annotations

from flask import Flask

from chitarrella.api.dispatcher import Dispatcher
from chitarrella.transports.rest.api_documents.documents import add_documents
from chitarrella.transports.rest.website.browser_pages import add_browser_pages
from chitarrella.transports.rest.website.card_pictures import add_card_pictures
from chitarrella.transports.rest.website.error_pages import add_error_pages
from chitarrella.transports.rest.website.guides import add_guides
from chitarrella.transports.rest.website.home_page import add_home_page
from chitarrella.transports.rest.website.layout import add_layout
from chitarrella.transports.rest.website.markdown_pages import add_markdown_pages
from chitarrella.transports.rest.website.proofs_page import add_proofs_page
from chitarrella.transports.rest.website.rulebook_pages import add_rulebook_pages
from chitarrella.transports.rest.website.table_words_json import add_table_words
from chitarrella.transports.rest.website.worked_example import FindExample


def add_website(app: Flask, dispatcher: Dispatcher, find_example: FindExample) -> None:
    """Register pages, pictures and documents in ``app``; the rule books have the examples of ``find_example``."""
    add_layout(app)
    add_home_page(app, dispatcher)
    add_rulebook_pages(app, dispatcher, find_example)
    add_markdown_pages(app, dispatcher)
    add_proofs_page(app)
    add_guides(app)
    add_documents(app, dispatcher)
    add_error_pages(app, dispatcher)
    add_card_pictures(app)
    add_table_words(app, dispatcher)
    add_browser_pages(app, dispatcher)
