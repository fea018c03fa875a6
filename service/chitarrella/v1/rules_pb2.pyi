from chitarrella.v1 import validate_pb2 as _validate_pb2
from chitarrella.v1 import table_pb2 as _table_pb2
from google.api import annotations_pb2 as _annotations_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Position(_message.Message):
    __slots__ = ("rule_set", "text")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    text: str
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class PartialPosition(_message.Message):
    __slots__ = ("rule_set", "hands", "trick", "trump", "trump_card", "stock_size")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    HANDS_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    STOCK_SIZE_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    hands: _containers.RepeatedCompositeFieldContainer[SeatCards]
    trick: PartialTrick
    trump: str
    trump_card: str
    stock_size: int
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., hands: _Optional[_Iterable[_Union[SeatCards, _Mapping]]] = ..., trick: _Optional[_Union[PartialTrick, _Mapping]] = ..., trump: _Optional[str] = ..., trump_card: _Optional[str] = ..., stock_size: _Optional[int] = ...) -> None: ...

class SeatCards(_message.Message):
    __slots__ = ("seat", "cards")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    seat: int
    cards: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, seat: _Optional[int] = ..., cards: _Optional[_Iterable[str]] = ...) -> None: ...

class PartialTrick(_message.Message):
    __slots__ = ("cards", "leader", "declared_suit")
    CARDS_FIELD_NUMBER: _ClassVar[int]
    LEADER_FIELD_NUMBER: _ClassVar[int]
    DECLARED_SUIT_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[str]
    leader: int
    declared_suit: str
    def __init__(self, cards: _Optional[_Iterable[str]] = ..., leader: _Optional[int] = ..., declared_suit: _Optional[str] = ...) -> None: ...

class VerifyShuffleRequest(_message.Message):
    __slots__ = ("game_id", "commitment", "nonce", "number", "client_seeds", "cards", "amount", "lots")
    GAME_ID_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CLIENT_SEEDS_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_FIELD_NUMBER: _ClassVar[int]
    LOTS_FIELD_NUMBER: _ClassVar[int]
    game_id: str
    commitment: str
    nonce: str
    number: int
    client_seeds: _containers.RepeatedCompositeFieldContainer[_table_pb2.ClientSeed]
    cards: _containers.RepeatedScalarFieldContainer[str]
    amount: int
    lots: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, game_id: _Optional[str] = ..., commitment: _Optional[str] = ..., nonce: _Optional[str] = ..., number: _Optional[int] = ..., client_seeds: _Optional[_Iterable[_Union[_table_pb2.ClientSeed, _Mapping]]] = ..., cards: _Optional[_Iterable[str]] = ..., amount: _Optional[int] = ..., lots: _Optional[_Iterable[int]] = ...) -> None: ...

class VerifyShuffleResponse(_message.Message):
    __slots__ = ("fair", "code")
    FAIR_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    fair: bool
    code: str
    def __init__(self, fair: _Optional[bool] = ..., code: _Optional[str] = ...) -> None: ...

class ChanceRequest(_message.Message):
    __slots__ = ("verb", "cards", "amounts")
    VERB_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    AMOUNTS_FIELD_NUMBER: _ClassVar[int]
    verb: str
    cards: _containers.RepeatedScalarFieldContainer[str]
    amounts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, verb: _Optional[str] = ..., cards: _Optional[_Iterable[str]] = ..., amounts: _Optional[_Iterable[int]] = ...) -> None: ...

class SeatMove(_message.Message):
    __slots__ = ("seat", "move")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    move: _table_pb2.Move
    def __init__(self, seat: _Optional[int] = ..., move: _Optional[_Union[_table_pb2.Move, _Mapping]] = ...) -> None: ...

class StartGameRequest(_message.Message):
    __slots__ = ("rule_set",)
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ...) -> None: ...

class StartGameResponse(_message.Message):
    __slots__ = ("position", "chance_request", "view")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CHANCE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    position: Position
    chance_request: ChanceRequest
    view: _table_pb2.View
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., chance_request: _Optional[_Union[ChanceRequest, _Mapping]] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ...) -> None: ...

class ListLegalMovesRequest(_message.Message):
    __slots__ = ("position", "seat", "partial_position")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    seat: int
    partial_position: PartialPosition
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., seat: _Optional[int] = ..., partial_position: _Optional[_Union[PartialPosition, _Mapping]] = ...) -> None: ...

