"""What clients learn of what happens to their matches: watchers of every kind, and the moves that a store has lost."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import httpx
from google.protobuf import json_format

from chitarrella.api.converters import move_message
from chitarrella.storage.embedded_valkey import binary
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client import Chitarrella
from chitarrella_client.errors import ChitarrellaError
from lab.bench.plans import Plan, plans
from lab.chaos.deployments import ServiceOnPorts
from tests.server.process import reason
from tests.servers import KEEPING, Server
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


MATCHES = 25
KEPT, LOST = 6, 4
"""Moves of each match before and after the store has written through for the last time."""
CODE = "moves_lost"
WATCH_SECONDS = 30.0
RETRIES = 8


class Noticed(NamedTuple):
    """How many moves were lost, and how many clients of these matches were informed."""

    moves: int
    """Moves that were acknowledged and then lost."""
    clients: int
    informed: int
    silent: tuple[str, ...]
    """The kinds of clients that were not informed, and what they got."""

    @property
    def is_right(self) -> bool:
        """Whether moves were lost and every client was informed."""
        return self.informed == self.clients > 0 < self.moves


class PlannedMatch:
    """A match with its clients."""

    def __init__(self, client: Chitarrella, plan: Plan) -> None:
        """Create it and begin to watch."""
        self.plan = plan
        self.match = client.create_match("briscola", players=2, pack=list(plan.pack), options={"rubber_games": 1})
        self.revision = 1
        self.cursor = ""
        self.watch_code = "the stream did not end"
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        try:
            for update in self.match.watch():
                self.cursor = update.cursor
                if any(event.kind == CODE for event in update.events):
                    self.watch_code = CODE  # it had not received what was lost, and goes on
                    return
        except ChitarrellaError as error:
            self.watch_code = error.code

    def play(self, place: int) -> None:
        """Play a move of the plan."""
        actor, move = self.plan.moves[place]
        self.revision = self.match.as_seat(actor).play_or_raise(move_message(move), self.revision).revision

    def codes(self, place: int, cursor: str) -> Iterator[tuple[str, str]]:
        """What each client gets when it goes on, by its kind; empty if it was not stopped.

        ``cursor`` is where the reader of events had come before the loss.
        """
        yield "a player who names the revision", self._code(place, self.revision)
        yield "a player who names none", self._code(place + 1, None)
        self._watcher.join(WATCH_SECONDS)
        yield "a watcher", self.watch_code
        yield "a reader of events", self._read(cursor)

    def _code(self, place: int, expected: int | None) -> str:
        actor, move = self.plan.moves[place]
        try:
            self.match.as_seat(actor).play(move_message(move), expected)
        except ChitarrellaError as error:
            return error.code
        return ""

    def _read(self, cursor: str) -> str:
        """The code of the error, or of the event that tells of the loss where the match has passed the cursor."""
        try:
            kinds = [event.kind for update in self.match.events(cursor) for event in update.events]
        except ChitarrellaError as error:
            return error.code
        return CODE if CODE in kinds else ""


def run_losses(folder: Path, matches: int = MATCHES) -> Noticed:
    """Lose moves of so many matches, and let every client go on."""
    store_folder = folder / "store"
    with ExitStack() as stack:
        store = Server(binary(), store_folder, *KEEPING, "--appendfsync", "everysec")
        stack.callback(store.kill)
        service = stack.enter_context(closing(ServiceOnPorts(folder / "service", "--redis-url", store.url)))
        client = stack.enter_context(Chitarrella(service.grpc, retries=RETRIES))
        briscola = (plan for plan in plans("losses") if plan.rule_set.game == "briscola")
        played = [PlannedMatch(client, plan) for plan in islice(briscola, matches)]
        for one in played:
            for place in range(KEPT):
                one.play(place)
        written = {path: path.stat().st_size for path in store_folder.rglob("*.aof")}
        for one in played:
            for place in range(KEPT, KEPT + LOST):
                one.play(place)
        cursors = [one.cursor for one in played]
        _lose(store, written)
        codes = [code for one, cursor in zip(played, cursors, strict=True) for code in one.codes(KEPT + LOST, cursor)]
    informed = sum(code == CODE for _, code in codes)
    silent = sorted({f"{kind}: {code or 'no error'}" for kind, code in codes if code != CODE})
    return Noticed(LOST * matches, len(codes), informed, tuple(silent))


def _lose(store: Server, written: dict[Path, int]) -> None:
    """Kill the store, cut its files off where they were written through, and start it again."""
    store.kill()
    for path, size in written.items():
        with suppress(FileNotFoundError), path.open("r+b") as file:
            file.truncate(size)
    store.start()
