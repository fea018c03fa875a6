"""The catalogue: finds and configures the games of the folder ``games``, and those of other packages.

A game may have several editions. New matches get the latest; the older ones serve the matches and records that began
with them.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache, reduce
from gettext import GNUTranslations
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, version
from itertools import chain, groupby, repeat
from pathlib import Path
from string import Formatter
from types import ModuleType, UnionType
from typing import Any, Final, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from chitarrella import games
from chitarrella.core.game import AnyGame, Game
from chitarrella.core.model import Event, MoveSpec, Reason
from chitarrella.core.options import GameEntry, InvalidOption, suggestion

# Games from other packages
GROUP: Final = "chitarrella.games"  # the group of the entry points
ALL, NONE = "all", "none"  # the selections of every installed package, and of no package
KEY: Final = re.compile(r"[a-z0-9@_-]{1,40}")  # what the contract takes as the key of a game
PLACEHOLDERS: Final = frozenset(  # what stands in the braces of a sentence, as `chitarrella.i18n.narration` fills it in
    {"Who", "who", "whom", "other", "cards", "first", "last", "named", "word", "Word", "amount", "shares"}
)
MEMBERS: Final = tuple(sorted(name for name in vars(Game) if not name.startswith("_")))
"""The members of the protocol of games."""


class Origin(NamedTuple):
    """The distribution that a game comes from, and its version; empty where that is not known."""

    distribution: str
    version: str


class PackageTexts(NamedTuple):
    """English texts of a package: sentences by kind of event, or kind and word, names of facts, and kinds of events.

    ``events`` has for each kind the fields that it may have, with blanks between, and when it comes.
    """

    sentences: Mapping[str, str] = {}
    fact_names: Mapping[str, str] = {}
    events: Mapping[str, tuple[str, str]] = {}


class GamePackage(NamedTuple):
    """The games of a distribution, the folders of their translations and of their records, and their other texts."""

    origin: Origin
    games: tuple[GameEntry, ...]
    locales: tuple[Path, ...] = ()
    texts: PackageTexts = PackageTexts()
    records: tuple[Path, ...] = ()


class RefusedPackage(NamedTuple):
    """A package that is not served, and why."""

    origin: Origin
    reason: str

    def __str__(self) -> str:
        return f"no game of the package {' '.join(filter(None, self.origin))} is served: {self.reason}"


class InvalidPackage(ValueError):
    """A package that does not implement the protocol of games."""


@cache
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
    games: list[GameEntry] = []
    locales: list[Path] = []
    records: list[Path] = []
    texts = PackageTexts()
    origin = Origin("", "")
    for entry in entries:
        origin = Origin(entry.dist.name, entry.dist.version) if entry.dist else origin
        try:
            module = entry.load()
            games += _games_of(module)
            locales += _locales_of(module)
            records += _folder_of(module, "RECORDS")
            texts = merged_texts(texts, _texts_of(module))
        except (Exception, SystemExit) as error:  # whatever foreign code does when it is imported
            return RefusedPackage(origin, f"the entry point {entry.name} = {entry.value} fails, {explained(error)}")
    return GamePackage(origin, tuple(games), tuple(locales), texts, tuple(records))


def _games_of(module: Any) -> tuple[GameEntry, ...]:
    """Return the games of a module; raises `InvalidPackage` for what is none."""
    found: tuple[Any, ...] = tuple(getattr(module, "GAMES", ()))
    if not found:
        raise InvalidPackage("there are no GAMES in it")
    for game in found:
        if not isinstance(game, GameEntry):
            raise InvalidPackage(f"{game!r:.60} is no {GameEntry.__name__}")
        if not KEY.fullmatch(str(game.key)):
            raise InvalidPackage(f"{game.key!r:.60} is no key of a game: small letters, digits, - and _ are")
    return found


def _folder_of(module: Any, name: str) -> list[Path]:
    """Return the folder that a module names so, by default the one of that name beside it; none if there is none."""
    beside = Path(module.__file__ or "").with_name(name.lower())
    return [Path(found) for found in [getattr(module, name, beside if beside.is_dir() else None)] if found]


def _locales_of(module: Any) -> list[Path]:
    """Return the folder of the translations of a module, if it has one; raises `OSError` for a broken catalogue."""
    found = _folder_of(module, "LOCALE")
    for catalogue in (one for folder in found for one in folder.glob("*.mo")):
        with catalogue.open("rb") as file:
            GNUTranslations(file)
    return found


def _texts_of(module: Any) -> PackageTexts:
    """Return the other texts of a module; raises `InvalidPackage` for what is no text, or no template."""
    texts = PackageTexts(*(getattr(module, name, {}) for name in ("SENTENCES", "FACT_NAMES", "EVENTS")))
    given: list[Any] = [*texts.sentences.items(), *texts.fact_names.items()]
    for key, text in given:
        if not (isinstance(key, str) and isinstance(text, str)):
            raise InvalidPackage(f"{key!r:.60}: {text!r:.60} is no text")
    for kind, row in texts.events.items():
        if not has_type(row, tuple[str, str]) or not set(row[0].split()) <= set(Event._fields):
            raise InvalidPackage(f"the event {kind}: {row!r:.60} are no fields of an event and a sentence")
    for key, sentence in texts.sentences.items():
        unknown = {name for _, name, _, _ in Formatter().parse(sentence) if name is not None} - PLACEHOLDERS
        if unknown:
            raise InvalidPackage(f"the sentence {key}: there is no {{{min(unknown)}}}")
    return texts


def merged_texts(first: PackageTexts, second: PackageTexts) -> PackageTexts:
    """Return the texts of both; where both have one, that of the first."""
    pairs: Any = zip(first, second, strict=True)
    return PackageTexts(*({**more, **texts} for texts, more in pairs))


def explained(error: BaseException) -> str:
    """Return the kind and the text of an error, on one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:400]


