from chitarrella.v1 import validate_pb2 as _validate_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Waiting(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WAITING_UNSPECIFIED: _ClassVar[Waiting]
    WAITING_SEAT: _ClassVar[Waiting]
    WAITING_CHANCE: _ClassVar[Waiting]
    WAITING_NOBODY: _ClassVar[Waiting]
WAITING_UNSPECIFIED: Waiting
WAITING_SEAT: Waiting
WAITING_CHANCE: Waiting
WAITING_NOBODY: Waiting

class RuleSet(_message.Message):
    __slots__ = ("game_id", "players", "options", "edition")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    PLAYERS_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    EDITION_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    players: int
    options: _containers.ScalarMap[str, str]
    edition: int
    def __init__(self, game_id: _Optional[str] = ..., players: _Optional[int] = ..., options: _Optional[_Mapping[str, str]] = ..., edition: _Optional[int] = ...) -> None: ...

class Share(_message.Message):
    __slots__ = ("person", "amount")
    PERSON_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    person: str
    amount: int
    def __init__(self, person: _Optional[str] = ..., amount: _Optional[int] = ...) -> None: ...

class Move(_message.Message):
    __slots__ = ("verb", "cards", "choice", "amount", "seat", "shares")
    VERB_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    CHOICE_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    verb: str
    cards: _containers.RepeatedScalarFieldContainer[str]
    choice: str
    amount: int
    seat: int
    shares: _containers.RepeatedCompositeFieldContainer[Share]
    def __init__(self, verb: _Optional[str] = ..., cards: _Optional[_Iterable[str]] = ..., choice: _Optional[str] = ..., amount: _Optional[int] = ..., seat: _Optional[int] = ..., shares: _Optional[_Iterable[_Union[Share, _Mapping]]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("kind", "seat", "cards", "hidden", "word", "amount", "other", "shares")
    KIND_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    HIDDEN_FIELD_NUMBER: _ClassVar[int]
    WORD_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    OTHER_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    kind: str
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    hidden: int
    word: str
    amount: int
    other: int
    shares: _containers.RepeatedCompositeFieldContainer[Share]
    def __init__(self, kind: _Optional[str] = ..., seat: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ..., hidden: _Optional[int] = ..., word: _Optional[str] = ..., amount: _Optional[int] = ..., other: _Optional[int] = ..., shares: _Optional[_Iterable[_Union[Share, _Mapping]]] = ...) -> None: ...

class Zone(_message.Message):
    __slots__ = ("name", "seat", "cards", "size", "leader")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    SIZE_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    name: str
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    size: int
    leader: int
    def __init__(self, name: _Optional[str] = ..., seat: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ..., size: _Optional[int] = ..., leader: _Optional[int] = ...) -> None: ...

class Shares(_message.Message):
    __slots__ = ("shares",)
    SHARES_FIELD_NUMBER: _ClassVar[int]
    shares: _containers.RepeatedCompositeFieldContainer[Share]
    def __init__(self, shares: _Optional[_Iterable[_Union[Share, _Mapping]]] = ...) -> None: ...

class Fact(_message.Message):
    __slots__ = ("name", "seat", "word", "number", "money", "shares")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    WORD_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MONEY_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    name: str
    seat: int
    word: str
    number: int
    money: int
    shares: Shares
    def __init__(self, name: _Optional[str] = ..., seat: _Optional[int] = ..., word: _Optional[str] = ..., number: _Optional[int] = ..., money: _Optional[int] = ..., shares: _Optional[_Union[Shares, _Mapping]] = ...) -> None: ...

class ClientSeed(_message.Message):
    __slots__ = ("seat", "seed")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    seed: str
    def __init__(self, seat: _Optional[int] = ..., seed: _Optional[str] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("winners",)
    WINNERS_FIELD_NUMBER: _ClassVar[int]
    winners: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, winners: _Optional[_Iterable[int]] = ...) -> None: ...

class View(_message.Message):
    __slots__ = ("phase", "waiting", "turn", "zones", "facts", "scores", "outcome")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    ZONES_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    phase: str
    waiting: Waiting
    turn: int
    zones: _containers.RepeatedCompositeFieldContainer[Zone]
    facts: _containers.RepeatedCompositeFieldContainer[Fact]
    scores: _containers.RepeatedScalarFieldContainer[int]
    outcome: Outcome
    def __init__(self, phase: _Optional[str] = ..., waiting: _Optional[_Union[Waiting, str]] = ..., turn: _Optional[int] = ..., zones: _Optional[_Iterable[_Union[Zone, _Mapping]]] = ..., facts: _Optional[_Iterable[_Union[Fact, _Mapping]]] = ..., scores: _Optional[_Iterable[int]] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...

class Clause(_message.Message):
    __slots__ = ("key", "text", "source")
    KEY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    key: str
    text: str
    source: str
    def __init__(self, key: _Optional[str] = ..., text: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "clause", "message", "allowed_cards", "offending_cards", "word", "amount", "penalty", "page")
    CODE_FIELD_NUMBER: _ClassVar[int]
    CLAUSE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_CARDS_FIELD_NUMBER: _ClassVar[int]
    OFFENDING_CARDS_FIELD_NUMBER: _ClassVar[int]
    WORD_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    PENALTY_FIELD_NUMBER: _ClassVar[int]
    PAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    clause: Clause
    message: str
    allowed_cards: _containers.RepeatedScalarFieldContainer[str]
    offending_cards: _containers.RepeatedScalarFieldContainer[str]
    word: str
    amount: int
    penalty: bool
    page: str
    def __init__(self, code: _Optional[str] = ..., clause: _Optional[_Union[Clause, _Mapping]] = ..., message: _Optional[str] = ..., allowed_cards: _Optional[_Iterable[str]] = ..., offending_cards: _Optional[_Iterable[str]] = ..., word: _Optional[str] = ..., amount: _Optional[int] = ..., penalty: _Optional[bool] = ..., page: _Optional[str] = ...) -> None: ...

class ExplainedMove(_message.Message):
    __slots__ = ("move", "refusals", "depends_on")
    MOVE_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    move: Move
    refusals: _containers.RepeatedCompositeFieldContainer[Refusal]
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, move: _Optional[_Union[Move, _Mapping]] = ..., refusals: _Optional[_Iterable[_Union[Refusal, _Mapping]]] = ..., depends_on: _Optional[_Iterable[str]] = ...) -> None: ...

class ItemError(_message.Message):
    __slots__ = ("code", "message", "field")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: str
    field: str
    def __init__(self, code: _Optional[str] = ..., message: _Optional[str] = ..., field: _Optional[str] = ...) -> None: ...
