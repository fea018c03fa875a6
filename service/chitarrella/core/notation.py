"""The notation of moves and positions, and the construction of a move from raw arguments.

A move is written verb first: ``play_card Ab``, ``signal A``, ``play_card VI @2`` (of seat 2), ``bid_points 71``,
``reenter 3:200 anna:100``. The `MoveSpec` of the verb says which arguments it takes, so they need no labels. In the
name of a person every character but letters, digits and ``_.-~`` is percent-encoded: ``Anna%20Maria:100``.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from operator import call, itemgetter
from typing import (
    Any,
    Final,
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

from chitarrella.core.cards import Card, Hand, Pack
from chitarrella.core.game import AnyGame
from chitarrella.core.model import CHANCE, MAX_AMOUNT, MAX_NAME_LENGTH, MAX_SHARES, Move, MoveSpec, Seat, Shares
from chitarrella.core.options import InvalidField, suggestion

MAX_MOVE_LENGTH: Final = 80_000
"""Limit of a line in characters. Only many shares with long names in non-Latin letters come near it."""
CHANCE_NAME = "table"
"""The notation of the seat `CHANCE`."""


def format_actor(actor: Seat) -> str:
    """Format the seat that makes a move: its number, or `CHANCE_NAME`."""
    return CHANCE_NAME if actor == CHANCE else str(actor)


def parse_actor(text: str) -> Seat:
    """Parse the text of `format_actor`."""
    return CHANCE if text == CHANCE_NAME else int(text)


class MalformedMove(InvalidField):
    """Text or arguments that are no move of the game. ``field`` names the argument at fault."""


def make_move(
    game: AnyGame,
    verb: str,
    cards: Sequence[str] = (),
    choice: str = "",
    amount: int | None = None,
    seat: Seat | None = None,
    shares: Shares = (),
) -> Move:
    """Build a move of ``game`` from raw arguments.

    A set of cards is sorted into canonical order, so that equal moves are equal values. Raises `MalformedMove` for an
    unknown verb and for arguments that the verb does not take, `UnknownCard` for a word that is no card.
    """
    spec = game.move_specs.get(verb)
    if spec is None:
        raise MalformedMove(
            "verb", f"{verb[:40]!r} is no move of {game.key}; {suggestion(verb, game.move_specs, 'moves')}"
        )
    least, most = spec.cards
    if not least <= len(cards) <= most:
        wanted = f"{least} to {most} cards" if least != most else "one card" if least == 1 else f"{least} cards"
        raise MalformedMove("cards", f"{verb} takes {wanted}, not {len(cards)}")
    if spec.choices and choice not in spec.choices:
        raise MalformedMove("choice", f"{verb} takes one of {', '.join(filter(None, spec.choices))}")
    if choice and not spec.choices:
        raise MalformedMove("choice", f"{verb} takes no choice")
    if (amount is None) != (spec.amounts is None):
        raise MalformedMove("amount", f"{verb} takes {'no number' if spec.amounts is None else 'a number'}")
    if amount is not None and spec.amounts is not None and amount not in spec.amounts:
        raise MalformedMove("amount", f"{amount} is not among {spec.amounts.start} to {spec.amounts.stop - 1}")
    if seat is not None and not (spec.seat and 0 <= seat < game.seats):
        raise MalformedMove("seat", f"{verb} is not made for a seat {seat}")
    _check_shares(spec, shares)
    return Move(verb, _cards(game.pack, spec, cards), choice, amount, seat, shares)


def _check_shares(spec: MoveSpec, shares: Shares) -> None:
    if shares and not spec.shares:
        raise MalformedMove("shares", f"{spec.verb} takes no shares")
    if len(shares) > MAX_SHARES:
        raise MalformedMove("shares", f"at most {MAX_SHARES} persons are named, not {len(shares)}")
    for person, amount in shares:
        is_text = not any("\ud800" <= sign <= "\udfff" for sign in person)  # no encoding can write a lone surrogate
        if not 0 < len(person) <= MAX_NAME_LENGTH or not is_text:
            raise MalformedMove("shares", f"a person has a name of 1 to {MAX_NAME_LENGTH} characters")
        if abs(amount) > MAX_AMOUNT:
            raise MalformedMove("shares", f"{amount} is not among -{MAX_AMOUNT} to {MAX_AMOUNT}")


def _cards(pack: Pack, spec: MoveSpec, texts: Sequence[str]) -> Hand:
    if len(texts) == 1:
        return (pack.faces[texts[0]],)
    cards = pack.hand(texts)
    if spec.by_chance or not cards:
        return cards
    return pack.in_order(cards)


def format_move(move: Move) -> str:
    """Return a move as one line of text, which `parse_move` reads back."""
    parts = [move.verb, *move.cards]
    if move.choice:
        parts.append(move.choice)
    if move.amount is not None:
        parts.append(str(move.amount))
    parts.extend(map(format_share, move.shares))
    if move.seat is not None:
        parts.append(f"@{move.seat}")
    return " ".join(parts)


def format_share(share: tuple[str, int]) -> str:
    """Format a person and an amount as one word."""
    person, amount = share
    return f"{quote(person, safe='')}:{amount}"


def parse_move(game: AnyGame, text: str) -> Move:
    """Parse a line of `format_move`; raises `MalformedMove` or `UnknownCard`."""
    if len(text) > MAX_MOVE_LENGTH:
        raise MalformedMove("move", f"a move has at most {MAX_MOVE_LENGTH} characters")
    verb, *parts = text.split() or [""]
    spec = game.move_specs.get(verb)
    if spec is None:
        return make_move(game, verb)
    seat: Seat | None = None
    if parts and parts[-1].startswith("@"):
        seat = _integer("seat", parts.pop()[1:])
    shares = tuple(_share(part) for part in parts if spec.shares and ":" in part)
    rest = [part for part in parts if not (spec.shares and ":" in part)]
    amount = _integer("amount", rest.pop()) if spec.amounts is not None and rest else None
    word = rest.pop() if spec.choices and rest and (len(rest) > spec.cards[0]) else ""
    if rest and spec.cards == (0, 0):
        raise MalformedMove("move", f"{verb} does not take {rest[0][:40]!r}")
    return make_move(game, verb, rest, word, amount, seat, shares)


def _share(text: str) -> tuple[str, int]:
    person, _, amount = text.rpartition(":")
    try:
        return unquote(person, errors="strict"), _integer("shares", amount)
    except UnicodeDecodeError:
        raise MalformedMove("shares", f"{person[:40]!r} is no name") from None


def _integer(field: str, text: str) -> int:
    if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
        raise MalformedMove(field, f"{text[:24]!r} is no whole number")
    return int(text)


def move_pattern(spec: MoveSpec) -> str:
    """Describe how a move is written: lower-case words are literal, upper-case ones are placeholders."""
    least, most = spec.cards
    parts = [spec.verb]
    if most:
        parts.append("CARD" if most == 1 else "CARD ...")
    if most and not least:
        parts[-1] = f"[{parts[-1]}]"
    if spec.choices:
        words = "|".join(filter(None, spec.choices))
        parts.append(words if all(spec.choices) else f"[{words}]")
    if spec.amounts is not None:
        parts.append("NUMBER")
    if spec.shares:
        parts.append("[PERSON:AMOUNT ...]")
    if spec.seat:
        parts.append("[@SEAT]")
    return " ".join(parts)


# Values by the text that stands for them
CACHE_SIZE = 4096
"""How many records of one kind, such as tricks, are cached, and how many fields of one kind of position."""


class NumbersByText(dict[str, int]):
    """Nearly all numbers of a position, by their text; the lookup of any other text parses it."""

    def __missing__(self, text: str) -> int:
        if not text.isascii() or not text.removeprefix("-").isdigit() or len(text) > 17:
            raise ValueError(f"{text[:24]!r} is no whole number")
        return int(text)


NUMBERS = NumbersByText({str(number): number for number in range(256)})
"""The numbers of positions, by their text."""


class DecodedByText(dict[str, Any]):
    """What was decoded lately, by its text; the lookup of any other text decodes it.

    Texts of more than ``longest`` characters are not kept, and never more than `CACHE_SIZE`.
    """

    def __init__(self, decode: Callable[[str], Any], longest: int) -> None:
        super().__init__()
        self._decode, self._longest = decode, longest

    def __missing__(self, text: str) -> Any:
        decoded = self._decode(text)
        if len(text) <= self._longest:
            if len(self) >= CACHE_SIZE:
                self.clear()
            self[text] = decoded
        return decoded


# The notation of positions
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
MAX_POSITION_LENGTH = 150_000
"""Limit of a line in characters. A full table needs two thousand; many persons with long names need the rest."""


class InvalidPosition(InvalidField):
    """A line that is no position. ``field`` names the part at fault."""


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
                inner = [_field(hint, part, kind_of_part, pack) for part, kind_of_part in get_type_hints(hint).items()]
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
        if len(text) > MAX_POSITION_LENGTH:
            raise InvalidPosition("", f"a position has at most {MAX_POSITION_LENGTH} characters")
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


NO_DEFAULT: Final = object()
"""Stands for the default of a field that must be given."""


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, tuple) and hasattr(hint, "_fields")


def _field(kind: Any, name: str, hint: Any, pack: Pack) -> Field:
    return Field(name, value_codec(hint, pack), kind._field_defaults.get(name, NO_DEFAULT))


def _builder(kind: Any, names: list[str]) -> Builder:
    """Return the function that builds a named tuple out of values by their names."""
    if len(names) < 2:  # an itemgetter of one name does not return a row
        return lambda values: kind(*[values[name] for name in names])
    row, new = itemgetter(*names), tuple.__new__
    return lambda values: new(kind, row(values))


def value_codec(hint: Any, pack: Pack) -> ValueCodec:
    """Build the codec of a type: text, int, bool, card, optional, row or record; raises `TypeError` for any other.

    ``Card | int | str`` is a rank, a card or a number where it is written as one, else text.
    """
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
        if str in get_args(hint):
            known = {text: number for text, number in NUMBERS.items() if text not in pack.ranks} | pack.faces
            return ValueCodec(lambda bid: _quote(str(bid)), lambda text: known.get(word := _unquote(text)) or word, 0)
        (kind,) = (part for part in get_args(hint) if part is not type(None))
        some = value_codec(kind, pack)
        return ValueCodec(
            lambda value: NONE if value is None else some.encode(value),
            lambda text: None if text == NONE else some.decode(text),
            some.depth,
        )
    if origin is tuple and get_args(hint)[-1] is Ellipsis:
        return _row(value_codec(get_args(hint)[0], pack))
    if origin is tuple:
        return _record(tuple, get_args(hint), pack)
    if _is_record(hint):
        return _record(partial(tuple.__new__, hint), get_type_hints(hint).values(), pack)
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


def _record(make: Callable[[Any], Any], hints: Iterable[Any], pack: Pack) -> ValueCodec:
    parts = [value_codec(hint, pack) for hint in hints]
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
