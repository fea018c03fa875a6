"""Attacks by calls that any client can make: bombs, costly batches, matches of bots, watchers, a store that fails."""

import asyncio
import gzip
import struct
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any, Final

import grpc
import httpx
from google.protobuf.message import Message

from chitarrella import v1
from chitarrella.storage.redis_url import TIMEOUT_SECONDS
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from chitarrella_client import AsyncChitarrella
from chitarrella_client.aio.match import AsyncMatch
from chitarrella_client.errors import Unavailable
from lab.chaos.frames import ANOTHER_ADDRESS, Effect, Target

BRISCOLA: Final[dict[str, Any]] = {"gameId": "briscola", "players": 2}
CALL_SECONDS: Final = 120.0


def caller(*, http2: bool = False) -> httpx.AsyncClient:
    """A client at another address than everybody else."""
    limits = httpx.Limits(max_connections=None)
    transport = httpx.AsyncHTTPTransport(http1=not http2, http2=http2, local_address=ANOTHER_ADDRESS, limits=limits)
    return httpx.AsyncClient(transport=transport, timeout=CALL_SECONDS)


BOT_MATCHES: Final = 200
BOT_SECONDS: Final = 20.0
"""The longest wait for a bot of another caller."""


async def bots(at: Target, scale: float) -> Effect:
    """Create matches of bots that search; it is right if all are created, and bots of another caller move."""
    seats = [{"seat": seat, "bot": "search", "thinkTime": "2s"} for seat in (0, 1)]
    number, created = int(BOT_MATCHES * scale), 0
    async with caller() as client:
        for _ in range(number):
            with suppress(httpx.HTTPError):
                body = {"ruleSet": BRISCOLA, "bots": seats}
                created += (await client.post(f"http://{at.http}/v1/matches", json=body)).is_success
    waits = {bot: await _wait_for_bot(at, bot) for bot in ("greedy", "search")}
    moved = "; ".join(f"a {bot} bot of another caller moved after {wait:.1f} s" for bot, wait in waits.items())
    note = f"{created} of {number} matches created; {moved}"
    return Effect(created, note, created == number and max(waits.values()) < BOT_SECONDS)


async def _wait_for_bot(at: Target, bot: str) -> float:
    """Play a move against a bot; return the seconds until it has answered."""
    async with AsyncChitarrella(at.grpc) as client:
        match = await client.create_match("briscola", players=2, bots={1: bot}, options={"first_dealer": 1})
        moves = await match.legal_moves()
        # The revision of the own move: a bot may have answered before any later call could ask for it.
        before = (await match.as_seat(0).play_or_raise(moves[0])).revision if moves.seat == 0 else moves.revision
        begun = time.monotonic()
        while (waited := time.monotonic() - begun) < BOT_SECONDS and (await match.get()).revision <= before:
            await asyncio.sleep(0.05)
        return waited


WATCHERS: Final = 2000
MOVES: Final = 20
WATCH_SECONDS: Final = 60.0


async def watchers(at: Target, scale: float) -> Effect:
    """Watch one match from many connections by server-sent events; it is right if each sees every move."""
    host, _, port = at.http.rpartition(":")
    seen = [0] * int(WATCHERS * scale)

    async def watch(place: int, path: str) -> None:
        with suppress(OSError):
            lines, writer = await asyncio.open_connection(host, int(port), local_addr=(ANOTHER_ADDRESS, 0))
            writer.write(f"GET {path} HTTP/1.1\r\nHost: chaos\r\nAccept: text/event-stream\r\n\r\n".encode())
            try:
                async for line in lines:
                    seen[place] += line.startswith(b"event: move")
            finally:
                writer.close()

    async def all_see(moves: int) -> None:
        end = time.monotonic() + WATCH_SECONDS
        while min(seen) < moves and time.monotonic() < end:
            await asyncio.sleep(0.02)

    async with AsyncChitarrella(at.grpc) as client:
        match = await client.create_match("briscola", players=2)
        crowd = [asyncio.create_task(watch(place, f"/v1/matches/{match.id}:watch")) for place in range(len(seen))]
        try:
            for move in range(1 + MOVES):  # the first is the deal
                await all_see(1 + move)
                if move < MOVES and min(seen) > move:
                    await _play(match)
        finally:
            for one in crowd:
                one.cancel()
            await asyncio.gather(*crowd, return_exceptions=True)
    served = sum(one == 1 + MOVES for one in seen)
    return Effect(len(seen), f"{served:,} of {len(seen):,} saw each of {MOVES} moves", served == len(seen))


async def _play(match: AsyncMatch) -> None:
    moves = await match.legal_moves()
    await match.as_seat(moves.seat).play_or_raise(moves[0])


