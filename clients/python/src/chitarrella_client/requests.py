"""Request messages from the arguments of the client's methods, for both the asyncio and the synchronous client."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple, TypedDict

from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from chitarrella_client.draws import Draw
from chitarrella_client.moves import split_cards
from chitarrella_client.responses import Position
from chitarrella_client.types import Agreement


class AgreementArguments(TypedDict, total=False):
    """The arguments of an agreement besides the game."""

    players: int
    """Number of players; by default the usual one of the game (`GameSummary.default_players`)."""
    options: Mapping[str, str | int | bool]
    """The options of the game by name."""
    edition: int
    """The edition of the rules; by default the current one."""


class SeatAccess(NamedTuple):
    """Access to a match: its id, the key that is sent, and the seat to act for."""

    match: str
    key: str = ""
    seat: int | None = None


def agreement_message(game: str | Agreement, arguments: AgreementArguments) -> table_pb2.Agreement:
    """Build an agreement; raises `TypeError` for arguments beside an `Agreement`, and for unknown ones."""
    if unknown := sorted(arguments.keys() - AgreementArguments.__optional_keys__):
        raise TypeError(
            f"unknown argument {unknown[0]!r}; known: {', '.join(sorted(AgreementArguments.__optional_keys__))}"
        )
    if isinstance(game, Agreement):
        if arguments:
            raise TypeError("an agreement takes nothing besides; give the key of the game instead")
        arguments = AgreementArguments(players=game.players, options=dict(game.options), edition=game.edition)
        game = game.game
    return table_pb2.Agreement(
        game=game,
        players=arguments.get("players", 0),
        options={name: option_text(value) for name, value in arguments.get("options", {}).items()},
        edition=arguments.get("edition", 0),
    )


def option_text(value: str | int | bool) -> str:
    """Return the value of an option in the spelling of the catalogue."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def position_message(position: Position) -> rules_pb2.Position:
    """Build a position."""
    return rules_pb2.Position(agreement=agreement_message(position.agreement, {}), line=position.line)


def new_request_id() -> str:
    """Return a new id for a writing call. It must be hard to guess: the id of CreateMatch gives access to its keys."""
    return str(uuid.uuid4())


PackSource = Literal["service", "referee", "shared"]
"""Who supplies the packs: the service, the referee, or the service with contributions of every seat."""

PACK_SOURCES: dict[PackSource, matches_pb2.PackSource.ValueType] = {
    "service": matches_pb2.PACK_SOURCE_SERVICE,
    "referee": matches_pb2.PACK_SOURCE_REFEREE,
    "shared": matches_pb2.PACK_SOURCE_SHARED,
}


def create_match(
    agreement: table_pb2.Agreement,
    pack: str | Iterable[str],
    position: Position | str,
    packs: PackSource,
    private: bool,
    clock: tuple[int, int],
    bots: Mapping[int, str],
    expires_after_seconds: int,
    request_id: str,
) -> matches_pb2.CreateMatchRequest:
    """Build the request that creates a match."""
    return matches_pb2.CreateMatchRequest(
        agreement=agreement,
        pack_source=PACK_SOURCES[packs],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        pack=split_cards(pack),
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
    packs: PackSource,
    private: bool,
    clock: tuple[int, int],
    bots: Mapping[int, str],
    expires_after_seconds: int,
    request_id: str,
) -> matches_pb2.ImportMatchRequest:
    """Build the request that creates a match from a record."""
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
    access: SeatAccess, refuse: bool, expected_revision: int | None, request_id: str
) -> matches_pb2.TakeBackRequest:
    """Build the request for a takeback, or the response to one."""
    return matches_pb2.TakeBackRequest(
        match=access.match,
        seat=access.seat,
        refuse=refuse,
        expected_revision=expected_revision,
        request_id=request_id or new_request_id(),
    )


def contribute(access: SeatAccess, word: str, request_id: str) -> matches_pb2.ContributeToDealRequest:
    """Build a contribution to a shuffle; without a seat, the request to deal without the missing ones."""
    return matches_pb2.ContributeToDealRequest(
        match=access.match, seat=access.seat, word=word, request_id=request_id or new_request_id()
    )


def verify_draw(game: str, draw: Draw) -> rules_pb2.VerifyDrawRequest:
    """Build the request that verifies a draw."""
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
    access: SeatAccess, move: table_pb2.Move, expected_revision: int | None, want_view: bool, request_id: str
) -> matches_pb2.PlayMoveRequest:
    """Build the request that makes a move."""
    return matches_pb2.PlayMoveRequest(
        match=access.match,
        seat=access.seat,
        move=move,
        expected_revision=expected_revision,
        want_view=want_view,
        request_id=request_id or new_request_id(),
    )
