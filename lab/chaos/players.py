"""Players of one match, each through another client, that repeat a call until it is answered."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Coroutine, Iterable
from contextlib import closing
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

import httpx
from google.protobuf import json_format
from google.protobuf.message import Message

from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import table_pb2
from chitarrella_client import AsyncChitarrella, Chitarrella
from chitarrella_client.decoders import decoder
from chitarrella_client.types import Event, Move
from tests.transports.all_transports import RPCS, routed
from tests.transports.rest_client import PLAIN

T = TypeVar("T")

POLL_SECONDS = 0.2
"""Seconds between reads while another seat is to move: its answer may be late, so the match is read."""
RETRY_DELAYS = (0.1, 0.3)
MAX_SILENCE = 15.0
"""Seconds of failed calls after which a player gives up, and the test fails."""
UNAVAILABLE = 503
CLAIM = "claim_777"
"""The verb that ends the match at once."""

read_event = decoder(Event, table_pb2.Event)
read_move = decoder(Move, table_pb2.Move)


class LegalMoves(NamedTuple):
    """The legal moves of a seat at a revision."""

    moves: tuple[Move, ...]
    revision: int


class PlayedMove(NamedTuple):
    """A move that a seat sent at ``revision``, and what the service answered."""

    revision: int
    move: str
    accepted: bool
    after: int
    events: tuple[Event, ...]
    repeated: bool


class SeatClient(Protocol):
    """Plays for one seat, through any transport."""

    def moves(self) -> LegalMoves:
        """List the legal moves."""

    def play(self, move: Move, revision: int, request_id: str) -> PlayedMove:
        """Play a move."""

    def close(self) -> None:
        """Close the connections."""


class Progress:
    """What the players of a match have played so far; players wait here for each other."""

    def __init__(self, seats: int) -> None:
        self.played: list[list[PlayedMove]] = [[] for _ in range(seats)]
        self.is_over = threading.Event()
        self._changed = threading.Condition()

    @property
    def count(self) -> int:
        """Number of moves played."""
        return sum(map(len, self.played))

    def add(self, seat: int, move: PlayedMove) -> None:
        """Add a move that was answered."""
        with self._changed:
            self.played[seat].append(move)
            self._changed.notify_all()

    def wait_for(self, count: int, seconds: float) -> bool:
        """Wait until ``count`` moves were played; return whether they were."""
        with self._changed:
            return self._changed.wait_for(lambda: self.count >= count, seconds)


def play_match(client: SeatClient, seat: int, progress: Progress, rng: Random) -> None:
    """Play random legal moves except a claim until the match is over."""
    with closing(client):
        while not progress.is_over.is_set():
            count = progress.count
            legal = client.moves()
            if moves := [move for move in legal.moves if move.verb != CLAIM]:
                request_id = str(uuid.UUID(int=rng.getrandbits(128)))
                progress.add(seat, client.play(rng.choice(moves), legal.revision, request_id))
            else:
                progress.wait_for(count + 1, POLL_SECONDS)


# ---------------------------------------------------------------------- the Python client, which retries by itself


class GrpcSeat:
    """The synchronous client."""

    def __init__(self, target: str, match: str, key: str) -> None:
        """Connect to any of the addresses of ``target``."""
        self._client = Chitarrella(target)
        self._match = self._client.match(match, key)

    def moves(self) -> LegalMoves:
        """List the legal moves."""
        found = self._match.legal_moves()
        return LegalMoves(found.moves, found.revision)

    def play(self, move: Move, revision: int, request_id: str) -> PlayedMove:
        """Play a move."""
        it = self._match.play(move, revision, request_id=request_id)
        return PlayedMove(revision, str(move), it.accepted, it.revision, it.events, it.repeated_request)

    def close(self) -> None:
        """Close the channel."""
        self._client.close()


class AsyncSeat:
    """The asyncio client, on an event loop in a thread of its own."""

    def __init__(self, target: str, match: str, key: str) -> None:
        """Connect to any of the addresses of ``target``."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._client = AsyncChitarrella(target)
        self._match = self._client.match(match, key)

    def _wait(self, call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result(60)

    def moves(self) -> LegalMoves:
        """List the legal moves."""
        found = self._wait(self._match.legal_moves())
        return LegalMoves(found.moves, found.revision)

    def play(self, move: Move, revision: int, request_id: str) -> PlayedMove:
        """Play a move."""
        it = self._wait(self._match.play(move, revision, request_id=request_id))
        return PlayedMove(revision, str(move), it.accepted, it.revision, it.events, it.repeated_request)

    def close(self) -> None:
        """Close the channel and the loop."""
        try:
            self._wait(self._client.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


# ---------------------------------------------------------------------- plain HTTP, with retries of its own


class RestSeat:
    """REST, by the routes of the contract."""

    def __init__(self, addresses: Iterable[str], match: str, key: str) -> None:
        """Call the first address, and after a failed connection the next."""
        self._clients = [httpx.Client(base_url=address, **PLAIN) for address in addresses]
        self._match = match
        self._headers = {"Authorization": f"Bearer {key}"}
        self._retries = 0

    def moves(self) -> LegalMoves:
        """List the legal moves."""
        found = self._call(
            "ListMatchMoves", pb.ListMatchMovesRequest(match_id=self._match), pb.ListMatchMovesResponse()
        )
        return LegalMoves(tuple(map(read_move, found.moves)), found.revision)

    def play(self, move: Move, revision: int, request_id: str) -> PlayedMove:
        """Play a move."""
        message = table_pb2.Move(verb=move.verb, cards=move.cards, choice=move.choice)
        request = pb.PlayMoveRequest(match_id=self._match, expected_revision=revision, request_id=request_id)
        request.move.MergeFromString(message.SerializeToString())
        it = self._call("PlayMove", request, pb.PlayMoveResponse())
        events = tuple(map(read_event, it.events))
        return PlayedMove(revision, str(move), it.accepted, it.revision, events, it.repeated_request)

    def _call(self, rpc: str, request: Message, answer: T) -> T:
        """Repeat a call until it is answered."""
        begun = time.monotonic()
        while True:
            try:
                response = self._send(rpc, request)
                if response.status_code != UNAVAILABLE:
                    assert 200 == response.status_code, response.text
                    json_format.ParseDict(response.json(), answer)  # type: ignore[type-var]  # a message of the contract
                    return answer
            except httpx.TransportError:
                self._clients.append(self._clients.pop(0))
            assert time.monotonic() - begun < MAX_SILENCE, f"{rpc} was not answered"
            self._retries += 1
            time.sleep(RETRY_DELAYS[self._retries % 2])

    def _send(self, rpc: str, request: Message) -> httpx.Response:
        verb, path, fields = routed(rpc, request)
        how: dict[str, Any] = {"params": fields} if verb == "GET" else {"json": fields}
        return self._clients[0].request(verb, path, headers=self._headers, **how)

    def close(self) -> None:
        """Close the connections."""
        for client in self._clients:
            client.close()


class ConnectSeat(RestSeat):
    """Connect in JSON, by the names of the rpcs."""

    def _send(self, rpc: str, request: Message) -> httpx.Response:
        fields = json_format.MessageToDict(request)
        return self._clients[0].post(RPCS[rpc].path, headers=self._headers, json=fields)