BATCHES: Final = 40
"""Batches of each kind, all at once."""
QUESTIONS: Final = 1000
PACK: Final = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
STARTS: Final = {"startGame": {"ruleSet": {"gameId": "lu-stu", "players": 20}}}
"""A game whose first position is long."""
WHOLE_PACK: Final = {
    "explainHand": {"partialPosition": {"ruleSet": {"gameId": "harjan", "players": 2}, "hands": [{"cards": PACK}]}}
}
"""A hand larger than any that is dealt, with some forty thousand sets of cards to lead."""


async def batches(at: Target, scale: float) -> Effect:
    """Send batches of both kinds at once.

    It is right if batches are answered, others refused at most because too many waited, and every impossible hand is
    refused.
    """
    number = max(1, int(BATCHES * scale))
    async with caller() as client:
        send = partial(_send_batch, client, f"http://{at.http}/v1/rules:batch")
        outcomes = Counter(await asyncio.gather(*(send(one) for one in (STARTS, WHOLE_PACK) for _ in range(number))))
    note = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    is_right = bool(outcomes["answered"]) and outcomes.keys() <= {"answered", "overloaded", "refused"}
    return Effect(outcomes.total(), note, is_right)


async def _send_batch(client: httpx.AsyncClient, url: str, question: dict[str, Any]) -> str:
    """Send a batch; returns what became of it, all of its questions alike."""
    try:
        response = await client.post(url, json={"questions": [question] * QUESTIONS})
    except httpx.HTTPError as error:
        return type(error).__name__
    answer = response.json()
    if not response.is_success:
        return str(answer["code"])
    kinds = {one["error"]["details"][0]["reason"] if "error" in one else "answered" for one in answer["answers"]}
    expected = ({"answered"}, "answered") if question is STARTS else ({"bad_position"}, "refused")
    return expected[1] if kinds == expected[0] else f"{sorted(kinds)}"


BODY: Final = 1 << 20
"""Bytes of a body that is not compressed: what the service reads at most."""
Sending = tuple[str, dict[str, str], bytes]
"""An address, headers and a body."""


def every_way(at: Target, rpc: str, rest: str, message: bytes, fields: bytes) -> Iterator[Sending]:
    """A request over gRPC, Connect and REST, each compressed and not."""
    zipped = gzip.compress(message, 6)
    zipped_fields = zipped if fields is message else gzip.compress(fields, 6)
    for packed in (True, False):
        sent = zipped if packed else message[:BODY]
        encoding = {"grpc-encoding": "gzip"} if packed else {}
        headers = {"content-type": "application/grpc", "te": "trailers"} | encoding
        yield f"http://{at.grpc}{rpc}", headers, struct.pack(">BI", packed, len(sent)) + sent
        json = zipped_fields if packed else fields[:BODY]
        for path, kind, body in ((rpc, "proto", sent), (rpc, "json", json), (rest, "json", json)):
            headers = {"content-type": f"application/{kind}"} | ({"content-encoding": "gzip"} if packed else {})
            yield f"http://{at.http}{path}", headers, body


async def refused(sendings: Iterable[Sending]) -> Effect:
    """Send everything, two at once; it is right if all is refused: an rpc by an empty message, others by the status."""
    outcomes: Counter[str] = Counter()
    gate = asyncio.Semaphore(2)
    async with caller() as http1, caller(http2=True) as http2:

        async def send(url: str, headers: dict[str, str], body: bytes) -> None:
            async with gate:
                try:
                    is_rpc = "te" in headers
                    response = await (http2 if is_rpc else http1).post(url, headers=headers, content=body)
                    is_refused = len(response.content) <= 5 if is_rpc else response.is_client_error
                    outcomes["refused" if is_refused else f"{url}: {response.status_code}"] += 1
                except (httpx.WriteError, httpx.RemoteProtocolError):
                    outcomes["no longer read"] += 1
                except httpx.TransportError as error:
                    outcomes[f"{url}: {error!r}"] += 1

        await asyncio.gather(*(send(*one) for one in sendings))
    note = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common(4))
    return Effect(outcomes.total(), note, {"refused"} <= outcomes.keys() <= {"refused", "no longer read"})


