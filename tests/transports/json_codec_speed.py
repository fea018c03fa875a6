"""Measure the JSON codec against google.protobuf.json_format on a PlayMove: the reason to have one of our own.

Run it by ``python -m tests.transports.json_codec_speed``; the docstrings of the encoder and the decoder quote it.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from typing import Any

import orjson
from google.protobuf import json_format

from chitarrella.api.caller import Caller
from chitarrella.api.json_encoder import JsonEncoder
from chitarrella.transports.inprocess import Service
from chitarrella.transports.rest.views import object_decoder
from chitarrella.v1 import matches_pb2 as pb

MATCHES = "/chitarrella.v1.MatchService"


def play_move() -> tuple[pb.PlayMoveRequest, pb.PlayMoveResponse]:
    """Return the seventh move of a four-handed Briscola and its response, with the view of the seat."""
    service = Service()
    call = service.dispatcher.answer
    rule_set: Any = {"game_id": "briscola", "players": 4}
    match = call(f"{MATCHES}/CreateMatch", pb.CreateMatchRequest(rule_set=rule_set), Caller())
    keys = {one.seat: one.key for one in match.seat_keys}
    for number in range(7):
        legal = call(
            f"{MATCHES}/ListMatchMoves", pb.ListMatchMovesRequest(match_id=match.match_id), Caller(match.referee_key)
        )
        request = pb.PlayMoveRequest(
            match_id=match.match_id, move=legal.moves[0], include_view=True, request_id=f"move-{number}"
        )
        response = call(f"{MATCHES}/PlayMove", request, Caller(keys[legal.seat]))
    service.close()
    return request, response


def microseconds(function: Callable[[], object], number: int = 3000) -> float:
    """Return the duration of a call: the best average of five series."""
    return min(timeit.repeat(function, number=number, repeat=5)) / number * 1e6


def main() -> None:
    """Print the durations of both codecs and their ratio."""
    request, response = play_move()
    encoder, decode = JsonEncoder(), object_decoder(pb.DESCRIPTOR.message_types_by_name["PlayMoveRequest"])
    text = encoder.encode(request)

    def library_encode() -> bytes:
        return orjson.dumps(json_format.MessageToDict(response, always_print_fields_with_no_presence=True))

    def library_decode() -> pb.PlayMoveRequest:
        return json_format.ParseDict(orjson.loads(text), pb.PlayMoveRequest())

    ours, theirs = microseconds(lambda: encoder.encode(response)), microseconds(library_encode)
    print(f"encode the response: {ours:.0f} us, json_format {theirs:.0f} us, {theirs / ours:.1f} times faster")
    ours, theirs = microseconds(lambda: pb.PlayMoveRequest(**decode(orjson.loads(text)))), microseconds(library_decode)
    print(f"decode the request: {ours:.0f} us, json_format {theirs:.0f} us, {theirs / ours:.1f} times faster")


if __name__ == "__main__":
    main()
