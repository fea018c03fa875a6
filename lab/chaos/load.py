"""A process that plays many matches at once, and writes the history of its calls: ``python -m lab.chaos.load JOB``.

The packs are given, so every move is planned beforehand. Several clients play each match, over connections of their
own: a patient one that repeats a call until it is answered, an impatient one that gives up at once and then reads what
happened, one over REST, and now and then two rivals with the same move at the same revision.
"""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol
from uuid import UUID

import httpx
from google.protobuf.json_format import MessageToDict

from chitarrella.api.converters import move_message, rule_set_message
from chitarrella.catalogue.record import parse_record
from chitarrella.core.model import Move, Seat
from chitarrella.matches.history import format_entry
from chitarrella_client import AsyncChitarrella
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.errors import ChitarrellaError, StaleRevision, Unavailable
from chitarrella_client.types import RuleSet
from lab.bench.plans import Plan, plans
from lab.chaos.history import Entry, History, Result, now
from tests.matches.playing import CATALOGUE
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


REST_EVERY = 4
"""Every fourth match has a seat that plays over REST."""
IMPATIENT_EVERY = 5
RIVALS_EVERY = 9
"""Every ninth move of a match is sent by two clients."""
REPORT_SECONDS = 0.25
RESULTS: dict[str, Result] = {"": "accepted", "stale_revision": "stale", "moves_lost": "lost"}
"""What an answer is in the history, by its code."""
PATIENT, IMPATIENT, RIVAL, REST = range(4)


@dataclass(frozen=True)
class Job:
    """What one load process does."""

    grpc: str
    rest: tuple[str, ...]
    history: str
    moves: int
    """It ends when so many moves were accepted, each match played to the end of its plan."""
    matches: int
    """So many are played at once."""
    seed: int

    def text(self) -> str:
        """The job as an argument of the command."""
        return json.dumps(asdict(self))


