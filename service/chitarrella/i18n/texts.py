"""All texts to translate, by their ids: those that all games share, and those of each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from gettext import NullTranslations
from pathlib import Path
from typing import Final

from chitarrella.catalogue.registry import Catalogue as Games
from chitarrella.core.game import AnyGame
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
from chitarrella.i18n.narration import CARD_NAMES, EVENT_WORDS, PARTS, SENTENCES, kind, names
from chitarrella.i18n.proof_texts import PROOF_TEXTS
from chitarrella.i18n.table_words import ANSWERS, PACKETS, game_messages
from chitarrella.i18n.translator import HELP_TEXTS, Message, read_texts, spaced

NO_CARD: Final = "no card"  # the word of a refusal that has no card to name


class _NoTexts(NullTranslations):
    def pgettext(self, context: str, message: str) -> str:
        return ""


def untranslated(code: str, texts: dict[str, str], locales: Iterable[Path] = ()) -> dict[str, str]:
    """Return those of the English ``texts`` by id that have no translation, here or in the folders ``locales``."""
    found = read_texts(code, locales)
    found.add_fallback(_NoTexts())
    return {key: english for key, english in texts.items() if not found.pgettext(key, english)}


def game_texts(games: Games, key: str) -> dict[str, str]:
    return dict(_of_game(games, games.game(key)))


def messages(games: Games) -> dict[str, str]:
    """Return the English texts of all ``games`` by id, the shared ones first; raises `ValueError` if an id has two."""
    found: dict[str, str] = {}
    for key, english in (*_shared(), *(message for game in games for message in _of_game(games, game))):
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
    yield from _each(("choice", ANSWERS), ("choice", PACKETS))
    yield from _each(("error", TITLES), ("remedy", REMEDIES), ("proof", PROOF_TEXTS), ("help", HELP_TEXTS))


def _each(*groups: tuple[str, Mapping[str, str]]) -> Iterator[Message]:
    yield from ((f"{prefix} {key}", english) for prefix, texts in groups for key, english in texts.items())


def _of_game(games: Games, game: AnyGame) -> Iterator[Message]:
    """Yield the texts of a game: by default, then with every number of players and every option."""
    yield f"title {game.key}", game.title
    yield f"place {game.key}", game.place
    yield f"pack {game.pack.name}", game.pack.name
    yield from ((f"name {kind(game.pack)} {letters}", name) for letters, name in names(game.pack).items())
    if any(game.pack.suits):
        yield f"card {kind(game.pack)}", CARD_NAMES[kind(game.pack)]
    yield from ((f"option {game.key}.{option.name}", option.description) for option in game.options)
    yield from game_messages(game)
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
    sentences, fact_names = games.texts(game.key)
    yield from ((f"event {key}", english) for key, english in sentences.items())
    yield from ((f"fact {name}", english) for name, english in fact_names.items())
