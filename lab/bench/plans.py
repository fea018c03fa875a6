"""Matches planned beforehand, so that every move of a load is accepted.

With a given pack the legal moves are known beforehand: a whole match is encoded as calls before it is created.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import count, cycle, islice
from random import Random
from typing import NamedTuple
from uuid import UUID

import orjson

from chitarrella.api.converters import move_message, rule_set_message
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, legal_moves, play
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import MatchRow
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.v1 import rules_pb2
from lab.bench.connections import Call, GrpcConnection, LoadFailed, connect_call, drive, grpc_call, rest_call
from lab.bench.echo import POSITION
from tests.walks import CATALOGUE, shuffled

MATCHES = "/chitarrella.v1.MatchService/"
RULES = "/chitarrella.v1.RulesService/"
ACCEPTED = b"\x08\x01"
"""The beginning of an answer that accepts a move."""
ACCEPTED_JSON = b'{"accepted":true'
RULE_SETS = (
    RuleSet("briscola", 2, (("rubber_games", "1"),)),
    RuleSet("coech", 2, (("first_dealer", "0"),)),
)
"""Both have forty moves."""
EXPIRES = 7 * 24 * 3600


class Plan(NamedTuple):
    """One deal of a match: the pack, and every move with its seat."""

    rule_set: RuleSet
    pack: Hand
    moves: tuple[tuple[Seat, Move], ...]


class Opened(NamedTuple):
    """A created match of a plan: its id, and the keys of its seats."""

    plan: Plan
    match: str
    keys: dict[Seat, str]

    def requests(self) -> Iterator[tuple[str, pb.PlayMoveRequest]]:
        """The moves as requests with their keys; the deal itself is the first revision."""
        for revision, (actor, move) in enumerate(self.plan.moves, 1):
            message = pb.PlayMoveRequest(
                match_id=self.match,
                move=move_message(move),
                expected_revision=revision,
                request_id=str(UUID(int=NUMBERS.getrandbits(128))),
            )
            yield self.keys[actor], message


NUMBERS = Random("request ids")


def plans(seed: str) -> Iterator[Plan]:
    """Plan one match after the other."""
    rng = Random(seed)
    for rule_set in cycle(RULE_SETS):
        game: AnyGame = CATALOGUE.game_for(rule_set)
        pack = shuffled(game, game.start(), rng)
        p, _ = play(game, game.start(), CHANCE, pack)
        moves: list[tuple[Seat, Move]] = []
        while len(moves) < len(game.pack.cards):
            turn = game.turn(p)
            assert turn is not None
            actor = game.controller(turn)
            move = rng.choice(legal_moves(game, p, actor))
            moves.append((actor, move))
            p, _ = play(game, p, actor, move)
        yield Plan(rule_set, pack.cards, tuple(moves))


def open_at_service(port: int, wanted: Iterable[Plan]) -> list[Opened]:
    """Create matches in the service with the planned packs."""
    planned = list(wanted)
    calls = [
        grpc_call(
            f"{MATCHES}CreateMatch",
            pb.CreateMatchRequest(rule_set=rule_set_message(plan.rule_set), pack=plan.pack),
        )
        for plan in planned
    ]
    made = drive(lambda: GrpcConnection(port), [iter(calls)], keep=True).answers
    found = []
    for plan, answer in zip(planned, map(pb.CreateMatchResponse.FromString, made), strict=True):
        found.append(Opened(plan, answer.match_id, {key.seat: key.key for key in answer.seat_keys}))
    return found


class Protocol(Enum):
    """How a call is sent. REST has a body of JSON, Connect one of Protocol Buffers; both go over HTTP/1.1."""

    GRPC = "gRPC"
    REST = "REST"
    CONNECT = "Connect"


class Pool:
    """The moves of created matches as calls; each lane plays one match after the other."""

    def __init__(self, path: str, protocol: Protocol = Protocol.GRPC) -> None:
        """Make calls to ``path``; in that of REST ``{match_id}`` stands for the id."""
        self._path = path
        self.protocol = protocol
        self._calls: list[list[Call]] = []

    def fill(self, opened: Iterable[Opened]) -> None:
        """Add the moves of some matches."""
        self._calls += [[self._call(*request) for request in one.requests()] for one in opened]

    def _call(self, key: str, message: pb.PlayMoveRequest) -> Call:
        if self.protocol is not Protocol.REST:
            encode = grpc_call if self.protocol is Protocol.GRPC else connect_call
            return encode(self._path, message, key, ACCEPTED)
        move: dict[str, object] = {"verb": message.move.verb, "cards": list(message.move.cards)}
        if message.move.HasField("seat"):
            move["seat"] = message.move.seat
        received = {"expectedRevision": message.expected_revision, "requestId": message.request_id}
        body = orjson.dumps({"matchId": message.match_id, "move": move, **received})
        return rest_call(self._path.format(match_id=message.match_id), body, key, ACCEPTED_JSON)

    def __len__(self) -> int:
        """Number of matches that no lane has begun."""
        return len(self._calls)

    def lane(self) -> Iterator[Call]:
        """The calls of one match after the other; raises `LoadFailed` when none is left."""
        while self._calls:
            yield from self._calls.pop()
        raise LoadFailed("too few matches were prepared for this load")


MATCHES_AT_ECHO = count()


class AtEcho:
    """Creates matches at the baseline: rows without rules, which are enough for its script."""

    def __init__(self, redis_url: str) -> None:
        """Connect to the store of the baseline."""
        self._store = RedisStore(connect(redis_url), "bench")
        self._plan = next(plans("echo"))

    def open(self, number: int) -> list[Opened]:
        """Create ``number`` matches."""
        found = []
        for place in islice(MATCHES_AT_ECHO, number):
            match = f"{place:020x}"
            page = MatchRow(POSITION, 1, "1", POSITION, 1)  # as long as real metadata
            self._store.matches.create(match, page, (f"table start_deal {' '.join(self._plan.pack)}",), EXPIRES)
            found.append(Opened(self._plan, match, dict.fromkeys((0, 1), f"{place:040x}")))
        return found


def validation_requests(number: int) -> list[rules_pb2.ValidateMoveRequest]:
    """Stateless requests: is this legal move legal? In positions all over a deal of each game in turn."""
    found: list[rules_pb2.ValidateMoveRequest] = []
    for plan in plans("validate"):
        game: AnyGame = CATALOGUE.game_for(plan.rule_set)
        p, _ = play(game, game.start(), CHANCE, Move("start_deal", plan.pack))
        for place, (actor, move) in enumerate(plan.moves):
            if place % 8 == len(found) % 8:
                position = rules_pb2.Position(rule_set=rule_set_message(plan.rule_set), text=game.encode(p))
                found.append(rules_pb2.ValidateMoveRequest(position=position, seat=actor, move=move_message(move)))
            p, _ = play(game, p, actor, move)
        if len(found) >= number:
            return found[:number]
    return found
