"""Request messages from the arguments of the client's methods, for both the asyncio and the synchronous client."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypedDict, TypeVar

from google.protobuf.duration_pb2 import Duration

from chitarrella.v1 import match_pb2, match_play_pb2, match_requests_pb2, position_pb2, questions_pb2, table_pb2
from chitarrella_client.arguments import check_fields
from chitarrella_client.connection import Secret
from chitarrella_client.moves import split_cards
from chitarrella_client.positions import Cards, PartialPosition, PartialTrick, Position
from chitarrella_client.responses import BotSeat
from chitarrella_client.shuffles import Shuffle
from chitarrella_client.types import RuleSet


class RuleSetArguments(TypedDict, total=False):
    """The arguments of a rule set besides the game."""

    players: int
    """Number of players; 0 for the default number of the game (`GameSummary.default_players`)."""
    options: Mapping[str, str | int | bool]
    """The options of the game by name."""
    edition: int
    """The edition of the rules; 0 for the current one."""


class SeatAccess(NamedTuple):
    """Access to a match: its id, the key that is sent, and the seat to act for."""

    match_id: str
    key: Secret = Secret()
    seat: int | None = None


def rule_set_message(game: str | RuleSet, arguments: RuleSetArguments) -> table_pb2.RuleSet:
    """Build a rule set; raises `TypeError` for arguments beside a `RuleSet`, and for one with a wrong field."""
    if isinstance(game, RuleSet):
        check_fields(game)
        if arguments:
            raise TypeError("a rule set takes no other arguments; give the key of the game instead")
        arguments = RuleSetArguments(players=game.players, options=dict(game.options), edition=game.edition)
        game = game.game_id
    return table_pb2.RuleSet(
        game_id=game,
        players=arguments.get("players", 0),
        options={name: option_text(value) for name, value in arguments.get("options", {}).items()},
        edition=arguments.get("edition", 0),
    )


def option_text(value: str | int | bool) -> str:
    """Return the value of an option in the spelling of the catalogue."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def position_message(position: Position) -> position_pb2.Position:
    """Build a position."""
    return position_pb2.Position(rule_set=rule_set_message(position.rule_set, {}), text=position.text)


def partial_position_message(position: PartialPosition) -> position_pb2.PartialPosition:
    """Build a partial position; raises `TypeError` for a wrong field."""
    check_fields(position)
    return position_pb2.PartialPosition(
        rule_set=rule_set_message(position.rule_set, {}),
        hands=[position_pb2.SeatCards(seat=seat, cards=split_cards(cards)) for seat, cards in position.hands.items()],
        trick=_trick_message(position.trick),
        trump=position.trump,
        trump_card=position.trump_card,
        stock_size=position.stock_size,
        dealt_in=position.dealt_in,
    )


def _trick_message(trick: PartialTrick | Cards | None) -> position_pb2.PartialTrick | None:
    if trick is None:
        return None
    if not isinstance(trick, PartialTrick):
        trick = PartialTrick(trick)
    check_fields(trick)
    return position_pb2.PartialTrick(
        cards=split_cards(trick.cards), leader=trick.leader, declared_suit=trick.declared_suit
    )


Seconds = float | timedelta
"""A time: a number of seconds, or a timedelta."""


def duration(time: Seconds) -> Duration | None:
    """Build a duration; None for no time, which leaves the field out."""
    message = Duration()
    message.FromTimedelta(time if isinstance(time, timedelta) else timedelta(seconds=time))
    return message if time else None


def new_request_id() -> str:
    """Return a new id for a writing call. It must be hard to guess: the id of CreateMatch gives access to its keys."""
    return str(uuid.uuid4())


PackSource = Literal["service", "referee", "shared"]
"""Who supplies packs and lots: the service, the referee, or the service with a seed of every seat."""
Restriction = Literal["no_takebacks", "no_bots", "no_spectators"]
"""What a match does not allow: takebacks and bots by its seats, or anybody without a key of it."""

RESTRICTIONS: dict[Restriction, match_pb2.Restriction] = {
    "no_takebacks": match_pb2.RESTRICTION_NO_TAKEBACKS,
    "no_bots": match_pb2.RESTRICTION_NO_BOTS,
    "no_spectators": match_pb2.RESTRICTION_NO_SPECTATORS,
}
Clock: TypeAlias = Annotated[
    tuple[Seconds, Seconds] | tuple[Seconds, Seconds, Seconds],
    "seconds for a move, for the bank, and added, such as (0, 300, 5)",
]
Bots: TypeAlias = Annotated[Mapping[int, str] | Iterable[BotSeat], "bots by seat, such as {1: 'greedy'}, or BotSeats"]
PlayerNames: TypeAlias = Annotated[Mapping[int, str], "names by seat, such as {0: 'Ada'}"]

PACK_SOURCES: dict[PackSource, match_pb2.PackSource] = {
    "service": match_pb2.PACK_SOURCE_SERVICE,
    "referee": match_pb2.PACK_SOURCE_REFEREE,
    "shared": match_pb2.PACK_SOURCE_SHARED,
}


R = TypeVar("R", match_requests_pb2.CreateMatchRequest, match_requests_pb2.ImportMatchRequest)


