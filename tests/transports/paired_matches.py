"""Two courses of one match that differ only in what a viewer cannot see, and the two services that keep them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, NamedTuple, overload

from google.protobuf.message import Message

from chitarrella.api.caller import Caller
from chitarrella.api.converters import move_message, rule_set_message
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame, IllegalMove, Position, play, replay
from chitarrella.core.model import CHANCE, Move, Seat, Viewer, can_see
from chitarrella.matches.metadata import MatchMetadata, decode_metadata
from chitarrella.storage.rows import MatchRow
from chitarrella.v1 import matches_pb2 as pb
from chitarrella_testing.secrecy_laws import Trace, hidden_places, redealt, trace_deal
from tests.transports.all_transports import RPCS, grpc_opened
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.raw_transports import ONLY_SAFE, STREAMS, UNARY, Answer, Asked, Line
from tests.walks import Walk

EXPIRES = 600
PLACES = 12
"""How many positions of a walk are tried until one is found in which something can be dealt otherwise."""

Course = tuple[tuple[Seat, Move | None], ...]
"""Who does what; None where somebody stays silent who spoke in the other course."""


class Twins(NamedTuple):
    """A course and its twin, and the viewers that cannot tell them apart."""

    walk: Walk
    courses: tuple[Course, Course]
    viewer: tuple[Viewer, ...]

    def positions(self) -> Iterator[tuple[Seat, Move, Move | None, Position]]:
        """Go through both courses: who moves, the two moves, and the position of the first that they lead to."""
        p = self.walk.game.start()
        for (actor, move), (_, other) in zip(*self.courses, strict=True):
            assert move is not None
            p, _ = play(self.walk.game, p, actor, move)
            yield actor, move, other, p


def persons(game: AnyGame) -> list[Seat]:
    """Name the seats that have a key."""
    return [seat for seat in range(game.seats) if game.controller(seat) == seat]


def find_twins(walk: Walk, viewer: Viewer, rng: Random) -> Twins | None:
    """Stop somewhere in a walk, and deal what ``viewer`` cannot see otherwise: in this deal, or in one long over."""
    ends = [at for at in range(1, len(walk.steps) + 1) if not walk.game.is_finished(walk.steps[at - 1].after)]
    for at in rng.sample(ends, min(PLACES, len(ends))):
        packs = _packs(walk, at)
        upto = packs[-1] if len(packs) > 1 and rng.random() < 0.3 else at
        if (twins := twins_of(walk, upto, at, viewer, rng)) is not None:
            return twins
    return None


def twins_of(walk: Walk, upto: int, at: int, viewer: Viewer, rng: Random) -> Twins | None:
    """Stop a walk at its move ``at``, and exchange what ``viewer`` had not seen of its deal by the move ``upto``."""
    trace = trace_deal(walk, upto)
    hidden = hidden_places(trace, viewer) if trace else []
    if trace is None or len({trace.pack[place] for place in hidden}) < 2:
        return None
    if (other := redealt(trace, hidden, rng)) is None:
        return None
    before, after = walk.moves[: upto - len(trace.moves)], walk.moves[upto:at]
    courses = (*before, *trace.moves, *after), (*before, *other.moves, *after)
    return Twins(walk, courses, tuple(_blind(trace, other)))


def silenced(walk: Walk, rng: Random) -> Twins | None:
    """Stop somewhere after an act of which only partners know, and leave it out of the second course."""
    acts = [place for place, (_, move) in enumerate(walk.moves) if move.verb in walk.expected.kinds.to_partner]
    for place in rng.sample(acts, len(acts)):
        step, at = walk.steps[place], rng.randint(place + 1, min(place + 30, len(walk.steps)))
        unheard = tuple(
            viewer
            for viewer in (None, *persons(walk.game))
            if not any(can_see(event.known_to, viewer) for event in step.events)
        )
        before, after = walk.moves[:place], walk.moves[place + 1 : at]
        with suppress(IllegalMove):  # it may have been what a later move rests upon
            p = replay(walk.game, (*before, *after))
            if not walk.game.is_finished(p):
                return Twins(walk, (walk.moves[:at], (*before, (step.actor, None), *after)), unheard)
    return None


def _packs(walk: Walk, at: int) -> list[int]:
    """Find the places of the packs among the first ``at`` moves of a walk."""
    return [place for place, (actor, move) in enumerate(walk.moves[:at]) if actor == CHANCE and move.cards]


def _blind(trace: Trace, other: Trace) -> Iterator[Viewer]:
    """Name all viewers that cannot see any of the cards that were exchanged."""
    changed = {place for place, card in enumerate(trace.pack) if card != other.pack[place]}
    for viewer in (None, *persons(trace.game)):
        if changed <= set(hidden_places(trace, viewer)):
            yield viewer


# ---------------------------------------------------------------------- at the service

Opening = tuple[MatchRow, tuple[str, ...]]
"""The first page of a match, and its first moves."""
Deal = Callable[[MatchMetadata], tuple[Opening, Opening]]


def _sharp(answer: Answer) -> Answer:
    return answer


class Pair:
    """Two services that know nothing of each other, and a caller who asks both the same and compares."""

    def __init__(self, services: tuple[WiredService, WiredService], lines: tuple[Line, Line]) -> None:
        """Ask through ``lines``."""
        self.services = services
        self._lines = lines
        self._unsaid: list[bytes] = []
        self._blur: Callable[[Answer], Answer] = _sharp
        self.compared = 0

    def open(self, request: pb.CreateMatchRequest) -> pb.CreateMatchResponse:
        """Open a match in the first service, and put it into the second with the same id, keys and secrets."""
        made: pb.CreateMatchResponse = call(self.services[0], "CreateMatch", request)
        store = self.services[0].store
        first = store.matches.load(made.match_id)[0], tuple(store.matches.read_log(made.match_id))
        return self._put(made, (first,), self.services[1:])

    def open_dealt(self, request: pb.CreateMatchRequest, deal: Deal) -> pb.CreateMatchResponse:
        """Open a match in both services, each with the page and the first moves that ``deal`` makes of its header."""
        made: pb.CreateMatchResponse = call(self.services[0], "CreateMatch", request)
        pages = deal(decode_metadata(self.services[0].store.matches.load(made.match_id)[0].metadata))
        made.match_id = made.match_id[::-1]
        return self._put(made, pages, self.services)

    def _put(
        self, made: pb.CreateMatchResponse, pages: Sequence[Opening], services: Sequence[WiredService]
    ) -> pb.CreateMatchResponse:
        """Put a match into services; its keys and its seeds must never appear in an answer."""
        self._unsaid = []
        for wired, (page, moves) in zip(services, pages, strict=True):
            assert wired.store.matches.create(made.match_id, page, moves, EXPIRES)
            self.never_say([decode_metadata(page.metadata).seed])
        self.never_say((*(one.key for one in made.seat_keys), made.referee_key))
        return made

    def never_say(self, secrets: Iterable[str]) -> None:
        """Look out for words that no answer about this match may hold from now on."""
        self._unsaid += [secret.encode() for secret in secrets]

    def same(self, asked: Asked, rng: Random, transport: str = "") -> Answer:
        """Ask both over one transport; gives the answer, which is the same to the last byte."""
        transports = ("rest",) if asked.headers else (*UNARY, *ONLY_SAFE) if asked.safe else UNARY
        transport = transport or rng.choice(transports)
        one, two = (line.ask(transport, asked) for line in self._lines)
        self._hold(one, two, (transport, asked.rpc, asked.request))
        if transport == "rest" and asked.safe and not asked.headers and one.status == "200 OK" and self._blur is _sharp:
            known = asked._replace(headers=(("If-None-Match", str(dict(one.headers)["etag"])),))
            assert "304" == self.same(known, rng, transport).status[:3]
        return one

    def watch(self, asked: Asked, rng: Random) -> Callable[[], Answer]:
        """Watch both over one transport; gives what waits for the end of both and compares."""
        transport = "rest" if asked.headers else rng.choice(STREAMS)
        begun = [line.watch(transport, asked) for line in self._lines]

        def end() -> Answer:
            one, two = (ending() for ending in begun)
            self._hold(one, two, (transport, asked.rpc, asked.request))
            return one

        return end

    @contextmanager
    def blurred(self, blur: Callable[[Answer], Answer]) -> Iterator[None]:
        """Compare only what is left of answers, for as long as the block lasts."""
        self._blur = blur
        yield
        self._blur = _sharp

    def _hold(self, one: Answer, two: Answer, asked: Any) -> None:
        self.compared += 1
        assert self._blur(one) == self._blur(two), asked
        assert not any(secret in answer.body for secret in self._unsaid for answer in (one, two)), asked

    def send_both(self, rpc: str, requests: tuple[Message | None, Message | None], key: str) -> None:
        """Send each service a call whose answers are not compared, or none."""
        for wired, request in zip(self.services, requests, strict=True):
            answer = None if request is None else call(wired, rpc, request, key)
            assert getattr(answer, "accepted", True), request


@contextmanager
def two_services(url: str, catalogue: Catalogue | None = None) -> Iterator[Pair]:
    """Start two services with all transports for as long as the block lasts, on one store, under different prefixes."""
    services = wire_service(url, "one", catalogue=catalogue), wire_service(url, "two", catalogue=catalogue)
    with opened(services[0]) as rest, opened(services[1]) as other_rest:
        with grpc_opened(services[0]) as address, grpc_opened(services[1]) as other_address:
            lines = Line(address, rest), Line(other_address, other_rest)
            yield Pair(services, lines)
            for line in lines:
                line.close()
        for wired in services:
            wired.hub.close()
            wired.store.close()


def call(wired: WiredService, rpc: str, request: Message, key: str = "") -> Any:
    """Ask a service without a transport between."""
    return wired.api.call(RPCS[rpc].path, request, Caller(key))


def create(walk: Walk, source: pb.PackSource = pb.PACK_SOURCE_REFEREE) -> pb.CreateMatchRequest:
    """Ask for a match of the walk's rule set."""
    rule_set = rule_set_message(walk.catalogue.normalize(walk.rule_set))
    return pb.CreateMatchRequest(rule_set=rule_set, pack_source=source)


@overload
def move_request(match: str, actor: Seat, move: Move, **more: Any) -> pb.PlayMoveRequest: ...
@overload
def move_request(match: str, actor: Seat, move: None, **more: Any) -> None: ...
def move_request(match: str, actor: Seat, move: Move | None, **more: Any) -> pb.PlayMoveRequest | None:
    """Ask for a move by the referee's key."""
    if move is None:
        return None
    seat = None if actor == CHANCE else actor
    return pb.PlayMoveRequest(match_id=match, seat=seat, move=move_message(move), **more)
