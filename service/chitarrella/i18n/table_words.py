"""The words that a table needs beside those of the catalogue of games: facts, events, and the words in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypedDict

from chitarrella.i18n.added_texts import ADDED_FACT_NAMES, ADDED_SENTENCES
from chitarrella.i18n.choice_names import SEAT_OPTIONS
from chitarrella.i18n.narration import ALTERNATIVE, NAMES, PARTS, SENTENCES
from chitarrella.i18n.table_texts import FACT_NAMES, FLAGS, MATCH_SENTENCES, SEATS, WORDS
from chitarrella.i18n.translator import Message, Translator, spaced


class TableWords(TypedDict):
    """Names of facts; templates of sentences by kind of event, or kind and word; parts of them; words by notation.

    ``flags`` are the facts that are true or absent, ``seats`` those whose value is a seat. ``choices`` are the names of
    values, by option and value; the numbers of ``seatOptions`` are seats.
    """

    facts: dict[str, str]
    flags: list[str]
    seats: list[str]
    events: dict[str, str]
    parts: dict[str, str]
    words: dict[str, str]
    choices: dict[str, dict[str, str]]
    seatOptions: list[str]


def third_person(sentence: str) -> str:
    """Return a sentence of the narration as it is said of somebody else than the reader."""
    return ALTERNATIVE.sub(r"\2", sentence)


def messages() -> Iterator[Message]:
    """Yield the texts to translate that the narration does not have."""
    yield from ((f"fact {name}", english) for name, english in FACT_NAMES.items())
    yield from ((f"event {kind}", english) for kind, english in MATCH_SENTENCES.items())
    yield from ((f"word {word}", spaced(word)) for word in WORDS)


def words_of(
    translator: Translator, kind_of_pack: str, choices: Mapping[str, Mapping[str, str]] | None = None
) -> TableWords:
    """Return the words of a table of a game, in one language; suits and ranks are those of the kind of pack.

    ``choices`` are the names of the values of its options, see `chitarrella.i18n.choice_names`.
    """
    text = translator.text
    names = NAMES.get(kind_of_pack, {})
    return {
        "facts": {name: text(f"fact {name}", english) for name, english in {**ADDED_FACT_NAMES, **FACT_NAMES}.items()},
        "flags": sorted(FLAGS),
        "seats": sorted(SEATS),
        "events": {kind: third_person(text(f"event {kind}", said)) for kind, said in _sentences().items()},
        "parts": _parts(translator),
        "words": {word: translator.noun(word) for word in WORDS}
        | {letters: text(f"name {kind_of_pack} {letters}", name) for letters, name in names.items()},
        "choices": {option: dict(values) for option, values in (choices or {}).items()},
        "seatOptions": sorted(SEAT_OPTIONS),
    }


def _sentences() -> Mapping[str, str]:
    return {**ADDED_SENTENCES, **SENTENCES, **MATCH_SENTENCES}


def _parts(translator: Translator) -> dict[str, str]:
    """Return what an offer is, and which card each of two seats has, said of others than the reader."""
    both, theirs, money, percent = (
        translator.text(f"part {name}", PARTS[name])
        for name in ("both cards", "their card", "money offered", "share offered")
    )
    first = theirs.replace("{card}", "{first}")
    second = theirs.replace("{who}", "{other}").replace("{card}", "{last}")
    faces = both.replace("{first}", first, 1).replace("{second}", second)
    return {"faces": faces, "money": money, "percent": percent}