# What the catalogue shows of a game of another package has the types that the protocol of games names
def wrong_types(game: GameEntry) -> Iterator[str]:
    """Yield what is wrong with a game: each field or, with any number of players, each property of another type."""
    yield from _wrong(game.key, game, {kind.name: kind.type for kind in fields(GameEntry)}, get_type_hints(GameEntry))
    read = {name: member.fget for name, member in vars(Game).items() if isinstance(member, property)}
    hints = {name: get_type_hints(get)["return"] for name, get in read.items()}
    words = {name: get.__annotations__["return"] for name, get in read.items()}
    for players in game.players:
        table = game.configure(players, {})
        if missing := [name for name in MEMBERS if name not in dir(table)]:
            yield f"{table!r:.60} lacks {', '.join(missing)} of the protocol of games"
        else:
            yield from _wrong(game.key, table, words, hints)


def _wrong(key: str, value: Any, words: Mapping[str, Any], hints: Mapping[str, Any]) -> Iterator[str]:
    for name, kind in hints.items():
        try:
            found = getattr(value, name)
        except Exception as error:  # of the package
            yield f"{key}: {name} raises {explained(error)}"
        else:
            if not has_type(found, kind):
                yield f"{key}: the protocol has {words[name]} for {name}, not {_faulty(found, kind)!r:.100}"


def _faulty(value: Any, kind: Any) -> Any:
    """Return what to show of a value that has not the type: of a tuple the first faulty item."""
    items = value if isinstance(value, tuple) and get_args(kind) else ()
    return next((one for one in items if not has_type(one, get_args(kind)[0])), value)


def has_type(value: Any, kind: Any) -> bool:
    """Return whether a value has a type, to the fields of the named tuples and data classes in it."""
    if kind is Any or isinstance(kind, TypeVar) or getattr(kind, "_is_protocol", False):
        return True
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is UnionType:
        return any(has_type(value, one) for one in inner)
    if origin is Callable:
        return callable(value)
    return isinstance(value, origin) and _parts_have_types(value, origin, inner)


def _parts_have_types(value: Any, origin: Any, inner: tuple[Any, ...]) -> bool:
    """Return whether the parts of a value that is of the type ``origin`` have theirs."""
    if issubclass(origin, Mapping):
        return all(has_type(key, inner[0]) and has_type(one, inner[1]) for key, one in value.items())
    if origin is tuple and inner[-1] is not Ellipsis:
        return len(value) == len(inner) and all(map(has_type, value, inner))
    if origin in (tuple, frozenset):
        return all(map(has_type, value, repeat(inner[0])))
    return all(has_type(getattr(value, name), kind) for name, kind in _fields(origin).items())


def _fields(kind: Any) -> dict[str, Any]:
    """The fields of a named tuple or a data class, each with its type; none of anything else."""
    return get_type_hints(kind) if hasattr(kind, "_fields") or is_dataclass(kind) else {}


