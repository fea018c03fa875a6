"""The notation of positions: any frozen position as one line of text and back, derived from its type hints.

A line is a list of ``name=value``. A field with its default value is left out. The fields of a record inside the
position stand beside the others. Items of a row are joined by a separator that depends on the depth of nesting, from
the innermost outwards ``, / ; |``. ``-`` is an empty row, ``~`` is None, ``.`` is an empty text:

    phase=play dealer=0 hands=4c,5b,Cd/6c,Rd,3d stock=Ac,Fd,6b turn_up=6b trump=b leader=1

An unknown, missing or repeated name and a value that does not parse raise `InvalidPosition`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from operator import call, itemgetter
from typing import (
    Any,
    Generic,
    NamedTuple,
    NoReturn,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import quote, unquote

from chitarrella.core.cards import Card, Pack
from chitarrella.core.decoded_texts import CACHE_SIZE, NUMBERS, DecodedByText

P = TypeVar("P")

SEPARATORS = ",/;|"
"""Separators of the items of a row, by depth of nesting from the innermost outwards."""
EMPTY_ROW, NONE, EMPTY_TEXT = "-", "~", "."
"""How an empty row, None and an empty text are written."""
MAX_CACHED_RECORD, MAX_CACHED_FIELD = 100, 32
"""The longest text of a record and of a field that is cached, in characters.

Nearly all tricks of a position, and all its fields but those with many cards, were in the one before. The limits keep
long hostile texts out of memory.
"""
MAX_LENGTH = 150_000
"""Limit of a line in characters. A full table needs two thousand; many persons with long names need the rest."""


class InvalidPosition(ValueError):
    """A line that is no position. ``field`` names the part at fault."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the ``field`` at fault and the reason."""
        super().__init__(f"{field}: {message}" if field else message)
        self.field = field
        self.message = message


class ValueCodec(NamedTuple):
    """Encoder and decoder of one type. ``depth`` is the number of separators they use."""

    encode: Callable[[Any], str]
    decode: Callable[[str], Any]
    depth: int


Builder: TypeAlias = Callable[[Mapping[str, Any]], Any]
"""Builds a record out of values by their names."""


class Field(NamedTuple):
    """A field of a position, or of a record inside it."""

    name: str
    codec: ValueCodec
    default: Any


class PositionCodec(Generic[P]):
    """The notation of one kind of position, with the cards of one pack.

    The fields of a record stand beside those of the position. Every request encodes or decodes a position, so this is
    fast rather than general.
    """

    def __init__(self, kind: type[P], pack: Pack, **records: type[Any]) -> None:
        """Derive the codec from the type hints of ``kind``; raises `TypeError` for a field without notation.

        ``records`` give the type of fields that hold a different record in every game.
        """
        fields: list[Field] = []
        self._records: list[tuple[str, Builder]] = []
        self._places: list[int] = []
        hints = get_type_hints(kind) | records
        for name, hint in hints.items():
            if _is_record(hint):
                inner = _fields(hint, pack)
                self._records.append((name, _builder(hint, [field.name for field in inner])))
                self._places.append(len(fields))
                fields += inner
            else:
                fields.append(_field(kind, name, hint, pack))
        self._build: Callable[[Mapping[str, Any]], P] = _builder(kind, list(hints))
        self._encoders = [(field.name, field.codec.encode, field.default) for field in fields]
        self._decoders = {field.name: field.codec.decode for field in fields}
        self._fields = DecodedByText(self._decode_field, MAX_CACHED_FIELD)
        self._defaults = {field.name: field.default for field in fields if field.default is not NO_DEFAULT}
        self._required = frozenset(self._decoders.keys() - self._defaults.keys())
        if len(self._decoders) != len(fields) or not self._decoders.keys().isdisjoint(dict(self._records)):
            raise TypeError(f"two fields of {kind.__name__} have one name")

    def encode(self, position: P) -> str:
        """Encode a position as one line."""
        values: list[Any] = list(cast(Iterable[Any], position))
        for place in self._places:
            values[place : place + 1] = values[place]
        pairs = zip(self._encoders, values, strict=True)
        return " ".join([f"{name}={encode(value)}" for (name, encode, default), value in pairs if value != default])

    def decode(self, text: str) -> P:
        """Decode a line; raises `InvalidPosition`. The result may still be impossible at a table."""
        if len(text) > MAX_LENGTH:
            raise InvalidPosition("", f"a position has at most {MAX_LENGTH} characters")
        fields = text.split()
        try:
            given = dict(map(self._fields.__getitem__, fields))
        except InvalidPosition:
            given = {}
        if len(given) != len(fields):
            self._refuse(fields)
        if not self._required <= given.keys():
            missing = next(name for name in self._decoders if name in self._required and name not in given)
            raise InvalidPosition(missing, "is missing")
        values = self._defaults | given
        for name, build in self._records:
            values[name] = build(values)
        return self._build(values)

    def _refuse(self, fields: list[str]) -> NoReturn:
        """Raise `InvalidPosition` for the first of ``fields`` that is wrong, or has the name of one before."""
        names: set[str] = set()
        for field in fields:
            if (name := field.partition("=")[0]) in names:
                break
            names.add(name)
        dict(map(self._fields.__getitem__, fields[: len(names)]))
        raise InvalidPosition(name, "is given twice")

    def _decode_field(self, field: str) -> tuple[str, Any]:
        """Decode a field with its name; raises `InvalidPosition`."""
        name, _, value = field.partition("=")
        if name not in self._decoders:
            raise InvalidPosition(name[:40], "there is no such field in a position of this game")
        try:
            return name, self._decoders[name](value)
        except ValueError as error:
            raise InvalidPosition(name, str(error)) from None


