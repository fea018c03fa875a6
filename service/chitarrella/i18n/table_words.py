"""The words that a table needs beside those of the catalogue of games: facts, events, and the words in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypedDict

from chitarrella.core.game import AnyGame
from chitarrella.i18n import narration
from chitarrella.i18n.translator import Message, Translator, spaced

# The names of the choices of options: of those of all options, of packets, and by option and choice.
CHOICE_NAMES: Final[Mapping[str, str]] = narration.TEXTS["choice"]
ANSWERS: Final = frozenset({"true", "false"})
SEAT_OPTIONS: Final = frozenset({"first_dealer"})
# Matches packets: ``3-2``, ``5`` for all at once, ``1x9`` for one after the other.
PACKET_NOTATION: Final = re.compile(r"\d+(?:-\d+)*|\d+x\d+")


def game_messages(game: AnyGame) -> Iterator[Message]:
    """Yield the texts to translate of the values of the options of ``game``; cards and packets have none."""
    for option in game.entry.options:
        for value in option.choices:
            if not (value in ANSWERS or value in game.pack.faces or _are_packets(option.name, value)):
                yield f"choice {option.name}.{value}", _english(option.name, value)


def choice_name(translator: Translator, option: str, value: str, cards: Mapping[str, str]) -> str:
    """Return what ``value`` of an option means; ``cards`` has the names of the cards of the game."""
    text = translator.text
    if value in ANSWERS:
        return text(f"choice {value}", CHOICE_NAMES[value])
    if value in cards:
        return cards[value]
    if _are_packets(option, value):
        return _packets(translator, value)
    return text(f"choice {option}.{value}", _english(option, value))


def choice_names(
    translator: Translator, options: Iterable[tuple[str, Sequence[str]]], cards: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    """Return the names of the values of ``options``, which are their names and values, by both."""
    return {name: {value: choice_name(translator, name, value, cards) for value in values} for name, values in options}


def _english(option: str, value: str) -> str:
    return CHOICE_NAMES.get(f"{option}.{value}", spaced(value))


def _are_packets(option: str, value: str) -> bool:
    return f"{option}.{value}" not in CHOICE_NAMES and bool(PACKET_NOTATION.fullmatch(value))


def _packets(translator: Translator, notation: str) -> str:
    """Describe packets: ``3-3-3`` as "3 at once", ``3-2`` as "by turns 3, 2"."""
    numbers = list(dict.fromkeys(notation.partition("x")[0].split("-")))
    if len(numbers) == 1:
        return translator.text("choice packets alike", CHOICE_NAMES["packets alike"]).format(number=numbers[0])
    listed = ", ".join(notation.split("-"))
    return translator.text("choice packets", CHOICE_NAMES["packets"]).format(numbers=listed)


# The parts of sentences, by what a table calls them.
PARTS: Final = {"money": "money offered", "percent": "share offered"} | {
    key: key for key in ("you", "you object", "your card", "their card", "both cards")
}


class TableWords(TypedDict):
    facts: dict[str, str]
    flags: list[str]  # facts that are true or absent
    seats: list[str]  # facts whose value is a seat
    events: dict[str, str]  # sentences as in `narration`, by kind or by kind and word
    parts: dict[str, str]
    words: dict[str, str]
    choices: dict[str, dict[str, str]]  # by option and value
    seatOptions: list[str]


def words_of(
    translator: Translator, kind_of_pack: str, choices: Mapping[str, Mapping[str, str]] | None = None
) -> TableWords:
    """Return the words of a table in one language; ``choices`` are the names of the values of options."""
    text = translator.text
    names = narration.NAMES.get(kind_of_pack, {})
    sentences = {**narration.ADDED_SENTENCES, **narration.SENTENCES, **narration.TEXTS["match event"]}
    return {
        "facts": {
            name: text(f"fact {name}", english)
            for name, english in {**narration.ADDED_FACT_NAMES, **narration.FACT_NAMES}.items()
        },
        "flags": narration.TEXTS["flags"],
        "seats": narration.TEXTS["seats"],
        "events": {kind: text(f"event {kind}", said) for kind, said in sentences.items()},
        "parts": {name: text(f"part {key}", narration.TEXTS["part"][key]) for name, key in PARTS.items()},
        "words": {word: translator.noun(word) for word in narration.TEXTS["words"]}
        | {letters: text(f"name {kind_of_pack} {letters}", name) for letters, name in names.items()},
        "choices": {option: dict(values) for option, values in (choices or {}).items()},
        "seatOptions": sorted(SEAT_OPTIONS),
    }
