"""Read what a caller names: games, positions, cards, seats and moves. Errors name the field at fault."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chitarrella import errors
from chitarrella.catalogue.registry import Catalogue, RuleSet, UnknownEdition, UnknownGame
from chitarrella.core.cards import Hand, Pack, UnknownCard
from chitarrella.core.game import AnyGame, Position
from chitarrella.core.model import CHANCE, Move, Seat, Shares
from chitarrella.core.notation import InvalidPosition, MalformedMove, make_move
from chitarrella.core.options import InvalidOption


def configured_game(catalogue: Catalogue, rule_set: RuleSet, field: str = "rule_set") -> AnyGame:
    """Return the game configured by a rule set; raises `errors.NotPossibleNow` for an old edition."""
    try:
        return catalogue.game_for(rule_set)
    except UnknownGame as error:
        raise errors.BadRequest("unknown_game", str(error), f"{field}.game_id") from error
    except UnknownEdition as error:
        raise errors.NotPossibleNow("edition_not_supported", str(error), f"{field}.edition") from error
    except InvalidOption as error:
        code = "bad_players" if error.field == "players" else "bad_option"
        raise errors.BadRequest(code, str(error), f"{field}.{error.field}") from error


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


def build_move(
    game: AnyGame,
    actor: Seat,
    verb: str,
    cards: Sequence[str] = (),
    choice: str = "",
    amount: int | None = None,
    seat: Seat | None = None,
    shares: Shares = (),
    field: str = "move",
) -> Move:
    """Build a move of ``actor``; ``seat`` is that of a dummy, or its own. `CHANCE` has moves of its own."""
    try:
        move = make_move(game, verb, cards, choice, amount, None if seat == actor else seat, shares)
    except UnknownCard as error:
        raise errors.BadRequest("unknown_card", str(error), f"{field}.cards") from error
    except MalformedMove as error:
        raise errors.BadRequest("malformed_move", str(error), f"{field}.{error.field}") from error
    if game.move_specs[move.verb].by_chance != (actor == CHANCE):
        maker = (
            "the table, so it names no seat" if game.move_specs[move.verb].by_chance else "a seat, which must be named"
        )
        raise errors.BadRequest(
            "malformed_move", f"{move.verb} is made by {maker}", f"{field.removesuffix('move')}seat"
        )
    return move