class ListLegalMovesResponse(_message.Message):
    __slots__ = ("moves", "seat", "chance_request", "undecided", "depends_on")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CHANCE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    UNDECIDED_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.Move]
    seat: int
    chance_request: ChanceRequest
    undecided: _containers.RepeatedCompositeFieldContainer[_table_pb2.ExplainedMove]
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, moves: _Optional[_Iterable[_Union[_table_pb2.Move, _Mapping]]] = ..., seat: _Optional[int] = ..., chance_request: _Optional[_Union[ChanceRequest, _Mapping]] = ..., undecided: _Optional[_Iterable[_Union[_table_pb2.ExplainedMove, _Mapping]]] = ..., depends_on: _Optional[_Iterable[str]] = ...) -> None: ...

class ExplainHandRequest(_message.Message):
    __slots__ = ("position", "seat", "partial_position")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    seat: int
    partial_position: PartialPosition
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., seat: _Optional[int] = ..., partial_position: _Optional[_Union[PartialPosition, _Mapping]] = ...) -> None: ...

class ExplainHandResponse(_message.Message):
    __slots__ = ("moves", "seat", "depends_on")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.ExplainedMove]
    seat: int
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, moves: _Optional[_Iterable[_Union[_table_pb2.ExplainedMove, _Mapping]]] = ..., seat: _Optional[int] = ..., depends_on: _Optional[_Iterable[str]] = ...) -> None: ...

class ValidateMoveRequest(_message.Message):
    __slots__ = ("position", "seat", "move", "partial_position")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    PARTIAL_POSITION_FIELD_NUMBER: _ClassVar[int]
    position: Position
    seat: int
    move: _table_pb2.Move
    partial_position: PartialPosition
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., seat: _Optional[int] = ..., move: _Optional[_Union[_table_pb2.Move, _Mapping]] = ..., partial_position: _Optional[_Union[PartialPosition, _Mapping]] = ...) -> None: ...

class ValidateMoveResponse(_message.Message):
    __slots__ = ("accepted", "refusals", "depends_on")
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    accepted: bool
    refusals: _containers.RepeatedCompositeFieldContainer[_table_pb2.Refusal]
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, accepted: _Optional[bool] = ..., refusals: _Optional[_Iterable[_Union[_table_pb2.Refusal, _Mapping]]] = ..., depends_on: _Optional[_Iterable[str]] = ...) -> None: ...

class ApplyMovesRequest(_message.Message):
    __slots__ = ("position", "moves")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    position: Position
    moves: _containers.RepeatedCompositeFieldContainer[SeatMove]
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., moves: _Optional[_Iterable[_Union[SeatMove, _Mapping]]] = ...) -> None: ...

class ApplyMovesResponse(_message.Message):
    __slots__ = ("position", "applied", "refusals", "penalties", "events", "view", "chance_request", "points", "legal_moves")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    APPLIED_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    PENALTIES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    CHANCE_REQUEST_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    position: Position
    applied: int
    refusals: _containers.RepeatedCompositeFieldContainer[_table_pb2.Refusal]
    penalties: _containers.RepeatedCompositeFieldContainer[MovePenalty]
    events: _containers.RepeatedCompositeFieldContainer[_table_pb2.Event]
    view: _table_pb2.View
    chance_request: ChanceRequest
    points: _containers.RepeatedScalarFieldContainer[int]
    legal_moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.Move]
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., applied: _Optional[int] = ..., refusals: _Optional[_Iterable[_Union[_table_pb2.Refusal, _Mapping]]] = ..., penalties: _Optional[_Iterable[_Union[MovePenalty, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[_table_pb2.Event, _Mapping]]] = ..., view: _Optional[_Union[_table_pb2.View, _Mapping]] = ..., chance_request: _Optional[_Union[ChanceRequest, _Mapping]] = ..., points: _Optional[_Iterable[int]] = ..., legal_moves: _Optional[_Iterable[_Union[_table_pb2.Move, _Mapping]]] = ...) -> None: ...

class MovePenalty(_message.Message):
    __slots__ = ("index", "refusals")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    index: int
    refusals: _containers.RepeatedCompositeFieldContainer[_table_pb2.Refusal]
    def __init__(self, index: _Optional[int] = ..., refusals: _Optional[_Iterable[_Union[_table_pb2.Refusal, _Mapping]]] = ...) -> None: ...

