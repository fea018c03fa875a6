"""Read what a caller names: positions, cards and seats. Raises `errors.BadRequest` with the field at fault."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella import errors
from chitarrella.core.cards import Hand, Pack, UnknownCard
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import Seat
from chitarrella.core.notation import InvalidPosition


def read_position(game: AnyGame, line: str, field: str = "position.text") -> Position:
    try:
        return game.decode(line)
    except InvalidPosition as error:
        raise errors.BadRequest("bad_position", str(error), field) from error


def read_cards(game: AnyGame, texts: Iterable[str], field: str) -> Hand:
    return read_pack(game.pack, texts, field)


def read_pack(pack: Pack, texts: Iterable[str], field: str) -> Hand:
    try:
        return pack.hand(texts)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), field) from error


def read_seat(game: AnyGame, seat: Seat, field: str = "seat") -> Seat:
    """Return ``seat`` if a player controls it; raises `errors.BadRequest` for an unknown seat and for a dummy."""
    if not 0 <= seat < game.seats or game.controller(seat) != seat:
        raise errors.BadRequest("no_such_seat", f"nobody sits at seat {seat} of this table", field)
    return seat
