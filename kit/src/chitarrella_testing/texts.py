"""The texts of a game that are translated, by their ids."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from gettext import NullTranslations
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame
from chitarrella.i18n.narration import CARD_NAME, OPTION_LABELS, kind, names
from chitarrella.i18n.table_words import game_messages
from chitarrella.i18n.translator import Message, message_id, read_texts, spaced


def compile_translations(folder: Path) -> None:
    """Compile the ``.po`` files of a folder that have changed since."""
    for source in folder.glob("*.po"):
        compiled = source.with_suffix(".mo")
        if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
            with source.open("rb") as read, compiled.open("wb") as written:
                write_mo(written, read_po(read, abort_invalid=True))


class _NoTexts(NullTranslations):
    def pgettext(self, context: str, message: str) -> str:
        return ""

    def gettext(self, message: str) -> str:
        return ""


def untranslated(code: str, texts: dict[str, str], locales: Iterable[Path] = ()) -> dict[str, str]:
    """Return those of the English ``texts`` by id that have no translation, here or in the folders ``locales``."""
    found = read_texts(code, locales)
    found.add_fallback(_NoTexts())
    return {
        key: english
        for key, english in texts.items()
        if not (found.pgettext(key, message_id(english)) or found.gettext(message_id(english)))
    }


def game_texts(games: Catalogue, key: str) -> dict[str, str]:
    """Return the English texts of a game by id."""
    return dict(texts_of(games, games.game(key)))


def texts_of(games: Catalogue, game: AnyGame) -> Iterator[Message]:
    """Yield the texts of a game: by default, then with every number of players and every option."""
    yield f"title {game.key}", game.entry.title
    yield f"place {game.key}", game.entry.place
    yield from ([(f"description {game.key}", game.entry.description)] if game.entry.description else [])
    yield from ([(f"how {game.key}", "\n".join(how.values()))] if (how := game.entry.book.how) else [])
    labels = ((option, OPTION_LABELS.get(option.name, option.label)) for option in game.entry.options)
    yield from ((f"label {option.name}", label) for option, label in labels)
    yield f"pack {game.pack.name}", game.pack.name
    yield from ((f"name {kind(game.pack)} {letters}", name) for letters, name in names(game.pack).items())
    if any(game.pack.suits):
        yield f"card {kind(game.pack)}", CARD_NAME
    yield from ((f"option {game.key}.{option.name}", option.description) for option in game.entry.options)
    yield from game_messages(game)
    for table in (game, *games.configurations(game)):
        yield from ((clause.key, clause.text) for clause in table.clauses)
        yield from ((f"reason {reason.code}", reason.text) for reason in table.reasons)
        for spec in table.move_specs.values():
            yield f"move {game.key}.{spec.verb}", spec.description
            yield from ((f"phase {phase}", spaced(phase)) for phase in sorted(spec.phases))
        yield from ((f"phase {phase}", spaced(phase)) for phase in table.phase_names)
        yield from ((f"zone {spec.name}", spec.description) for spec in table.zone_specs)
        suits = [each.suit for each in table.ranking if each.suit not in ("", *table.pack.suits)]  # no names of a pack
        nouns = (*suits, *(name for each in table.ranking for name in each.counts))
        yield from ((f"word {noun}", spaced(noun)) for noun in nouns)
    sentences, fact_names, _ = games.texts(game.key)
    yield from ((f"event {key}", english) for key, english in sentences.items())
    yield from ((f"fact {name}", english) for name, english in fact_names.items())