class _NoDefault:
    """Marks a field that must be given."""


NO_DEFAULT = _NoDefault()
"""Stands for the default of a field that must be given."""


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _fields(kind: Any, pack: Pack) -> list[Field]:
    return [_field(kind, name, hint, pack) for name, hint in get_type_hints(kind).items()]


def _field(kind: Any, name: str, hint: Any, pack: Pack) -> Field:
    return Field(name, value_codec(hint, pack), kind._field_defaults.get(name, NO_DEFAULT))


def _maker(kind: Any) -> Callable[[Iterable[Any]], Any]:
    """Return the function that builds a named tuple from the values of its fields in order."""
    return partial(tuple.__new__, kind)


def _builder(kind: Any, names: list[str]) -> Builder:
    """Return the function that builds a named tuple out of values by their names."""
    if len(names) < 2:  # an itemgetter of one name does not return a row
        return lambda values: kind(*[values[name] for name in names])
    row, new = itemgetter(*names), tuple.__new__
    return lambda values: new(kind, row(values))


def value_codec(hint: Any, pack: Pack) -> ValueCodec:
    """Build the codec of a type: text, int, bool, card, optional, row or record; raises `TypeError` for any other."""
    origin = get_origin(hint)
    if hint is Card:
        return ValueCodec(_identity, pack.faces.__getitem__, 0)
    if hint is bool:
        return ValueCodec(lambda value: "yes" if value else "no", _parse_bool, 0)
    if hint is int:
        return ValueCodec(str, NUMBERS.__getitem__, 0)
    if hint is str:
        return ValueCodec(_quote, _unquote, 0)
    if origin in (Union, types.UnionType):
        (kind,) = (part for part in get_args(hint) if part is not type(None))
        return _optional(value_codec(kind, pack))
    if origin is tuple and get_args(hint)[-1] is Ellipsis:
        return _row(value_codec(get_args(hint)[0], pack))
    if origin is tuple:
        return _record(tuple, [value_codec(part, pack) for part in get_args(hint)])
    if _is_record(hint):
        return _record(_maker(hint), [value_codec(part, pack) for part in get_type_hints(hint).values()])
    raise TypeError(f"{hint} has no notation in a position")


def _identity(card: Card) -> str:
    return card


def _parse_bool(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(f"{text[:24]!r} is neither yes nor no")
    return text == "yes"


def _quote(value: str) -> str:
    """Percent-encode text, so that it has none of the characters that the notation uses."""
    if value.isalnum() and value.isascii():
        return value
    return quote(value, safe="").replace(".", "%2E").replace("~", "%7E") or EMPTY_TEXT


def _unquote(text: str) -> str:
    if text.isalnum() and text.isascii():
        return text
    return "" if text == EMPTY_TEXT else unquote(text, errors="strict")


def _optional(inner: ValueCodec) -> ValueCodec:
    return ValueCodec(
        lambda value: NONE if value is None else inner.encode(value),
        lambda text: None if text == NONE else inner.decode(text),
        inner.depth,
    )


def _row(inner: ValueCodec) -> ValueCodec:
    separator = SEPARATORS[inner.depth]
    encode, decode = inner.encode, inner.decode
    is_card = encode is _identity

    def decode_row(text: str) -> Any:
        return () if text == EMPTY_ROW else tuple(map(decode, text.split(separator)))

    return ValueCodec(
        lambda values: separator.join(values if is_card else map(encode, values)) if values else EMPTY_ROW,
        DecodedByText(decode_row, MAX_CACHED_RECORD).__getitem__ if is_card else decode_row,
        inner.depth + 1,
    )


def _record(make: Callable[[Any], Any], parts: list[ValueCodec]) -> ValueCodec:
    depth = max(part.depth for part in parts)
    separator = SEPARATORS[depth]
    encoders, decoders = [part.encode for part in parts], [part.decode for part in parts]

    def decode(text: str) -> Any:
        texts = text.split(separator)
        if len(texts) != len(parts):
            raise ValueError(f"{text[:40]!r} should have {len(parts)} parts, joined by {separator}")
        return make(map(call, decoders, texts))

    def encode(values: Any) -> str:
        return separator.join([one(value) for one, value in zip(encoders, values, strict=True)])

    return ValueCodec(lru_cache(CACHE_SIZE)(encode), DecodedByText(decode, MAX_CACHED_RECORD).__getitem__, depth + 1)
