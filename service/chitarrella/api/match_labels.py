"""Convert what a platform attaches to a match: external id, labels, and names of players."""

from __future__ import annotations

from collections.abc import Iterable

from chitarrella import errors
from chitarrella.core.game import AnyGame
from chitarrella.matches.match_lists import MatchFilter
from chitarrella.matches.metadata import MatchMetadata, PlayerNames
from chitarrella.questions.reading import read_seat
from chitarrella.v1 import matches_pb2 as pb


def read_player_names(game: AnyGame, messages: Iterable[pb.PlayerName]) -> PlayerNames:
    """Read the names of players; raises `errors.BadRequest` for a seat that nobody sits at, and for two names of one.

    No error names a player.
    """
    names: dict[int, str] = {}
    for place, message in enumerate(messages):
        seat = read_seat(game, message.seat, f"player_names[{place}].seat")
        if seat in names:
            raise errors.BadRequest("bad_request", f"Seat {seat} has a name already.", f"player_names[{place}].seat")
        names[seat] = message.name
    return tuple(sorted(names.items()))


def player_name_messages(metadata: MatchMetadata) -> list[pb.PlayerName]:
    """Convert the names of players, in the order of seats."""
    return [pb.PlayerName(seat=seat, name=name) for seat, name in metadata.player_names]


def read_filter(request: pb.ListMatchesRequest) -> MatchFilter:
    """Read the filters of a list; their form was checked against the contract."""
    labels = dict.fromkeys(tuple(label.split("=", 1)) for label in request.labels)
    return MatchFilter(request.external_id, tuple((key, value) for key, value in labels), request.player_name)
