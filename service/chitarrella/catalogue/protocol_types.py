"""What the catalogue shows of a game of another package has the types that the protocol of games names.

A title that is no text would make every list of games fail, not only the description of its own game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from itertools import repeat
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from chitarrella.core.game import AnyGame, GameDefinition
from chitarrella.core.options import configure


def wrong_types(game: AnyGame) -> Iterator[str]:
    """Yield what is wrong with a game: each property, with any number of players, that has another type."""
    properties = _properties()
    for table in _tables(game):
        for name, (kind, words) in properties.items():
            value = getattr(table, name)
            if not has_type(value, kind):
                yield f"{game.key}: the protocol has {words} for {name}, not {_faulty(value, kind)!r:.100}"


def _tables(game: AnyGame) -> Iterator[AnyGame]:
    """Yield a game as it stands in the catalogue, then with every number of players."""
    yield game
    yield from (configure(game, players, {}) for players in game.seatings)


def _faulty(value: Any, kind: Any) -> Any:
    """Return what to show of a value that has not the type: of a tuple the first faulty item."""
    items = value if isinstance(value, tuple) else ()
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


def _properties() -> dict[str, tuple[Any, str]]:
    """The properties of the protocol of games, each with its type and with the words for it."""
    found = {
        name: member.fget
        for kind in reversed(GameDefinition.__mro__)
        for name, member in vars(kind).items()
        if isinstance(member, property)
    }
    return {name: (get_type_hints(read)["return"], read.__annotations__["return"]) for name, read in found.items()}


def _fields(kind: Any) -> dict[str, Any]:
    """The fields of a named tuple or a data class, each with its type; none of anything else."""
    return get_type_hints(kind) if hasattr(kind, "_fields") or is_dataclass(kind) else {}
