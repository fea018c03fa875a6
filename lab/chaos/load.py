"""Many matches that are played and watched at once, and the history of the calls.

The packs are given, so every move is planned beforehand. Several clients play each match, over connections of their
own: a patient one that repeats a call until it is answered, an impatient one that gives up at once and then reads what
happened, one over REST, one over Connect, and now and then two rivals with the same move at the same revision.
"""

import asyncio
import base64
import time
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Protocol, TypeVar
from uuid import UUID

import httpx
from google.protobuf.json_format import MessageToDict, ParseDict
from google.rpc import error_details_pb2

from chitarrella import v1
from chitarrella.api.converters import move_fields, rule_set_fields
from chitarrella.api.streams import update_message
from chitarrella.catalogue.record import Record, parse_record
from chitarrella.core.game import replay
from chitarrella.core.model import CHANCE, REFEREE, Move, Seat, Viewer
from chitarrella.matches.history import Cursor, MatchHistory, ViewerFeed, format_entry
from chitarrella_client import AsyncChitarrella
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.decoders import decoder
from chitarrella_client.errors import ChitarrellaError, StaleRevision, Unavailable
from chitarrella_client.types import Event, RuleSet
from lab.bench.plans import Plan, plans
from lab.chaos.history import Entry, History, Result, now
from lab.chaos.watching import STREAMS, Watcher
from tests.matches.playing import CATALOGUE
from tests.transports.rest_client import PLAIN

T = TypeVar("T")
PATIENCE: Final = 14  # retries of a patient client: with the client's pauses, more than half a minute
HTTP_SECONDS: Final = 40.0
HTTP_PAUSE: Final = 0.2
ANSWER_SECONDS: Final = 6.0  # seconds for one attempt; the store may take three to fail
RETRYABLE: Final = frozenset({408, 429, 500, 502, 503, 504})
RESULTS: Final[dict[str, Result]] = {"": "accepted", "stale_revision": "stale", "moves_lost": "lost"}
"""What an answer is in the history, by its code."""
HTTP_EVERY: Final = 4
"""Every fourth match has a seat that plays over REST, and the next one a seat that plays over Connect."""
IMPATIENT_EVERY: Final = 5
RIVALS_EVERY: Final = 9  # every ninth move of a match is sent by two clients
read_event = decoder(Event, v1.Event)


class Unanswered(Exception):
    """The client gave up: nobody knows whether the move was made."""


class UnexpectedAnswer(Exception):
    """A move had an answer that no correct service gives."""


class Answer(NamedTuple):
    """The answer to a move; its reason code is empty if the move was accepted."""

    revision: int
    code: str = ""
    repeated: bool = False
    events: tuple[Event, ...] = ()


