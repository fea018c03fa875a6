"""All attacks by name; here those by many calls: matches of bots, watchers of one match, batches, request bombs."""

from __future__ import annotations

import gzip
import selectors
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc
import httpx
from google.protobuf.message import Message

from chitarrella.v1 import matches_pb2, rules_pb2, table_pb2
from chitarrella_client import Chitarrella, Match
from lab.chaos.attacks import connections, store_outages
from lab.chaos.attacks.victim import Attacked, Effect, Victim, allow_many_files
from tests.transports.rest_client import PLAIN

BOT_MATCHES = 200
BOT_SECONDS = 20.0
"""The longest wait for a bot of another caller."""
THINK_MS = 2000
ANOTHER_ADDRESS = "127.0.0.2"
WATCHERS = 2000
MOVES = 20
WATCH_SECONDS = 60.0


def bots(folder: Path, scale: float) -> Attacked:
    """Create matches of bots that search, from another address, and then play against bots of one's own."""
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(flood_bots, victim, scale))


def flood_bots(victim: Victim, scale: float) -> Effect:
    """Create the matches, and then play against bots from another address.

    It is right if every match was created, and if the bots of the other caller move.
    """
    seats = [{"seat": seat, "bot": "search", "thinkMs": THINK_MS} for seat in (0, 1)]
    body = {"ruleSet": {"gameId": "briscola", "players": 2}, "bots": seats}
    transport = httpx.HTTPTransport(local_address=ANOTHER_ADDRESS)
    number, created = int(BOT_MATCHES * scale), 0
    with httpx.Client(transport=transport, timeout=PLAIN["timeout"], trust_env=False) as client:
        for _ in range(number):
            with suppress(httpx.HTTPError):
                created += client.post(f"{victim.rest}/v1/matches", json=body).is_success
    waits = {bot: _wait_for_bot(victim, bot) for bot in ("greedy", "search")}
    moved = ", ".join(
        f"a {bot} bot of another caller moved after {wait:.1f} s"
        if wait is not None
        else f"a {bot} bot of another caller did not move within {BOT_SECONDS:.0f} s"
        for bot, wait in waits.items()
    )
    note = f"{created} of {number} matches created; {moved}"
    return Effect(created, note, created == number and None not in waits.values())


def _wait_for_bot(victim: Victim, bot: str) -> float | None:
    """Play a move against a bot; return the seconds until it has answered, None if it has not."""
    with Chitarrella(victim.grpc) as client:
        match = client.create_match("briscola", players=2, bots={1: bot}, options={"first_dealer": 1})
        moves = match.legal_moves()
        # The revision of the own move: a bot may have answered before any later call could ask for it.
        before = match.as_seat(0).play_or_raise(moves[0]).revision if moves.seat == 0 else moves.revision
        begun = time.monotonic()
        while time.monotonic() < begun + BOT_SECONDS:
            if match.get().revision > before:
                return time.monotonic() - begun
            time.sleep(0.05)
    return None


def watchers(folder: Path, scale: float) -> Attacked:
    """Watch one match from many connections by server-sent events, while it is played."""
    allow_many_files()
    with closing(Victim(folder)) as victim:
        number = int(WATCHERS * scale)
        return victim.attacked(partial(_watch, victim, number))


def _watch(victim: Victim, number: int) -> Effect:
    client = Chitarrella(victim.grpc)
    match = client.create_match("briscola", players=2)
    crowd = Crowd(victim.rest_address, f"/v1/matches/{match.id}:watch", number)
    with closing(client), closing(crowd):
        crowd.wait_for(1)  # the deal
        slowest = 0.0
        for move in range(MOVES):
            begun = time.monotonic()
            _play(match)
            slowest = max(slowest, time.monotonic() - begun)
            crowd.wait_for(2 + move)
        served = crowd.served(1 + MOVES)
    note = f"{served:,} of {number:,} saw each of {MOVES} moves; the slowest move took {slowest * 1e3:.0f} ms"
    return Effect(number, note, served == number)


def _play(match: Match) -> None:
    moves = match.legal_moves()
    match.as_seat(moves.seat).play_or_raise(moves[0])


