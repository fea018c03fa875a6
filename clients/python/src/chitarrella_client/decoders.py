"""Decoders: functions that turn a protobuf message into a frozen dataclass.

A decoder is built from the fields of the dataclass and their types.  Each field is read from the message's field of the
same name: an optional field that is absent becomes None, a repeated field becomes a tuple.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime, timedelta
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from chitarrella.v1 import (
    catalogue_pb2,
    match_pb2,
    match_play_pb2,
    match_requests_pb2,
    questions_pb2,
    table_pb2,
    webhooks_pb2,
)
from chitarrella_client import catalogue, positions, responses, shuffles, types
from chitarrella_client.connection import Secret
from chitarrella_client.errors import ChitarrellaError, error_of_status

T = TypeVar("T")
Decoder = Callable[[Any], T]


def decoder(target: type[T], message: type[Message]) -> Decoder[T]:
    """Return a decoder from a message type to a dataclass."""
    return _dataclass_decoder(target, cast(Descriptor, message.DESCRIPTOR))


def _dataclass_decoder(target: type[T], descriptor: Descriptor) -> Decoder[T]:
    hints = get_type_hints(target)
    plan = [
        (field.name, _field_decoder(field.name, hints[field.name], descriptor))
        for field in fields(target)  # type: ignore[arg-type]  # every target is a dataclass
        if field.name in descriptor.fields_by_name or field.name in descriptor.oneofs_by_name
    ]
    return lambda message: target(**{name: decode(message) for name, decode in plan})


def _field_decoder(name: str, hint: Any, descriptor: Descriptor) -> Decoder[Any]:
    """Return a function that reads one field, typed as ``hint``, from a message of type ``descriptor``."""
    if name in descriptor.oneofs_by_name:
        return _oneof_decoder(name, {field.name for field in descriptor.fields if field.message_type is not None})
    arguments = get_args(hint)
    inner = descriptor.fields_by_name[name].message_type
    if get_origin(hint) is tuple:
        item = _value_decoder(arguments[0], inner)
        return lambda message: tuple(map(item, getattr(message, name)))
    if get_origin(hint) is UnionType and NoneType in arguments:
        present = _value_decoder(next(kind for kind in arguments if kind is not NoneType), inner)
        optional = descriptor.fields_by_name[name].has_presence
        return lambda message: present(getattr(message, name)) if not optional or message.HasField(name) else None
    value = _value_decoder(hint, inner)
    return lambda message: value(getattr(message, name))


def _oneof_decoder(name: str, messages: set[str]) -> Decoder[Any]:
    """Return a function that reads the oneof ``name``; its fields in ``messages`` hold shares, the others scalars."""

    def decode(message: Any) -> Any:
        chosen = message.WhichOneof(name) or ""
        value = getattr(message, chosen, "")
        return shares(value) if chosen in messages else value

    return decode


def _value_decoder(kind: Any, descriptor: Descriptor | None) -> Decoder[Any]:
    if is_dataclass(kind) and descriptor is not None:
        return _dataclass_decoder(kind, descriptor)  # type: ignore[arg-type]  # a class: hints name no instances
    if get_origin(kind) is Mapping:
        return dict
    if kind in SIMPLE:
        return SIMPLE[kind]
    return kind if isinstance(kind, type) and issubclass(kind, types.OpenEnum | Secret) else lambda value: value


SIMPLE: dict[Any, Decoder[Any]] = {
    datetime: lambda message: message.ToDatetime(UTC),
    timedelta: Duration.ToTimedelta,
    ChitarrellaError: error_of_status,
}
"""What reads a message that becomes an object of another library, or an exception."""


def field_of(name: str, decode: Decoder[T]) -> Decoder[T]:
    """Return a function that decodes one field of a message and ignores the others."""
    return lambda message: decode(getattr(message, name))


def items_of(name: str, decode: Decoder[T]) -> Decoder[tuple[T, ...]]:
    """Return a function that decodes one repeated field of a message and ignores the others."""
    return lambda message: tuple(map(decode, getattr(message, name)))


shares = items_of("shares", decoder(types.Share, table_pb2.Share))

view = field_of("view", decoder(types.View, table_pb2.View))

game = decoder(catalogue.Game, catalogue_pb2.GetGameResponse)
game_summary = decoder(catalogue.GameSummary, catalogue_pb2.GameSummary)

game_start = decoder(positions.GameStart, questions_pb2.StartGameResponse)
legal_moves = decoder(positions.LegalMoves, questions_pb2.ListLegalMovesResponse)
explained_hand = decoder(positions.ExplainedHand, questions_pb2.ExplainHandResponse)
move_validation = decoder(positions.MoveValidation, questions_pb2.ValidateMoveResponse)
applied_moves = decoder(positions.AppliedMoves, questions_pb2.ApplyMovesResponse)
card_scores = decoder(positions.CardScores, questions_pb2.ScoreCardsResponse)
trick_result = decoder(positions.TrickResult, questions_pb2.ResolveTrickResponse)
fairness = decoder(shuffles.Fairness, questions_pb2.VerifyShuffleResponse)

match_details = decoder(responses.MatchDetails, match_pb2.Match)
match_moves = decoder(responses.MatchMoves, match_play_pb2.ListMatchMovesResponse)
match_hand = decoder(responses.MatchHand, match_play_pb2.ExplainMatchHandResponse)
match_move_validation = decoder(responses.MatchMoveValidation, match_play_pb2.ValidateMatchMoveResponse)
match_update = decoder(responses.MatchUpdate, match_pb2.MatchUpdate)
platform_update = decoder(responses.PlatformUpdate, match_play_pb2.PlatformUpdate)
match_results = items_of("results", decoder(responses.MatchResult, match_requests_pb2.MatchResult))
move_result = decoder(responses.MoveResult, match_play_pb2.PlayMoveResponse)
takeback_result = decoder(responses.TakebackResult, match_play_pb2.TakeBackResponse)
clock_result = decoder(responses.ClockResult, match_play_pb2.EnforceClockResponse)
clock_advance = decoder(responses.ClockAdvance, match_play_pb2.AdvanceClockResponse)
shuffle_list = decoder(shuffles.Shuffles, match_play_pb2.ListShufflesResponse)

webhook = decoder(responses.Webhook, webhooks_pb2.Webhook)
webhook_list = items_of("webhooks", webhook)
created_webhook = decoder(responses.CreatedWebhook, webhooks_pb2.CreateWebhookResponse)
updated_webhook = field_of("webhook", webhook)
delivery = decoder(responses.Delivery, webhooks_pb2.Delivery)
tested_webhook = resent_delivery = field_of("delivery", delivery)
