"""Convert what only kept matches have: names of players, filters of lists, and proofs of shuffles."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella import errors
from chitarrella.catalogue.record import Record
from chitarrella.core.game import AnyGame
from chitarrella.matches.chance import InvalidRecordSignature, invalid_proofs, parse_signer
from chitarrella.matches.metadata import MatchMetadata, PlayerNames
from chitarrella.matches.service import MatchFilter
from chitarrella.questions.reading import read_seat
from chitarrella.v1 import matches_pb2 as pb


def read_player_names(game: AnyGame, messages: Iterable[pb.PlayerName]) -> PlayerNames:
    """Read the names of players; no error names a player."""
    names: dict[int, str] = {}
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"player_names[{place}].seat")
        if seat in names:
            raise errors.BadRequest("bad_request", f"Seat {seat} has a name already.", f"player_names[{place}].seat")
        names[seat] = message.name
    return tuple(sorted(names.items()))


def player_name_messages(metadata: MatchMetadata) -> list[pb.PlayerName]:
    return [pb.PlayerName(seat=seat, name=name) for seat, name in metadata.player_names]


def read_filter(request: pb.ListMatchesRequest) -> MatchFilter:
    labels = dict.fromkeys(tuple(label.split("=", 1)) for label in request.labels)
    return MatchFilter(request.external_id, tuple((key, value) for key, value in labels), request.player_name)


def check_proofs(game: AnyGame, record: Record, text: str) -> None:
    """Check the signature and the proofs of a record; raises `IllegalMove` for a move before the proof."""
    try:
        parse_signer(text)
        fault = invalid_proofs(game, record) if record.proofs else ""
    except InvalidRecordSignature as error:
        fault = str(error)
    if fault:
        raise errors.BadRequest("bad_record", fault, "record")
