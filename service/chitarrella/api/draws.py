"""The part of MatchService that proves how packs and lots were drawn."""

from __future__ import annotations

from chitarrella.api.caller import Caller
from chitarrella.api.roles import eyes_of
from chitarrella.drawing import Draw, draws_of, next_commitment
from chitarrella.fairness import commitment_to, nonce_of
from chitarrella.kept import Seen
from chitarrella.referee import Referee
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2


class DrawApi:
    """The answers about draws."""

    def __init__(self, referee: Referee) -> None:
        """Ask ``referee``."""
        self._referee = referee

    def ListDraws(self, request: pb.ListDrawsRequest, caller: Caller) -> pb.ListDrawsResponse:
        """List the draws, each with as much of its proof as hides nothing any more."""
        seen = self._referee.see(request.match)
        eyes_of(seen, caller, None)
        story, lines = self._referee.chronicle(request.match)
        draws = [_draw(seen, draw) for draw in draws_of(story, lines, seen.header)]
        return pb.ListDrawsResponse(draws=draws, next_commitment=next_commitment(seen.header, seen.affairs))


def _draw(seen: Seen, draw: Draw) -> pb.Draw:
    """Write a draw."""
    nonce = nonce_of(seen.header.seed, draw.number)
    return pb.Draw(
        number=draw.number,
        revision=draw.revision,
        verb=draw.move.verb,
        handed_in=not draw.fair,
        commitment=commitment_to(nonce) if draw.fair else "",
        words=[table_pb2.Contribution(seat=seat, word=word) for seat, word in draw.words],
        nonce=nonce if draw.fair and draw.open else "",
        cards=draw.move.cards if draw.open else (),
        amount=draw.move.amount,
        lots=draw.lots,
    )