class Load:
    """The matches of one process."""

    def __init__(self, job: Job) -> None:
        """Open the clients on the running event loop."""
        self.job = job
        self.history = History(Path(job.history))
        self.counts: Counter[str] = Counter()
        self.longest = 0.0
        self.stopped = False
        self._rng = Random(job.seed)
        self._plans = plans(f"chaos {job.seed}")
        self._patient = GrpcWriter(job.grpc)
        self._writers: dict[int, Writer] = {
            PATIENT: self._patient,
            IMPATIENT: GrpcWriter(job.grpc, retries=0),
            RIVAL: GrpcWriter(job.grpc),
            REST: RestWriter(job.rest),
        }

    @property
    def is_over(self) -> bool:
        """Whether no further match is begun."""
        return self.stopped or self.counts["accepted"] >= self.job.moves

    async def run(self) -> None:
        """Play until enough moves were accepted."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self.job.matches):
                    tasks.create_task(self._play_matches())
        finally:
            self.history.close()
            for writer in self._writers.values():
                await writer.close()

    async def _play_matches(self) -> None:
        while not self.is_over:
            self.counts["matches"] += 1
            await _PlannedMatch(self, self.counts["matches"], next(self._plans)).play()

    async def create(self, plan: Plan) -> AsyncMatch:
        """Create the match of a plan."""
        agreed = rule_set_message(plan.rule_set)
        rule_set = RuleSet(agreed.game_id, agreed.players, dict(agreed.options), agreed.edition)
        request_id = self.new_id()
        while True:
            try:
                return await self._patient.client.create_match(rule_set, pack=list(plan.pack), request_id=request_id)
            except ChitarrellaError as error:
                self.tolerate(error)

    def tolerate(self, error: ChitarrellaError) -> None:
        """Count a call that was given up; raise an error that no fault explains."""
        if error.from_service and not isinstance(error, Unavailable):
            raise error
        self.counts["gave up"] += 1

    def new_id(self) -> str:
        """A new request id."""
        return str(UUID(int=self._rng.getrandbits(128)))

    async def send(self, writer: int, match: AsyncMatch, move: Move, actor: Seat, expected: int) -> Answer | None:
        """Play a move, and write the call down; None if it was not answered."""
        called, entry = now(), format_entry(actor, move)
        try:
            key = match.keys[actor]
            answer = await self._writers[writer].play(match.id, key, move, expected, self.new_id())
        except Unanswered:
            self.counts["unknown"] += 1
            self.history.append(match.id, writer, called, expected, entry, "unknown", 0)
            return None
        self.longest = max(self.longest, (now() - called) / 1e9)
        if answer.code not in RESULTS:
            raise UnexpectedAnswer(answer.code)
        result = RESULTS[answer.code]
        self.counts[result] += 1
        self.counts["repeated"] += answer.repeated
        self.history.append(match.id, writer, called, expected, entry, result, answer.revision)
        return answer


class UnexpectedAnswer(Exception):
    """A move had an answer that no correct service gives; the code says which."""


class _PlannedMatch:
    """One match of a load."""

    def __init__(self, load: Load, number: int, plan: Plan) -> None:
        self._load = load
        self._number = number
        self._plan = plan

    async def play(self) -> None:
        called = now()
        match = await self._load.create(self._plan)
        revision = 1  # the deal, whose pack is given
        self._load.history.create(match.id, called, revision)
        place = 0
        while place < len(self._plan.moves) and not self._load.stopped:
            after = await self._move(match, place, revision)
            if after is None:
                revision, entries = await self._read(match)
                place = len(entries)
            else:
                place, revision = place + 1, after
        revision, entries = await self._read(match)
        self._load.history.read(match.id, called, revision, entries)
        self._load.counts["read"] += len(entries)

    async def _move(self, match: AsyncMatch, place: int, revision: int) -> int | None:
        """Play a move until it is made; return the revision after it, or None if the match has lost moves."""
        actor, move = self._plan.moves[place]
        writers = [self._writer(place), RIVAL] if place % RIVALS_EVERY == RIVALS_EVERY - 1 else [self._writer(place)]
        while True:
            calls = (self._load.send(writer, match, move, actor, revision) for writer in writers)
            answers = [answer for answer in await asyncio.gather(*calls) if answer]
            if any(answer.code == "moves_lost" for answer in answers):
                return None
            if answers:
                return max(answer.revision for answer in answers)
            called = now()
            state, _ = await self._read(match)
            self._load.history.read(match.id, called, state)
            if state > revision:
                return state
            writers = [PATIENT]

    def _writer(self, place: int) -> int:
        """The client of a move: the seats of some matches play over REST, or with a client that gives up at once."""
        if self._number % REST_EVERY == 0 and place % 2:
            return REST
        return IMPATIENT if self._number % IMPATIENT_EVERY == 0 and not place % 2 else PATIENT

    async def _read(self, match: AsyncMatch) -> tuple[int, list[Entry]]:
        """Read the revision and the moves of the match, until the service answers with both at one revision."""
        while True:
            try:
                before, record = await match.get(), parse_record(CATALOGUE, await match.record())
                if before.revision != (await match.get()).revision:
                    continue
            except ChitarrellaError as error:
                self._load.tolerate(error)
                continue
            lines = [format_entry(actor, move) for actor, move in record.moves]
            return before.revision, [line for line in lines if not line.startswith("table ")]


async def main(job: Job) -> None:
    """Play, and report what was counted every quarter of a second, as a line of JSON."""
    load = Load(job)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, setattr, load, "stopped", True)
    playing = asyncio.create_task(load.run())
    while not playing.done():
        await asyncio.wait([playing], timeout=REPORT_SECONDS)
        report = {**load.counts, "longest_ms": round(load.longest * 1e3), "at": time.monotonic()}
        print(json.dumps(report), flush=True)
    playing.result()


if __name__ == "__main__":
    fields = json.loads(sys.argv[1])
    asyncio.run(main(Job(**{**fields, "rest": tuple(fields["rest"])})))
