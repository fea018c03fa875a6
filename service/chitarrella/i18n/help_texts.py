"""English texts of the help of those commands that have a language, by a stable key. They are translated.

The commands keep their own texts; the help finds the translation of a paragraph by its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from chitarrella.i18n.translator import Message, Translator

HELP_TEXTS: Final = {
    "usage": "Usage:",
    "options": "Options",
    "examples": "Examples",
    "default": "default",
    "help": "Show this message and exit.",
    "players": "Number of players.",
    "default players": "the default of the game",
    "option": "An option of the game; may be repeated. 'chitarrella explain GAME' lists them.",
    "seed": "Seed of the shuffles and the bots; the same seed repeats a match.",
    "new seed": "a new one, which is printed",
    "language": "Language of the rules; also set by CHITARRELLA_LANGUAGE.",
    "system language": "the system's, or en",
    "json": "Print JSON.",
    "bot": "How the bots play: at random, greedily, or by a search.",
    "think": "Milliseconds per move of the search bot. With a time limit its moves may differ from run to run.",
    "play": "Play a match against bots, which see only their own cards.",
    "play turn": "On your turn the legal moves are numbered and cards that may not be played are dimmed. Type a number,"
    " a card or a move; '?' lists the other commands. An illegal move is explained by the clause of the rule book that"
    " it breaks.",
    "seat": "Your seat.",
    "pause": "Wait before the move of a bot, and for Enter after each deal.",
    "on a terminal": "on a terminal",
    "record": "Write the record to this new file when the match ends or you leave.",
    "explain": "Explain a game: its cards, options, moves, reasons for refusal, and its rule book.",
    "replay": "Replay the record in FILE ('-' for the standard input) and print its events.",
    "replay checks": "Every move is validated again. At the first illegal one the command prints the line, the clause"
    " and the reason, and exits with status 1.",
    "until": "Stop after the first N moves of the record.",
    "viewer": "The viewer: only what it could see in the match is printed.",
}
"""Paragraphs, headings, and what stands for a default that is no value."""
KEYS: Final = {text: key for key, text in HELP_TEXTS.items()}
"""The key of each text."""


def messages() -> Iterator[Message]:
    """Yield the texts to translate."""
    yield from ((f"help {key}", english) for key, english in HELP_TEXTS.items())


def translate_help(translator: Translator, text: str) -> str:
    """Translate a paragraph of a help; one that is not known stays as it is."""
    words = " ".join(text.split())
    return translator.text(f"help {KEYS[words]}", words) if words in KEYS else words
