"""Partial positions as messages of the contract."""

from __future__ import annotations

from chitarrella.api.converters import read_game
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.model import Seat
from chitarrella.questions.partial_positions import (
    PartialPosition,
    PartialQuestion,
    PartialTrick,
    read_partial_question,
)
from chitarrella.v1 import rules_pb2 as pb


def read_partial_position(catalogue: Catalogue, message: pb.PartialPosition, seat: Seat | None) -> PartialQuestion:
    """Read a partial position and the seat that is asked about; raises `errors.BadRequest` for what is impossible."""
    game = read_game(catalogue, message.rule_set, "partial_position.rule_set")
    known = PartialPosition(
        [(hand.seat, hand.cards) for hand in message.hands],
        _trick(message.trick) if message.HasField("trick") else None,
        message.trump if message.HasField("trump") else None,
        message.trump_card if message.HasField("trump_card") else None,
        message.stock_size if message.HasField("stock_size") else None,
    )
    return read_partial_question(game, known, seat)


def _trick(message: pb.PartialTrick) -> PartialTrick:
    return PartialTrick(
        message.cards,
        message.leader if message.HasField("leader") else None,
        message.declared_suit if message.HasField("declared_suit") else None,
    )
