"""English texts of the HTML and Markdown pages, by a stable key. They are translated together with the rules."""

from __future__ import annotations

from typing import Final

PAGE_TEXTS: Final = {
    "sentence": "The rules of {games} traditional card games: a rule book for people, and a service that programs ask"
    " which moves are legal.",
    "games": "Games",
    "play": "Play",
    "play this": "Play this game",
    "no script": "This page needs JavaScript.",
    "play says": "Sit down at a table in this browser, against the bots or with others.",
    "ask": "Ask",
    "ask this": "Ask about a trick",
    "ask says": "Lay out a trick and a hand: which cards may be played, and why not the others.",
    "rules": "Rule books",
    "rules says": "Every clause with its source, every reason for which a move may be refused.",
    "api says": "Every call over HTTP, with examples that can be tried at once.",
    "proofs": "Proofs",
    "proofs says": "What shows that the rules are right, each figure with the command that prints it.",
    "errors": "Errors",
    "errors says": "The code of every error and of every refused move.",
    "programs": "For programs",
    "programs says": "What is where, in plain text: the rule books as Markdown, the contract as OpenAPI.",
    "integration": "Integration",
    "integration says": "What a program has to know that plays here: keys, retries, watching, fair deals, bots.",
    "notation": "Notation",
    "sources": "Sources",
    "glossary": "Glossary",
    "in English": "This page is in English only.",
    "language": "Language",
    "skip": "Skip to the content",
    "contents": "Contents",
    "main": "Main pages",
    "player count": "{players} players",
    "card order": "The cards, best first",
    "card order of": "{suits}, best first",
    "card counts": "The number below a card is what it counts.",
    "card trumps": "Trumps may change order and count.",
    "at a glance": "The game",
    "place": "Place",
    "edition": "Edition",
    "clauses": "Clauses",
    "common clauses": "Clauses common to all games",
    "markdown": "This page as Markdown",
    "footer": "The pictures of the cards are in the public domain (CC0).",
}
"""Whole sentences and headings. Placeholders stand in braces."""