class GetViewRequest(_message.Message):
    __slots__ = ("position", "seat", "referee")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    REFEREE_FIELD_NUMBER: _ClassVar[int]
    position: Position
    seat: int
    referee: bool
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., seat: _Optional[int] = ..., referee: _Optional[bool] = ...) -> None: ...

class GetViewResponse(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: _table_pb2.View
    def __init__(self, view: _Optional[_Union[_table_pb2.View, _Mapping]] = ...) -> None: ...

class ListPlayableCardsRequest(_message.Message):
    __slots__ = ("rule_set", "hand", "trick", "trump", "stock_left", "trump_card", "declared_suit")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    TRICK_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    STOCK_LEFT_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    DECLARED_SUIT_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    hand: _containers.RepeatedScalarFieldContainer[str]
    trick: _containers.RepeatedScalarFieldContainer[str]
    trump: str
    stock_left: bool
    trump_card: str
    declared_suit: str
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., hand: _Optional[_Iterable[str]] = ..., trick: _Optional[_Iterable[str]] = ..., trump: _Optional[str] = ..., stock_left: _Optional[bool] = ..., trump_card: _Optional[str] = ..., declared_suit: _Optional[str] = ...) -> None: ...

class ListPlayableCardsResponse(_message.Message):
    __slots__ = ("moves",)
    MOVES_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedCompositeFieldContainer[_table_pb2.ExplainedMove]
    def __init__(self, moves: _Optional[_Iterable[_Union[_table_pb2.ExplainedMove, _Mapping]]] = ...) -> None: ...

class ResolveTrickRequest(_message.Message):
    __slots__ = ("rule_set", "cards", "trump", "trump_card")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    TRUMP_CARD_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    cards: _containers.RepeatedScalarFieldContainer[str]
    trump: str
    trump_card: str
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., cards: _Optional[_Iterable[str]] = ..., trump: _Optional[str] = ..., trump_card: _Optional[str] = ...) -> None: ...

class ResolveTrickResponse(_message.Message):
    __slots__ = ("winning_index", "winning_card", "scores", "depends_on")
    WINNING_INDEX_FIELD_NUMBER: _ClassVar[int]
    WINNING_CARD_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    DEPENDS_ON_FIELD_NUMBER: _ClassVar[int]
    winning_index: int
    winning_card: str
    scores: _containers.RepeatedCompositeFieldContainer[Score]
    depends_on: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, winning_index: _Optional[int] = ..., winning_card: _Optional[str] = ..., scores: _Optional[_Iterable[_Union[Score, _Mapping]]] = ..., depends_on: _Optional[_Iterable[str]] = ...) -> None: ...

class ScoreCardsRequest(_message.Message):
    __slots__ = ("rule_set", "cards", "trump")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    CARDS_FIELD_NUMBER: _ClassVar[int]
    TRUMP_FIELD_NUMBER: _ClassVar[int]
    rule_set: _table_pb2.RuleSet
    cards: _containers.RepeatedScalarFieldContainer[str]
    trump: str
    def __init__(self, rule_set: _Optional[_Union[_table_pb2.RuleSet, _Mapping]] = ..., cards: _Optional[_Iterable[str]] = ..., trump: _Optional[str] = ...) -> None: ...

class ScoreCardsResponse(_message.Message):
    __slots__ = ("scores",)
    SCORES_FIELD_NUMBER: _ClassVar[int]
    scores: _containers.RepeatedCompositeFieldContainer[Score]
    def __init__(self, scores: _Optional[_Iterable[_Union[Score, _Mapping]]] = ...) -> None: ...

