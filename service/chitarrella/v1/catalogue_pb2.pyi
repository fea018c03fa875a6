from chitarrella.v1 import validate_pb2 as _validate_pb2
from chitarrella.v1 import table_pb2 as _table_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListGamesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGamesResponse(_message.Message):
    __slots__ = ("games", "next_page_token")
    GAMES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    games: _containers.RepeatedCompositeFieldContainer[GameSummary]
    next_page_token: str
    def __init__(self, games: _Optional[_Iterable[_Union[GameSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GameSummary(_message.Message):
    __slots__ = ("game_id", "title", "place", "players", "default_players", "pack", "sources", "edition", "distribution", "version")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_PLAYERS_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    DISTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    title: str
    place: str
    players: _containers.RepeatedScalarFieldContainer[int]
    default_players: int
    pack: str
    sources: _containers.RepeatedScalarFieldContainer[str]
    edition: int
    distribution: str
    version: str
    def __init__(self, game_id: _Optional[str] = ..., title: _Optional[str] = ..., place: _Optional[str] = ..., players: _Optional[_Iterable[int]] = ..., default_players: _Optional[int] = ..., pack: _Optional[str] = ..., sources: _Optional[_Iterable[str]] = ..., edition: _Optional[int] = ..., distribution: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class GetGameRequest(_message.Message):
    __slots__ = ("game_id", "edition")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    edition: int
    def __init__(self, game_id: _Optional[str] = ..., edition: _Optional[int] = ...) -> None: ...

class GetGameResponse(_message.Message):
    __slots__ = ("summary", "pack", "options", "moves", "reasons", "clauses", "editions", "cards", "suits", "partnerships", "zones")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    PACK_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    CLAUSES_FIELD_NUMBER: _ClassVar[int]
    EDITIONS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    SUITS_FIELD_NUMBER: _ClassVar[int]
    PARTNERSHIPS_FIELD_NUMBER: _ClassVar[int]
    ZONES_FIELD_NUMBER: _ClassVar[int]
    summary: GameSummary
    pack: _containers.RepeatedScalarFieldContainer[str]
    options: _containers.RepeatedCompositeFieldContainer[Option]
    moves: _containers.RepeatedCompositeFieldContainer[MoveSpec]
    reasons: _containers.RepeatedCompositeFieldContainer[ReasonCode]
    clauses: _containers.RepeatedCompositeFieldContainer[_table_pb2.Clause]
    editions: _containers.RepeatedCompositeFieldContainer[Edition]
    cards: _containers.RepeatedCompositeFieldContainer[Card]
    suits: _containers.RepeatedCompositeFieldContainer[Suit]
    partnerships: _containers.RepeatedCompositeFieldContainer[Partnership]
    zones: _containers.RepeatedCompositeFieldContainer[ZoneSpec]
    def __init__(self, summary: _Optional[_Union[GameSummary, _Mapping]] = ..., pack: _Optional[_Iterable[str]] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ..., moves: _Optional[_Iterable[_Union[MoveSpec, _Mapping]]] = ..., reasons: _Optional[_Iterable[_Union[ReasonCode, _Mapping]]] = ..., clauses: _Optional[_Iterable[_Union[_table_pb2.Clause, _Mapping]]] = ..., editions: _Optional[_Iterable[_Union[Edition, _Mapping]]] = ..., cards: _Optional[_Iterable[_Union[Card, _Mapping]]] = ..., suits: _Optional[_Iterable[_Union[Suit, _Mapping]]] = ..., partnerships: _Optional[_Iterable[_Union[Partnership, _Mapping]]] = ..., zones: _Optional[_Iterable[_Union[ZoneSpec, _Mapping]]] = ...) -> None: ...

class Card(_message.Message):
    __slots__ = ("code", "name", "suit", "rank", "order", "points", "copies", "picture_url")
    CODE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    SUIT_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    COPIES_FIELD_NUMBER: _ClassVar[int]
    PICTURE_URL_FIELD_NUMBER: _ClassVar[int]
    code: str
    name: str
    suit: str
    rank: str
    order: int
    points: int
    copies: int
    picture_url: str
    def __init__(self, code: _Optional[str] = ..., name: _Optional[str] = ..., suit: _Optional[str] = ..., rank: _Optional[str] = ..., order: _Optional[int] = ..., points: _Optional[int] = ..., copies: _Optional[int] = ..., picture_url: _Optional[str] = ...) -> None: ...

class Suit(_message.Message):
    __slots__ = ("code", "name")
    CODE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    code: str
    name: str
    def __init__(self, code: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class Partnership(_message.Message):
    __slots__ = ("players", "sides")
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    players: int
    sides: _containers.RepeatedCompositeFieldContainer[Side]
    def __init__(self, players: _Optional[int] = ..., sides: _Optional[_Iterable[_Union[Side, _Mapping]]] = ...) -> None: ...

class Side(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ...) -> None: ...

class ZoneSpec(_message.Message):
    __slots__ = ("name", "description", "seen_by")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SEEN_BY_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    seen_by: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., seen_by: _Optional[str] = ...) -> None: ...

class Edition(_message.Message):
    __slots__ = ("number", "changes", "supported")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    SUPPORTED_FIELD_NUMBER: _ClassVar[int]
    number: int
    changes: str
    supported: bool
    def __init__(self, number: _Optional[int] = ..., changes: _Optional[str] = ..., supported: _Optional[bool] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("name", "description", "source", "default", "choices", "minimum", "maximum")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    source: str
    default: str
    choices: _containers.RepeatedScalarFieldContainer[str]
    minimum: int
    maximum: int
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., source: _Optional[str] = ..., default: _Optional[str] = ..., choices: _Optional[_Iterable[str]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ...) -> None: ...

class MoveSpec(_message.Message):
    __slots__ = ("verb", "description", "phases", "min_cards", "max_cards", "choices", "amount", "seat", "shares", "out_of_turn", "by_chance", "timeout_default", "notation")
    VERB_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    MIN_CARDS_FIELD_NUMBER: _ClassVar[int]
    MAX_CARDS_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    OUT_OF_TURN_FIELD_NUMBER: _ClassVar[int]
    BY_CHANCE_FIELD_NUMBER: _ClassVar[int]
    TIMEOUT_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    verb: str
    description: str
    phases: _containers.RepeatedScalarFieldContainer[str]
    min_cards: int
    max_cards: int
    choices: _containers.RepeatedScalarFieldContainer[str]
    amount: bool
    seat: bool
    shares: bool
    out_of_turn: bool
    by_chance: bool
    timeout_default: bool
    notation: str
    def __init__(self, verb: _Optional[str] = ..., description: _Optional[str] = ..., phases: _Optional[_Iterable[str]] = ..., min_cards: _Optional[int] = ..., max_cards: _Optional[int] = ..., choices: _Optional[_Iterable[str]] = ..., amount: _Optional[bool] = ..., seat: _Optional[bool] = ..., shares: _Optional[bool] = ..., out_of_turn: _Optional[bool] = ..., by_chance: _Optional[bool] = ..., timeout_default: _Optional[bool] = ..., notation: _Optional[str] = ...) -> None: ...

class ReasonCode(_message.Message):
    __slots__ = ("code", "text", "clause_key")
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_KEY_FIELD_NUMBER: _ClassVar[int]
    code: str
    text: str
    clause_key: str
    def __init__(self, code: _Optional[str] = ..., text: _Optional[str] = ..., clause_key: _Optional[str] = ...) -> None: ...
