"""Extraction of all texts to translate, and update of the catalogues in ``locale``.

``python -m chitarrella.i18n.extract`` rewrites ``locale/*.po``. A new text has no
translation. If the English text of an id has changed, the old translation is kept and marked fuzzy: it is not used
until a translator has looked at it. Texts that no longer exist are dropped. ``--check`` writes nothing and fails if a
``.po`` file would change.

``pybabel update`` matches old translations by similarity of texts; here the id is exact. Needs Babel, which the
service does not: it reads the compiled catalogues with the standard library.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from chitarrella.catalogue.registry import Catalogue as Games
from chitarrella.core.game import AnyGame
from chitarrella.i18n.cli_texts import CLI_TEXTS, SOURCE_WORDS
from chitarrella.i18n.narration import CARD_NAMES, EVENT_WORDS, PARTS, SENTENCES, kind, names
from chitarrella.i18n.page_texts import PAGE_TEXTS
from chitarrella.i18n.play_texts import PLAY_TEXTS
from chitarrella.i18n.table_words import messages as table_messages
from chitarrella.i18n.translator import LANGUAGES, LOCALE, Message, spaced

NO_CARD: Final = "no card"
"""The word of a refusal that has no card to name."""

WIDTH: Final = 120
"""The greatest length of a line in a .po file, in characters."""


class Texts(Catalog):
    """A catalogue without persons, programs and times in its header, so that it changes with the texts only."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """The fields of the header."""
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
    for key, english in (*_shared(), *(message for game in games for message in _of_game(games, game))):
        if found.setdefault(key, english) != english:
            raise ValueError(f"{key}: two texts have one id")
    return found


def _shared() -> Iterator[Message]:
    yield from ((f"phrase {key}", english) for key, english in CLI_TEXTS.items())
    yield from ((f"page {key}", english) for key, english in PAGE_TEXTS.items())
    yield from ((f"play {key}", english) for key, english in PLAY_TEXTS.items())
    yield from ((f"event {key}", english) for key, english in SENTENCES.items())
    yield from ((f"part {key}", english) for key, english in PARTS.items())
    yield from ((f"word {word}", spaced(word)) for word in EVENT_WORDS)
    yield from ((f"source {words}", words) for words in SOURCE_WORDS)
    yield f"word {NO_CARD}", NO_CARD
    yield from table_messages()


def _of_game(games: Games, game: AnyGame) -> Iterator[Message]:
    """Yield the texts of a game: by default, then with every number of players and every option."""
    yield f"title {game.key}", game.title
    yield f"place {game.key}", game.place
    yield f"pack {game.pack.name}", game.pack.name
    yield from ((f"name {kind(game.pack)} {letters}", name) for letters, name in names(game.pack).items())
    if any(game.pack.suits):
        yield f"card {kind(game.pack)}", CARD_NAMES[kind(game.pack)]
    yield from ((f"option {game.key}.{option.name}", option.description) for option in game.options)
    for table in (game, *games.configurations(game)):
        yield from ((clause.key, clause.text) for clause in table.clauses)
        yield from ((f"reason {reason.code}", reason.text) for reason in table.reasons)
        for spec in table.move_specs.values():
            yield f"move {game.key}.{spec.verb}", spec.description
            yield from ((f"phase {phase}", spaced(phase)) for phase in sorted(spec.phases))
        yield from ((f"phase {phase}", spaced(phase)) for phase in table.phase_names)
        yield from ((f"zone {spec.name}", spec.description) for spec in table.zone_specs)
        suits = [each.suit for each in table.ranking if each.suit]
        nouns = (*suits, *(name for each in table.ranking for name in each.counts))
        yield from ((f"word {noun}", spaced(noun)) for noun in nouns)


def updated(code: str, wanted: Iterable[Message]) -> str:
    """Return the text of the ``.po`` file of language ``code``, updated to exactly the ``wanted`` messages."""
    with (LOCALE / f"{code}.po").open("rb") as file:
        old = read_po(file, abort_invalid=True)
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


def main(arguments: list[str]) -> int:
    """Write the catalogues; with ``--check`` only print those that are stale. Returns the exit status."""
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
