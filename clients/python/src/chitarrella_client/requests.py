"""Request messages from the arguments of the client's methods, for both the asyncio and the synchronous client."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias, TypedDict

from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from chitarrella_client.arguments import check_fields
from chitarrella_client.connection import Secret
from chitarrella_client.moves import split_cards
from chitarrella_client.positions import Cards, PartialPosition, PartialTrick, Position
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


def position_message(position: Position) -> rules_pb2.Position:
    """Build a position."""
    return rules_pb2.Position(rule_set=rule_set_message(position.rule_set, {}), text=position.text)


def partial_position_message(position: PartialPosition) -> rules_pb2.PartialPosition:
    """Build a partial position; raises `TypeError` for a wrong field."""
    check_fields(position)
    return rules_pb2.PartialPosition(
        rule_set=rule_set_message(position.rule_set, {}),
        hands=[rules_pb2.SeatCards(seat=seat, cards=split_cards(cards)) for seat, cards in position.hands.items()],
        trick=_trick_message(position.trick),
        trump=position.trump,
        trump_card=position.trump_card,
        stock_size=position.stock_size,
        dealt_in=position.dealt_in,
    )


def _trick_message(trick: PartialTrick | Cards | None) -> rules_pb2.PartialTrick | None:
    if trick is None:
        return None
    if not isinstance(trick, PartialTrick):
        trick = PartialTrick(trick)
    check_fields(trick)
    return rules_pb2.PartialTrick(
        cards=split_cards(trick.cards), leader=trick.leader, declared_suit=trick.declared_suit
    )


def new_request_id() -> str:
    """Return a new id for a writing call. It must be hard to guess: the id of CreateMatch gives access to its keys."""
    return str(uuid.uuid4())


PackSource = Literal["service", "referee", "shared"]
"""Who supplies packs and lots: the service, the referee, or the service with a seed of every seat."""
Clock: TypeAlias = Annotated[tuple[int, int], "seconds for a decision and in the bank of a seat, such as (30, 600)"]
Bots: TypeAlias = Annotated[Mapping[int, str], "bots by seat, such as {1: 'greedy'}"]
PlayerNames: TypeAlias = Annotated[Mapping[int, str], "names by seat, such as {0: 'Ada'}"]

PACK_SOURCES: dict[PackSource, matches_pb2.PackSource] = {
    "service": matches_pb2.PACK_SOURCE_SERVICE,
    "referee": matches_pb2.PACK_SOURCE_REFEREE,
    "shared": matches_pb2.PACK_SOURCE_SHARED,
}


def create_match(
    rule_set: table_pb2.RuleSet,
    pack: str | Iterable[str],
    position: Position | str,
    pack_source: PackSource,
    private: bool,
    clock: Clock,
    bots: Bots,
    expires_after_seconds: int,
    request_id: str,
    sandbox: str | None,
) -> matches_pb2.CreateMatchRequest:
    """Build the request that creates a match."""
    return matches_pb2.CreateMatchRequest(
        rule_set=rule_set,
        pack_source=PACK_SOURCES[pack_source],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        pack=split_cards(pack),
        position=str(position),
        expires_after_seconds=expires_after_seconds,
        request_id=request_id or new_request_id(),
        sandbox=_sandbox(sandbox),
    )


def add_labels(
    request: matches_pb2.CreateMatchRequest | matches_pb2.ImportMatchRequest,
    external_id: str,
    labels: Mapping[str, str],
    player_names: PlayerNames,
) -> None:
    """Add what a platform attaches to a match to the request that creates it."""
    request.external_id = external_id
    request.labels.update(labels)
    request.player_names.extend(matches_pb2.PlayerName(seat=seat, name=name) for seat, name in player_names.items())


def _clock(seconds: Clock) -> matches_pb2.Clock | None:
    return matches_pb2.Clock(move_seconds=seconds[0], bank_seconds=seconds[1]) if any(seconds) else None


def _sandbox(seed: str | None) -> matches_pb2.Sandbox | None:
    return None if seed is None else matches_pb2.Sandbox(seed=seed)


def _bots(bots: Bots) -> list[matches_pb2.BotSeat]:
    return [matches_pb2.BotSeat(seat=seat, bot=bot) for seat, bot in bots.items()]


def import_match(
    record: str,
    move_count: int | None,
    pack_source: PackSource,
    private: bool,
    clock: Clock,
    bots: Bots,
    expires_after_seconds: int,
    request_id: str,
    sandbox: str | None,
) -> matches_pb2.ImportMatchRequest:
    """Build the request that creates a match from a record."""
    return matches_pb2.ImportMatchRequest(
        record=record,
        move_count=move_count,
        pack_source=PACK_SOURCES[pack_source],
        private=private,
        clock=_clock(clock),
        bots=_bots(bots),
        expires_after_seconds=expires_after_seconds,
        request_id=request_id or new_request_id(),
        sandbox=_sandbox(sandbox),
    )


def advance_clock(access: SeatAccess, seconds: int, request_id: str) -> matches_pb2.AdvanceClockRequest:
    """Build the request that moves the time of a test forward."""
    return matches_pb2.AdvanceClockRequest(
        match_id=access.match_id, seconds=seconds, request_id=request_id or new_request_id()
    )


def take_back(
    access: SeatAccess, decline: bool, expected_revision: int | None, request_id: str
) -> matches_pb2.TakeBackRequest:
    """Build the request for a takeback, or the answer to one."""
    return matches_pb2.TakeBackRequest(
        match_id=access.match_id,
        seat=access.seat,
        decline=decline,
        expected_revision=expected_revision,
        request_id=request_id or new_request_id(),
    )


def contribute_seed(access: SeatAccess, seed: str, request_id: str) -> matches_pb2.ContributeSeedRequest:
    """Build the request that adds a seed to a shuffle; without a seat and a seed, to shuffle at once."""
    return matches_pb2.ContributeSeedRequest(
        match_id=access.match_id, seat=access.seat, client_seed=seed, request_id=request_id or new_request_id()
    )


def rotate_key(match_id: str, seat: int | None, request_id: str) -> matches_pb2.RotateKeyRequest:
    """Build the request that replaces a key: that of ``seat``, else the one that is sent with it."""
    return matches_pb2.RotateKeyRequest(match_id=match_id, seat=seat, request_id=request_id or new_request_id())


def verify_shuffle(game_id: str, shuffle: Shuffle) -> rules_pb2.VerifyShuffleRequest:
    """Build the request that verifies a shuffle."""
    return rules_pb2.VerifyShuffleRequest(
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
) -> matches_pb2.PlayMoveRequest:
    """Build the request that makes a move."""
    return matches_pb2.PlayMoveRequest(
        match_id=access.match_id,
        seat=access.seat,
        move=move,
        expected_revision=expected_revision,
        include_view=include_view,
        request_id=request_id or new_request_id(),
    )
