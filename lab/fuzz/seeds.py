"""The seed inputs of fuzzing: valid inputs of every target."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import orjson
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import Message

from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import format_move
from lab.fuzz.service import CALLS, PATHS
from lab.fuzz.targets import tables
from tests.walks import CATALOGUE, known_walk


def seeds(target: str) -> Iterator[bytes]:
    """Valid inputs of a target."""
    if target in ("position", "move", "record"):
        yield from _of_play(target)
    elif target == "message":
        for number, rpc in enumerate(CALLS):
            yield bytes([number]) + request(rpc.request).SerializeToString()
    elif target == "body":
        for number, route in enumerate(PATHS):
            yield bytes([number]) + orjson.dumps(MessageToDict(request(route.rpc.request)))
    else:
        yield from (text.encode() for text in OTHERS[target])


def request(kind: type[Message]) -> Message:
    """A request for a game of two, with as many fields as the message has for it."""
    game, players = "briscola", 2
    walk = known_walk(RuleSet(game, players), "fuzz", deals=1, effort=1)
    rule_set = {"game_id": game, "players": players}
    said = {
        "rule_set": rule_set,
        "position": {"rule_set": rule_set, "text": walk.game.encode(walk.positions[9])},
        "move": {"verb": "play_card", "cards": ["Ab"]},
        "record": format_record(CATALOGUE, Record(walk.rule_set, "", walk.moves[:4])),
        "hand": ["Ab", "3c"],
        "seat": 0,
        "game_id": game,
    }
    fields: Any = kind.DESCRIPTOR.fields_by_name
    made = {name: value for name, value in said.items() if name in fields}
    if "position" in made and fields["position"].message_type is None:
        made["position"] = walk.game.encode(walk.positions[9])
    return ParseDict(made, kind(), ignore_unknown_fields=True)


def _of_play(target: str) -> Iterator[bytes]:
    for number, (rule_set, game) in enumerate(tables()):
        walk = known_walk(rule_set, "fuzz", deals=1, effort=1)
        if target == "position":
            yield from (
                bytes([number]) + game.encode(p).encode() for p in walk.positions[:: len(walk.positions) // 3 or 1]
            )
        elif target == "move":
            texts = {move.verb: format_move(move) for _, move in walk.moves}
            yield from (bytes([number]) + text.encode() for text in texts.values())
        else:
            settled = CATALOGUE.normalize(rule_set)
            yield format_record(CATALOGUE, Record(settled, "", walk.moves[:6]), comments=False).encode()


_SECRET = "whsec_" + b64encode(bytes(range(24))).decode()
OTHERS = {
    "cursor": ("", "0.0", "12.3"),
    "api_keys": (f"inn all {sha256(b'x').hexdigest()} # a key\n", f"inn rules,play {sha256(b'y').hexdigest()};"),
    "webhooks": (f"inn https://inn.example/told {_SECRET}\n", f"a http://[::1]:80/ {_SECRET},{_SECRET} # two"),
    "language": ("it-IT,it;q=0.9,en;q=0.8,*;q=0.1", "de_DE.UTF-8", "*;q=0"),
}
