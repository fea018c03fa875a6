import datetime

from chitarrella.v1 import validate_pb2 as _validate_pb2
from chitarrella.v1 import table_pb2 as _table_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PackSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PACK_SOURCE_UNSPECIFIED: _ClassVar[PackSource]
    PACK_SOURCE_SERVICE: _ClassVar[PackSource]
    PACK_SOURCE_REFEREE: _ClassVar[PackSource]
    PACK_SOURCE_SHARED: _ClassVar[PackSource]
PACK_SOURCE_UNSPECIFIED: PackSource
PACK_SOURCE_SERVICE: PackSource
PACK_SOURCE_REFEREE: PackSource
PACK_SOURCE_SHARED: PackSource

class BatchCreateMatchesRequest(_message.Message):
    __slots__ = ("requests",)
    REQUESTS_FIELD_NUMBER: _ClassVar[int]
    requests: _containers.RepeatedCompositeFieldContainer[CreateMatchRequest]
    def __init__(self, requests: _Optional[_Iterable[_Union[CreateMatchRequest, _Mapping]]] = ...) -> None: ...

class CreatedMatch(_message.Message):
    __slots__ = ("created", "error")
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    created: CreateMatchResponse
    error: _table_pb2.ItemError
    def __init__(self, created: _Optional[_Union[CreateMatchResponse, _Mapping]] = ..., error: _Optional[_Union[_table_pb2.ItemError, _Mapping]] = ...) -> None: ...

class BatchCreateMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[CreatedMatch]
    def __init__(self, matches: _Optional[_Iterable[_Union[CreatedMatch, _Mapping]]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "external_id", "labels", "player_name", "platform")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAME_FIELD_NUMBER: _ClassVar[int]
    PLATFORM_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    external_id: str
    labels: _containers.RepeatedScalarFieldContainer[str]
    player_name: str
    platform: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., external_id: _Optional[str] = ..., labels: _Optional[_Iterable[str]] = ..., player_name: _Optional[str] = ..., platform: _Optional[str] = ...) -> None: ...

