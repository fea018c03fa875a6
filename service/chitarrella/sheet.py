"""The score sheet: any frozen position in one line of text, and back, by its type hints.

A line is a row of ``name=value``; a field that has its default value is left out, and the fields of a record inside
the position stand beside the others. Cards of a hand are joined by commas, hands by slashes, and so on outwards
(``, / ; |``); ``-`` is a row of nothing, ``~`` is no value, ``.`` an empty word:

    phase=play dealer=0 hands=4c,5b,Cd/6c,Rd,3d stock=Ac,Fd,6b turn_up=6b trump=b leader=1

Only what the position can hold is ever read: an unknown name, a missing one, a name given twice or a word that is no
card raises `BadPosition`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from urllib.parse import quote, unquote

from chitarrella.cards import Card, Pack, UnknownCard

P = TypeVar("P")

JOINTS = ",/;|"
NOTHING, NO_VALUE, NO_WORD = "-", "~", "."
SMALL = {str(number): number for number in range(256)}
"""The numbers that nearly all numbers of a position are: they need no second look."""
REMEMBERED, SHORT = 4096, 100
"""How many records of a kind, such as tricks, are remembered as they were written and read, and how long they may be.

Nearly all tricks of a position were in the one before; no honest one is long, and others shall not fill the memory.
"""
LONGEST = 150_000
"""Characters in a line; twenty seats and forty cards have two thousand, many persons with long names the rest."""


class BadPosition(ValueError):
    """A line that is no position; ``field`` names the part at fault."""

    def __init__(self, field: str, because: str) -> None:
        """Say what is wrong with ``field``."""
        super().__init__(f"{field}: {because}" if field else because)
        self.field = field
        self.because = because


class Coder(NamedTuple):
    """How one type is written and read; ``depth`` is the number of joints it has used up."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    depth: int


class Field(NamedTuple):
    """A field of a position, or of a record inside it."""

    name: str
    code: Coder
    default: Any


class Sheet(Generic[P]):
    """The notation of one kind of position, with the cards of one pack.

    Positions are taken apart and put together as one flat row of values, in which the fields of a record stand where
    the record does: this happens with every question that is asked.
    """

    def __init__(self, kind: type[P], pack: Pack, **records: type[Any]) -> None:
        """Build the coders; raises `TypeError` at once for a field that cannot be written.

        ``records`` name the kind of those fields that hold a different record in every game.
        """
        self._make: Callable[[Iterable[Any]], P] = _maker(kind)
        fields: list[Field] = []
        self._records: list[tuple[int, int, Callable[[Iterable[Any]], Any]]] = []
        for name, hint in (get_type_hints(kind) | records).items():
            if _is_record(hint):
                inner = _fields(hint, pack)
                self._records.append((len(fields), len(fields) + len(inner), _maker(hint)))
                fields += inner
            else:
                fields.append(_field(kind, name, hint, pack))
        self._writes = [(field.name, field.code.write, field.default) for field in fields]
        self._reads = {field.name: field.code.read for field in fields}
        self._defaults = {field.name: field.default for field in fields}
        self._required = [field.name for field in fields if field.default is NO_DEFAULT]
        if len(self._reads) != len(fields):
            raise TypeError(f"two fields of {kind.__name__} have one name")

    def write(self, position: P) -> str:
        """Put a position into one line."""
        values: list[Any] = list(cast(Iterable[Any], position))
        for begin, _, _ in self._records:
            values[begin : begin + 1] = values[begin]
        said = zip(self._writes, values, strict=True)
        return " ".join([f"{name}={write(value)}" for (name, write, default), value in said if value != default])

    def read(self, text: str) -> P:
        """Read a line; raises `BadPosition`. What it says may still be impossible at a table."""
        if len(text) > LONGEST:
            raise BadPosition("", f"a position has at most {LONGEST} characters")
        given: dict[str, Any] = {}
        reads = self._reads
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in reads:
                raise BadPosition(name[:40], "there is no such field in a position of this game")
            if name in given:
                raise BadPosition(name, "is given twice")
            try:
                given[name] = reads[name](value)
            except (ValueError, UnknownCard) as error:
                raise BadPosition(name, str(error)) from None
        for name in self._required:
            if name not in given:
                raise BadPosition(name, "is missing")
        values = [*(self._defaults | given).values()]
        for begin, end, make in reversed(self._records):
            values[begin:end] = [make(values[begin:end])]
        return self._make(values)


