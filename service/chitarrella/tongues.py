"""The languages in which the rule book and its refusals are told: English, Italian and German.

English is what the rules themselves say. A translation is a catalogue in the folder ``locale``, in the format of
gettext, that gives every sentence under an id which stays (`Message`); what has no translation is said in English.
What programs read, codes, keys and cards, is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from babel.messages.pofile import read_po

from chitarrella.cards import Pack
from chitarrella.game import AnyGame
from chitarrella.option import Option
from chitarrella.phrases import PHRASES, SOURCES
from chitarrella.story import capital, names
from chitarrella.words import WRONG_PHASE, Clause, Form, Reason, Refusal

LANGUAGES: Final = ("en", "it", "de")
"""The languages there are, the one of the rules first."""

LOCALE: Final = Path(__file__).with_name("locale")

Message: TypeAlias = tuple[str, str]
"""What is translated: an id that stays, such as ``CO-17`` or ``reason not_in_hand``, and the English text."""

MOST_RANGES: Final = 40
"""So many languages of one wish are looked at; more is no wish of a person."""

QUALITY: Final = re.compile(r"q=(0(\.\d{0,3})?|1(\.0{0,3})?)", re.ASCII | re.IGNORECASE)
RANGE: Final = re.compile(r"\*|[a-z]{1,8}(-[a-z0-9]{1,8})*", re.ASCII | re.IGNORECASE)

FRAGMENT: Final = re.compile(
    rf"(?<![\w.])(?:{'|'.join(map(re.escape, sorted(SOURCES, key=len, reverse=True)))})(?![\w.])"
)


class Tongue:
    """One language: it says the sentences of the rules, given as the rules have them."""

    def __init__(self, code: str, texts: Mapping[Message, str]) -> None:
        """Speak the language ``code`` with these ``texts``."""
        self.code = code
        self.texts = texts

    def say(self, key: str, english: str) -> str:
        """Say a text, in English where this language does not have it."""
        return self.texts.get((key, english), english)

    # ------------------------------------------------------------------ the rule book

    def title(self, game: AnyGame) -> str:
        """Name a game."""
        return self.say(f"title {game.key}", game.title)

    def place(self, game: AnyGame) -> str:
        """Name the place where a game is at home."""
        return self.say(f"place {game.key}", game.place)

    def clause(self, clause: Clause) -> str:
        """Say a clause."""
        return self.say(clause.key, clause.says)

    def reason(self, reason: Reason) -> str:
        """Say a kind of refusal, with the marks where the particulars go."""
        return self.say(f"reason {reason.code}", reason.says)

    def option(self, game: AnyGame, option: Option[Any]) -> str:
        """Say what an option means."""
        return self.say(f"option {game.key}.{option.name}", option.means)

    def allowed(self, words: Sequence[str], least: int | None, most: int | None) -> str:
        """Say which values an option may have: the ``words``, or numbers from ``least`` to ``most``, or both."""
        parts = [", ".join(words)] if words else []
        if least is not None:
            key = "number from" if most is None else "number between"
            parts.append(self.phrase(key, least=least, most=most))
        return self.phrase("or").join(parts)

    def form(self, game: AnyGame, form: Form) -> str:
        """Say what a move does."""
        return self.say(f"move {game.key}.{form.verb}", form.means)

    def phase(self, phase: str) -> str:
        """Name a phase."""
        return self.say(f"phase {phase}", phase)

    def source(self, source: str) -> str:
        """Say on what a clause rests: the words between the names and numbers of sources."""
        return FRAGMENT.sub(lambda found: self.say(f"source {found[0]}", found[0]), source)

    # ------------------------------------------------------------------ cards

    def pack(self, name: str) -> str:
        """Name a pack."""
        return self.say(f"pack {name}", name)

    def names(self, pack: Pack) -> dict[str, str]:
        """Give the names of the suits and ranks of ``pack``, as far as they have any beside their notation."""
        return {letters: self.say(f"name {kind(pack)} {letters}", name) for letters, name in names(pack).items()}

    def noun(self, word: str) -> str:
        """Say a word of the rules that is no notation: a suit or a count that has a name only."""
        return self.say(f"word {word}", word.replace("_", " "))

    # ------------------------------------------------------------------ refusals

    def because(self, refusal: Refusal, pack: Pack) -> str:
        """Say why a move is refused, in a sentence; cards stay in notation, suits and ranks have their names.

        In English this is the very sentence that the refusal has of itself.
        """
        if not self.texts:
            return refusal.because
        word = self.phase(refusal.word) if refusal.reason == WRONG_PHASE else self._word(refusal.word, pack)
        said = self.reason(refusal.reason).format(
            word=word, amount=refusal.amount, instead=" ".join(refusal.instead), held=" ".join(refusal.held)
        )
        return capital(said)

    def _word(self, word: str, pack: Pack) -> str:
        """Say the word of a refusal, which may offer two cards; a rank that is a card by itself stays in notation."""
        named = {text: name for text, name in self.names(pack).items() if pack.suits[0] or text in pack.suits}
        said = (named.get(part) or self.say(f"word {part}", part) for part in word.split(" or "))
        return self.phrase("or").join(said)

    def phrase(self, key: str, **values: object) -> str:
        """Say what the commands say around the rules, with ``values`` where it has marks."""
        said = self.say(f"phrase {key}", PHRASES[key])
        return said.format(**values) if values else said


def kind(pack: Pack) -> str:
    """Name the kind of a pack, which its letters depend on: ``s`` are swords, or spades."""
    return pack.name.partition(" ")[0]


ENGLISH: Final = Tongue(LANGUAGES[0], {})
"""The language of the rules."""


@cache
def tongue(code: str) -> Tongue:
    """Give one of the `LANGUAGES`; its catalogue is read when it is asked for the first time."""
    if code == ENGLISH.code:
        return ENGLISH
    with (LOCALE / f"{code}.po").open("rb") as file:
        texts = read_po(file, abort_invalid=True)
    said = (message for message in texts if message.context and message.string and not message.fuzzy)
    return Tongue(code, {(message.context or "", str(message.id)): str(message.string) for message in said})


def tongue_for(accept_language: str) -> Tongue:
    """Choose among the languages as the value of ``Accept-Language`` wishes: by quality, then in the order given.

    A region does not matter, ``*`` is every language that is not named, quality 0 wants none of it. What is no
    language is passed over; a wish that none of ours fulfils gets English.
    """
    wishes = dict[str, float]()
    for language, quality in _wishes(accept_language):
        wishes[language] = max(quality, wishes.get(language, 0.0))
    if "*" in wishes:
        rest = wishes["*"]
        wishes.update({code: rest for code in LANGUAGES if code not in wishes})
    offered = {code: quality for code, quality in wishes.items() if code in LANGUAGES and quality}
    return tongue(max(offered, key=offered.__getitem__, default=ENGLISH.code))


def _wishes(accept_language: str) -> Iterator[tuple[str, float]]:
    """Read the languages with their quality, without their regions."""
    for wish in accept_language.split(",", MOST_RANGES)[:MOST_RANGES]:
        wanted, semicolon, weight = (part.strip() for part in wish.partition(";"))
        if not RANGE.fullmatch(wanted):
            continue
        if not semicolon:
            yield wanted.partition("-")[0].lower(), 1.0
        elif QUALITY.fullmatch(weight):
            yield wanted.partition("-")[0].lower(), float(weight[2:])


def language_of(locale: str) -> str | None:
    """Give the language of a system's locale, ``it_IT.UTF-8``, if it is one of ours."""
    code = re.split(r"[_.@-]", locale, maxsplit=1)[0].lower()
    return code if code in LANGUAGES else None