def new_match(
    kind: type[R],
    pack_source: PackSource,
    private: bool,
    clock: Clock,
    bots: Bots,
    expire_after: Seconds,
    request_id: str,
    sandbox: str | None,
    external_id: str,
    labels: Mapping[str, str],
    player_names: PlayerNames,
    restrictions: Iterable[Restriction],
) -> R:
    """Build what the requests that create a match have in common."""
    return kind(
        pack_source=PACK_SOURCES[pack_source],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        expire_after=duration(expire_after),
        request_id=request_id or new_request_id(),
        sandbox=_sandbox(sandbox),
        external_id=external_id,
        labels=labels,
        player_names=_player_names(player_names),
        restrictions=[RESTRICTIONS[one] for one in restrictions],
    )


def _clock(seconds: Clock) -> match_pb2.Clock | None:
    if not any(seconds):
        return None
    move_time, bank, increment = map(duration, (*seconds, 0)[:3])
    return match_pb2.Clock(move_time=move_time, bank=bank, increment=increment)


def _sandbox(seed: str | None) -> match_pb2.Sandbox | None:
    return None if seed is None else match_pb2.Sandbox(seed=seed)


def _bots(bots: Bots) -> list[match_pb2.BotSeat]:
    seats = [BotSeat(*one) for one in bots.items()] if isinstance(bots, Mapping) else list(bots)
    for one in seats:
        check_fields(one)
    return [match_pb2.BotSeat(seat=s.seat, bot=s.bot, think_time=s.think_time, delay=s.delay) for s in seats]


def _player_names(names: PlayerNames) -> list[match_pb2.PlayerName]:
    return [match_pb2.PlayerName(seat=seat, name=name) for seat, name in names.items()]


NO_LABELS: Mapping[str, str] = MappingProxyType({})
NO_NAMES: Mapping[int, str] = MappingProxyType({})


def update_match(
    match_id: str,
    external_id: str | None,
    labels: Mapping[str, str],
    player_names: PlayerNames,
    expire_after: Seconds,
) -> match_requests_pb2.UpdateMatchRequest:
    """Build the request that changes what a platform attaches to a match."""
    return match_requests_pb2.UpdateMatchRequest(
        match_id=match_id,
        external_id=external_id,
        labels=labels,
        player_names=_player_names(player_names),
        expire_after=duration(expire_after),
    )


def add_time(match_id: str, seat: int, time: Seconds, request_id: str) -> match_play_pb2.AddTimeRequest:
    """Build the request that adds time to a bank."""
    return match_play_pb2.AddTimeRequest(
        match_id=match_id, seat=seat, duration=duration(time), request_id=request_id or new_request_id()
    )


def advance_clock(access: SeatAccess, time: Seconds, request_id: str) -> match_play_pb2.AdvanceClockRequest:
    """Build the request that moves the time of a test forward."""
    return match_play_pb2.AdvanceClockRequest(
        match_id=access.match_id, duration=duration(time), request_id=request_id or new_request_id()
    )


def take_back(
    access: SeatAccess, decline: bool, expected_revision: int | None, request_id: str
) -> match_play_pb2.TakeBackRequest:
    """Build the request for a takeback, or the answer to one."""
    return match_play_pb2.TakeBackRequest(
        match_id=access.match_id,
        seat=access.seat,
        decline=decline,
        expected_revision=expected_revision,
        request_id=request_id or new_request_id(),
    )


def contribute_seed(access: SeatAccess, seed: str, request_id: str) -> match_play_pb2.ContributeSeedRequest:
    """Build the request that adds a seed to a shuffle; without a seat and a seed, to shuffle at once."""
    return match_play_pb2.ContributeSeedRequest(
        match_id=access.match_id, seat=access.seat, client_seed=seed, request_id=request_id or new_request_id()
    )


def rotate_key(match_id: str, seat: int | None, request_id: str) -> match_requests_pb2.RotateKeyRequest:
    """Build the request that replaces a key: that of ``seat``, else the one that is sent with it."""
    return match_requests_pb2.RotateKeyRequest(match_id=match_id, seat=seat, request_id=request_id or new_request_id())


def verify_shuffle(game_id: str, shuffle: Shuffle) -> questions_pb2.VerifyShuffleRequest:
    """Build the request that verifies a shuffle."""
    return questions_pb2.VerifyShuffleRequest(
        game_id=game_id,
        commitment=shuffle.commitment,
        nonce=shuffle.nonce,
        number=shuffle.number,
        client_seeds=[table_pb2.ClientSeed(seat=one.seat, seed=one.seed) for one in shuffle.client_seeds],
        cards=shuffle.cards,
        amount=shuffle.amount,
        lots=shuffle.lots,
    )


def play_move(
    access: SeatAccess, move: table_pb2.Move, expected_revision: int | None, include_view: bool, request_id: str
) -> match_play_pb2.PlayMoveRequest:
    """Build the request that makes a move."""
    return match_play_pb2.PlayMoveRequest(
        match_id=access.match_id,
        seat=access.seat,
        move=move,
        expected_revision=expected_revision,
        include_view=include_view,
        request_id=request_id or new_request_id(),
    )