class Score(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: int
    def __init__(self, name: _Optional[str] = ..., value: _Optional[int] = ...) -> None: ...

class BatchRequest(_message.Message):
    __slots__ = ("questions",)
    QUESTIONS_FIELD_NUMBER: _ClassVar[int]
    questions: _containers.RepeatedCompositeFieldContainer[Question]
    def __init__(self, questions: _Optional[_Iterable[_Union[Question, _Mapping]]] = ...) -> None: ...

class BatchResponse(_message.Message):
    __slots__ = ("answers",)
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    def __init__(self, answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("position_of", "list_legal_moves", "explain_hand", "validate_move", "apply_moves", "get_view", "list_playable_cards", "resolve_trick", "score_cards", "start_game")
    POSITION_OF_FIELD_NUMBER: _ClassVar[int]
    LIST_LEGAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_HAND_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_MOVE_FIELD_NUMBER: _ClassVar[int]
    APPLY_MOVES_FIELD_NUMBER: _ClassVar[int]
    GET_VIEW_FIELD_NUMBER: _ClassVar[int]
    LIST_PLAYABLE_CARDS_FIELD_NUMBER: _ClassVar[int]
    RESOLVE_TRICK_FIELD_NUMBER: _ClassVar[int]
    SCORE_CARDS_FIELD_NUMBER: _ClassVar[int]
    START_GAME_FIELD_NUMBER: _ClassVar[int]
    position_of: int
    list_legal_moves: ListLegalMovesRequest
    explain_hand: ExplainHandRequest
    validate_move: ValidateMoveRequest
    apply_moves: ApplyMovesRequest
    get_view: GetViewRequest
    list_playable_cards: ListPlayableCardsRequest
    resolve_trick: ResolveTrickRequest
    score_cards: ScoreCardsRequest
    start_game: StartGameRequest
    def __init__(self, position_of: _Optional[int] = ..., list_legal_moves: _Optional[_Union[ListLegalMovesRequest, _Mapping]] = ..., explain_hand: _Optional[_Union[ExplainHandRequest, _Mapping]] = ..., validate_move: _Optional[_Union[ValidateMoveRequest, _Mapping]] = ..., apply_moves: _Optional[_Union[ApplyMovesRequest, _Mapping]] = ..., get_view: _Optional[_Union[GetViewRequest, _Mapping]] = ..., list_playable_cards: _Optional[_Union[ListPlayableCardsRequest, _Mapping]] = ..., resolve_trick: _Optional[_Union[ResolveTrickRequest, _Mapping]] = ..., score_cards: _Optional[_Union[ScoreCardsRequest, _Mapping]] = ..., start_game: _Optional[_Union[StartGameRequest, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("list_legal_moves", "explain_hand", "validate_move", "apply_moves", "get_view", "list_playable_cards", "resolve_trick", "score_cards", "start_game", "error")
    LIST_LEGAL_MOVES_FIELD_NUMBER: _ClassVar[int]
    EXPLAIN_HAND_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_MOVE_FIELD_NUMBER: _ClassVar[int]
    APPLY_MOVES_FIELD_NUMBER: _ClassVar[int]
    GET_VIEW_FIELD_NUMBER: _ClassVar[int]
    LIST_PLAYABLE_CARDS_FIELD_NUMBER: _ClassVar[int]
    RESOLVE_TRICK_FIELD_NUMBER: _ClassVar[int]
    SCORE_CARDS_FIELD_NUMBER: _ClassVar[int]
    START_GAME_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    list_legal_moves: ListLegalMovesResponse
    explain_hand: ExplainHandResponse
    validate_move: ValidateMoveResponse
    apply_moves: ApplyMovesResponse
    get_view: GetViewResponse
    list_playable_cards: ListPlayableCardsResponse
    resolve_trick: ResolveTrickResponse
    score_cards: ScoreCardsResponse
    start_game: StartGameResponse
    error: _table_pb2.ItemError
    def __init__(self, list_legal_moves: _Optional[_Union[ListLegalMovesResponse, _Mapping]] = ..., explain_hand: _Optional[_Union[ExplainHandResponse, _Mapping]] = ..., validate_move: _Optional[_Union[ValidateMoveResponse, _Mapping]] = ..., apply_moves: _Optional[_Union[ApplyMovesResponse, _Mapping]] = ..., get_view: _Optional[_Union[GetViewResponse, _Mapping]] = ..., list_playable_cards: _Optional[_Union[ListPlayableCardsResponse, _Mapping]] = ..., resolve_trick: _Optional[_Union[ResolveTrickResponse, _Mapping]] = ..., score_cards: _Optional[_Union[ScoreCardsResponse, _Mapping]] = ..., start_game: _Optional[_Union[StartGameResponse, _Mapping]] = ..., error: _Optional[_Union[_table_pb2.ItemError, _Mapping]] = ...) -> None: ...
