"""Games from other packages: found by their entry points, and refused where they cannot be served.

A package names modules under the entry points of the group ``chitarrella.games``. Such a module has ``GAMES``, as one
of the folder ``games`` does. It may have ``SENTENCES`` for its kinds of events and ``FACT_NAMES``, both in English,
``LOCALE``, the folder of its compiled translations, and ``RECORDS``, that of a record ``KEY.txt`` of each game. A
package is served whole or not at all; one that is refused stops no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from gettext import GNUTranslations
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from itertools import groupby
from pathlib import Path
from string import Formatter
from typing import Any, Final, NamedTuple

from chitarrella.core.game import AnyGame, GameDefinition

GROUP: Final = "chitarrella.games"
"""The group of the entry points."""
ALL, NONE = "all", "none"
"""The selections of every installed package, and of no package."""
KEY: Final = re.compile(r"[a-z0-9@_-]{1,40}")
"""What the contract takes as the key of a game."""
PLACEHOLDERS: Final = frozenset(
    {"Who", "who", "whom", "other", "cards", "first", "last", "named", "word", "Word", "amount", "shares"}
)
"""What stands in the braces of a sentence, as `chitarrella.i18n.narration` fills it in."""
MEMBERS: Final = tuple(
    sorted({name for kind in GameDefinition.__mro__ for name in vars(kind) if not name.startswith("_")})
)
"""The members of the protocol of games."""


class Origin(NamedTuple):
    """The distribution that a game comes from, and its version; empty where that is not known."""

    distribution: str
    version: str


class PackageTexts(NamedTuple):
    """English texts of a package: sentences by kind of event, or kind and word, and names of facts."""

    sentences: Mapping[str, str] = {}
    fact_names: Mapping[str, str] = {}


class GamePackage(NamedTuple):
    """The games of a distribution, the folders of their translations and of their records, and their other texts."""

    origin: Origin
    games: tuple[AnyGame, ...]
    locales: tuple[Path, ...] = ()
    texts: PackageTexts = PackageTexts()
    records: tuple[Path, ...] = ()


class RefusedPackage(NamedTuple):
    """A package that is not served, and why."""

    origin: Origin
    reason: str

    def __str__(self) -> str:
        """The sentence for logs and the command line."""
        return f"no game of the package {' '.join(filter(None, self.origin))} is served: {self.reason}"


class InvalidPackage(ValueError):
    """A package that does not implement the protocol of games."""


def own_origin() -> Origin:
    """Return the origin of the games of the folder ``games``."""
    try:
        return Origin("chitarrella", version("chitarrella"))
    except PackageNotFoundError:  # the rules are used from their source alone
        return Origin("chitarrella", "")


def normalized(name: str) -> str:
    """Return the name of a distribution as it is compared: ``My.Games`` is ``my-games``."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def load_packages(selection: str = ALL) -> Iterator[GamePackage | RefusedPackage]:
    """Yield the packages of a selection, loaded or refused.

    ``selection`` is `ALL`, `NONE`, or names of distributions with commas between. Named ones come in this order, others
    in that of their names: of two packages with one game the later is refused.
    """
    if selection == NONE:
        return
    found = {
        normalized(name): tuple(entries)
        for name, entries in groupby(sorted(entry_points(group=GROUP), key=_distribution), key=_distribution)
    }
    chosen = dict.fromkeys(map(normalized, filter(str.strip, selection.split(","))))
    for name in sorted(found) if selection == ALL else chosen:
        if name in found:
            yield _load(found[name])
        else:
            yield RefusedPackage(Origin(name, ""), f"it is not installed, or has no entry point in {GROUP}")


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else ""


def _load(entries: Iterable[EntryPoint]) -> GamePackage | RefusedPackage:
    games: list[AnyGame] = []
    locales: list[Path] = []
    records: list[Path] = []
    texts = PackageTexts({}, {})
    origin = Origin("", "")
    for entry in entries:
        origin = Origin(entry.dist.name, entry.dist.version) if entry.dist else origin
        try:
            module = entry.load()
            games += _games_of(module)
            locales += _locales_of(module)
            records += [Path(module.RECORDS)] if hasattr(module, "RECORDS") else []
            texts = merged_texts(texts, _texts_of(module))
        except (Exception, SystemExit) as error:  # whatever foreign code does when it is imported
            return RefusedPackage(origin, f"the entry point {entry.name} = {entry.value} fails, {explained(error)}")
    return GamePackage(origin, tuple(games), tuple(locales), texts, tuple(records))


def _games_of(module: Any) -> tuple[AnyGame, ...]:
    """Return the games of a module; raises `InvalidPackage` where they do not implement the protocol."""
    found: tuple[Any, ...] = tuple(getattr(module, "GAMES", ()))
    if not found:
        raise InvalidPackage("there are no GAMES in it")
    for game in found:
        missing = [name for name in MEMBERS if not hasattr(type(game), name) and not hasattr(game, name)]
        if missing:
            raise InvalidPackage(f"{game!r:.60} lacks {', '.join(missing)} of the protocol of games")
        if not isinstance(game.key, str) or not KEY.fullmatch(game.key):
            raise InvalidPackage(f"{game.key!r:.60} is no key of a game: small letters, digits, - and _ are")
    return found


def _locales_of(module: Any) -> list[Path]:
    """Return the folder of the translations of a module, if it has one; raises `OSError` for a broken catalogue."""
    found = [Path(module.LOCALE)] if hasattr(module, "LOCALE") else []
    for catalogue in (one for folder in found for one in folder.glob("*.mo")):
        with catalogue.open("rb") as file:
            GNUTranslations(file)
    return found


def _texts_of(module: Any) -> PackageTexts:
    """Return the other texts of a module; raises `InvalidPackage` for what is no text, or no template."""
    texts = PackageTexts(getattr(module, "SENTENCES", {}), getattr(module, "FACT_NAMES", {}))
    given: list[Any] = [*texts.sentences.items(), *texts.fact_names.items()]
    for key, text in given:
        if not (isinstance(key, str) and isinstance(text, str)):
            raise InvalidPackage(f"{key!r:.60}: {text!r:.60} is no text")
    for key, sentence in texts.sentences.items():
        unknown = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None} - PLACEHOLDERS
        if unknown:
            raise InvalidPackage(f"the sentence {key}: there is no {{{min(unknown)}}}")
    return texts


def merged_texts(first: PackageTexts, second: PackageTexts) -> PackageTexts:
    """Return the texts of both; where both have one, that of the first."""
    return PackageTexts({**second.sentences, **first.sentences}, {**second.fact_names, **first.fact_names})


def explained(error: BaseException) -> str:
    """Return the kind and the text of an error, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:400]
