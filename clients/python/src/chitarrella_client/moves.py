"""Moves as callers give them: text in the notation, a verb with arguments, a `Move`, or the message.

The text is ``verb cards choice amount person:amount @seat``, each part only if the verb takes it; the move specs of the
catalogue say what a verb takes.  A person's name is percent-encoded: ``Anna%20Maria:100``.  Nothing is validated here:
a part that does not fit is sent as a card, and the service returns the error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypedDict
from urllib.parse import unquote

from chitarrella.v1 import table_pb2
from chitarrella_client.arguments import check_fields
from chitarrella_client.catalogue import MoveSpec
from chitarrella_client.errors import BadRequest, ErrorCode
from chitarrella_client.types import Move, Share

MoveLike: TypeAlias = str | Move | table_pb2.Move
"""A move: ``"play_card Ab"``, ``Move("play_card", ("Ab",))``, the message, or a verb with `MoveArguments`."""

MoveSpecs: TypeAlias = Mapping[str, MoveSpec]
"""The move specs of a game, by verb."""

Shares: TypeAlias = Mapping[str, int] | Iterable[Share]


class MoveArguments(TypedDict, total=False):
    """The arguments of a move besides its verb."""

    cards: str | Iterable[str]
    """One card, several separated by blanks, or a list."""
    choice: str
    """A suit, a rank or an answer."""
    amount: int | None
    """A bid, the depth of a cut, the result of a lot."""
    dummy_seat: int | None
    """The seat whose card is played, where it is not the mover's own: a dummy."""
    shares: Shares
    """Amounts by person."""


def has_arguments(move: MoveLike) -> bool:
    """Whether a move is text with more than a verb: parsing it needs the move specs of the game."""
    return isinstance(move, str) and len(move.split()) > 1


def move_message(move: MoveLike, arguments: MoveArguments, specs: MoveSpecs) -> table_pb2.Move:
    """Build the message; raises `TypeError` for arguments beside a move that has its own, and for a wrong field."""
    if arguments:
        if not isinstance(move, str) or has_arguments(move):
            raise TypeError("a move with arguments of its own takes no others; give the verb alone")
        move = _move_with(move, arguments)
    if isinstance(move, str):
        move = parse_move(move, specs)
    if isinstance(move, Move):
        check_fields(move)
        shares = [table_pb2.Share(person=share.person, amount=share.amount) for share in move.shares]
        return table_pb2.Move(
            verb=move.verb,
            cards=move.cards,
            choice=move.choice,
            amount=move.amount,
            dummy_seat=move.dummy_seat,
            shares=shares,
        )
    return move


def _move_with(verb: str, arguments: MoveArguments) -> Move:
    return Move(
        verb.strip(),
        split_cards(arguments.get("cards", ())),
        arguments.get("choice", ""),
        arguments.get("amount"),
        arguments.get("dummy_seat"),
        _shares(arguments.get("shares", ())),
    )


def split_cards(cards: str | Iterable[str]) -> tuple[str, ...]:
    """Return cards that are given as one text or as a list."""
    return tuple(cards.split() if isinstance(cards, str) else cards)


def _shares(shares: Shares) -> tuple[Share, ...]:
    if isinstance(shares, Mapping):
        return tuple(Share(person, amount) for person, amount in shares.items())
    return tuple(shares)


def parse_move(text: str, specs: MoveSpecs) -> Move:
    """Parse a move in the notation; raises `BadRequest` for a number that is none."""
    verb, *parts = text.split() or [""]
    spec = specs.get(verb, MoveSpec(verb))
    seat = _integer("dummy_seat", parts.pop()[1:]) if parts and parts[-1].startswith("@") else None
    shares = tuple(_share(part) for part in parts if spec.takes_shares and ":" in part)
    rest = [part for part in parts if not (spec.takes_shares and ":" in part)]
    amount = _integer("amount", rest.pop()) if spec.takes_amount and rest else None
    choice = rest.pop() if spec.choices and len(rest) > spec.min_cards else ""
    return Move(verb, tuple(rest), choice, amount, seat, shares)


def _share(text: str) -> Share:
    person, _, amount = text.rpartition(":")
    return Share(unquote(person), _integer("shares", amount))


def _integer(field: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"{text[:24]!r} is no whole number"
        raise BadRequest(ErrorCode.MALFORMED_MOVE, message, f"move.{field}") from None
