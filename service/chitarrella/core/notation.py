"""The notation of moves, and the construction of a move from raw arguments.

A move is written verb first: ``play_card Ab``, ``signal A``, ``play_card VI @2`` (of seat 2), ``bid_points 71``,
``reenter 3:200 anna:100``. The `MoveSpec` of the verb says which arguments it takes, so they need no labels. In the
name of a person every character but letters, digits and ``_.-~`` is percent-encoded: ``Anna%20Maria:100``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol
from urllib.parse import quote, unquote

from chitarrella.core.cards import Hand, Pack
from chitarrella.core.model import CHANCE, MAX_AMOUNT, MAX_NAME_LENGTH, MAX_SHARES, Move, MoveSpec, Seat, Shares

MAX_LENGTH: Final = 80_000
"""Limit of a line in characters. Only many shares with long names in non-Latin letters come near it."""
CHANCE_NAME = "table"
"""The notation of the seat `CHANCE`."""


def format_actor(actor: Seat) -> str:
    """Format the seat that makes a move: its number, or `CHANCE_NAME`."""
    return CHANCE_NAME if actor == CHANCE else str(actor)


def parse_actor(text: str) -> Seat:
    """Parse the text of `format_actor`."""
    return CHANCE if text == CHANCE_NAME else int(text)


class MalformedMove(ValueError):
    """Text or arguments that are no move of the game. ``field`` names the argument at fault."""

    def __init__(self, field: str, message: str) -> None:
        """Keep the ``field`` at fault and the reason."""
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class MoveContext(Protocol):
    """The members of a game that parsing a move needs."""

    @property
    def key(self) -> str:
        """The key of the game."""

    @property
    def pack(self) -> Pack:
        """The cards of the game."""

    @property
    def seats(self) -> int:
        """The number of seats."""

    @property
    def move_specs(self) -> Mapping[str, MoveSpec]:
        """The schema of every move, by its verb."""


def make_move(
    game: MoveContext,
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
        raise MalformedMove("verb", f"{verb[:40]!r} is no move of {game.key}; moves: {', '.join(game.move_specs)}")
    least, most = spec.cards
    if not least <= len(cards) <= most:
        wanted = f"{least} to {most} cards" if least != most else "one card" if least == 1 else f"{least} cards"
        raise MalformedMove("cards", f"{verb} takes {wanted}, not {len(cards)}")
    _check_choice(spec, choice)
    if (amount is None) != (spec.amounts is None):
        raise MalformedMove("amount", f"{verb} takes {'no number' if spec.amounts is None else 'a number'}")
    if amount is not None and spec.amounts is not None and amount not in spec.amounts:
        raise MalformedMove("amount", f"{amount} is not among {spec.amounts.start} to {spec.amounts.stop - 1}")
    if seat is not None and not (spec.seat and 0 <= seat < game.seats):
        raise MalformedMove("seat", f"{verb} is not made for a seat {seat}")
    _check_shares(spec, shares)
    return Move(verb, _cards(game.pack, spec, cards), choice, amount, seat, shares)


def _check_choice(spec: MoveSpec, choice: str) -> None:
    if spec.choices and choice not in spec.choices:
        raise MalformedMove("choice", f"{spec.verb} takes one of {', '.join(filter(None, spec.choices))}")
    if choice and not spec.choices:
        raise MalformedMove("choice", f"{spec.verb} takes no choice")


def _check_shares(spec: MoveSpec, shares: Shares) -> None:
    if shares and not spec.shares:
        raise MalformedMove("shares", f"{spec.verb} takes no shares")
    if len(shares) > MAX_SHARES:
        raise MalformedMove("shares", f"at most {MAX_SHARES} persons are named, not {len(shares)}")
    for person, amount in shares:
        if not 0 < len(person) <= MAX_NAME_LENGTH or not _is_text(person):
            raise MalformedMove("shares", f"a person has a name of 1 to {MAX_NAME_LENGTH} characters")
        if abs(amount) > MAX_AMOUNT:
            raise MalformedMove("shares", f"{amount} is not among -{MAX_AMOUNT} to {MAX_AMOUNT}")


def _is_text(person: str) -> bool:
    """Whether the name has no lone surrogates, which no encoding can write."""
    return not any("\ud800" <= sign <= "\udfff" for sign in person)


def _cards(pack: Pack, spec: MoveSpec, texts: Sequence[str]) -> Hand:
    if len(texts) == 1:
        return (pack.card(texts[0]),)
    cards = pack.hand(texts)
    if spec.by_chance or not cards:
        return cards
    return pack.in_order(cards)


def format_move(move: Move) -> str:
    """Format a move as one line."""
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


def parse_move(game: MoveContext, text: str) -> Move:
    """Parse a line of `format_move`; raises `MalformedMove` or `UnknownCard`."""
    if len(text) > MAX_LENGTH:
        raise MalformedMove("move", f"a move has at most {MAX_LENGTH} characters")
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
