"""Requests out of arguments; whatever both faces have to decide before they call is decided here."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypedDict

from chitarrella_client.answers import Position
from chitarrella_client.draws import Draw
from chitarrella_client.moves import words
from chitarrella_client.table import Agreement
from chitarrella_client.v1 import matches_pb2, rules_pb2, table_pb2


class Agreed(TypedDict, total=False):
    """What a table may agree upon besides the game."""

    players: int
    """How many persons play; left out, the least number that the game is made for."""
    options: Mapping[str, str | int | bool]
    """The house rules by name."""
    edition: int
    """The edition of the rules; left out, the current one."""


class Holder(NamedTuple):
    """Who asks about a match: its name, the key that is shown, and the seat that the referee asks for."""

    match: str
    key: str = ""
    seat: int | None = None


def agreement_message(game: str | Agreement, agreed: Agreed) -> table_pb2.Agreement:
    """Write what is played; raises `TypeError` where an agreement is given twice."""
    if isinstance(game, Agreement):
        if agreed:
            raise TypeError("an agreement takes nothing besides; give the key of the game instead")
        agreed = Agreed(players=game.players, options=dict(game.options), edition=game.edition)
        game = game.game
    return table_pb2.Agreement(
        game=game,
        players=agreed.get("players", 0),
        options={name: choice(value) for name, value in agreed.get("options", {}).items()},
        edition=agreed.get("edition", 0),
    )


def choice(value: str | int | bool) -> str:
    """Write what was chosen for an option, as the catalogue writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def position_message(position: Position) -> rules_pb2.Position:
    """Write a position."""
    return rules_pb2.Position(agreement=agreement_message(position.agreement, {}), line=position.line)


def new_request_id() -> str:
    """Make a name for a writing call, one that nobody guesses: who knows that of an opened match can have its keys."""
    return str(uuid.uuid4())


Packs = Literal["service", "referee", "shared"]
"""Who deals: the service, the referee by hand, or the service when every person has added a word to the shuffle."""

PACK_SOURCES: dict[Packs, matches_pb2.PackSource.ValueType] = {
    "service": matches_pb2.PACK_SOURCE_SERVICE,
    "referee": matches_pb2.PACK_SOURCE_REFEREE,
    "shared": matches_pb2.PACK_SOURCE_SHARED,
}


def create_match(
    agreement: table_pb2.Agreement,
    pack: str | Iterable[str],
    position: Position | str,
    packs: Packs,
    private: bool,
    clock: tuple[int, int],
    bots: Mapping[int, str],
    expires_after_seconds: int,
    request_id: str,
) -> matches_pb2.CreateMatchRequest:
    """Ask for a match."""
    return matches_pb2.CreateMatchRequest(
        agreement=agreement,
        pack_source=PACK_SOURCES[packs],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        pack=words(pack),
        position=str(position),
        expires_after_seconds=expires_after_seconds,
        request_id=request_id or new_request_id(),
    )


def _clock(seconds: tuple[int, int]) -> matches_pb2.Clock | None:
    return matches_pb2.Clock(move_seconds=seconds[0], bank_seconds=seconds[1]) if any(seconds) else None


def _bots(bots: Mapping[int, str]) -> list[matches_pb2.BotSeat]:
    return [matches_pb2.BotSeat(seat=seat, bot=bot) for seat, bot in bots.items()]


def import_match(
    record: str,
    moves: int | None,
    packs: Packs,
    private: bool,
    clock: tuple[int, int],
    bots: Mapping[int, str],
    expires_after_seconds: int,
    request_id: str,
) -> matches_pb2.ImportMatchRequest:
    """Ask for a match from a record."""
    return matches_pb2.ImportMatchRequest(
        record=record,
        moves=moves,
        pack_source=PACK_SOURCES[packs],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        expires_after_seconds=expires_after_seconds,
        request_id=request_id or new_request_id(),
    )


def take_back(
    holder: Holder, refuse: bool, expected_revision: int | None, request_id: str
) -> matches_pb2.TakeBackRequest:
    """Ask to take back, or answer."""
    return matches_pb2.TakeBackRequest(
        match=holder.match,
        seat=holder.seat,
        refuse=refuse,
        expected_revision=expected_revision,
        request_id=request_id or new_request_id(),
    )


def contribute(holder: Holder, word: str, request_id: str) -> matches_pb2.ContributeToDealRequest:
    """Add a word to a shuffle, or for nobody wait for no more."""
    return matches_pb2.ContributeToDealRequest(
        match=holder.match, seat=holder.seat, word=word, request_id=request_id or new_request_id()
    )


def verify_draw(game: str, draw: Draw) -> rules_pb2.VerifyDrawRequest:
    """Ask whether a draw was fair."""
    return rules_pb2.VerifyDrawRequest(
        game=game,
        commitment=draw.commitment,
        nonce=draw.nonce,
        number=draw.number,
        words=[table_pb2.Contribution(seat=word.seat, word=word.word) for word in draw.words],
        cards=draw.cards,
        amount=draw.amount,
        lots=draw.lots,
    )


def play_move(
    holder: Holder, move: table_pb2.Move, expected_revision: int | None, want_view: bool, request_id: str
) -> matches_pb2.PlayMoveRequest:
    """Ask for a move to be made."""
    return matches_pb2.PlayMoveRequest(
        match=holder.match,
        seat=holder.seat,
        move=move,
        expected_revision=expected_revision,
        want_view=want_view,
        request_id=request_id or new_request_id(),
    )
