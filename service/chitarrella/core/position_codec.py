"""The notation of positions: any frozen position as one line of text and back, derived from its type hints.

A line is a list of ``name=value``. A field with its default value is left out. The fields of a record inside the
position stand beside the others. Items of a row are joined by a separator that depends on the depth of nesting, from
the innermost outwards ``, / ; |``. ``-`` is an empty row, ``~`` is None, ``.`` is an empty text:

    phase=play dealer=0 hands=4c,5b,Cd/6c,Rd,3d stock=Ac,Fd,6b turn_up=6b trump=b leader=1

An unknown, missing or repeated name and a value that does not parse raise `InvalidPosition`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from urllib.parse import quote, unquote

from chitarrella.core.cards import Card, Pack, UnknownCard

P = TypeVar("P")

SEPARATORS = ",/;|"
"""Separators of the items of a row, by depth of nesting from the innermost outwards."""
EMPTY_ROW, NONE, EMPTY_TEXT = "-", "~", "."
SMALL_NUMBERS = {str(number): number for number in range(256)}
"""Nearly all numbers of a position, by their text: a lookup is faster than checking and converting."""
CACHE_SIZE, MAX_CACHED_LENGTH = 4096, 100
"""How many records of one kind, such as tricks, are cached, and the longest text that is, in characters.

Nearly all tricks of a position were in the one before. The limit keeps long hostile texts out of memory.
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


class Field(NamedTuple):
    """A field of a position, or of a record inside it."""

    name: str
    codec: ValueCodec
    default: Any


class PositionCodec(Generic[P]):
    """The notation of one kind of position, with the cards of one pack.

    Positions are taken apart into one flat row of values and built from it; the fields of a record stand where the
    record does. Every request encodes or decodes a position, so this is fast rather than general.
    """

    def __init__(self, kind: type[P], pack: Pack, **records: type[Any]) -> None:
        """Derive the codec from the type hints of ``kind``; raises `TypeError` for a field without notation.

        ``records`` give the type of fields that hold a different record in every game.
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
        self._encoders = [(field.name, field.codec.encode, field.default) for field in fields]
        self._decoders = {field.name: field.codec.decode for field in fields}
        self._defaults = {field.name: field.default for field in fields}
        self._required = [field.name for field in fields if field.default is NO_DEFAULT]
        if len(self._decoders) != len(fields):
            raise TypeError(f"two fields of {kind.__name__} have one name")

    def encode(self, position: P) -> str:
        """Encode a position as one line."""
        values: list[Any] = list(cast(Iterable[Any], position))
        for begin, _, _ in self._records:
            values[begin : begin + 1] = values[begin]
        pairs = zip(self._encoders, values, strict=True)
        return " ".join([f"{name}={encode(value)}" for (name, encode, default), value in pairs if value != default])

    def decode(self, text: str) -> P:
        """Decode a line; raises `InvalidPosition`. The result may still be impossible at a table."""
        if len(text) > MAX_LENGTH:
            raise InvalidPosition("", f"a position has at most {MAX_LENGTH} characters")
        given: dict[str, Any] = {}
        decoders = self._decoders
        for field in text.split():
            name, _, value = field.partition("=")
            if name not in decoders:
                raise InvalidPosition(name[:40], "there is no such field in a position of this game")
            if name in given:
                raise InvalidPosition(name, "is given twice")
            try:
                given[name] = decoders[name](value)
            except (ValueError, UnknownCard) as error:
                raise InvalidPosition(name, str(error)) from None
        for name in self._required:
            if name not in given:
                raise InvalidPosition(name, "is missing")
        values = [*(self._defaults | given).values()]
        # One flat row, the records put together from the last to the first, so that earlier indexes stay valid.
        # A recursive builder took 20.5 us a position of two hands and a stock instead of 17.3 us.
        for begin, end, make in reversed(self._records):
            values[begin:end] = [make(values[begin:end])]
        return self._make(values)


class _NoDefault:
    """Marks a field that must be given."""


NO_DEFAULT = _NoDefault()


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _fields(kind: Any, pack: Pack) -> list[Field]:
    return [_field(kind, name, hint, pack) for name, hint in get_type_hints(kind).items()]


def _field(kind: Any, name: str, hint: Any, pack: Pack) -> Field:
    return Field(name, value_codec(hint, pack), kind._field_defaults.get(name, NO_DEFAULT))


def _maker(kind: Any) -> Callable[[Iterable[Any]], Any]:
    """Return the function that builds a named tuple from the values of its fields in order."""
    make: Callable[[Iterable[Any]], Any] = kind._make
    return make


def value_codec(hint: Any, pack: Pack) -> ValueCodec:
    """Build the codec of a type: text, int, bool, card, optional, row or record; raises `TypeError` for any other."""
    origin = get_origin(hint)
    if hint is Card:
        return ValueCodec(_identity, pack.faces.__getitem__, 0)
    if hint is bool:
        return ValueCodec(lambda value: "yes" if value else "no", _parse_bool, 0)
    if hint is int:
        return ValueCodec(str, _parse_int, 0)
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


def _parse_int(text: str) -> int:
    if (small := SMALL_NUMBERS.get(text)) is not None:
        return small
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
        raise ValueError(f"{text[:24]!r} is no whole number")
    return int(text)


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
    return ValueCodec(
        lambda values: separator.join(values if is_card else map(encode, values)) if values else EMPTY_ROW,
        lambda text: () if text == EMPTY_ROW else tuple(map(decode, text.split(separator))),
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
        return make([one(part) for one, part in zip(decoders, texts, strict=True)])

    def encode(values: Any) -> str:
        return separator.join([one(value) for one, value in zip(encoders, values, strict=True)])

    cached_decode = lru_cache(CACHE_SIZE)(decode)
    return ValueCodec(
        lru_cache(CACHE_SIZE)(encode),
        lambda text: cached_decode(text) if len(text) <= MAX_CACHED_LENGTH else decode(text),
        depth + 1,
    )