class UnknownGame(LookupError):
    """There is no game with this key."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no game {key[:40]!r}; {suggestion(key, known, 'games')}")


class UnknownEdition(LookupError):
    """The catalogue does not have this edition of a game."""

    def __init__(self, key: str, edition: int, current: int) -> None:
        super().__init__(f"edition {edition} of {key} is not kept; the current one is {current}")


class RuleSet(NamedTuple):
    """A game with its options; ``edition`` 0 is the current one, ``players`` 0 the default number."""

    game: str
    players: int = 0
    options: tuple[tuple[str, str], ...] = ()
    edition: int = 0


class Catalogue:
    """All games, in the order of their keys. Configured games are cached."""

    def __init__(
        self, modules: Iterator[ModuleType] | None = None, packages: Iterable[GamePackage | RefusedPackage] = ()
    ) -> None:
        """Load and check the games; raises `ValueError` for a duplicate key and for a reason without a clause.

        Of other ``packages`` those are left out that are at fault, or clash with what is there; see `refused`.
        """
        own = (importlib.import_module(f"{games.__name__}.{one.name}") for one in pkgutil.iter_modules(games.__path__))
        editions = _checked(game for module in modules or own for game in module.GAMES)
        served: dict[str, GamePackage] = {}
        refused: list[RefusedPackage] = []
        for package in packages:
            admitted = _admitted(package, editions)
            if isinstance(admitted, RefusedPackage):
                refused.append(admitted)
            else:
                editions |= {(game.key, game.edition): game for game in admitted.games}
                served |= dict.fromkeys((game.key for game in admitted.games), admitted)
        self.refused = tuple(refused)  # the packages that are not served, each with the reason
        self._packages: Mapping[str, GamePackage] = served
        self._editions: Mapping[tuple[str, int], GameEntry] = dict(sorted(editions.items()))
        self._games: dict[str, GameEntry] = {game.key: game for game in self._editions.values()}
        self._configured = lru_cache(maxsize=4096)(self._game_for)
        self.reasons = lru_cache(maxsize=64)(self._all_reasons)
        self.move_specs = lru_cache(maxsize=64)(self._all_move_specs)

    def origin(self, key: str) -> Origin:
        """Return the distribution of the game ``key``."""
        return self._packages[key].origin if key in self._packages else own_origin()

    @property
    def locales(self) -> tuple[Path, ...]:
        """The folders of the translations of other packages."""
        return tuple(dict.fromkeys(folder for package in self._packages.values() for folder in package.locales))

    @property
    def records(self) -> tuple[Path, ...]:
        """The folders of the records of other packages."""
        return tuple(dict.fromkeys(folder for package in self._packages.values() for folder in package.records))

    def texts(self, *keys: str) -> PackageTexts:
        """Return the other texts of the packages of the games ``keys``, by default of all."""
        chosen = keys or self._packages
        return reduce(
            merged_texts, (self._packages[key].texts for key in chosen if key in self._packages), PackageTexts()
        )

    def __iter__(self) -> Iterator[AnyGame]:
        """Yield the current edition of every game with the usual choices."""
        return map(self.game, self._games)

    def game(self, key: str, edition: int = 0) -> AnyGame:
        """Return a game with the usual choices; raises `UnknownGame` or `UnknownEdition`."""
        return self.game_for(RuleSet(key, edition=edition))

    def entry(self, key: str, edition: int = 0) -> GameEntry:
        """Return the entry of a game, by default its current edition; raises `UnknownGame` or `UnknownEdition`."""
        if key not in self._games:
            raise UnknownGame(key, tuple(self._games))
        current = self._games[key]
        if (key, edition or current.edition) not in self._editions:
            raise UnknownEdition(key, edition, current.edition)
        return self._editions[key, edition or current.edition]

    def has_edition(self, key: str, edition: int) -> bool:
        """Return whether the catalogue has this edition of a game."""
        return (key, edition) in self._editions

    def game_for(self, rule_set: RuleSet) -> AnyGame:
        """Return the game of a rule set.

        Raises `UnknownGame`, `UnknownEdition`, or `InvalidOption` for players and options that the game does not have.
        """
        return self._configured(rule_set)

    def _game_for(self, rule_set: RuleSet) -> AnyGame:
        entry = self.entry(rule_set.game, rule_set.edition)
        game: AnyGame = entry.configure(rule_set.players or entry.players[0], dict(rule_set.options))
        return game

    def normalize(self, rule_set: RuleSet) -> RuleSet:
        """Return the canonical form: players and edition filled in, options sorted, defaults dropped.

        Raises `UnknownGame` or `UnknownEdition`; options are not checked.
        """
        entry = self.entry(rule_set.game, rule_set.edition)
        defaults = {option.name: option.default for option in entry.options}
        chosen = tuple(sorted((name, value) for name, value in rule_set.options if defaults.get(name) != value))
        return RuleSet(entry.key, rule_set.players or entry.players[0], chosen, entry.edition)

    def configurations(self, game: AnyGame) -> Iterator[AnyGame]:
        """Yield the game for every number of players: with all defaults, and with each value of each option alone.

        The three least values stand for the range of a number.
        """
        choices = [(option.name, word) for option in game.entry.options for word in option.choices]
        numbers = [(option.name, option.minimum) for option in game.entry.options if option.minimum is not None]
        choices += [(name, str(number)) for name, least in numbers for number in range(least, least + 3)]
        for players in game.entry.players:
            for chosen in ((), *((choice,) for choice in choices)):
                try:
                    yield self.game_for(RuleSet(game.key, players, chosen, game.edition))
                except InvalidOption:
                    continue  # this value is not allowed with these players or defaults

    def _all_reasons(self, key: str, edition: int = 0) -> tuple[Reason, ...]:
        """Return every reason for refusal in some configuration of a game, sorted by code."""
        found: dict[str, Reason] = {}
        for table in self.configurations(self.game(key, edition)):
            for reason in table.reasons:
                found.setdefault(reason.code, reason)
        return tuple(sorted(found.values()))

    def _all_move_specs(self, key: str, edition: int = 0) -> tuple[MoveSpec, ...]:
        """Return every kind of move in some configuration of a game, those of the most players with defaults first."""
        game = self.game(key, edition)
        found: dict[str, MoveSpec] = dict(game.entry.configure(max(game.entry.players), {}).move_specs)
        for table in self.configurations(game):
            for spec in table.move_specs.values():
                found.setdefault(spec.verb, spec)
        return tuple(found.values())


def open_catalogue(selection: str) -> Catalogue:
    """Open the catalogue with the installed packages of a ``selection``, see `load_packages`."""
    return Catalogue(packages=load_packages(selection))


def _admitted(
    package: GamePackage | RefusedPackage, present: Mapping[tuple[str, int], GameEntry]
) -> GamePackage | RefusedPackage:
    """Return a package that is sound and clashes with none of the games that are ``present``, or its refusal."""
    if isinstance(package, RefusedPackage):
        return package
    try:
        if fault := next(chain.from_iterable(map(wrong_types, package.games)), ""):
            raise InvalidPackage(fault)
        _check_clashes(_checked(package.games).values(), present.values())
    except Exception as error:  # whatever foreign code does while it is checked
        return RefusedPackage(package.origin, explained(error))
    return package


def _checked(found: Iterable[GameEntry]) -> dict[tuple[str, int], GameEntry]:
    """Return games by key and edition, in this order; raises `ValueError` for one that breaks the protocol."""
    in_order = sorted(found, key=lambda game: (game.key, game.edition))
    editions = {(game.key, game.edition): game for game in in_order}
    if len(editions) != len(in_order):
        raise ValueError("two games have one key and one edition")
    for game in in_order:
        _check_game(game)
    return editions


def _check_clashes(added: Iterable[GameEntry], present: Iterable[GameEntry]) -> None:
    """Raise `InvalidPackage` where an added game has the key of one that is there, or the key of another clause."""
    keys = {game.key for game in present}
    clauses = {clause.key: clause for game in present for clause in game.clauses}
    for game in added:
        if game.key in keys:
            raise InvalidPackage(f"there is a game {game.key} already")
        for clause in game.clauses:
            if clauses.get(clause.key, clause) != clause:
                raise InvalidPackage(f"{game.key}: there is another clause {clause.key} already")


def _check_game(game: GameEntry) -> None:
    """Check the clauses and the codec of a game for every number of players; raises `ValueError`."""
    keys = [clause.key for clause in game.clauses]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{game.key}: two clauses have one key")
    for players in game.players:
        table = game.configure(players, {})
        for reason in table.reasons:
            if reason.code not in game.reason_clauses:
                raise ValueError(f"{game.key}: no clause stands behind {reason.code}")
        table.decode(table.encode(table.start()))
