"""Values out of messages: one reader for every kind of answer, made from the value's own fields.

A field of a value is read from the message's field of the same name, as its type says: what is optional is None where
it is absent, what is repeated becomes a tuple.  So a value says once what it holds, and nothing is copied by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from chitarrella_client import answers, catalogue, draws, table
from chitarrella_client.v1 import catalogue_pb2, matches_pb2, rules_pb2, table_pb2

T = TypeVar("T")
Reader = Callable[[Any], T]


def reader(made: type[T], message: type[Message]) -> Reader[T]:
    """Give a function that makes a value out of such a message."""
    return _record(made, cast(Descriptor, message.DESCRIPTOR))


def _record(made: type[T], descriptor: Descriptor) -> Reader[T]:
    hints = get_type_hints(made)
    plan = [
        (field.name, _field(field.name, hints[field.name], descriptor))
        for field in fields(made)  # type: ignore[arg-type]  # every value is a dataclass
        if field.name in descriptor.fields_by_name or field.name in descriptor.oneofs_by_name
    ]
    return lambda message: made(**{name: read(message) for name, read in plan})


def _field(name: str, hint: Any, descriptor: Descriptor) -> Reader[Any]:
    if name in descriptor.oneofs_by_name:
        return _choice(name, {field.name for field in descriptor.fields if field.message_type is not None})
    kinds = get_args(hint)
    inner = descriptor.fields_by_name[name].message_type
    if get_origin(hint) is tuple:
        each = _one(kinds[0], inner)
        return lambda message: tuple(map(each, getattr(message, name)))
    if get_origin(hint) is UnionType and NoneType in kinds:
        some = _one(next(kind for kind in kinds if kind is not NoneType), inner)
        optional = descriptor.fields_by_name[name].has_presence
        return lambda message: some(getattr(message, name)) if not optional or message.HasField(name) else None
    one = _one(hint, inner)
    return lambda message: one(getattr(message, name))


def _choice(name: str, messages: set[str]) -> Reader[Any]:
    """Read what is chosen under ``name``: as it is, or what one of the ``messages`` says of shares."""

    def read(message: Any) -> Any:
        chosen = message.WhichOneof(name) or ""
        value = getattr(message, chosen, "")
        return shares(value) if chosen in messages else value

    return read


def _one(kind: Any, descriptor: Descriptor | None) -> Reader[Any]:
    if is_dataclass(kind) and descriptor is not None:
        return _record(kind, descriptor)  # type: ignore[arg-type]  # a class, for hints name no instances
    if get_origin(kind) is Mapping:
        return dict
    return kind if kind is table.Waiting else lambda value: value


def only(name: str, read: Reader[T]) -> Reader[T]:
    """Read nothing but one field of an answer."""
    return lambda message: read(getattr(message, name))


def every(name: str, read: Reader[T]) -> Reader[tuple[T, ...]]:
    """Read nothing but one repeated field of an answer."""
    return lambda message: tuple(map(read, getattr(message, name)))


shares = every("shares", reader(table.Share, table_pb2.Share))

view = only("view", reader(table.View, table_pb2.View))
explained = every("moves", reader(table.ExplainedMove, table_pb2.ExplainedMove))
tallies = every("tallies", reader(answers.Tally, rules_pb2.Tally))

game = reader(catalogue.Game, catalogue_pb2.GetGameResponse)
comparison = reader(catalogue.Comparison, catalogue_pb2.CompareGamesResponse)
game_summary = reader(catalogue.GameSummary, catalogue_pb2.GameSummary)

start = reader(answers.Start, rules_pb2.StartGameResponse)
legal_moves = reader(answers.LegalMoves, rules_pb2.ListLegalMovesResponse)
hand = reader(answers.ExplainedHand, rules_pb2.ExplainHandResponse)
verdict = reader(answers.Verdict, rules_pb2.JudgeResponse)
played_moves = reader(answers.PlayedMoves, rules_pb2.PlayMovesResponse)
trick = reader(answers.Trick, rules_pb2.ResolveTrickResponse)

seen = reader(answers.Seen, matches_pb2.GetMatchResponse)
match_moves = reader(answers.MatchMoves, matches_pb2.ListMatchMovesResponse)
match_hand = reader(answers.MatchHand, matches_pb2.ExplainMatchHandResponse)
match_verdict = reader(answers.MatchVerdict, matches_pb2.JudgeMoveResponse)
played = reader(answers.Played, matches_pb2.PlayMoveResponse)
taken_back = reader(answers.TakenBack, matches_pb2.TakeBackResponse)
bots = every("bots", reader(answers.BotSeat, matches_pb2.BotSeat))
ruling = reader(answers.Ruling, matches_pb2.RuleOnTimeResponse)
match_summary = reader(answers.MatchSummary, matches_pb2.MatchSummary)
awaited = reader(draws.Awaited, matches_pb2.ContributeToDealResponse)
draw_list = reader(draws.Draws, matches_pb2.ListDrawsResponse)
fairness = reader(draws.Fairness, rules_pb2.VerifyDrawResponse)
told = reader(answers.Told, matches_pb2.WatchMatchResponse)