class MatchSummary(_message.Message):
    __slots__ = ("match_id", "rule_set", "revision", "create_time", "finished", "aborted", "private", "external_id", "labels", "player_names", "sandbox")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    ABORTED_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAMES_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    rule_set: _table_pb2.RuleSet
    revision: int
    create_time: _timestamp_pb2.Timestamp
    finished: bool
    aborted: bool
    private: bool
    external_id: str
    labels: _containers.ScalarMap[str, str]
    player_names: _containers.RepeatedCompositeFieldContainer[PlayerName]
    sandbox: bool
    def __init__(self, match_id: _Optional[str] = ..., rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., revision: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finished: _Optional[bool] = ..., aborted: _Optional[bool] = ..., private: _Optional[bool] = ..., external_id: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., player_names: _Optional[_Iterable[_Union[PlayerName, _Mapping]]] = ..., sandbox: _Optional[bool] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[MatchSummary]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[MatchSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CreateMatchRequest(_message.Message):
    __slots__ = ("rule_set", "pack_source", "pack", "position", "expires_after_seconds", "request_id", "private", "clock", "bots", "external_id", "labels", "player_names", "sandbox")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    PACK_SOURCE_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAMES_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    pack_source: PackSource
    pack: _containers.RepeatedScalarFieldContainer[str]
    position: str
    expires_after_seconds: int
    request_id: str
    private: bool
    clock: Clock
    bots: _containers.RepeatedCompositeFieldContainer[BotSeat]
    external_id: str
    labels: _containers.ScalarMap[str, str]
    player_names: _containers.RepeatedCompositeFieldContainer[PlayerName]
    sandbox: Sandbox
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., pack_source: _Optional[_Union[PackSource, str]] = ..., pack: _Optional[_Iterable[str]] = ..., position: _Optional[str] = ..., expires_after_seconds: _Optional[int] = ..., request_id: _Optional[str] = ..., private: _Optional[bool] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., bots: _Optional[_Iterable[_Union[BotSeat, _Mapping]]] = ..., external_id: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., player_names: _Optional[_Iterable[_Union[PlayerName, _Mapping]]] = ..., sandbox: _Optional[_Union[Sandbox, _Mapping]] = ...) -> None: ...

class PlayerName(_message.Message):
    __slots__ = ("seat", "name")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    seat: int
    name: str
    def __init__(self, seat: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...

class Sandbox(_message.Message):
    __slots__ = ("seed",)
    SEED_FIELD_NUMBER: _ClassVar[int]
    seed: str
    def __init__(self, seed: _Optional[str] = ...) -> None: ...

class BotSeat(_message.Message):
    __slots__ = ("seat", "bot", "think_ms")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    THINK_MS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    bot: str
    think_ms: int
    def __init__(self, seat: _Optional[int] = ..., bot: _Optional[str] = ..., think_ms: _Optional[int] = ...) -> None: ...

class Clock(_message.Message):
    __slots__ = ("move_seconds", "bank_seconds")
    MOVE_SECONDS_FIELD_NUMBER: _ClassVar[int]
    BANK_SECONDS_FIELD_NUMBER: _ClassVar[int]
    move_seconds: int
    bank_seconds: int
    def __init__(self, move_seconds: _Optional[int] = ..., bank_seconds: _Optional[int] = ...) -> None: ...

class CreateMatchResponse(_message.Message):
    __slots__ = ("match_id", "seat_keys", "referee_key", "revision", "view", "next_commitment")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_KEYS_FIELD_NUMBER: _ClassVar[int]
    REFEREE_KEY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    NEXT_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat_keys: _containers.RepeatedCompositeFieldContainer[SeatKey]
    referee_key: str
    revision: int
    view: _table_pb2.View
    next_commitment: str
    def __init__(self, match_id: _Optional[str] = ..., seat_keys: _Optional[_Iterable[_Union[SeatKey, _Mapping]]] = ..., referee_key: _Optional[str] = ..., revision: _Optional[int] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., next_commitment: _Optional[str] = ...) -> None: ...

class ImportMatchRequest(_message.Message):
    __slots__ = ("record", "move_count", "pack_source", "private", "expires_after_seconds", "request_id", "clock", "bots", "external_id", "labels", "player_names", "sandbox")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    RECORD_FIELD_NUMBER: _ClassVar[int]
    MOVE_COUNT_FIELD_NUMBER: _ClassVar[int]
    PACK_SOURCE_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_AFTER_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAMES_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    record: str
    move_count: int
    pack_source: PackSource
    private: bool
    expires_after_seconds: int
    request_id: str
    clock: Clock
    bots: _containers.RepeatedCompositeFieldContainer[BotSeat]
    external_id: str
    labels: _containers.ScalarMap[str, str]
    player_names: _containers.RepeatedCompositeFieldContainer[PlayerName]
    sandbox: Sandbox
    def __init__(self, record: _Optional[str] = ..., move_count: _Optional[int] = ..., pack_source: _Optional[_Union[PackSource, str]] = ..., private: _Optional[bool] = ..., expires_after_seconds: _Optional[int] = ..., request_id: _Optional[str] = ..., clock: _Optional[_Union[Clock, _Mapping]] = ..., bots: _Optional[_Iterable[_Union[BotSeat, _Mapping]]] = ..., external_id: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., player_names: _Optional[_Iterable[_Union[PlayerName, _Mapping]]] = ..., sandbox: _Optional[_Union[Sandbox, _Mapping]] = ...) -> None: ...

class ImportMatchResponse(_message.Message):
    __slots__ = ("created",)
    CREATED_FIELD_NUMBER: _ClassVar[int]
    created: CreateMatchResponse
    def __init__(self, created: _Optional[_Union[CreateMatchResponse, _Mapping]] = ...) -> None: ...

class SeatKey(_message.Message):
    __slots__ = ("seat", "key")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KEY_FIELD_NUMBER: _ClassVar[int]
    seat: int
    key: str
    def __init__(self, seat: _Optional[int] = ..., key: _Optional[str] = ...) -> None: ...

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match_id", "rule_set", "revision", "view", "seat", "aborted", "cursor", "next_commitment", "awaiting_seeds_from", "deadline", "bank_ms", "takeback_request", "bots", "external_id", "labels", "player_names", "sandbox")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ABORTED_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    NEXT_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    AWAITING_SEEDS_FROM_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    BANK_MS_FIELD_NUMBER: _ClassVar[int]
    TAKEBACK_REQUEST_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    EXTERNAL_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    PLAYER_NAMES_FIELD_NUMBER: _ClassVar[int]
    SANDBOX_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    rule_set: _table_pb2.RuleSet
    revision: int
    view: _table_pb2.View
    seat: int
    aborted: bool
    cursor: str
    next_commitment: str
    awaiting_seeds_from: _containers.RepeatedScalarFieldContainer[int]
    deadline: _timestamp_pb2.Timestamp
    bank_ms: _containers.RepeatedScalarFieldContainer[int]
    takeback_request: PendingTakeback
    bots: _containers.RepeatedCompositeFieldContainer[BotSeat]
    external_id: str
    labels: _containers.ScalarMap[str, str]
    player_names: _containers.RepeatedCompositeFieldContainer[PlayerName]
    sandbox: bool
    def __init__(self, match_id: _Optional[str] = ..., rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., revision: _Optional[int] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., seat: _Optional[int] = ..., aborted: _Optional[bool] = ..., cursor: _Optional[str] = ..., next_commitment: _Optional[str] = ..., awaiting_seeds_from: _Optional[_Iterable[int]] = ..., deadline: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., bank_ms: _Optional[_Iterable[int]] = ..., takeback_request: _Optional[_Union[PendingTakeback, _Mapping]] = ..., bots: _Optional[_Iterable[_Union[BotSeat, _Mapping]]] = ..., external_id: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., player_names: _Optional[_Iterable[_Union[PlayerName, _Mapping]]] = ..., sandbox: _Optional[bool] = ...) -> None: ...

class BatchGetMatchesRequest(_message.Message):
    __slots__ = ("match_ids",)
    MATCH_IDS_FIELD_NUMBER: _ClassVar[int]
    match_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, match_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class FoundMatch(_message.Message):
    __slots__ = ("match", "error")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    match: GetMatchResponse
    error: _table_pb2.ItemError
    def __init__(self, match: _Optional[_Union[GetMatchResponse, _Mapping]] = ..., error: _Optional[_Union[_table_pb2.ItemError, _Mapping]] = ...) -> None: ...

class BatchGetMatchesResponse(_message.Message):
    __slots__ = ("matches",)
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[FoundMatch]
    def __init__(self, matches: _Optional[_Iterable[_Union[FoundMatch, _Mapping]]] = ...) -> None: ...

class PendingTakeback(_message.Message):
    __slots__ = ("seat", "awaiting_answers_from")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    AWAITING_ANSWERS_FROM_FIELD_NUMBER: _ClassVar[int]
    seat: int
    awaiting_answers_from: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seat: _Optional[int] = ..., awaiting_answers_from: _Optional[_Iterable[int]] = ...) -> None: ...

class ListMatchMovesRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class ListMatchMovesResponse(_message.Message):
    __slots__ = ("moves", "seat", "revision")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.Move]
    seat: int
    revision: int
    def __init__(self, moves: _Optional[_Iterable[_Union[_table_pb2.Move, _Mapping]]] = ..., seat: _Optional[int] = ..., revision: _Optional[int] = ...) -> None: ...

class ExplainMatchHandRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class ExplainMatchHandResponse(_message.Message):
    __slots__ = ("moves", "seat", "revision")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.ExplainedMove]
    seat: int
    revision: int
    def __init__(self, moves: _Optional[_Iterable[_Union[_table_pb2.ExplainedMove, _Mapping]]] = ..., seat: _Optional[int] = ..., revision: _Optional[int] = ...) -> None: ...

class MatchServiceValidateMoveRequest(_message.Message):
    __slots__ = ("match_id", "seat", "move")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    move: _table_pb2.Move
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., move: _Optional[_Union[_table_pb2.Move, _Mapping]] = ...) -> None: ...

class MatchServiceValidateMoveResponse(_message.Message):
    __slots__ = ("accepted", "refusals", "revision")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    refusals: _containers.RepeatedCompositeFieldContainer[_table_pb2.Refusal]
    revision: int
    def __init__(self, accepted: _Optional[bool] = ..., refusals: _Optional[_Iterable[_Union[_table_pb2.Refusal, _Mapping]]] = ..., revision: _Optional[int] = ...) -> None: ...

class PlayMoveRequest(_message.Message):
    __slots__ = ("match_id", "seat", "move", "expected_revision", "request_id", "include_view")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_VIEW_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    move: _table_pb2.Move
    expected_revision: int
    request_id: str
    include_view: bool
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., move: _Optional[_Union[_table_pb2.Move, _Mapping]] = ..., expected_revision: _Optional[int] = ..., request_id: _Optional[str] = ..., include_view: _Optional[bool] = ...) -> None: ...

