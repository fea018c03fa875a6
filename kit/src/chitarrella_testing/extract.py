"""Extraction of all texts to translate, and update of the catalogues in ``locale``.

``python -m chitarrella_testing.extract`` rewrites ``locale/*.po``. What several ids say in the same words stands there
once, without an id; an id that says it differently in a language has an entry of its own as well. If the English text
of an id has changed, the old translation is marked fuzzy: it is not used until a translator has looked at it. What is
fuzzy or empty has the English text in a comment; what is translated has only its `message_id`.
``--check`` writes nothing and fails if a ``.po`` file would change. ``pybabel update`` would match old translations by
similarity; here the id is exact.

``python -m chitarrella_testing.extract KEY FOLDER`` writes those texts of a game of another package that are not
translated here to ``FOLDER/it.po`` and ``FOLDER/de.po``, in the same way.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po, write_po

from chitarrella.catalogue.registry import ALL, open_catalogue
from chitarrella.catalogue.registry import Catalogue as Games
from chitarrella.i18n.narration import TEXTS
from chitarrella.i18n.translator import LANGUAGES, LOCALE, Message, message_id, spaced
from chitarrella_testing.checks import LAW_TEXTS
from chitarrella_testing.texts import game_texts, texts_of, untranslated

NO_CARD: Final = "no card"  # the word of a refusal that has no card to name


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
    yield from _each("phrase", "page", "play", "event", "part")
    yield from ((f"word {word}", spaced(word)) for word in TEXTS["event words"])
    yield from ((f"source {words}", words) for words in TEXTS["source words"])
    yield f"word {NO_CARD}", NO_CARD
    yield from _each("fact")
    yield from ((f"event {key}", english) for key, english in TEXTS["match event"].items())
    yield from ((f"word {word}", spaced(word)) for word in TEXTS["words"])
    yield from ((f"choice {key}", english) for key, english in TEXTS["choice"].items() if "." not in key)
    yield from _each("error", "remedy", "proof")
    yield from ((f"proof law {name}", text) for name, text in LAW_TEXTS.items())
    yield from _each("help")


def _each(*groups: str) -> Iterator[Message]:
    yield from ((f"{group} {key}", english) for group in groups for key, english in TEXTS[group].items())


def updated(code: str, wanted: Iterable[Message], folder: Path = LOCALE) -> str:
    """Return the text of the ``.po`` file of language ``code``, updated to exactly the ``wanted`` messages."""
    path = folder / f"{code}.po"
    old = read_po(io.BytesIO(path.read_bytes()), abort_invalid=True) if path.exists() else Catalog(header_comment="")
    for message in old:
        message.id = message_id(str(message.id))  # the whole text, if an earlier version of this module wrote it
    before = {message.context: message for message in old if message.context}
    shared = {message.id: message for message in old if message.id and not message.context}
    english = {message_id(text): text for text in dict(wanted).values()}
    texts = {key: message_id(text) for key, text in wanted}
    uses = Counter(texts.values())
    new = Texts(locale=code, header_comment=old.header_comment, fuzzy=False)

    def add(text: str, known: Entry, context: str | None = None) -> Entry:
        flags = known.flags if known.id == text else {"fuzzy"}
        waits = "fuzzy" in flags or not known.string
        comments = [english[text]] if waits and text != english[text] else []
        entry = new.add(text, known.string, flags=flags, auto_comments=comments, context=context)
        entry.flags.discard("python-brace-format")  # every text with a brace has it, and nothing reads it
        return entry

    for key, text in texts.items():
        known = before.get(key) or shared.get(text) or Entry(text)
        if uses[text] > 1:
            common = new.get(text) or add(text, shared.get(text, known))
            if known.id != text or known.string in ("", common.string):
                continue
        add(text, known, key)
    written = io.BytesIO()
    write_po(written, new, width=0, no_location=True)  # a line a text
    return written.getvalue().decode()


def write_package(key: str, folder: Path) -> None:
    """Write the texts of a game that are not translated here into files for translators."""
    texts = game_texts(open_catalogue(ALL), key)
    folder.mkdir(parents=True, exist_ok=True)
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
