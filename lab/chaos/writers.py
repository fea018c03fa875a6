"""Clients that play the moves of a load, over gRPC and REST, each until its call is answered or it gives up."""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple, Protocol

import httpx
from google.protobuf.json_format import MessageToDict

from chitarrella.api.converters import move_message
from chitarrella.core.model import Move
from chitarrella_client import AsyncChitarrella
from chitarrella_client.errors import ChitarrellaError, StaleRevision, Unavailable
from tests.transports.rest_client import PLAIN

PATIENCE = 14
"""Retries of a patient client: with the client's pauses, more than half a minute."""
REST_SECONDS = 40.0
REST_PAUSE = 0.2
ANSWER_SECONDS = 6.0
"""Seconds for one attempt; the store may take three to fail."""
RETRYABLE = frozenset({408, 429, 500, 502, 503, 504})
ABORTED, PRECONDITION_FAILED = 409, 412


class Unanswered(Exception):
    """The client gave up: nobody knows whether the move was made."""


class Answer(NamedTuple):
    """The answer to a move."""

    accepted: bool
    revision: int
    code: str = ""
    """The reason code, if the move was not accepted."""
    repeated: bool = False


class Writer(Protocol):
    """Plays moves for any seat."""

    async def play(self, match: str, key: str, move: Move, expected: int | None, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""

    async def close(self) -> None:
        """Close the connections."""


class GrpcWriter:
    """The Python client."""

    def __init__(self, target: str, retries: int = PATIENCE) -> None:
        """Connect to any of the addresses of ``target``, over connections of its own."""
        self.client = AsyncChitarrella(target, timeout=ANSWER_SECONDS, retries=retries)

    async def play(self, match: str, key: str, move: Move, expected: int | None, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""
        try:
            played = await self.client.match(match, key).play(move_message(move), expected, request_id=request_id)
        except StaleRevision as stale:
            return Answer(False, stale.revision or 0, stale.code)
        except ChitarrellaError as error:
            if error.from_service and not isinstance(error, Unavailable):
                raise
            raise Unanswered from error
        code = "" if played.accepted else played.refusals[0].code
        return Answer(played.accepted, played.revision, code, played.repeated_request)

    async def close(self) -> None:
        """Close the channel."""
        await self.client.close()


class RestWriter:
    """REST."""

    def __init__(self, addresses: tuple[str, ...]) -> None:
        """Call the first address, and after a failed connection the next."""
        self._addresses = list(addresses)
        self._client = httpx.AsyncClient(**{**PLAIN, "timeout": ANSWER_SECONDS})

    async def play(self, match: str, key: str, move: Move, expected: int | None, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""
        body: dict[str, object] = {"move": MessageToDict(move_message(move)), "requestId": request_id}
        if expected is not None:
            body["expectedRevision"] = expected
        headers = {"authorization": f"Bearer {key}"}
        end = time.monotonic() + REST_SECONDS
        while time.monotonic() < end:
            try:
                url = f"{self._addresses[0]}/v1/matches/{match}/moves"
                response = await self._client.post(url, json=body, headers=headers)
                if response.status_code not in RETRYABLE:
                    return self._answer(response)
            except httpx.TransportError:
                self._addresses.append(self._addresses.pop(0))
            await asyncio.sleep(REST_PAUSE)
        raise Unanswered

    @staticmethod
    def _answer(response: httpx.Response) -> Answer:
        found = response.json()
        if response.status_code in (ABORTED, PRECONDITION_FAILED):
            return Answer(False, int(found["details"]["revision"]), found["code"])
        assert "accepted" in found, response.text
        code = "" if found["accepted"] else found["refusals"][0]["code"]
        return Answer(found["accepted"], found["revision"], code, found.get("repeatedRequest", False))

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()
