"""The part of MatchService that lists shuffles with their proofs."""

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
    """Implements ListShuffles."""

    def __init__(self, matches: MatchService) -> None:
        """Read from ``matches``."""
        self._matches = matches

    def ListShuffles(self, request: pb.ListShufflesRequest, caller: Caller) -> pb.ListShufflesResponse:
        """List the shuffles. One whose result is still partly hidden is listed without nonce and cards."""
        snapshot = self._matches.repository.load(request.match_id)
        viewer_of(snapshot, caller, None)
        history, lines = self._matches.repository.history(request.match_id)
        shuffles = [_shuffle_message(snapshot, one) for one in shuffles_of(history, lines, snapshot.metadata)]
        return pb.ListShufflesResponse(
            shuffles=shuffles, next_commitment=next_commitment(snapshot.metadata, snapshot.control)
        )


def _shuffle_message(snapshot: Snapshot, shuffle: Shuffle) -> pb.Shuffle:
    """Convert a shuffle."""
    nonce = derive_nonce(snapshot.metadata.seed, shuffle.number)
    return pb.Shuffle(
        number=shuffle.number,
        revision=shuffle.revision,
        verb=shuffle.move.verb,
        supplied=not shuffle.is_provable,
        commitment=commit(nonce) if shuffle.is_provable else "",
        client_seeds=[table_pb2.ClientSeed(seat=seat, seed=seed) for seat, seed in shuffle.client_seeds],
        nonce=nonce if shuffle.is_provable and shuffle.is_revealed else "",
        cards=shuffle.move.cards if shuffle.is_revealed else (),
        amount=shuffle.move.amount,
        lots=shuffle.lots,
    )