class Crowd:
    """Watchers by server-sent events, read by one thread."""

    def __init__(self, address: tuple[str, int], path: str, number: int) -> None:
        """Connect them all."""
        self._poll = selectors.DefaultSelector()
        self._events = [0] * number
        self._sockets: list[socket.socket] = []
        request = f"GET {path} HTTP/1.1\r\nHost: chaos\r\nAccept: text/event-stream\r\n\r\n".encode()
        for place in range(number):
            with suppress(OSError):
                line = socket.create_connection(address, timeout=5)
                line.sendall(request)
                line.setblocking(False)
                self._sockets.append(line)
                self._poll.register(line, selectors.EVENT_READ, place)

    def served(self, events: int) -> int:
        """Number of watchers that received at least so many moves."""
        return sum(seen >= events for seen in self._events)

    def wait_for(self, events: int) -> None:
        """Read until all have received so many, or nothing comes for some seconds."""
        end = time.monotonic() + WATCH_SECONDS
        while self.served(events) < len(self._events) and time.monotonic() < end:
            ready = self._poll.select(3.0)
            if not ready:
                return
            for key, _ in ready:
                self._receive(key)

    def _receive(self, key: selectors.SelectorKey) -> None:
        line = key.fileobj
        assert isinstance(line, socket.socket)
        with suppress(BlockingIOError):
            data = b""
            with suppress(ConnectionError):
                data = line.recv(1 << 16)
            if not data:
                self._poll.unregister(line)
            self._events[key.data] += data.count(b"event: move")

    def close(self) -> None:
        """Close every connection."""
        for line in self._sockets:
            line.close()
        self._poll.close()


BATCHES = 40
"""Batches of each kind, all at once."""
QUESTIONS = 1000
BATCH_SECONDS = 120.0
PACK: Final = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
STARTS: Final = {"startGame": {"ruleSet": {"gameId": "lu-stu", "players": 20}}}
"""A game whose first position is long."""
WHOLE_PACK: Final = {"listPlayableCards": {"ruleSet": {"gameId": "harjan", "players": 2}, "hand": PACK}}
"""A hand larger than any that is dealt, with some forty thousand sets of cards to lead."""
ANSWERED, OVERLOADED, REFUSED = "answered", "overloaded", "refused"
RIGHT: Final = {ANSWERED, OVERLOADED, REFUSED}


def batches(folder: Path, scale: float) -> Attacked:
    """Send batches of both kinds from another address."""
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(send_batches, victim.rest, max(1, int(BATCHES * scale))))


def send_batches(rest: str, number: int) -> Effect:
    """Send so many batches of each kind at once.

    It is right if batches were answered, others refused at most because too many waited, and every impossible hand was
    refused.
    """
    bodies = [{"questions": [question] * QUESTIONS} for question in (STARTS, WHOLE_PACK) for _ in range(number)]
    transport = httpx.HTTPTransport(local_address=ANOTHER_ADDRESS, limits=httpx.Limits(max_connections=None))
    with (
        httpx.Client(transport=transport, timeout=BATCH_SECONDS, trust_env=False) as client,
        ThreadPoolExecutor(len(bodies)) as threads,
    ):
        found = Counter(threads.map(partial(_send, client, f"{rest}/v1/rules:batch"), bodies))
    note = ", ".join(f"{count} {outcome}" for outcome, count in sorted(found.items()))
    return Effect(found.total(), note, bool(found[ANSWERED]) and found.keys() <= RIGHT)


def _send(client: httpx.Client, url: str, body: dict[str, Any]) -> str:
    """Send a batch; returns what became of it, all of its questions alike."""
    try:
        response = client.post(url, json=body)
    except httpx.HTTPError as error:
        return type(error).__name__
    answer = response.json()
    if not response.is_success:
        return str(answer["code"])
    kinds = {ANSWERED if "error" not in one else str(one["error"]["code"]) for one in answer["answers"]}
    if STARTS in body["questions"]:
        return ANSWERED if kinds == {ANSWERED} else f"{sorted(kinds)} of {len(answer['answers'])}"
    return REFUSED if kinds == {"bad_position"} else f"a hand of the whole pack: {sorted(kinds)}"


MATCHES, RULES = "/chitarrella.v1.MatchService/", "/chitarrella.v1.RulesService/"
THREADS = 2
BOMB_SECONDS = 60.0
BODY = 1 << 20
"""Bytes of a body that is not compressed: what the service reads at most."""


class Bomb(NamedTuple):
    """A request with a long list, for gRPC and in JSON for the others."""

    name: str
    path: str
    rest: str
    message: bytes
    fields: str


def make_bombs(scale: float) -> list[Bomb]:
    """The requests; ``scale`` 1 for the full length of the lists."""
    shares = [table_pb2.Share()] * int(200_000 * scale)
    validate = rules_pb2.ValidateMoveRequest(move=table_pb2.Move(verb="bid", shares=shares))
    cards = int(380_000 * scale)
    pack = matches_pb2.CreateMatchRequest(pack=[""] * cards)
    creates = int(1_000_000 * scale)
    batch = matches_pb2.BatchCreateMatchesRequest(requests=[matches_pb2.CreateMatchRequest()] * creates)
    asked = rules_pb2.BatchRequest(questions=[rules_pb2.Question()] * creates)
    return [
        _bomb(RULES, "ValidateMove", "/v1/rules:validateMove", validate, '{"move":{"shares":[%s]}}', "{}", len(shares)),
        _bomb(MATCHES, "CreateMatch", "/v1/matches", pack, '{"pack":[%s]}', '""', cards),
        _bomb(MATCHES, "BatchCreateMatches", "/v1/matches:batchCreate", batch, '{"requests":[%s]}', "{}", creates),
        _bomb(RULES, "Batch", "/v1/rules:batch", asked, '{"questions":[%s]}', "{}", creates),
    ]