class _NoDefault:
    """Stands where a field has to be given."""


NO_DEFAULT = _NoDefault()


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _fields(kind: Any, pack: Pack) -> list[Field]:
    return [_field(kind, name, hint, pack) for name, hint in get_type_hints(kind).items()]


def _field(kind: Any, name: str, hint: Any, pack: Pack) -> Field:
    return Field(name, coder(hint, pack), kind._field_defaults.get(name, NO_DEFAULT))


def _maker(kind: Any) -> Callable[[Iterable[Any]], Any]:
    """Say how a named tuple is made of its fields in order, without naming them one by one."""
    make: Callable[[Iterable[Any]], Any] = kind._make
    return make


def coder(hint: Any, pack: Pack) -> Coder:
    """Build the coder of a type: words, whole numbers, truth, cards, rows of them, records, and "or none"."""
    origin = get_origin(hint)
    if hint is Card:
        return Coder(_as_it_is, pack.faces.__getitem__, 0)
    if hint is bool:
        return Coder(lambda value: "yes" if value else "no", _truth, 0)
    if hint is int:
        return Coder(str, _number, 0)
    if hint is str:
        return Coder(_quoted, _word, 0)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in get_args(hint) if part is not type(None))
        return _optional(coder(kind, pack))
    if origin is tuple and get_args(hint)[-1] is Ellipsis:
        return _row(coder(get_args(hint)[0], pack))
    if origin is tuple:
        return _record(tuple, [coder(part, pack) for part in get_args(hint)])
    if _is_record(hint):
        return _record(_maker(hint), [coder(part, pack) for part in get_type_hints(hint).values()])
    raise TypeError(f"{hint} cannot be written on a score sheet")


def _as_it_is(card: Card) -> str:
    return card


def _number(text: str) -> int:
    if (small := SMALL.get(text)) is not None:
        return small
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
        raise ValueError(f"{text[:24]!r} is no whole number")
    return int(text)


def _truth(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{text[:24]!r} is neither yes nor no")
    return text == "yes"


def _quoted(value: str) -> str:
    """Write any text so that it holds none of the signs this notation needs for itself."""
    if value.isalnum() and value.isascii():
        return value
    return quote(value, safe="").replace(".", "%2E").replace("~", "%7E") or NO_WORD


def _word(text: str) -> str:
    if text.isalnum() and text.isascii():
        return text
    return "" if text == NO_WORD else unquote(text, errors="strict")


def _optional(inner: Coder) -> Coder:
    return Coder(
        lambda value: NO_VALUE if value is None else inner.write(value),
        lambda text: None if text == NO_VALUE else inner.read(text),
        inner.depth,
    )


def _row(inner: Coder) -> Coder:
    joint = JOINTS[inner.depth]
    write, read = inner.write, inner.read
    as_it_is = write is _as_it_is
    return Coder(
        lambda values: joint.join(values if as_it_is else map(write, values)) if values else NOTHING,
        lambda text: () if text == NOTHING else tuple(map(read, text.split(joint))),
        inner.depth + 1,
    )


def _record(make: Callable[[Any], Any], parts: list[Coder]) -> Coder:
    depth = max(part.depth for part in parts)
    joint = JOINTS[depth]
    writes, reads = [part.write for part in parts], [part.read for part in parts]

    def read(text: str) -> Any:
        words = text.split(joint)
        if len(words) != len(parts):
            raise ValueError(f"{text[:40]!r} should have {len(parts)} parts, joined by {joint}")
        return make([one(word) for one, word in zip(reads, words, strict=True)])

    def write(values: Any) -> str:
        return joint.join([one(value) for one, value in zip(writes, values, strict=True)])

    known = lru_cache(REMEMBERED)(read)
    return Coder(
        lru_cache(REMEMBERED)(write), lambda text: known(text) if len(text) <= SHORT else read(text), depth + 1
    )
