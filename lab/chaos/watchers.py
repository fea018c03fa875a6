"""Watchers of a match over three transports, which resume at their cursor after every interruption."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import grpc
import httpx
from google.protobuf import json_format

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import reason
from tests.transports.all_transports import RPCS
from tests.transports.rest_client import PLAIN, events

RECONNECT_SECONDS = 0.2
MAX_SILENCE = 20.0
"""Seconds without an update after which a watcher gives up, and the test fails."""
END = 2
"""The flag of the last frame of a Connect stream."""
RETRYABLE = {"store_down", "shutting_down"}
"""The reasons for which a stream may be interrupted."""


class Interrupted(Exception):
    """The stream ended before the match."""


class Watcher:
    """One viewer over one transport."""

    def __init__(self, addresses: Sequence[str], match: str, key: str) -> None:
        """Watch at the first address, and after an interruption at the next."""
        self.match = match
        self.key = key
        self.addresses = list(addresses)
        self.cursor = ""
        self.received: list[pb.WatchMatchResponse] = []
        self.interruptions = 0
        self.stopped = False
        """Whether to give up at the next interruption: the test has failed."""

    def watch(self) -> list[pb.WatchMatchResponse]:
        """Watch to the end of the match; return all updates with events."""
        since = time.monotonic()
        while True:
            try:
                for update in self.stream():
                    since = time.monotonic()
                    if update.events:
                        self.received.append(update)
                        self.cursor = update.cursor
                return self.received
            except (Interrupted, httpx.TransportError):
                self.interruptions += 1
                if self.stopped:
                    raise
            assert time.monotonic() - since < MAX_SILENCE, "no more updates"
            self.addresses.append(self.addresses.pop(0))
            time.sleep(RECONNECT_SECONDS)

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Stream the updates after the cursor; raises `Interrupted` if the stream ends before the match."""
        raise NotImplementedError

    @property
    def headers(self) -> dict[str, str]:
        """The header that holds the key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


class GrpcWatcher(Watcher):
    """A gRPC stream."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Stream the updates after the cursor."""
        with grpc.insecure_channel(self.addresses[0], [("grpc.use_local_subchannel_pool", 1)]) as channel:
            stub: Any = MatchServiceStub(channel)
            request = pb.WatchMatchRequest(match_id=self.match, cursor=self.cursor)
            try:
                yield from stub.WatchMatch(request, metadata=tuple(self.headers.items()))
            except grpc.RpcError as error:
                problem: Any = error
                if problem.trailing_metadata():  # sent by the service itself
                    assert reason(problem) in RETRYABLE
                assert grpc.StatusCode.UNAVAILABLE == problem.code(), problem
                raise Interrupted from error


class SseWatcher(Watcher):
    """Server-sent events, resumed with the id of the last."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Stream the updates after the cursor."""
        headers = self.headers | ({"Last-Event-ID": self.cursor} if self.cursor else {})
        path = f"{self.addresses[0]}/v1/matches/{self.match}:watch"
        with httpx.stream("GET", path, headers=headers, **PLAIN) as response:
            if 204 == response.status_code:  # the match is over, and everything was sent before
                return
            if 200 != response.status_code:
                response.read()
                self._interrupt(response.json()["code"])
            for event in events(response):
                if event.name == "end":
                    return
                if event.name == "error":
                    self._interrupt(event.data["code"])
                if event.name == "move":
                    assert event.id == event.data["cursor"]
                    yield json_format.ParseDict(event.data, pb.WatchMatchResponse())
        raise Interrupted

    def _interrupt(self, code: str) -> None:
        assert code in RETRYABLE
        raise Interrupted


class ConnectWatcher(Watcher):
    """A Connect stream, in JSON."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Stream the updates after the cursor."""
        body = json.dumps({"matchId": self.match, "cursor": self.cursor}).encode()
        headers = {**self.headers, "content-type": "application/connect+json"}
        path = f"{self.addresses[0]}{RPCS['WatchMatch'].path}"
        framed = b"\0" + len(body).to_bytes(4, "big") + body
        with httpx.stream("POST", path, content=framed, headers=headers, **PLAIN) as response:
            assert 200 == response.status_code
            for flags, message in _frames(response):
                if flags & END:
                    if fault := message.get("error"):
                        assert "unavailable" == fault["code"], fault
                        raise Interrupted
                    return
                yield json_format.ParseDict(message, pb.WatchMatchResponse())
        raise Interrupted


def _frames(response: httpx.Response) -> Iterator[tuple[int, Any]]:
    waiting = b""
    for chunk in response.iter_bytes():
        waiting += chunk
        while len(waiting) >= 5 and len(waiting) >= (end := 5 + int.from_bytes(waiting[1:5], "big")):
            yield waiting[0], json.loads(waiting[5:end])
            waiting = waiting[end:]
