"""Fuzz targets of the transports: any bytes as the message of any rpc, and any body at any REST path."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from google.protobuf.message import DecodeError
from werkzeug.test import Client

from chitarrella import errors
from chitarrella.api.caller import Caller
from chitarrella.api.dispatcher import Dispatcher, rpcs
from chitarrella.api.services import make_dispatcher
from chitarrella.api.telemetry import Telemetry
from chitarrella.matches.bot_moves import choose_move
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.platform_watching import PlatformHub
from chitarrella.matches.service import MatchService
from chitarrella.matches.watching import WatchHub
from chitarrella.storage.redis_store import RedisStore
from chitarrella.storage.redis_url import connect_in_process
from chitarrella.transports.rest.app import make_app
from chitarrella.transports.rest.routes import routes
from chitarrella.transports.rest.website.worked_example import worked_example
from chitarrella.v1.matches_pb2 import CreateMatchRequest
from lab.fuzz.targets import Target
from tests.walks import CATALOGUE

CREATE = "/chitarrella.v1.MatchService/CreateMatch"
CALLS = [rpc for rpc in rpcs() if not rpc.method.server_streaming]
PATHS = [route for route in routes() if not route.rpc.method.server_streaming]
OF_THE_CALLER = (
    errors.BadRequest,
    errors.NotAuthenticated,
    errors.NotAllowed,
    errors.NotFound,
    errors.NotPossibleNow,
    errors.Stale,
    errors.AlreadyExists,
    errors.TooLarge,
    errors.TooMany,
)
"""The errors that blame the caller; any other is a fault of the service."""
LOST = {"DeleteMatch", "AbortMatch"}
"""The rpcs that would remove the match that the others use."""


class Match:
    """A running match, and the key of its referee."""

    def __init__(self, api: Dispatcher) -> None:
        """Create the match."""
        asked: Any = CreateMatchRequest()
        asked.rule_set.game_id, asked.rule_set.players = "briscola", 2
        made = api.answer(CREATE, asked, Caller())
        self.name, self.key = made.match_id, made.referee_key


@contextmanager
def service() -> Iterator[dict[str, Target]]:
    """Run a service in this process; yields its fuzz targets by name."""
    store = RedisStore(connect_in_process())
    referee = MatchService(CATALOGUE, store)
    hub = WatchHub(referee.repository, store.subscriptions)
    platform_hub = PlatformHub(referee.repository, store.subscriptions)
    api = make_dispatcher(CATALOGUE, referee, MatchOperations(referee, choose_move), hub, platform_hub)
    match = Match(api)
    client = Client(make_app(api, Telemetry(), partial(worked_example, CATALOGUE), ready=store.probe))

    def message(data: bytes) -> None:
        """Bytes are no message, or it is answered, or refused with an error of the caller."""
        rpc = CALLS[data[0] % len(CALLS)] if data else CALLS[0]
        try:
            asked: Any = rpc.request.FromString(data[1:])
        except DecodeError:
            return
        if "match_id" in rpc.method.input_type.fields_by_name and rpc.method.name not in LOST:
            asked.match_id = asked.match_id or match.name
        with suppress(*OF_THE_CALLER):
            api.answer(rpc.path, asked, Caller(match.key))

    def body(data: bytes) -> None:
        """Whatever is sent, the answer is not a server error."""
        route = PATHS[data[0] % len(PATHS)] if data else PATHS[0]
        path = route.path.format(**dict.fromkeys(route.variables, match.name))
        headers = {"Authorization": f"Bearer {match.key}", "Content-Type": "application/json"}
        assert client.open(path, method=route.method, data=data[1:], headers=headers).status_code < 500

    try:
        yield {"message": message, "body": body}
    finally:
        hub.close()
        store.close()
