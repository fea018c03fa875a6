"""How many calls of a caller's rate a request counts as: as many as it asks for at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from google.protobuf.message import Message

from chitarrella.v1 import matches_pb2, rules_pb2

MOVES_PER_CALL: Final = 10
"""So many moves of ApplyMoves count as one call: their rules are read once."""
MOST_COUNTED: Final = 1000
"""Of more items none is answered, so that no more of them are counted."""


def calls_in(request: Message) -> int:
    """Count the calls that a request stands for, at least one; it need not be valid yet."""
    count = COUNTS.get(type(request))
    return 1 if count is None else max(1, count(request))


def _in_batch(request: Any) -> int:
    """Each question counts as the call that it stands for."""
    return sum(_in_question(question) for question in islice(request.questions, MOST_COUNTED))


def _in_question(question: rules_pb2.Question) -> int:
    return _in_moves(question.apply_moves) if question.HasField("apply_moves") else 1


def _in_moves(request: Any) -> int:
    return max(1, -(-min(len(request.moves), MOST_COUNTED) // MOVES_PER_CALL))


COUNTS: Final[Mapping[type[Message], Callable[[Any], int]]] = {
    rules_pb2.BatchRequest: _in_batch,
    rules_pb2.ApplyMovesRequest: _in_moves,
    matches_pb2.BatchCreateMatchesRequest: lambda request: min(len(request.requests), MOST_COUNTED),
    matches_pb2.BatchGetMatchesRequest: lambda request: min(len(request.match_ids), MOST_COUNTED),
}
"""The requests that stand for several calls."""