async def bombs(at: Target, scale: float) -> Effect:
    """Send requests with long lists; it is right if all are refused."""
    shares, cards, items = (int(number * scale) for number in (200_000, 380_000, 1_000_000))
    matches, rules, create = ("/chitarrella.v1.MatchService/", "/chitarrella.v1.RulesService/", v1.CreateMatchRequest())
    bid = v1.ValidateMoveRequest(move=v1.Move(verb="bid", shares=[v1.Share()] * shares))
    pack, batch = (v1.CreateMatchRequest(pack=[""] * cards), v1.BatchCreateMatchesRequest(requests=[create] * items))
    asked = v1.BatchRequest(questions=[v1.Question()] * items)
    rows: list[tuple[str, str, Message, bytes]] = [
        (f"{rules}ValidateMove", "/v1/rules:validateMove", bid, _long('{"move":{"shares":[%s]}}', "{}", shares)),
        (f"{matches}CreateMatch", "/v1/matches", pack, _long('{"pack":[%s]}', '""', cards)),
        (f"{matches}BatchCreateMatches", "/v1/matches:batchCreate", batch, _long('{"requests":[%s]}', "{}", items)),
        (f"{rules}Batch", "/v1/rules:batch", asked, _long('{"questions":[%s]}', "{}", items)),
    ]
    sent = ((rpc, rest, message.SerializeToString(), fields) for rpc, rest, message, fields in rows)
    return await refused(sending for one in sent for sending in every_way(at, *one))


def _long(form: str, item: str, number: int) -> bytes:
    return (form % ",".join([item] * number)).encode()


async def gzip_bombs(at: Target, scale: float) -> Effect:
    """Send two hundred megabytes of nothing, packed, again and again; it is right if all are refused."""
    nothing = bytes(200 << 20)
    ways = every_way(at, "/chitarrella.v1.RulesService/StartGame", "/v1/rules:startGame", nothing, nothing)
    packed = await asyncio.to_thread(list, islice(ways, 4))
    return await refused(packed * max(1, round(8 * scale)))


# ---------------------------------------------------------------------- a store that fails


ROOM: Final = 4 << 20
"""Bytes that the store has left."""
SLACK: Final = 1 << 20
"""What a store may need beyond its limit for its buffers."""
CALLERS: Final = 160
LONGEST_SECONDS: Final = 3 * TIMEOUT_SECONDS
"""The longest wait of a caller who needs the store that hangs.

It may wait once in the queue, behind calls that wait for the store, and once for the store. The rest is for a machine
that is busy. Without the circuit breaker it would wait in the queue several times.
"""


async def no_memory(at: Target, scale: float) -> Effect:
    """Create matches until the store has no memory left, and then as many again.

    It is right if the store keeps within its limit, and a match is played as soon as there is memory again.
    """
    assert at.store is not None
    used = partial(at.store.ask, "INFO", "memory")
    async with AsyncChitarrella(at.grpc, retries=0) as client:

        async def is_created() -> bool:
            with suppress(Unavailable):
                return bool((await client.create_match("briscola", players=2)).id)
            return False

        async def is_played() -> bool:
            with suppress(Unavailable):
                await _play(match)
                return True
            return False

        match = await client.create_match("briscola", players=2)
        limit, accepted = int(used()["used_memory"]) + int(ROOM * scale), 0
        at.store.ask("CONFIG", "SET", "maxmemory", limit)
        while await is_created():
            accepted += 1
        later = sum([await is_created() for _ in range(accepted)])
        most, is_full = int(used()["used_memory"]), not await is_played()
        at.store.ask("CONFIG", "SET", "maxmemory", 0)
        goes_on = await is_played()
    note = f"{accepted:,} matches, then {later} more; the store used {(most - limit) / 1e6:+.1f} MB of its limit"
    return Effect(2 * accepted, note, accepted > 0 and most < limit + SLACK and is_full and goes_on)


async def hanging(at: Target, scale: float) -> Effect:
    """Have many callers create matches while the store has stopped; it is right if none waits long for its error."""
    assert at.store is not None
    waits: list[float] = []
    async with AsyncChitarrella(at.grpc) as client, grpc.aio.insecure_channel(at.grpc) as channel:
        stub: Any = MatchServiceStub(channel)
        asked = v1.CreateMatchRequest(rule_set=v1.RuleSet(game_id="briscola", players=2))
        match = await client.create_match("briscola", players=2)

        async def call(end: float) -> None:
            while (begun := time.monotonic()) < end:
                with suppress(grpc.RpcError):
                    await stub.CreateMatch(asked, timeout=30)
                waits.append(time.monotonic() - begun)
                await asyncio.sleep(0.05)

        at.store.pause()
        try:
            end = time.monotonic() + max(4.0, 8 * scale)
            await asyncio.gather(*(call(end) for _ in range(CALLERS)))
        finally:
            at.store.resume()
        await match.get()
    median = sorted(waits)[len(waits) // 2]
    note = f"{CALLERS} callers who need the store waited {max(waits):.1f} s at most, {median:.2f} s in the median"
    return Effect(len(waits), note, max(waits) < LONGEST_SECONDS)
