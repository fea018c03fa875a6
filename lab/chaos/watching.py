"""Viewers of one match over each transport, who go on from their last cursor after an interruption."""

import asyncio
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

import grpc
import httpx
from google.protobuf import json_format

from chitarrella import v1
from chitarrella.core.model import Viewer
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import reason
from tests.transports.all_transports import framed
from tests.transports.rest_client import PLAIN

RECONNECT_SECONDS: Final = 0.2
MAX_SILENCE: Final = 60.0  # seconds without an update after which a watcher gives up
END: Final = 2  # the flag of the last frame of a Connect stream
RETRYABLE: Final = {"store_down", "shutting_down"}  # the reasons for which a stream may be interrupted
Updates = AsyncIterator[v1.MatchUpdate]


class Interrupted(Exception):
    """The stream ended before the match."""


def interrupted(code: str) -> Interrupted:
    """A stream that the service ended for this reason, which must be one of those for which it may."""
    assert code in RETRYABLE, code
    return Interrupted(code)


async def over_grpc(address: str, match: str, key: str, cursor: str) -> Updates:
    async with grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1)]) as channel:
        stub: Any = MatchServiceStub(channel)
        metadata = (("authorization", f"Bearer {key}"),) if key else ()
        try:
            async for update in stub.WatchMatch(v1.WatchMatchRequest(match_id=match, cursor=cursor), metadata=metadata):
                yield update
        except grpc.RpcError as error:
            problem: Any = error
            assert grpc.StatusCode.UNAVAILABLE == problem.code(), problem
            if "grpc-status-details-bin" in dict(problem.trailing_metadata() or ()):  # sent by the service itself
                raise interrupted(reason(problem)) from error
            raise Interrupted from error


async def over_sse(address: str, match: str, key: str, cursor: str) -> Updates:
    """Server-sent events, resumed with the id of the last."""
    headers = ({"authorization": f"Bearer {key}"} if key else {}) | ({"last-event-id": cursor} if cursor else {})
    url = f"http://{address}/v1/matches/{match}:watch"
    async with httpx.AsyncClient(**PLAIN) as client, client.stream("GET", url, headers=headers) as response:
        if 204 == response.status_code:  # the match is over, and everything was sent before
            return
        if 200 != response.status_code:
            raise interrupted(json.loads(await response.aread())["code"])
        event: dict[str, str] = {}
        async for line in response.aiter_lines():
            name, _, value = line.partition(": ")
            event |= {name: value} if name else {}
            if line:
                continue
            kind = event.get("event", "")
            if kind == "end":
                return
            if kind == "error":
                raise interrupted(json.loads(event["data"])["code"])
            if kind == "move":
                update = json_format.Parse(event["data"], v1.MatchUpdate())
                assert event["id"] == update.cursor
                yield update
            event = {}
    raise Interrupted


async def over_connect(address: str, match: str, key: str, cursor: str) -> Updates:
    body = json.dumps({"matchId": match, "cursor": cursor}).encode()
    headers = {"content-type": "application/connect+json"} | ({"authorization": f"Bearer {key}"} if key else {})
    url, content = f"http://{address}/chitarrella.v1.MatchService/WatchMatch", framed(body)
    async with (
        httpx.AsyncClient(**PLAIN) as client,
        client.stream("POST", url, content=content, headers=headers) as response,
    ):
        assert 200 == response.status_code
        waiting = b""
        async for chunk in response.aiter_bytes():
            waiting += chunk
            while len(waiting) >= 5 and len(waiting) >= (end := 5 + int.from_bytes(waiting[1:5], "big")):
                flags, message = waiting[0], json.loads(waiting[5:end])
                waiting = waiting[end:]
                if not flags & END:
                    yield json_format.ParseDict(message, v1.MatchUpdate())
                elif fault := message.get("error"):
                    assert "unavailable" == fault["code"], fault
                    raise Interrupted
                else:
                    return
    raise Interrupted


Stream = Callable[[str, str, str, str], Updates]
STREAMS: Final[Mapping[str, Stream]] = {"gRPC": over_grpc, "SSE": over_sse, "Connect": over_connect}
"""Open a stream at an address, of a match, with a key, after a cursor; raise `Interrupted` if it ends too soon."""


class Watcher:
    def __init__(self, stream: Stream, addresses: deque[str], match: str, key: str, over: str, viewer: Viewer) -> None:
        """Watch at the first address, and after an interruption at the next."""
        self._stream, self._addresses, self._match = stream, addresses, match
        self.key, self.over, self.viewer = key, over, viewer
        self.interruptions = 0

    async def watch(self) -> list[v1.MatchUpdate]:
        """Watch to the end of the match; return all updates with events."""
        received: list[v1.MatchUpdate] = []
        since, cursor = time.monotonic(), ""
        while True:
            try:
                async for update in self._stream(self._addresses[0], self._match, self.key, cursor):
                    since = time.monotonic()
                    if update.events:
                        received.append(update)
                        cursor = update.cursor
                return received
            except (Interrupted, httpx.TransportError):
                self.interruptions += 1
            assert time.monotonic() - since < MAX_SILENCE, "no more updates"
            self._addresses.rotate(-1)
            await asyncio.sleep(RECONNECT_SECONDS)
