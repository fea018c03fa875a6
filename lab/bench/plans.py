"""Matches planned beforehand, so that every move of a load is accepted.

With a given pack the legal moves are known beforehand: a whole match is encoded as calls before it is created.
"""

from collections.abc import Iterable, Iterator
from itertools import cycle, islice, repeat
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from chitarrella import v1
from chitarrella.api.converters import move_fields, rule_set_fields
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.cards import Hand
from chitarrella.core.game import AnyGame, legal_moves, play
from chitarrella.core.model import CHANCE, Move, Seat
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.storage.rows import MatchRow
from lab.bench.floors import POSITION
from lab.bench.load import ACCEPTED, Call, LoadFailed, Way, drive, encode
from lab.bench.servers import Running
from tests.walks import CATALOGUE, shuffled

MATCHES = "/chitarrella.v1.MatchService/"
RULES = "/chitarrella.v1.RulesService/"
RULE_SETS = (RuleSet("briscola", 2, (("rubber_games", "1"),)), RuleSet("coech", 2, (("first_dealer", "0"),)))
"""Both have forty moves."""
MOVES = 40
EXPIRES = 7 * 24 * 3600
NUMBERS = Random("ids")


class Plan(NamedTuple):
    """One deal of a match: the pack, and every move with its seat."""

    rule_set: RuleSet
    pack: Hand
    moves: tuple[tuple[Seat, Move], ...]

    def create(self) -> Call:
        asked = v1.CreateMatchRequest(rule_set=rule_set_fields(self.rule_set), pack=self.pack)
        return encode(Way.GRPC, f"{MATCHES}CreateMatch", asked)


class Opened(NamedTuple):
    """A created match of a plan: its id, and the keys of its seats."""

    plan: Plan
    match: str
    keys: dict[Seat, str]

    def requests(self) -> Iterator[tuple[str, v1.PlayMoveRequest]]:
        """The moves as requests with their keys; the deal itself is the first revision."""
        for revision, (actor, move) in enumerate(self.plan.moves, 1):
            own: dict[str, Any] = {"expected_revision": revision, "request_id": str(UUID(int=NUMBERS.getrandbits(128)))}
            message = v1.PlayMoveRequest(match_id=self.match, move=move_fields(move), **own)
            yield self.keys[actor], message

    def calls(self, way: Way, path: str = f"{MATCHES}PlayMove") -> list[Call]:
        """The moves as calls; in REST the ``path`` is that of the service if it has no other."""
        if way is Way.REST and path.startswith(MATCHES):
            path = f"/v1/matches/{self.match}/moves"
        return [encode(way, path, message, key, ACCEPTED[way]) for key, message in self.requests()]


def plans(seed: str) -> Iterator[Plan]:
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


def open_at_service(server: Running, wanted: Iterable[Plan]) -> list[Opened]:
    """Create matches in the service with the planned packs."""
    planned = list(wanted)
    made = drive(Way.GRPC, server.port(Way.GRPC), [iter([one.create() for one in planned])], keep=True).answers
    answers = map(v1.CreatedMatch.FromString, made)
    return [
        Opened(plan, answer.match.match_id, {key.seat: key.key for key in answer.seat_keys})
        for plan, answer in zip(planned, answers, strict=True)
    ]


def open_at_floors(server: Running, wanted: Iterable[Plan]) -> list[Opened]:
    """Create matches at the floors: rows without rules, which are enough for the script."""
    store = RedisStore(connect(server.redis_url), "bench")
    row, found = MatchRow(POSITION, 1, "1", POSITION, 1), []  # as long as real metadata
    for plan in wanted:
        match = f"{NUMBERS.getrandbits(80):020x}"
        store.matches.create(match, row, (f"table start_deal {' '.join(plan.pack)}",), EXPIRES)
        found.append(Opened(plan, match, dict.fromkeys((0, 1), 2 * match)))
    return found


class Moves:
    """The moves of created matches as calls, each made once; each lane plays one match after the other."""

    def __init__(self, server: Running, way: Way, seed: str, path: str = f"{MATCHES}PlayMove") -> None:
        """Create matches of ``seed`` at the server when they are needed, and make calls to ``path``."""
        self._server, self._way, self._path = server, way, path
        is_service = path.startswith(MATCHES)
        self._plans = plans(seed) if is_service else repeat(next(plans(seed)))
        self._open = open_at_service if is_service else open_at_floors
        self._calls: list[list[Call]] = []

    def __call__(self, calls: int, lanes: int) -> list[Iterator[Call]]:
        """Create matches for so many calls; those that a lane has begun are not used again."""
        lacking = max(0, calls // MOVES + 2 * lanes - len(self._calls))
        opened = self._open(self._server, islice(self._plans, lacking))
        self._calls += [one.calls(self._way, self._path) for one in opened]
        return [self._lane() for _ in range(lanes)]

    def _lane(self) -> Iterator[Call]:
        """One match after the other; raises `LoadFailed` when none is left."""
        while self._calls:
            yield from self._calls.pop()
        raise LoadFailed("too few matches were prepared for this load")


def validations(deals: int) -> list[v1.ValidateMoveRequest]:
    """Stateless questions: is this legal move legal? For every move of so many deals."""
    found = []
    for plan in islice(plans("validate"), deals):
        game: AnyGame = CATALOGUE.game_for(plan.rule_set)
        p, _ = play(game, game.start(), CHANCE, Move("start_deal", plan.pack))
        for actor, move in plan.moves:
            position = v1.Position(rule_set=rule_set_fields(plan.rule_set), text=game.encode(p))
            found.append(v1.ValidateMoveRequest(position=position, seat=actor, move=move_fields(move)))
            p, _ = play(game, p, actor, move)
    return found
