"""Narration: the events of a match as sentences for people, English ones unless they are translated.

An event of a kind without a sentence is described by its own fields, so that a new game needs no change here. Suits
and ranks have the names that players use; a pack that is not listed keeps its notation.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.game import AnyGame
from chitarrella.core.model import Event, Seat, Viewer

TEXTS: Final[Mapping[str, Any]] = json.loads((Path(__file__).with_name("locale") / "en.json").read_text("utf-8"))
"""The English texts beside those of the rules: each has as its id the name of its group and its key.

A sentence of ``event`` is for a kind of event, or for a kind with a certain word. Of ``[play|plays]`` the first part is
for a reader who sits at the seat of the event, the second one for all others. ``{who}`` is that seat as a subject,
``{whom}`` as an object, ``{other}`` the other seat as an object. What begins or ends with a blank stands inside a line.
"""

SENTENCES: Final[Mapping[str, str]] = TEXTS["event"]


class EventKind(NamedTuple):
    """A kind of event: the fields that it may have, and when it comes."""

    fields: str
    description: str


EVENT_KINDS: Final = {kind: EventKind(*row) for kind, row in TEXTS["event kinds"].items()}
GAME_EVENTS: Final[Mapping[str, str]] = json.loads(Path(__file__).with_name("game_events.json").read_text("utf-8"))
"""The kinds of events of each family of games; of each game those that it has besides, or with a minus has not."""
FACT_NAMES: Final[Mapping[str, str]] = TEXTS["fact"]
OPTION_LABELS: Final[Mapping[str, str]] = TEXTS["label"]  # what options are called in a form

# Sentences and names of facts of other packages.
ADDED_SENTENCES: Final[dict[str, str]] = {}
ADDED_FACT_NAMES: Final[dict[str, str]] = {}


def add_english(sentences: Mapping[str, str], fact_names: Mapping[str, str]) -> None:
    """Use further texts; where there are two, the first counts. Idempotent."""
    for added, more in ((ADDED_SENTENCES, sentences), (ADDED_FACT_NAMES, fact_names)):
        for key, text in more.items():
            added.setdefault(key, text)


ALTERNATIVE: Final = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")  # matches words that depend on whether the reader is meant

Text: TypeAlias = Callable[[str, str], str]  # translates an English text with its id, as `Translator.text` does

# Names for the letters of the notation, by the first word of the pack's name.
NAMES: Final[Mapping[str, Mapping[str, str]]] = TEXTS["name"]
CARD_NAME: Final = "{rank} of {suit}"


def names(pack: Pack) -> dict[str, str]:
    return {letters: name for letters in (*pack.suits, *pack.ranks) if (name := name_of(letters, pack))}


def name_of(letters: str, pack: Pack) -> str:
    """Return the name of a suit or rank of ``pack``; empty if it has none, or if ``letters`` is neither."""
    return NAMES.get(kind(pack), {}).get(letters, "") if letters in pack.suits or letters in pack.ranks else ""


def kind(pack: Pack) -> str:
    """Return the kind of a pack, on which the meaning of its letters depends: ``s`` is swords, or spades."""
    return pack.name.partition(" ")[0]


def untranslated(_key: str, english: str) -> str:
    return english


def plain_card_name(card: Card, pack: Pack, text: Text) -> str:
    """Return the name of a card, such as "ace of batons" or "hunter"; what has no name keeps its notation."""
    rank = translated_name(card.rank, pack, text) or card.rank
    if not card.suit:
        return rank
    suit = translated_name(card.suit, pack, text) or card.suit
    return text(f"card {kind(pack)}", CARD_NAME).format(rank=rank, suit=suit)


def card_name(card: Card, pack: Pack, text: Text = untranslated) -> str:
    """Return the name of a card, such as "ace of batons" or "XIV, the hunter"."""
    name = plain_card_name(card, pack, text)
    return name if card.suit or name == card.rank else _part(text, "named card", code=card.rank, name=name)


def who(seat: Seat, you: Viewer = None, text: Text = untranslated, case: str = "") -> str:
    """Return the words for a seat inside a sentence; ``case`` is ``" object"`` where the seat is no subject."""
    return _part(text, f"you{case}") if seat == you else _part(text, f"seat{case}", seat=seat, number=seat + 1)


def cards_of(event: Event, text: Text = untranslated) -> str:
    if not event.hidden:
        return " ".join(event.cards)
    backs = _part(text, "one card") if event.hidden == 1 else _part(text, "hidden cards", number=event.hidden)
    return _part(text, "more cards", cards=" ".join(event.cards), hidden=backs) if event.cards else backs


def event_kinds(game: AnyGame, added: Mapping[str, tuple[str, str]]) -> Iterator[tuple[str, EventKind]]:
    """Yield the kinds of events of a game, and those that its package has ``added``."""
    named = [word for name in (game.family, game.key) for word in GAME_EVENTS.get(name, "").split()]
    for kind, row in EVENT_KINDS.items():
        is_here = kind in TEXTS["match event"] or (kind in named and f"-{kind}" not in named)
        if is_here and kind not in added:
            yield kind, row
    yield from ((kind, EventKind(*row)) for kind, row in added.items())


def narrate(event: Event, pack: Pack, you: Viewer = None, text: Text = untranslated) -> str:
    """Describe an event in a sentence; the seat ``you``, if any, is addressed as "you". ``text`` translates."""
    key, english = _template(event)
    if not english or (event.seat is None and "{who" in english.lower()):
        return _narrate_unknown(event, you, text)
    reader = event.seat is not None and event.seat == you
    subject, whom = ("", "") if event.seat is None else (who(event.seat, you, text), _object(event.seat, you, text))
    word = word_of(event.word, pack, text)
    sentence = ALTERNATIVE.sub(lambda found: found[1 if reader else 2], text(f"event {key}", english))
    narrated = sentence.format(
        Who=capital(subject),
        who=subject,
        whom=whom,
        cards=cards_of(event, text),
        named=card_name(event.cards[0], pack, text) if event.cards else cards_of(event, text),
        faces=_faces(event, you, text),
        first=_at(event.cards, 0),
        last=_at(event.cards, -1),
        word=word,
        Word=capital(word),
        amount=event.amount,
        other="" if event.other is None else _object(event.other, you, text),
        shares=shares_text(event.shares, you, text),
        people=", ".join(_person(person, you, text) for person, _ in event.shares),
        price=_price(event, text),
    )
    return narrated if event.cards and narrated.startswith(event.cards[0]) else capital(narrated)


def _template(event: Event) -> tuple[str, str]:
    for texts in (SENTENCES, ADDED_SENTENCES):
        for key in (f"{event.kind} {event.word}", event.kind):
            if key in texts:
                return key, texts[key]
    return event.kind, ""


def word_of(word: str, pack: Pack, text: Text = untranslated) -> str:
    """Return a word of an event or a fact as people say it: the name of a suit or rank, or the word itself."""
    return translated_name(word, pack, text) or (text(f"word {word}", word.replace("_", " ")) if word else "")


def translated_name(letters: str, pack: Pack, text: Text) -> str:
    english = name_of(letters, pack)
    return text(f"name {kind(pack)} {letters}", english) if english else ""


def _narrate_unknown(event: Event, you: Viewer, text: Text) -> str:
    what = event.kind.replace("_", " ")
    parts = [what if event.seat is None else f"{who(event.seat, you, text)}: {what}"]
    parts += [event.word.replace("_", " ")] if event.word else []
    parts += [] if event.amount is None else [str(event.amount)]
    parts += [] if event.other is None else [_part(text, "to", who=_object(event.other, you, text))]
    parts += [shares_text(event.shares, you, text)] if event.shares else []
    cards = cards_of(event, text)
    return capital(", ".join(parts)) + (f" ({cards})." if cards else ".")


def shares_text(shares: Iterable[tuple[str, int]], you: Viewer, text: Text = untranslated) -> str:
    """List amounts by person; a person that is a number is a seat."""
    return ", ".join(f"{_person(person, you, text)} {amount}" for person, amount in shares)


def _person(person: str, you: Viewer, text: Text) -> str:
    is_seat = person.isascii() and person.isdecimal()
    return who(int(person), you, text) if is_seat else " ".join(person.split()) or "?"


def _faces(event: Event, you: Viewer, text: Text) -> str:
    """Describe which card each of two seats has after an exchange, if both cards are visible; else empty."""
    if len(event.cards) != 2 or event.seat is None or event.other is None:
        return ""
    first, second = (
        _part(text, "your card", card=card)
        if seat == you
        else _part(text, "their card", who=who(seat, you, text), card=card)
        for seat, card in zip((event.seat, event.other), event.cards, strict=True)
    )
    return _part(text, "both cards", first=first, second=second)


def _price(event: Event, text: Text) -> str:
    parts = [_part(text, "money offered", amount=event.amount)] if event.amount else []
    parts += [_part(text, "share offered", amount=percent) for _, percent in event.shares]
    return _part(text, "and", first=parts[0], second=parts[1]) if len(parts) == 2 else "".join(parts)


def _object(seat: Seat, you: Viewer, text: Text) -> str:
    return who(seat, you, text, " object")


def _part(text: Text, key: str, **values: object) -> str:
    return text(f"part {key}", TEXTS["part"][key]).format(**values)


def _at(cards: Hand, place: int) -> str:
    return cards[place] if cards else ""


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
