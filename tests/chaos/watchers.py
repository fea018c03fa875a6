"""Those who watch a match through three doors, and come back with their cursor whenever they are cut off."""

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

SECONDS_TO_COME_BACK = 0.2
LONGEST_ABSENCE = 20.0
END = 2
"""The flag of the last frame of a stream of Connect."""
PASSING = {"store_down", "shutting_down"}
"""For which reasons a stream may break off that is to be taken up again."""


class CutOff(Exception):
    """The stream ended before the match."""


class Watcher:
    """One pair of eyes at one door."""

    def __init__(self, places: Sequence[str], match: str, key: str) -> None:
        """Watch at the first of ``places``, and after a cut at the next."""
        self.match = match
        self.key = key
        self.places = list(places)
        self.cursor = ""
        self.received: list[pb.WatchMatchResponse] = []
        self.cuts = 0

    def watches(self) -> list[pb.WatchMatchResponse]:
        """Watch to the end of the match; gives all that was told."""
        since = time.monotonic()
        while True:
            try:
                for update in self.stream():
                    since = time.monotonic()
                    if update.events:
                        self.received.append(update)
                        self.cursor = update.cursor
                return self.received
            except (CutOff, httpx.TransportError):
                self.cuts += 1
            assert time.monotonic() - since < LONGEST_ABSENCE, "nothing is told any more"
            self.places.append(self.places.pop(0))
            time.sleep(SECONDS_TO_COME_BACK)

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Watch from the cursor on until the stream ends; raises `CutOff` where that is not the end of the match."""
        raise NotImplementedError

    @property
    def headers(self) -> dict[str, str]:
        """Show the key."""
        return {"authorization": f"Bearer {self.key}"} if self.key else {}


class OverGrpc(Watcher):
    """A stream of gRPC."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Watch."""
        with grpc.insecure_channel(self.places[0], [("grpc.use_local_subchannel_pool", 1)]) as channel:
            stub: Any = MatchServiceStub(channel)
            asked = pb.WatchMatchRequest(match=self.match, cursor=self.cursor)
            try:
                yield from stub.WatchMatch(asked, metadata=tuple(self.headers.items()))
            except grpc.RpcError as error:
                problem: Any = error
                if problem.trailing_metadata():  # the service itself speaks
                    assert reason(problem) in PASSING
                assert grpc.StatusCode.UNAVAILABLE == problem.code(), problem
                raise CutOff from error


class OverEvents(Watcher):
    """Server-sent events, taken up with the id of the last."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Watch."""
        headers = self.headers | ({"Last-Event-ID": self.cursor} if self.cursor else {})
        path = f"{self.places[0]}/v1/matches/{self.match}:watch"
        with httpx.stream("GET", path, headers=headers, **PLAIN) as response:
            if 204 == response.status_code:  # the match is over, and all of it was told
                return
            if 200 != response.status_code:
                response.read()
                self._broke_off(response.json()["code"])
            for event in events(response):
                if event.name == "end":
                    return
                if event.name == "error":
                    self._broke_off(event.data["code"])
                if event.name == "move":
                    assert event.id == event.data["cursor"]
                    yield json_format.ParseDict(event.data, pb.WatchMatchResponse())
        raise CutOff

    def _broke_off(self, code: str) -> None:
        assert code in PASSING
        raise CutOff


class OverConnect(Watcher):
    """A stream of Connect, in JSON."""

    def stream(self) -> Iterator[pb.WatchMatchResponse]:
        """Watch."""
        body = json.dumps({"match": self.match, "cursor": self.cursor}).encode()
        headers = {**self.headers, "content-type": "application/connect+json"}
        path = f"{self.places[0]}{RPCS['WatchMatch'].path}"
        framed = b"\0" + len(body).to_bytes(4, "big") + body
        with httpx.stream("POST", path, content=framed, headers=headers, **PLAIN) as response:
            assert 200 == response.status_code
            for flags, message in _frames(response):
                if flags & END:
                    if fault := message.get("error"):
                        assert "unavailable" == fault["code"], fault
                        raise CutOff
                    return
                yield json_format.ParseDict(message, pb.WatchMatchResponse())
        raise CutOff


def _frames(response: httpx.Response) -> Iterator[tuple[int, Any]]:
    waiting = b""
    for chunk in response.iter_bytes():
        waiting += chunk
        while len(waiting) >= 5 and len(waiting) >= (end := 5 + int.from_bytes(waiting[1:5], "big")):
            yield waiting[0], json.loads(waiting[5:end])
            waiting = waiting[end:]
