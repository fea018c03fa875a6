"""Translation of rule books and refusals: English, Italian and German.

The rules are written in English, which is also the source language of the catalogues. A catalogue is a gettext file:
``locale/it.po`` is the source, ``locale/it.mo`` is compiled from it when the package is built or installed. Each text
has a stable id (the gettext context, `Message`); a text without a translation stays English. Codes, keys and card
notation are the same in all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import Any, Final, TypeAlias

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card, Pack
from chitarrella.core.game import AnyGame
from chitarrella.core.model import WRONG_PHASE, Clause, MoveSpec, Reason, Refusal, ZoneSpec
from chitarrella.core.options import Option
from chitarrella.i18n.english_texts import (
    ADDED_FACT_NAMES,
    CLI_TEXTS,
    FACT_NAMES,
    PAGE_TEXTS,
    PLAY_TEXTS,
    SOURCE_WORDS,
    add_english,
)
from chitarrella.i18n.narration import CARD_NAMES, capital, kind, names, translated_name

LANGUAGES: Final = ("en", "it", "de")  # the language codes there are; the first is the source language

LOCALE: Final = Path(__file__).with_name("locale")

# A text to translate: its id, such as the key of a clause or ``reason not_in_hand``, and the English text.
Message: TypeAlias = tuple[str, str]

SOURCE_WORD: Final = re.compile(
    rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(SOURCE_WORDS, key=len, reverse=True)))})(?![\w.])"
)
"""Matches one of `SOURCE_WORDS` as whole words; the longest come first, so that "as in" is not read as "as"."""


class MissingCatalogueError(Exception):
    """A catalogue has not been compiled: the package was neither built nor installed."""


class Translator:
    """Translates the texts of the rules into one of `LANGUAGES`, English too."""

    def __init__(self, code: str, catalogue: NullTranslations) -> None:
        """Translate with ``catalogue``; `NullTranslations` leaves every text as it is."""
        self.code = code
        self._catalogue = catalogue

    def text(self, key: str, english: str) -> str:
        return self._catalogue.pgettext(key, english)

    def _filled(self, key: str, english: str, values: Mapping[str, object]) -> str:
        text = self.text(key, english)
        return text.format(**values) if values else text

    def cli_text(self, key: str, **values: object) -> str:
        return self._filled(f"phrase {key}", CLI_TEXTS[key], values)

    def page_text(self, key: str, **values: object) -> str:
        return self._filled(f"page {key}", PAGE_TEXTS[key], values)

    def play_text(self, key: str, **values: object) -> str:
        return self._filled(f"play {key}", PLAY_TEXTS[key], values)

    def fact(self, name: str) -> str:
        return self.text(f"fact {name}", FACT_NAMES.get(name) or ADDED_FACT_NAMES.get(name, spaced(name)))

    def title(self, game: AnyGame) -> str:
        return self.text(f"title {game.key}", game.title)

    def place(self, game: AnyGame) -> str:
        return self.text(f"place {game.key}", game.place)

    def clause(self, clause: Clause) -> str:
        return self.text(clause.key, clause.text)

    def reason_template(self, reason: Reason) -> str:
        return self.text(f"reason {reason.code}", reason.text)

    def option(self, game: AnyGame, option: Option[Any]) -> str:
        return self.text(f"option {game.key}.{option.name}", option.description)

    def allowed(self, words: Sequence[str], least: int | None, most: int | None) -> str:
        """Describe the values of an option: the ``words``, the numbers from ``least`` to ``most``, or both."""
        parts = [", ".join(words)] if words else []
        if least is not None:
            key = "number from" if most is None else "number between"
            parts.append(self.cli_text(key, least=least, most=most))
        return self.cli_text("or").join(parts)

    def move_spec(self, game: AnyGame, spec: MoveSpec) -> str:
        return self.text(f"move {game.key}.{spec.verb}", spec.description)

    def phase(self, phase: str) -> str:
        return self.text(f"phase {phase}", spaced(phase))

    def source(self, source: str) -> str:
        """Translate the source of a clause: the words between the names and numbers of documents and rulings."""
        return SOURCE_WORD.sub(lambda match: self.text(f"source {match[0]}", match[0]), source)

    def pack(self, name: str) -> str:
        return self.text(f"pack {name}", name)

    def names(self, pack: Pack) -> dict[str, str]:
        return {letters: self._name(letters, pack) for letters in names(pack)}

    def suit(self, code: str, pack: Pack) -> str:
        return self._name(code, pack) or self.noun(code)

    def card(self, card: Card, pack: Pack) -> str:
        """The name of a card, such as "ace of batons" or "hunter"; what has no name keeps its notation."""
        rank = self._name(card.rank, pack) or card.rank
        if not card.suit:
            return rank
        template = self.text(f"card {kind(pack)}", CARD_NAMES[kind(pack)])
        return template.format(rank=rank, suit=self._name(card.suit, pack))

    def zone(self, spec: ZoneSpec) -> str:
        return self.text(f"zone {spec.name}", spec.description)

    def noun(self, word: str) -> str:
        """The name of a suit or a count that has no notation, such as ``half_points``."""
        return self.text(f"word {word}", spaced(word))

    def reason(self, refusal: Refusal, pack: Pack) -> str:
        """Explain in a sentence why a move is refused: suits, ranks and phases by name, cards in notation."""
        word = self.phase(refusal.word) if refusal.reason == WRONG_PHASE else self._particular(refusal.word, pack)
        sentence = self.reason_template(refusal.reason).format(
            word=word,
            amount=refusal.amount,
            allowed_cards=" ".join(refusal.allowed_cards),
            offending_cards=" ".join(refusal.offending_cards),
        )
        return capital(sentence)

    def _particular(self, word: str, pack: Pack) -> str:
        """A suit, rank or noun by name; in a pack without suits a rank is a card, and stays in notation."""
        has_suits = any(pack.suits)
        parts = [(has_suits and self._name(part, pack)) or self.noun(part) for part in word.split(" or ")]
        return self.cli_text("or").join(parts)

    def _name(self, letters: str, pack: Pack) -> str:
        return translated_name(letters, pack, self.text)


def spaced(word: str) -> str:
    """Write an identifier of the rules as English words: ``inn_guest`` as ``inn guest``."""
    return word.replace("_", " ")


ENGLISH: Final = Translator(LANGUAGES[0], NullTranslations())


def add_texts(catalogue: Catalogue) -> None:
    """Use the texts and translations of the packages of a catalogue, behind those of this one. Idempotent."""
    add_english(*catalogue.texts())
    add_locales(catalogue.locales)


def add_locales(folders: Iterable[Path]) -> None:
    """Translate with ``it.mo`` and ``de.mo`` of ``folders`` what this package does not have. Idempotent."""
    for folder in folders:
        if folder not in _ADDED:
            _ADDED.append(folder)
            translator_for.cache_clear()


_ADDED: Final[list[Path]] = []  # the folders of other packages, in the order in which they are searched


@cache
def translator_for(code: str) -> Translator:
    """Return the translator of one of `LANGUAGES`; raises `MissingCatalogueError` if its catalogue is not compiled."""
    return ENGLISH if code == ENGLISH.code else Translator(code, read_texts(code, _ADDED))


def read_texts(code: str, added: Iterable[Path] = ()) -> GNUTranslations:
    """Read the catalogue of a language, and behind it those in ``added`` folders; raises `MissingCatalogueError`."""
    path = LOCALE / f"{code}.mo"
    try:
        texts = _read(path)
    except FileNotFoundError:
        raise MissingCatalogueError(
            f"{path} is missing: compile the translations with 'make install' or 'pip install .'"
        ) from None
    for folder in added:
        if (more := folder / path.name).is_file():
            texts.add_fallback(_read(more))
    return texts


def _read(path: Path) -> GNUTranslations:
    with path.open("rb") as file:
        return GNUTranslations(file)


def language_of_locale(locale: str) -> str | None:
    """Return the language code of a system locale such as ``it_IT.UTF-8``, or None if it is not one of ours."""
    code = re.split(r"[_.@-]", locale, maxsplit=1)[0].lower()
    return code if code in LANGUAGES else None


# Of the commands that have a language.
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
KEYS: Final = {text: key for key, text in HELP_TEXTS.items()}


def translate_help(translator: Translator, text: str) -> str:
    words = " ".join(text.split())
    return translator.text(f"help {KEYS[words]}", words) if words in KEYS else words
