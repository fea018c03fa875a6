"""Translation of rule books and refusals: English, Italian and German.

The rules are written in English, which is also the source language of the catalogues. A catalogue is a gettext file:
``locale/it.po`` is the source, ``locale/it.mo`` is compiled from it when the package is built or installed. Each text
has a stable id (the gettext context, `Message`), or stands without one for all ids that say the same; a text without a
translation stays English. Codes, keys and card notation are the same in all languages. The English stands beside a
translation only where it is short (`message_id`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeAlias

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.cards import Card, Pack
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, NOT_YOUR_TURN, WRONG_PHASE, Clause, MoveSpec, Reason, Refusal, ZoneSpec
from chitarrella.core.options import Option
from chitarrella.i18n import narration

LANGUAGES: Final = ("en", "it", "de")  # the language codes there are; the first is the source language

LOCALE: Final = Path(__file__).with_name("locale")

# A text to translate: its id, such as the key of a clause or ``reason not_in_hand``, and the English text.
Message: TypeAlias = tuple[str, str]

_SOURCE_WORDS: Final = sorted(narration.TEXTS["source words"], key=len, reverse=True)
SOURCE_WORD: Final = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, _SOURCE_WORDS))})(?![\w.])")
"""Matches one of the words of sources as whole words; the longest come first, so that "as in" is not read as "as"."""


LONGEST_ID: Final = 8  # characters


@lru_cache(4096)
def message_id(english: str) -> str:
    """What a catalogue has in the place of an English text: a short text itself, of a longer one a digest.

    It changes with the text, so a translation counts only for the very text that it was made of.
    """
    return english if len(english) <= LONGEST_ID else sha256(english.encode()).hexdigest()[:6]


class MissingCatalogueError(Exception):
    """A catalogue has not been compiled: the package was neither built nor installed."""


class Translator:
    """Translates the texts of the rules into one of `LANGUAGES`, English too."""

    def __init__(self, code: str, catalogue: NullTranslations) -> None:
        """Translate with ``catalogue``; `NullTranslations` leaves every text as it is."""
        self.code = code
        self._catalogue = catalogue

    def text(self, key: str, english: str) -> str:
        wanted = message_id(english)
        said = self._catalogue.pgettext(key, wanted)
        if said == wanted:
            said = self._catalogue.gettext(wanted)
        return english if said == wanted else said

    def _filled(self, group: str, key: str, values: Mapping[str, object]) -> str:
        text = self.text(f"{group} {key}", narration.TEXTS[group][key])
        return text.format(**values) if values else text

    def cli_text(self, key: str, **values: object) -> str:
        return self._filled("phrase", key, values)

    def page_text(self, key: str, **values: object) -> str:
        return self._filled("page", key, values)

    def play_text(self, key: str, **values: object) -> str:
        return self._filled("play", key, values)

    def fact(self, name: str) -> str:
        english = narration.FACT_NAMES.get(name) or narration.ADDED_FACT_NAMES.get(name, spaced(name))
        return self.text(f"fact {name}", english)

    def title(self, game: AnyGame) -> str:
        return self.text(f"title {game.key}", game.entry.title)

    def description(self, game: AnyGame) -> str:
        return self.text(f"description {game.key}", game.entry.description)

    def how_to_play(self, game: AnyGame) -> dict[str, str]:
        """Return what the rule book has on aim, deal, turn and count; one text is translated, a line for each."""
        how = game.entry.book.how
        return dict(zip(how, self.text(f"how {game.key}", "\n".join(how.values())).split("\n"), strict=False))

    def option_label(self, option: Option[Any]) -> str:
        return self.text(f"label {option.name}", narration.OPTION_LABELS.get(option.name, option.label))

    def place(self, game: AnyGame) -> str:
        return self.text(f"place {game.key}", game.entry.place)

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
        return {letters: self._name(letters, pack) for letters in narration.names(pack)}

    def suit(self, code: str, pack: Pack) -> str:
        return self._name(code, pack) or self.noun(code)

    def card(self, card: Card, pack: Pack) -> str:
        return narration.plain_card_name(card, pack, self.text)

    def zone(self, spec: ZoneSpec) -> str:
        return self.text(f"zone {spec.name}", spec.description)

    def noun(self, word: str) -> str:
        """The name of a suit or a count that has no notation, such as ``half_points``."""
        return self.text(f"word {word}", spaced(word))

    def reason(self, refusal: Refusal, pack: Pack) -> str:
        """Explain in a sentence why a move is refused: suits, ranks and phases by name, cards in notation."""
        if refusal.reason == NOT_YOUR_TURN and refusal.amount in (None, CHANCE):
            return self.cli_text("not this turn")
        word = self.phase(refusal.word) if refusal.reason == WRONG_PHASE else self._particular(refusal.word, pack)
        sentence = self.reason_template(refusal.reason).format(
            word=word or "?",
            amount="?" if refusal.amount is None else refusal.amount,
            allowed_cards=" ".join(refusal.allowed_cards),
            offending_cards=" ".join(refusal.offending_cards),
        )
        return narration.capital(sentence)

    def _particular(self, word: str, pack: Pack) -> str:
        """A suit, rank or noun by name; in a pack without suits a rank is a card, and stays in notation."""
        has_suits = any(pack.suits)
        parts = [(has_suits and self._name(part, pack)) or self.noun(part) for part in word.split(" or ")]
        return self.cli_text("or").join(parts)

    def _name(self, letters: str, pack: Pack) -> str:
        return narration.translated_name(letters, pack, self.text)


def spaced(word: str) -> str:
    """Write an identifier of the rules as English words: ``inn_guest`` as ``inn guest``."""
    return word.replace("_", " ")


ENGLISH: Final = Translator(LANGUAGES[0], NullTranslations())


def add_texts(catalogue: Catalogue) -> None:
    """Use the texts and translations of the packages of a catalogue, behind those of this one. Idempotent."""
    narration.add_english(*catalogue.texts()[:2])
    for folder in catalogue.locales:
        if folder not in _ADDED:
            _ADDED.append(folder)
            translator_for.cache_clear()


_ADDED: Final[list[Path]] = []  # the folders of other packages, in the order in which they are searched


@cache
def translator_for(code: str) -> Translator:
    """Return the translator of one of `LANGUAGES`; raises `MissingCatalogueError` if its catalogue is not compiled."""
    return ENGLISH if code == ENGLISH.code else Translator(code, read_texts(code, _ADDED))


def languages_of(game: AnyGame) -> list[str]:
    """Return the languages of the rule book of a game: English, and those in which its last clause is there."""
    last = game.clauses[-1]
    return [code for code in LANGUAGES if code == ENGLISH.code or translator_for(code).clause(last) != last.text]


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


PROOF_KEYS: Final = {text: key for key, text in narration.TEXTS["proof"].items()}

# A law with its name. The texts of laws are their docstrings in the test kit, and their keys have the name.
LAW: Final = re.compile(r"(\w+): .+")
NUMBER: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
# What texts are joined of parts by; first what stands before the name of a law.
JOINTS: Final = tuple(re.compile(f"({joint})") for joint in (r"; (?=\w+: )", r"\. ", "; ", ": ", ", "))
SWAPPED: Final = str.maketrans(",.", ".,")


def translate_proof(translator: Translator, text: str) -> str:
    """Translate an English text of the page with its numbers; parts that are not known stay as they are."""
    numbers = NUMBER.findall(text)
    places = iter(range(len(numbers)))
    template = NUMBER.sub(lambda _: f"{{{next(places)}}}", text)
    if (key := PROOF_KEYS.get(template)) is not None:
        return translator.text(f"proof {key}", template).format(*(decimal(translator, number) for number in numbers))
    if (law := LAW.fullmatch(text)) and (translated := translator.text(f"proof law {law[1]}", text)) != text:
        return translated
    for joint in JOINTS:
        if joint.search(text):
            parts = joint.split(text)
            return "".join(part if place % 2 else translate_proof(translator, part) for place, part in enumerate(parts))
    return text


def decimal(translator: Translator, number: str) -> str:
    return number if translator.code == ENGLISH.code else number.translate(SWAPPED)
