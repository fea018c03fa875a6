"""The targets of a running service, and valid inputs to begin with."""

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any

import orjson
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message import DecodeError, Message
from werkzeug.test import Client

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import rpcs
from chitarrella.api.hosting import MatchHost
from chitarrella.catalogue.record import Record, format_record
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.notation import format_move
from chitarrella.matches.service import MatchService
from chitarrella.runtime.telemetry import Telemetry
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.redis_url import connect_in_process
from chitarrella.transports.rest.app import make_app
from chitarrella.transports.rest.views import routes
from chitarrella.transports.rest.website.website import add_website
from chitarrella.v1.match_requests_pb2 import CreateMatchRequest
from lab.fuzz.targets import Target, tables
from tests.walks import CATALOGUE, known_walk

CREATE = "/chitarrella.v1.MatchService/CreateMatch"
CALLS = [rpc for rpc in rpcs() if not rpc.method.server_streaming]
PATHS = [route for route in routes() if not route.rpc.method.server_streaming]
OF_THE_CALLER = (
    errors.BadRequest, errors.NotAuthenticated, errors.NotAllowed, errors.NotFound, errors.NotPossibleNow, errors.Stale,
    errors.AlreadyExists, errors.TooLarge, errors.TooMany,
)  # fmt: skip
"""The errors that blame the caller; any other is a fault of the service."""
LOST = {"DeleteMatch", "AbortMatch", "ResignMatch", "DecideMatch"}  # the rpcs that end the match that the others use


@contextmanager
def service() -> Iterator[dict[str, Target]]:
    """Run a service in this process; yields its fuzz targets by name."""
    store = RedisStore(connect_in_process())
    host = MatchHost(MatchService(CATALOGUE, store))
    api = host.dispatcher()
    create: Any = CreateMatchRequest()
    create.rule_set.game_id, create.rule_set.players = "briscola", 2
    created = api.answer(CREATE, create, Caller())
    match_id, key = created.match.match_id, created.referee_key
    client = Client(make_app(api, Telemetry(), partial(add_website, CATALOGUE), ready=store.probe))

    def message(data: bytes) -> None:
        """Bytes are no message, or it is answered, or refused with an error of the caller."""
        rpc = CALLS[data[0] % len(CALLS)] if data else CALLS[0]
        try:
            asked: Any = rpc.request.FromString(data[1:])
        except DecodeError:
            return
        if "match_id" in rpc.method.input_type.fields_by_name and rpc.method.name not in LOST:
            asked.match_id = asked.match_id or match_id
        with suppress(*OF_THE_CALLER):
            api.answer(rpc.path, asked, Caller(key))

    def body(data: bytes) -> None:
        """Whatever is sent, the answer is not a server error."""
        route = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
        path = route.path.format(**dict.fromkeys(route.variables, match_id))
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
        assert client.open(path, method=route.method, data=data[1:], headers=headers).status_code < 500

    try:
        yield {"message": message, "body": body}
    finally:
        host.close()
        store.close()


def seeds(target: str) -> Iterator[bytes]:
    if target in OTHERS:
        yield from map(str.encode, OTHERS[target])
    elif target == "message":
        yield from (bytes([number]) + request(rpc.request).SerializeToString() for number, rpc in enumerate(CALLS))
    elif target == "body":
        bodies = (orjson.dumps(MessageToDict(request(route.rpc.request))) for route in PATHS)
        yield from (bytes([number]) + body for number, body in enumerate(bodies))
    else:
        for number, (rule_set, game) in enumerate(tables()):
            played = known_walk(rule_set, "fuzz", deals=1, effort=1)
            if target == "record":
                record = Record(CATALOGUE.normalize(rule_set), "", played.moves[:6])
                yield format_record(CATALOGUE, record, comments=False).encode()
                continue
            positions = played.positions[:: len(played.positions) // 3 or 1]
            moves = {move.verb: format_move(move) for _, move in played.moves}
            texts = map(game.encode, positions) if target == "position" else moves.values()
            yield from (bytes([number]) + text.encode() for text in texts)


def request(kind: type[Message]) -> Message:
    """A request for a game of two, with as many fields as the message has for it."""
    played = known_walk(RuleSet("briscola", 2), "fuzz", deals=1, effort=1)
    rule_set, line = {"game_id": "briscola", "players": 2}, played.game.encode(played.positions[9])
    fields: Any = kind.DESCRIPTOR.fields_by_name
    whole = "position" in fields and fields["position"].message_type is not None
    said = {
        "rule_set": rule_set, "position": {"rule_set": rule_set, "text": line} if whole else line,
        "move": {"verb": "play_card", "cards": ["Ab"]},
        "record": format_record(CATALOGUE, Record(played.rule_set, "", played.moves[:4])), "hand": ["Ab", "3c"],
        "seat": 0, "game_id": "briscola",
    }  # fmt: skip
    return ParseDict({name: said[name] for name in said if name in fields}, kind(), ignore_unknown_fields=True)


_SECRET = "whsec_" + b64encode(bytes(range(24))).decode()
OTHERS = {
    "cursor": ("", "0.0", "12.3"),
    "api_keys": (f"inn all {sha256(b'x').hexdigest()} # a key\n", f"inn rules,play {sha256(b'y').hexdigest()};"),
    "webhooks": (f"inn https://inn.example/told {_SECRET}\n", f"a http://[::1]:80/ {_SECRET},{_SECRET} # two"),
    "language": ("it-IT,it;q=0.9,en;q=0.8,*;q=0.1", "de_DE.UTF-8", "*;q=0"),
}
