"""All that there is to translate, and the catalogues of ``locale`` brought up to it.

``python -m chitarrella.messages`` writes them anew: a new text comes without a translation; where an English text has
changed under its id, the old translation is kept and marked as fuzzy, which means that it is not used until a
translator has looked at it; what nobody says any more is dropped. ``--check`` writes nothing and fails where something
would change.

Babel's own update looks for old translations among texts that are alike. Here the id tells exactly which one it is.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from chitarrella.catalogue import Catalogue as Games
from chitarrella.game import AnyGame
from chitarrella.phrases import PHRASES, SOURCES
from chitarrella.story import names
from chitarrella.tongues import LANGUAGES, LOCALE, Message, kind
from chitarrella.tricks.game import TrickGame

NO_CARD: Final = "no card"
"""What a refusal says where there is none to be named."""

WIDTH: Final = 120


class Texts(Catalog):
    """A catalogue whose header says nothing of persons, programs and times, so that it changes with the texts only."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        """Say how the file is to be read."""
        return [
            ("Project-Id-Version", "chitarrella"),
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
        ]


def messages(games: Games) -> dict[str, str]:
    """Give every text by its id, what all games share first; raises `ValueError` where an id has two texts."""
    found: dict[str, str] = {}
    for key, english in (*_shared(), *(message for game in games for message in _of_game(games, game))):
        if found.setdefault(key, english) != english:
            raise ValueError(f"{key}: two texts have one id")
    return found


def _shared() -> Iterator[Message]:
    yield from ((f"phrase {key}", english) for key, english in PHRASES.items())
    yield from ((f"source {words}", words) for words in SOURCES)
    yield f"word {NO_CARD}", NO_CARD


def _of_game(games: Games, game: AnyGame) -> Iterator[Message]:
    """Go through a game as it stands in the book, then as any number of players and any choice makes it."""
    yield f"title {game.key}", game.title
    yield f"place {game.key}", game.place
    yield f"pack {game.pack.name}", game.pack.name
    yield from ((f"name {kind(game.pack)} {letters}", name) for letters, name in names(game.pack).items())
    yield from ((f"option {game.key}.{option.name}", option.means) for option in game.options)
    for table in (game, *games.tables(game)):
        yield from ((clause.key, clause.says) for clause in table.clauses)
        yield from ((f"reason {reason.code}", reason.says) for reason in table.reasons)
        for form in table.forms.values():
            yield f"move {game.key}.{form.verb}", form.means
            yield from ((f"phase {phase}", phase) for phase in sorted(form.phases))
        if isinstance(table, TrickGame):
            yield from ((f"phase {phase}", phase) for phase in table.stages)
            nouns = (*table.order.suits.values(), *(count.name for count in table.order.counts))
            yield from ((f"word {noun}", noun.replace("_", " ")) for noun in nouns)


def updated(code: str, wanted: Iterable[Message]) -> str:
    """Give the file of a language with exactly the ``wanted`` texts."""
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
    """Write the catalogues, or with ``--check`` name those that are not what would be written."""
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
