"""Four who play at one table, each through a door of its own, and call again when they are not answered."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Coroutine, Iterable
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

SECONDS_BETWEEN_LOOKS = 0.03
SECONDS_TO_CALL_AGAIN = (0.1, 0.3)
LONGEST_ABSENCE = 15.0
"""Seconds without an answer after which a caller gives up, and the test with it."""
UNAVAILABLE = 503
CLAIM = "claim_777"
"""It ends the game at once, one way or the other."""

read_event = decoder(Event, table_pb2.Event)
read_move = decoder(Move, table_pb2.Move)


class Choice(NamedTuple):
    """What a seat may do, and at which revision."""

    moves: tuple[Move, ...]
    revision: int


class Note(NamedTuple):
    """What a seat did, and what it was told: the revision at which it moved, and the answer."""

    revision: int
    move: str
    accepted: bool
    after: int
    events: tuple[Event, ...]
    repeated: bool


class Seat(Protocol):
    """A seat, through whatever door."""

    retries: int
    """How often it called again, as far as it knows."""

    def moves(self) -> Choice:
        """Ask what it may do."""

    def play(self, move: Move, revision: int, request_id: str) -> Note:
        """Move, and note what came of it."""

    def close(self) -> None:
        """Hang up."""


def plays(seat: Seat, over: threading.Event, rng: Random) -> list[Note]:
    """Play to the end: any legal move but a claim, whenever there is one; gives what was done."""
    notes = []
    while not over.is_set():
        moves, revision = seat.moves()
        if wanted := [move for move in moves if move.verb != CLAIM]:
            notes.append(seat.play(rng.choice(wanted), revision, str(uuid.UUID(int=rng.getrandbits(128)))))
        else:
            time.sleep(SECONDS_BETWEEN_LOOKS)
    seat.close()
    return notes


# ---------------------------------------------------------------------- the Python client, which calls again itself


class OverGrpc:
    """The client for threads."""

    retries = 0

    def __init__(self, target: str, match: str, key: str) -> None:
        """Call whichever of the addresses of ``target`` answers."""
        self._client = Chitarrella(target)
        self._match = self._client.match(match, key)

    def moves(self) -> Choice:
        """Ask."""
        may = self._match.moves()
        return Choice(may.moves, may.revision)

    def play(self, move: Move, revision: int, request_id: str) -> Note:
        """Move."""
        it = self._match.play(move, revision, request_id=request_id)
        return Note(revision, str(move), it.accepted, it.revision, it.events, it.repeated_request)

    def close(self) -> None:
        """Hang up."""
        self._client.close()


class OverAsync:
    """The client for asyncio, on a loop in a thread of its own."""

    retries = 0

    def __init__(self, target: str, match: str, key: str) -> None:
        """Call whichever of the addresses of ``target`` answers."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._client = AsyncChitarrella(target)
        self._match = self._client.match(match, key)

    def _wait(self, asked: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(asked, self._loop).result(60)

    def moves(self) -> Choice:
        """Ask."""
        may = self._wait(self._match.moves())
        return Choice(may.moves, may.revision)

    def play(self, move: Move, revision: int, request_id: str) -> Note:
        """Move."""
        it = self._wait(self._match.play(move, revision, request_id=request_id))
        return Note(revision, str(move), it.accepted, it.revision, it.events, it.repeated_request)

    def close(self) -> None:
        """Hang up."""
        self._wait(self._client.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


# ---------------------------------------------------------------------- plain HTTP, called again by hand


class OverRest:
    """REST, by the routes of the contract."""

    def __init__(self, places: Iterable[str], match: str, key: str) -> None:
        """Call the first of ``places``, and after a failure the next."""
        self._clients = [httpx.Client(base_url=place, **PLAIN) for place in places]
        self._match = match
        self._headers = {"Authorization": f"Bearer {key}"}
        self.retries = 0

    def moves(self) -> Choice:
        """Ask."""
        may = self._ask("ListMatchMoves", pb.ListMatchMovesRequest(match=self._match), pb.ListMatchMovesResponse())
        return Choice(tuple(map(read_move, may.moves)), may.revision)

    def play(self, move: Move, revision: int, request_id: str) -> Note:
        """Move."""
        message = table_pb2.Move(verb=move.verb, cards=move.cards, word=move.word)
        request = pb.PlayMoveRequest(match=self._match, expected_revision=revision, request_id=request_id)
        request.move.MergeFromString(message.SerializeToString())
        it = self._ask("PlayMove", request, pb.PlayMoveResponse())
        events = tuple(map(read_event, it.events))
        return Note(revision, str(move), it.accepted, it.revision, events, it.repeated_request)

    def _ask(self, rpc: str, request: Message, answer: T) -> T:
        """Ask until there is an answer."""
        begun = time.monotonic()
        while True:
            try:
                response = self._sent(rpc, request)
                if response.status_code != UNAVAILABLE:
                    assert 200 == response.status_code, response.text
                    json_format.ParseDict(response.json(), answer)  # type: ignore[type-var]  # a message of the contract
                    return answer
            except httpx.TransportError:
                self._clients.append(self._clients.pop(0))
            assert time.monotonic() - begun < LONGEST_ABSENCE, f"{rpc} was not answered"
            self.retries += 1
            time.sleep(SECONDS_TO_CALL_AGAIN[self.retries % 2])

    def _sent(self, rpc: str, request: Message) -> httpx.Response:
        verb, path, fields = routed(rpc, request)
        how: dict[str, Any] = {"params": fields} if verb == "GET" else {"json": fields}
        return self._clients[0].request(verb, path, headers=self._headers, **how)

    def close(self) -> None:
        """Hang up."""
        for client in self._clients:
            client.close()


class OverConnect(OverRest):
    """Connect in JSON, by the names of the rpcs."""

    def _sent(self, rpc: str, request: Message) -> httpx.Response:
        fields = json_format.MessageToDict(request)
        return self._clients[0].post(RPCS[rpc].path, headers=self._headers, json=fields)
