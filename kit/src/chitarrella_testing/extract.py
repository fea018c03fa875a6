"""Extraction of all texts to translate, and update of the catalogues in ``locale``.

``python -m chitarrella_testing.extract`` rewrites ``locale/*.po``. If the English text of an id has changed, the old
translation is marked fuzzy: it is not used until a translator has looked at it. ``--check`` writes nothing and fails if
a ``.po`` file would change. ``pybabel update`` would match old translations by similarity; here the id is exact.

``python -m chitarrella_testing.extract KEY FOLDER`` writes those texts of a game of another package that are not
translated here to ``FOLDER/it.po`` and ``FOLDER/de.po``, in the same way.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from chitarrella.catalogue.registry import ALL, open_catalogue
from chitarrella.catalogue.registry import Catalogue as Games
from chitarrella.i18n.english_texts import (
    CLI_TEXTS,
    FACT_NAMES,
    MATCH_SENTENCES,
    PAGE_TEXTS,
    PLAY_TEXTS,
    SOURCE_WORDS,
    WORDS,
)
from chitarrella.i18n.error_texts import REMEDIES, TITLES
from chitarrella.i18n.narration import EVENT_WORDS, PARTS, SENTENCES
from chitarrella.i18n.proof_texts import PROOF_TEXTS
from chitarrella.i18n.table_words import ANSWERS, PACKETS
from chitarrella.i18n.translator import HELP_TEXTS, LANGUAGES, LOCALE, Message, spaced
from chitarrella_testing.checks import LAW_TEXTS
from chitarrella_testing.texts import game_texts, texts_of, untranslated

NO_CARD: Final = "no card"  # the word of a refusal that has no card to name
WIDTH: Final = 120  # the greatest length of a line in a .po file, in characters


class Texts(Catalog):
    """A catalogue without persons, programs and times in its header, so that it changes with the texts only."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The header of a file."""
        return [
            ("Project-Id-Version", "chitarrella"),
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def messages(games: Games) -> dict[str, str]:
    """Return the English texts of all ``games`` by id, the shared ones first; raises `ValueError` if an id has two."""
    found: dict[str, str] = {}
    for key, english in (*_shared(), *(message for game in games for message in texts_of(games, game))):
        if found.setdefault(key, english) != english:
            raise ValueError(f"{key}: two texts have one id")
    return found


def _shared() -> Iterator[Message]:
    yield from _each(("phrase", CLI_TEXTS), ("page", PAGE_TEXTS), ("play", PLAY_TEXTS))
    yield from _each(("event", SENTENCES), ("part", PARTS))
    yield from ((f"word {word}", spaced(word)) for word in EVENT_WORDS)
    yield from ((f"source {words}", words) for words in SOURCE_WORDS)
    yield f"word {NO_CARD}", NO_CARD
    yield from _each(("fact", FACT_NAMES), ("event", MATCH_SENTENCES))
    yield from ((f"word {word}", spaced(word)) for word in WORDS)
    yield from _each(("choice", ANSWERS), ("choice", PACKETS), ("error", TITLES), ("remedy", REMEDIES))
    yield from _each(("proof", PROOF_TEXTS), ("proof law", LAW_TEXTS), ("help", HELP_TEXTS))


def _each(*groups: tuple[str, Mapping[str, str]]) -> Iterator[Message]:
    yield from ((f"{prefix} {key}", english) for prefix, texts in groups for key, english in texts.items())


def updated(code: str, wanted: Iterable[Message], folder: Path = LOCALE) -> str:
    """Return the text of the ``.po`` file of language ``code``, updated to exactly the ``wanted`` messages."""
    path = folder / f"{code}.po"
    old = read_po(io.BytesIO(path.read_bytes()), abort_invalid=True) if path.exists() else Catalog(header_comment="")
    before = {message.context: message for message in old if message.context}
    new = Texts(locale=code, header_comment=old.header_comment, fuzzy=False)
    for key, english in wanted:
        known = before.get(key)
        if known is None:
            new.add(english, context=key)
        elif known.id == english:
            new.add(english, known.string, flags=known.flags, context=key)
        else:
            new.add(english, known.string, flags={"fuzzy"}, context=key)
    written = io.BytesIO()
    write_po(written, new, width=WIDTH, no_location=True)
    return written.getvalue().decode()


def write_package(key: str, folder: Path) -> None:
    """Write the texts of a game that are not translated here into files for translators."""
    texts = game_texts(open_catalogue(ALL), key)
    for code in LANGUAGES[1:]:
        text = updated(code, untranslated(code, texts).items(), folder)
        (folder / f"{code}.po").write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the catalogues; with ``--check`` only print those that are stale. Returns the exit status."""
    if len(arguments) == 2:
        write_package(arguments[0], Path(arguments[1]))
        return 0
    wanted = messages(Games()).items()
    stale = 0
    for code in LANGUAGES[1:]:
        path, text = LOCALE / f"{code}.po", updated(code, wanted)
        if path.read_text(encoding="utf-8") != text:
            stale += 1
            print(f"{path.name} is {'stale' if '--check' in arguments else 'written'}")
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    return int(stale and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
