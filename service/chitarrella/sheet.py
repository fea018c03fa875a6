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
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints
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


class Sheet(Generic[P]):
    """The notation of one kind of position, with the cards of one pack."""

    def __init__(self, kind: type[P], pack: Pack, **records: type[Any]) -> None:
        """Build the coders; raises `TypeError` at once for a field that cannot be written.

        ``records`` name the kind of those fields that hold a different record in every game.
        """
        self.kind = kind
        self.pack = pack
        self.fields: dict[str, tuple[Coder, Any, str]] = {}
        self.records: dict[str, type[Any]] = {}
        for name, hint in (get_type_hints(kind) | records).items():
            default = getattr(kind, "_field_defaults", {}).get(name, NO_DEFAULT)
            if _is_record(hint):
                self.records[name] = hint
                for inner, inner_hint in get_type_hints(hint).items():
                    self._add(inner, inner_hint, hint._field_defaults.get(inner, NO_DEFAULT), name)
            else:
                self._add(name, hint, default, "")
        every = self.fields.items()
        self.required = [(name, record) for name, (_, default, record) in every if default is NO_DEFAULT]

    def _add(self, name: str, hint: Any, default: Any, record: str) -> None:
        if name in self.fields:
            raise TypeError(f"two fields are called {name}")
        self.fields[name] = (coder(hint, self.pack), default, record)

    def write(self, position: P) -> str:
        """Put a position into one line."""
        words = []
        for name, (code, default, record) in self.fields.items():
            value = getattr(getattr(position, record) if record else position, name)
            if value != default:
                words.append(f"{name}={code.write(value)}")
        return " ".join(words)

    def read(self, text: str) -> P:
        """Read a line; raises `BadPosition`. What it says may still be impossible at a table."""
        if len(text) > LONGEST:
            raise BadPosition("", f"a position has at most {LONGEST} characters")
        given: dict[str, Any] = {}
        inner: dict[str, dict[str, Any]] = {record: {} for record in self.records}
        for word in text.split():
            name, _, value = word.partition("=")
            if name not in self.fields:
                raise BadPosition(name[:40], "there is no such field in a position of this game")
            code, _, record = self.fields[name]
            target = inner[record] if record else given
            if name in target:
                raise BadPosition(name, "is given twice")
            try:
                target[name] = code.read(value)
            except (ValueError, UnknownCard) as error:
                raise BadPosition(name, str(error)) from None
        for name, record in self.required:
            if name not in (inner[record] if record else given):
                raise BadPosition(name, "is missing")
        for record, kind in self.records.items():
            given[record] = kind(**inner[record])
        return self.kind(**given)


class _NoDefault:
    """Stands where a field has to be given."""


NO_DEFAULT = _NoDefault()


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


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
        return _record(hint._make, [coder(part, pack) for part in get_type_hints(hint).values()])
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