def _bomb(service: str, rpc: str, rest: str, message: Message, form: str, item: str, number: int) -> Bomb:
    fields = form % ",".join([item] * number)
    return Bomb(rpc, f"{service}{rpc}", rest, message.SerializeToString(), fields)


def bombs(folder: Path, scale: float) -> Attacked:
    """Send every bomb over gRPC, REST and Connect, from two threads."""
    prepared = make_bombs(scale)
    with closing(Victim(folder)) as victim:
        return victim.attacked(partial(_send_all, victim, prepared))


def _send_all(victim: Victim, prepared: list[Bomb]) -> Effect:
    with (
        grpc.insecure_channel(victim.grpc) as channel,
        httpx.Client(**{**PLAIN, "timeout": BOMB_SECONDS}) as client,
        ThreadPoolExecutor(THREADS) as threads,
    ):
        sending = [threads.submit(send) for bomb in prepared for send in _sends(bomb, channel, client, victim.rest)]
        answers = [one.result() for one in sending]
    wrong = [answer for answer in answers if answer]
    return Effect(
        len(answers), f"{len(answers) - len(wrong)} refused" + "".join(f"; {one}" for one in wrong[:3]), not wrong
    )


def _sends(bomb: Bomb, channel: grpc.Channel, client: httpx.Client, rest: str) -> Iterator[partial[str]]:
    """The ways to send a bomb; each returns what was wrong with its answer, or nothing."""
    for compression in (grpc.Compression.Gzip, grpc.Compression.NoCompression):
        yield partial(_grpc, channel, bomb, compression)
    plain = bomb.fields.encode()
    zipped = {"content-encoding": "gzip"}
    kinds = {"json": {"content-type": "application/json"}, "proto": {"content-type": "application/proto"}}
    for path, body, headers in (
        (bomb.rest, gzip.compress(plain), kinds["json"] | zipped),
        (bomb.rest, plain[:BODY], kinds["json"]),
        (bomb.path, gzip.compress(plain), kinds["json"] | zipped),
        (bomb.path, gzip.compress(bomb.message), kinds["proto"] | zipped),
        (bomb.path, bomb.message[:BODY], kinds["proto"]),
    ):
        yield partial(_post, client, bomb.name, f"{rest}{path}", body, headers)


def _grpc(channel: grpc.Channel, bomb: Bomb, compression: grpc.Compression) -> str:
    try:
        # A message that is encoded already is sent as it is.
        send: Any = channel.unary_unary(bomb.path)
        send(bomb.message, timeout=BOMB_SECONDS, compression=compression)
    except grpc.RpcError as error:
        code = error.code()
        refused = code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED)
        return "" if refused else f"{bomb.name} over gRPC: {code.name}"
    return f"{bomb.name} over gRPC: accepted"


def _post(client: httpx.Client, name: str, url: str, body: bytes, headers: dict[str, str]) -> str:
    try:
        response = client.post(url, content=body, headers=headers)
    except httpx.TransportError as error:  # the service stopped to read
        return "" if isinstance(error, httpx.WriteError | httpx.RemoteProtocolError) else f"{name}: {error!r}"
    return "" if 400 <= response.status_code < 500 else f"{name} to {httpx.URL(url).path}: {response.status_code}"


class Attack(NamedTuple):
    """An attack: its name on the page of proofs, and the function that makes it.

    The function attacks a service of its own in a folder. The number scales the attack, 1 for the full one.
    """

    name: str
    make: Callable[[Path, float], Attacked]


ATTACKS: Mapping[str, Attack] = {
    "bombs": Attack("request bombs", bombs),
    "no-memory": Attack("store without memory", store_outages.no_memory),
    "hanging": Attack("hanging store", store_outages.hanging),
    "resets-grpc": Attack("reset streams at the gRPC port", connections.resets_of_grpc),
    "resets-http": Attack("reset streams at the HTTP port", connections.resets_of_http),
    "slow": Attack("slow requests", connections.slow_requests),
    "batches": Attack("costly batches", batches),
    "bots": Attack("matches of bots", bots),
    "watchers": Attack("SSE watchers", watchers),
}
