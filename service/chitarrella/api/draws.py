"""The part of MatchService that proves how packs were shuffled and lots drawn."""

from __future__ import annotations

from chitarrella.api.authorization import viewer_of
from chitarrella.api.caller import Caller
from chitarrella.core.provable_shuffle import commit, derive_nonce
from chitarrella.matches.chance import Shuffle, next_commitment, shuffles_of
from chitarrella.matches.model import Snapshot
from chitarrella.matches.service import MatchService
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2


class ShuffleServicer:
    """Implements ListDraws."""

    def __init__(self, matches: MatchService) -> None:
        """Read from ``matches``."""
        self._matches = matches

    def ListDraws(self, request: pb.ListDrawsRequest, caller: Caller) -> pb.ListDrawsResponse:
        """List the draws. The proof of a draw whose result is still partly hidden leaves out nonce and cards."""
        snapshot = self._matches.repository.load(request.match)
        viewer_of(snapshot, caller, None)
        history, lines = self._matches.repository.history(request.match)
        draws = [_draw_message(snapshot, draw) for draw in shuffles_of(history, lines, snapshot.metadata)]
        return pb.ListDrawsResponse(draws=draws, next_commitment=next_commitment(snapshot.metadata, snapshot.control))


def _draw_message(snapshot: Snapshot, draw: Shuffle) -> pb.Draw:
    """Convert a draw."""
    nonce = derive_nonce(snapshot.metadata.seed, draw.number)
    return pb.Draw(
        number=draw.number,
        revision=draw.revision,
        verb=draw.move.verb,
        handed_in=not draw.is_provable,
        commitment=commit(nonce) if draw.is_provable else "",
        words=[table_pb2.Contribution(seat=seat, word=word) for seat, word in draw.client_seeds],
        nonce=nonce if draw.is_provable and draw.is_revealed else "",
        cards=draw.move.cards if draw.is_revealed else (),
        amount=draw.move.amount,
        lots=draw.lots,
    )
