"""Moves as a caller may give them: text in the notation, a verb with arguments, a `Move`, or the message.

The text is ``verb cards word amount person:amount @seat``, each part only where the verb takes it; what a verb takes,
the catalogue says.  A person's name is quoted as in addresses of the web: ``Anna%20Maria:100``.  Nothing is judged
here: what fits nowhere is sent as a card, and the service says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, TypedDict
from urllib.parse import unquote

from chitarrella_client.catalogue import MoveForm
from chitarrella_client.codes import ErrorCode
from chitarrella_client.errors import BadRequest
from chitarrella_client.table import Move, Share
from chitarrella_client.v1 import table_pb2

MoveLike: TypeAlias = str | Move | table_pb2.Move
"""A move: ``"play_card Ab"``, ``Move("play_card", ("Ab",))``, the message, or a verb with `Arguments`."""

Forms: TypeAlias = Mapping[str, MoveForm]
"""What each verb of a game takes."""

Shares: TypeAlias = Mapping[str, int] | Iterable[Share]


class Arguments(TypedDict, total=False):
    """What a move may take besides its verb."""

    cards: str | Iterable[str]
    """One card, several with blanks between, or a list."""
    word: str
    """A suit, a rank or an answer."""
    amount: int | None
    """A number: a bid, a cut, a lot."""
    seat: int | None
    """The seat whose card is moved, where it is not the mover's own."""
    shares: Shares
    """Amounts by person."""


def is_line(move: MoveLike) -> bool:
    """Tell whether this is text with more than a verb, so that reading it takes the forms of the game."""
    return isinstance(move, str) and len(move.split()) > 1


def move_message(move: MoveLike, arguments: Arguments, forms: Forms) -> table_pb2.Move:
    """Make the message; raises `TypeError` for arguments beside a move that has its own."""
    if arguments:
        if not isinstance(move, str) or is_line(move):
            raise TypeError("a move with arguments of its own takes no others; give the verb alone")
        move = _with(move, arguments)
    if isinstance(move, str):
        move = read_move(move, forms)
    if isinstance(move, Move):
        shares = [table_pb2.Share(person=share.person, amount=share.amount) for share in move.shares]
        return table_pb2.Move(
            verb=move.verb, cards=move.cards, word=move.word, amount=move.amount, seat=move.seat, shares=shares
        )
    return move


def _with(verb: str, arguments: Arguments) -> Move:
    return Move(
        verb.strip(),
        words(arguments.get("cards", ())),
        arguments.get("word", ""),
        arguments.get("amount"),
        arguments.get("seat"),
        _shares(arguments.get("shares", ())),
    )


def words(cards: str | Iterable[str]) -> tuple[str, ...]:
    """Take cards as one text or as a list."""
    return tuple(cards.split() if isinstance(cards, str) else cards)


def _shares(shares: Shares) -> tuple[Share, ...]:
    if isinstance(shares, Mapping):
        return tuple(Share(person, amount) for person, amount in shares.items())
    return tuple(shares)


def read_move(text: str, forms: Forms) -> Move:
    """Read a move in the notation; raises `BadRequest` where a number is wanted and is none."""
    verb, *parts = text.split() or [""]
    form = forms.get(verb, MoveForm(verb))
    seat = _whole("seat", parts.pop()[1:]) if parts and parts[-1].startswith("@") else None
    shares = tuple(_share(part) for part in parts if form.shares and ":" in part)
    rest = [part for part in parts if not (form.shares and ":" in part)]
    amount = _whole("amount", rest.pop()) if form.amount and rest else None
    word = rest.pop() if form.words and len(rest) > form.least_cards else ""
    return Move(verb, tuple(rest), word, amount, seat, shares)


def _share(text: str) -> Share:
    person, _, amount = text.rpartition(":")
    return Share(unquote(person), _whole("shares", amount))


def _whole(field: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        because = f"{text[:24]!r} is no whole number"
        raise BadRequest(ErrorCode.MALFORMED_MOVE, because, f"move.{field}") from None
