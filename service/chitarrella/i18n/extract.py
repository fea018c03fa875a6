"""Extraction of all texts to translate, and update of the catalogues in ``locale``.

``python -m chitarrella.i18n.extract`` rewrites ``locale/*.po``. If the English text of an id has changed, the old
translation is marked fuzzy: it is not used until a translator has looked at it. ``--check`` writes nothing and fails if
a ``.po`` file would change. ``pybabel update`` would match old translations by similarity; here the id is exact.

``python -m chitarrella.i18n.extract KEY FOLDER`` writes those texts of a game of another package that are not
translated here to ``FOLDER/it.po`` and ``FOLDER/de.po``, in the same way.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from chitarrella.catalogue.registry import ALL, open_catalogue
from chitarrella.catalogue.registry import Catalogue as Games
from chitarrella.i18n.texts import game_texts, messages, untranslated
from chitarrella.i18n.translator import LANGUAGES, LOCALE, Message

WIDTH: Final = 120  # the greatest length of a line in a .po file, in characters


class Texts(Catalog):
    """A catalogue without persons, programs and times in its header, so that it changes with the texts only."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "chitarrella"),
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


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