class Writer(Protocol):
    async def play(self, match: str, key: str, move: Move, expected: int, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""

    async def close(self) -> None:
        """Close the connections."""


class GrpcWriter:
    def __init__(self, addresses: Sequence[str], retries: int = PATIENCE) -> None:
        self.client = AsyncChitarrella(f"ipv4:{','.join(addresses)}", timeout=ANSWER_SECONDS, retries=retries)

    async def play(self, match: str, key: str, move: Move, expected: int, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""
        try:
            played = await self.client.match(match, key).play(
                v1.Move(**move_fields(move)), expected, request_id=request_id
            )
        except StaleRevision as stale:
            return Answer(stale.revision or 0, stale.code)
        except ChitarrellaError as error:
            if error.from_service and not isinstance(error, Unavailable):
                raise
            raise Unanswered from error
        code = "" if played.accepted else played.refusals[0].code
        return Answer(played.revision, code, played.repeated_request, played.events)

    async def close(self) -> None:
        await self.client.close()


class HttpWriter:
    """REST, or Connect in JSON."""

    def __init__(self, addresses: Sequence[str], path: str) -> None:
        """Call a path, which may hold the id, at the first address, and after a failed connection at the next."""
        self._addresses, self._path = list(addresses), path
        self._client = httpx.AsyncClient(**{**PLAIN, "timeout": ANSWER_SECONDS})

    async def play(self, match: str, key: str, move: Move, expected: int, request_id: str) -> Answer:
        """Play a move; raises `Unanswered`."""
        request = v1.PlayMoveRequest(match_id=match, expected_revision=expected, request_id=request_id)
        request.move.CopyFrom(v1.Move(**move_fields(move)))
        body = MessageToDict(request)
        end = time.monotonic() + HTTP_SECONDS
        while time.monotonic() < end:
            try:
                url = f"http://{self._addresses[0]}{self._path.format(match_id=match)}"
                response = await self._client.post(url, json=body, headers={"authorization": f"Bearer {key}"})
                if response.status_code not in RETRYABLE:
                    return self._answer(response)
            except httpx.TransportError:
                self._addresses.append(self._addresses.pop(0))
            await asyncio.sleep(HTTP_PAUSE)
        raise Unanswered

    @staticmethod
    def _answer(response: httpx.Response) -> Answer:
        found = response.json()
        if "code" in found:
            details = found["details"]
            if isinstance(details, dict):  # REST
                return Answer(int(details["revision"]), found["code"])
            info = error_details_pb2.ErrorInfo.FromString(base64.b64decode(details[0]["value"] + "=="))
            return Answer(int(info.metadata["revision"]), info.reason)
        played = ParseDict(found, v1.PlayMoveResponse())
        code = "" if played.accepted else played.refusals[0].code
        return Answer(played.revision, code, played.repeated_request, _events(played))

    async def close(self) -> None:
        await self._client.aclose()


PATIENT, IMPATIENT, RIVAL, REST, CONNECT = range(5)


class Load:
    """The matches of one run; it plays in a thread of its own, until it is over."""

    def __init__(self, grpc: Sequence[str], rest: Sequence[str], history: Path, seed: int, watched_every: int) -> None:
        """Play at these addresses; every so many-th match is watched, none if it is 0."""
        self.history = History(history)
        self.counts: Counter[str] = Counter()
        self.longest = 0.0
        self.is_over = False
        """Whether no further match is begun."""
        self.wrong: list[str] = []
        """What was received and is not in the record."""
        self.grpc, self.rest = grpc, rest
        self.watched_every = watched_every
        self._rng = Random(seed)
        self._plans = filter(_is_whole, plans(f"chaos {seed}"))
        self._writers: dict[int, Writer] = {}
        self._playing: asyncio.Task[None] | None = None

    def run(self, matches: int) -> None:
        """Play so many matches at once until it is over, each to its end."""
        asyncio.run(self._run(matches))

    def cancel(self) -> None:
        """Break off; nothing if it has ended."""
        if self._playing:
            with suppress(RuntimeError):
                self._playing.get_loop().call_soon_threadsafe(self._playing.cancel)

    async def _run(self, matches: int) -> None:
        self._playing = asyncio.current_task()
        self.patient = GrpcWriter(self.grpc)
        self._writers |= {
            PATIENT: self.patient,
            IMPATIENT: GrpcWriter(self.grpc, retries=0),
            RIVAL: GrpcWriter(self.grpc[::-1]),
            REST: HttpWriter(self.rest, "/v1/matches/{match_id}/moves"),
            CONNECT: HttpWriter(self.rest[::-1], "/chitarrella.v1.MatchService/PlayMove"),
        }
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(matches):
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
        agreed = v1.RuleSet(**rule_set_fields(plan.rule_set))
        rule_set = RuleSet(agreed.game_id, agreed.players, dict(agreed.options), agreed.edition)
        create = self.patient.client.create_match
        return await self.retried(partial(create, rule_set, pack=list(plan.pack), request_id=self._new_id()))

    async def retried(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Ask until it is answered; a call that was given up is counted, an error that no fault explains raised."""
        while True:
            try:
                return await ask()
            except ChitarrellaError as error:
                if error.from_service and not isinstance(error, Unavailable):
                    raise
                self.counts["gave up"] += 1

    def _new_id(self) -> str:
        return str(UUID(int=self._rng.getrandbits(128)))

    async def send(self, writer: int, match: AsyncMatch, move: Move, actor: Seat, expected: int) -> Answer | None:
        """Play a move, and write the call down; None if it was not answered."""
        called, entry = now(), format_entry(actor, move)
        note = partial(self.history.append, match.id, writer, called, expected, entry)
        try:
            answer = await self._writers[writer].play(match.id, match.keys[actor], move, expected, self._new_id())
        except Unanswered:
            self.counts["unknown"] += 1
            note("unknown", 0)
            return None
        self.longest = max(self.longest, (now() - called) / 1e9)
        if answer.code not in RESULTS:
            raise UnexpectedAnswer(answer.code)
        self.counts[RESULTS[answer.code]] += 1
        self.counts["repeated"] += answer.repeated
        note(RESULTS[answer.code], answer.revision)
        return answer


def _is_whole(plan: Plan) -> bool:
    """Whether a match ends with its plan, and its watches with it: a drawn deal is followed by another."""
    game = CATALOGUE.game_for(plan.rule_set)
    return game.is_finished(replay(game, [(CHANCE, Move("start_deal", plan.pack)), *plan.moves]))


class _PlannedMatch:
    def __init__(self, load: Load, number: int, plan: Plan) -> None:
        self._load, self._number, self._plan = load, number, plan
        self._is_watched = bool(load.watched_every) and number % load.watched_every == 0
        self._answers: list[tuple[Seat, int, Answer]] = []
        """The accepted moves of a watched match: the seat, the revision before, the answer."""

    async def play(self) -> None:
        called = now()
        match = await self._load.create(self._plan)
        revision = 1  # the deal, whose pack is given
        self._load.history.create(match.id, called, revision)
        async with asyncio.TaskGroup() as tasks:
            watchers = self._watchers(match) if self._is_watched else []
            watching = [tasks.create_task(watcher.watch()) for watcher in watchers]
            place = 0
            while place < len(self._plan.moves):
                after = await self._move(match, place, revision)
                if after is None:
                    revision, entries = await self._read(match)
                    place = len(entries)
                else:
                    place, revision = place + 1, after
            received = [await one for one in watching]
        revision, entries = await self._read(match)
        self._load.history.read(match.id, called, revision, entries)
        if watchers:
            self._load.counts["interruptions"] += sum(one.interruptions for one in watchers)
            await self._compare(match, watchers, received)

    def _watchers(self, match: AsyncMatch) -> list[Watcher]:
        """A watcher for each viewer over each transport; they begin at different services."""
        keys: dict[Viewer, str] = {None: "", REFEREE: match.key} | dict(match.keys.items())
        found = []
        for viewer, key in keys.items():
            for place, (over, stream) in enumerate(STREAMS.items()):
                addresses = deque(self._load.grpc if over == "gRPC" else self._load.rest)
                addresses.rotate(place)
                found.append(Watcher(stream, addresses, match.id, key, over, viewer))
        return found

    async def _move(self, match: AsyncMatch, place: int, revision: int) -> int | None:
        """Play a move until it is made; return the revision after it, or None if the match has lost moves."""
        actor, move = self._plan.moves[place]
        writers = [self._writer(place), *([RIVAL] if place % RIVALS_EVERY == RIVALS_EVERY - 1 else [])]
        while True:
            calls = (self._load.send(writer, match, move, actor, revision) for writer in writers)
            answers = [answer for answer in await asyncio.gather(*calls) if answer]
            if any(answer.code == "moves_lost" for answer in answers):
                return None
            if answers:
                self._answers += [(actor, revision, one) for one in answers if self._is_watched and not one.code]
                return max(answer.revision for answer in answers)
            called = now()
            state, _ = await self._read(match)
            self._load.history.read(match.id, called, state)
            if state > revision:
                return state
            writers = [PATIENT]

    def _writer(self, place: int) -> int:
        """The client of a move: the seats of some matches play over HTTP, or with a client that gives up at once."""
        if place % 2 and self._number % HTTP_EVERY < 2:
            return REST if self._number % HTTP_EVERY else CONNECT
        return IMPATIENT if self._number % IMPATIENT_EVERY == 0 and not place % 2 else PATIENT

    async def _read(self, match: AsyncMatch) -> tuple[int, list[Entry]]:
        """Read the revision and the moves of the match, until the service answers with both at one revision."""
        while True:
            before, text = await self._load.retried(match.get), await self._load.retried(match.record)
            if before.revision == (await self._load.retried(match.get)).revision:
                lines = [format_entry(actor, move) for actor, move in parse_record(CATALOGUE, text).moves]
                return before.revision, [line for line in lines if not line.startswith("table ")]

    async def _compare(self, match: AsyncMatch, watchers: list[Watcher], received: list[list[v1.MatchUpdate]]) -> None:
        """Compare what players and watchers received, and what the service lists, with a replay of the record."""
        record, wrong = parse_record(CATALOGUE, await self._load.retried(match.record)), self._load.wrong
        shown = {watcher.viewer: replayed(record, watcher.viewer) for watcher in watchers}
        for watcher, updates in zip(watchers, received, strict=True):
            if list(map(_untimed, updates)) != shown[watcher.viewer]:
                wrong.append(f"{match.id}: a watcher over {watcher.over} as {watcher.viewer}")
        for viewer, key in {watcher.viewer: watcher.key for watcher in watchers}.items():
            reader = self._load.patient.client.match(match.id, key)
            listed = await self._load.retried(partial(_listed, reader))
            if listed != [(update.cursor, _events(update)) for update in shown[viewer]]:
                wrong.append(f"{match.id}: the events that are listed for {viewer}")
        for actor, before, answer in self._answers:
            updates = [one for one in shown[actor] if before < one.revision <= answer.revision]
            if tuple(event for one in updates for event in _events(one)) != answer.events:
                wrong.append(f"{match.id}: the answer to the move of seat {actor} at revision {before}")


def _untimed(update: v1.MatchUpdate) -> v1.MatchUpdate:
    """The update without its times, which no replay of the rules has."""
    return v1.MatchUpdate(revision=update.revision, cursor=update.cursor, events=update.events)


async def _listed(match: AsyncMatch) -> list[tuple[str, tuple[Event, ...]]]:
    return [(update.cursor, update.events) async for update in match.events()]


def _events(answer: v1.MatchUpdate | v1.PlayMoveResponse) -> tuple[Event, ...]:
    return tuple(map(read_event, answer.events))


def replayed(record: Record, viewer: Viewer) -> list[v1.MatchUpdate]:
    """Replay a record by the rules, and return the updates of that viewer."""
    history = MatchHistory(CATALOGUE.game_for(record.rule_set), record.position)
    feed = ViewerFeed(viewer, Cursor())
    lines = [format_entry(actor, move) for actor, move in record.moves]
    updates = map(feed.next_update, history.replay(lines))
    return [update_message(update) for update in updates if update is not None]