class PlayMoveResponse(_message.Message):
    __slots__ = ("accepted", "refusals", "revision", "events", "view", "repeated_request")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    REPEATED_REQUEST_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    refusals: _containers.RepeatedCompositeFieldContainer[_table_pb2.Refusal]
    revision: int
    events: _containers.RepeatedCompositeFieldContainer[_table_pb2.Event]
    view: _table_pb2.View
    repeated_request: bool
    def __init__(self, accepted: _Optional[bool] = ..., refusals: _Optional[_Iterable[_Union[_table_pb2.Refusal, _Mapping]]] = ..., revision: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_table_pb2.Event, _Mapping]]] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., repeated_request: _Optional[bool] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id", "cursor", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    cursor: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., cursor: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("revision", "cursor", "events")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    revision: int
    cursor: str
    events: _containers.RepeatedCompositeFieldContainer[_table_pb2.Event]
    def __init__(self, revision: _Optional[int] = ..., cursor: _Optional[str] = ..., events: _Optional[_Iterable[_Union[_table_pb2.Event, _Mapping]]] = ...) -> None: ...

class WatchMatchesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class WatchMatchesResponse(_message.Message):
    __slots__ = ("match_id", "update", "finished", "aborted")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    ABORTED_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    update: WatchMatchResponse
    finished: bool
    aborted: bool
    def __init__(self, match_id: _Optional[str] = ..., update: _Optional[_Union[WatchMatchResponse, _Mapping]] = ..., finished: _Optional[bool] = ..., aborted: _Optional[bool] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("match_id", "cursor", "page_size", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    cursor: str
    page_size: int
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., cursor: _Optional[str] = ..., page_size: _Optional[int] = ..., seat: _Optional[int] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("moves", "cursor", "has_more")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[WatchMatchResponse]
    cursor: str
    has_more: bool
    def __init__(self, moves: _Optional[_Iterable[_Union[WatchMatchResponse, _Mapping]]] = ..., cursor: _Optional[str] = ..., has_more: _Optional[bool] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record", "public_key")
    RECORD_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_KEY_FIELD_NUMBER: _ClassVar[int]
    record: str
    public_key: str
    def __init__(self, record: _Optional[str] = ..., public_key: _Optional[str] = ...) -> None: ...

class ContributeSeedRequest(_message.Message):
    __slots__ = ("match_id", "seat", "client_seed", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SEED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    client_seed: str
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., client_seed: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ContributeSeedResponse(_message.Message):
    __slots__ = ("revision", "awaiting_seeds_from")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    AWAITING_SEEDS_FROM_FIELD_NUMBER: _ClassVar[int]
    revision: int
    awaiting_seeds_from: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, revision: _Optional[int] = ..., awaiting_seeds_from: _Optional[_Iterable[int]] = ...) -> None: ...

class ListShufflesRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class Shuffle(_message.Message):
    __slots__ = ("number", "revision", "verb", "supplied", "commitment", "client_seeds", "nonce", "cards", "amount", "lots")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    VERB_FIELD_NUMBER: _ClassVar[int]
    SUPPLIED_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SEEDS_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    LOTS_FIELD_NUMBER: _ClassVar[int]
    number: int
    revision: int
    verb: str
    supplied: bool
    commitment: str
    client_seeds: _containers.RepeatedCompositeFieldContainer[_table_pb2.ClientSeed]
    nonce: str
    cards: _containers.RepeatedScalarFieldContainer[str]
    amount: int
    lots: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, number: _Optional[int] = ..., revision: _Optional[int] = ..., verb: _Optional[str] = ..., supplied: _Optional[bool] = ..., commitment: _Optional[str] = ..., client_seeds: _Optional[_Iterable[_Union[_table_pb2.ClientSeed, _Mapping]]] = ..., nonce: _Optional[str] = ..., cards: _Optional[_Iterable[str]] = ..., amount: _Optional[int] = ..., lots: _Optional[_Iterable[int]] = ...) -> None: ...

class ListShufflesResponse(_message.Message):
    __slots__ = ("shuffles", "next_commitment")
    SHUFFLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    shuffles: _containers.RepeatedCompositeFieldContainer[Shuffle]
    next_commitment: str
    def __init__(self, shuffles: _Optional[_Iterable[_Union[Shuffle, _Mapping]]] = ..., next_commitment: _Optional[str] = ...) -> None: ...

class EnforceClockRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class EnforceClockResponse(_message.Message):
    __slots__ = ("timed_out", "revision", "deadline")
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    timed_out: bool
    revision: int
    deadline: _timestamp_pb2.Timestamp
    def __init__(self, timed_out: _Optional[bool] = ..., revision: _Optional[int] = ..., deadline: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AdvanceClockRequest(_message.Message):
    __slots__ = ("match_id", "seconds", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SECONDS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seconds: int
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seconds: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class AdvanceClockResponse(_message.Message):
    __slots__ = ("time", "revision", "timed_out")
    TIME_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TIMED_OUT_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    revision: int
    timed_out: bool
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revision: _Optional[int] = ..., timed_out: _Optional[bool] = ...) -> None: ...

class TakeBackRequest(_message.Message):
    __slots__ = ("match_id", "seat", "decline", "expected_revision", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DECLINE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    decline: bool
    expected_revision: int
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., decline: _Optional[bool] = ..., expected_revision: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class TakeBackResponse(_message.Message):
    __slots__ = ("revision", "taken_back", "awaiting_answers_from")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TAKEN_BACK_FIELD_NUMBER: _ClassVar[int]
    AWAITING_ANSWERS_FROM_FIELD_NUMBER: _ClassVar[int]
    revision: int
    taken_back: bool
    awaiting_answers_from: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, revision: _Optional[int] = ..., taken_back: _Optional[bool] = ..., awaiting_answers_from: _Optional[_Iterable[int]] = ...) -> None: ...

class AssignBotRequest(_message.Message):
    __slots__ = ("match_id", "seat", "bot", "think_ms")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    THINK_MS_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    bot: str
    think_ms: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., bot: _Optional[str] = ..., think_ms: _Optional[int] = ...) -> None: ...

class AssignBotResponse(_message.Message):
    __slots__ = ("revision", "bots")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    revision: int
    bots: _containers.RepeatedCompositeFieldContainer[BotSeat]
    def __init__(self, revision: _Optional[int] = ..., bots: _Optional[_Iterable[_Union[BotSeat, _Mapping]]] = ...) -> None: ...

class RotateKeyRequest(_message.Message):
    __slots__ = ("match_id", "seat", "request_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    request_id: str
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ..., request_id: _Optional[str] = ...) -> None: ...

class RotateKeyResponse(_message.Message):
    __slots__ = ("key", "revision")
    KEY_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    key: str
    revision: int
    def __init__(self, key: _Optional[str] = ..., revision: _Optional[int] = ...) -> None: ...

class WebhookMessage(_message.Message):
    __slots__ = ("type", "match_id", "update", "finished")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    UPDATE_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    type: str
    match_id: str
    update: WatchMatchResponse
    finished: bool
    def __init__(self, type: _Optional[str] = ..., match_id: _Optional[str] = ..., update: _Optional[_Union[WatchMatchResponse, _Mapping]] = ..., finished: _Optional[bool] = ...) -> None: ...

class AbortMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class AbortMatchResponse(_message.Message):
    __slots__ = ("revision",)
    REVISION_FIELD_NUMBER: _ClassVar[int]
    revision: int
    def __init__(self, revision: _Optional[int] = ...) -> None: ...

class DeleteMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class DeleteMatchResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
