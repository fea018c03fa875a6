"""Two courses of one match that differ in nothing but what some eyes cannot see, and the two houses they go to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any, NamedTuple, overload

from google.protobuf.message import Message

from chitarrella.api.caller import Caller
from chitarrella.game import AnyGame, Position, Refused, play, replay
from chitarrella.header import Header, read_header
from chitarrella.store import Page
from chitarrella.v1 import matches_pb2 as pb
from chitarrella.wire import agreement_message, move_message
from chitarrella.words import CHANCE, Eyes, Move, Seat, sees
from tests.doors.conftest import House, furnished, opened
from tests.doors.every import RPCS, grpc_opened
from tests.doors.raw import ONLY_SAFE, STREAMS, UNARY, Answer, Asked, Line
from tests.kit import CATALOGUE, Walk
from tests.laws.secrecy import PARTNERS_ONLY, Trace, hidden_places, redealt, trace_deal

EXPIRES = 600
PLACES = 12
"""How many positions of a walk are tried until one is found in which something can be dealt otherwise."""

Course = tuple[tuple[Seat, Move | None], ...]
"""Who does what; None where somebody stays silent who spoke in the other course."""


class Twins(NamedTuple):
    """A course and its twin, and the eyes that must take the one for the other."""

    walk: Walk
    courses: tuple[Course, Course]
    eyes: tuple[Eyes, ...]

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


def find_twins(walk: Walk, eyes: Eyes, rng: Random) -> Twins | None:
    """Stop somewhere in a walk, and deal what ``eyes`` cannot see otherwise: in this deal, or in one long over."""
    ends = [at for at in range(1, len(walk.steps) + 1) if not walk.game.over(walk.steps[at - 1].after)]
    for at in rng.sample(ends, min(PLACES, len(ends))):
        packs = _packs(walk, at)
        upto = packs[-1] if len(packs) > 1 and rng.random() < 0.3 else at
        if (twins := twins_of(walk, upto, at, eyes, rng)) is not None:
            return twins
    return None


def twins_of(walk: Walk, upto: int, at: int, eyes: Eyes, rng: Random) -> Twins | None:
    """Stop a walk at its move ``at``, and exchange what ``eyes`` had not seen of its deal by the move ``upto``."""
    trace = trace_deal(walk, upto)
    hidden = hidden_places(trace, eyes) if trace else []
    if trace is None or len({trace.pack[place] for place in hidden}) < 2:
        return None
    if (other := redealt(trace, hidden, rng)) is None:
        return None
    before, after = walk.moves[: upto - len(trace.moves)], walk.moves[upto:at]
    courses = (*before, *trace.moves, *after), (*before, *other.moves, *after)
    return Twins(walk, courses, tuple(_blind(trace, other)))


def silenced(walk: Walk, rng: Random) -> Twins | None:
    """Stop somewhere after an act of which only partners know, and leave it out of the second course."""
    acts = [place for place, (_, move) in enumerate(walk.moves) if move.verb in PARTNERS_ONLY]
    for place in rng.sample(acts, len(acts)):
        step, at = walk.steps[place], rng.randint(place + 1, min(place + 30, len(walk.steps)))
        unheard = tuple(
            eyes for eyes in (None, *persons(walk.game)) if not any(sees(event.known_to, eyes) for event in step.events)
        )
        before, after = walk.moves[:place], walk.moves[place + 1 : at]
        with suppress(Refused):  # it may have been what a later move rests upon
            p = replay(walk.game, (*before, *after))
            if not walk.game.over(p):
                return Twins(walk, (walk.moves[:at], (*before, (step.actor, None), *after)), unheard)
    return None


def _packs(walk: Walk, at: int) -> list[int]:
    """Find the places of the packs among the first ``at`` moves of a walk."""
    return [place for place, (actor, move) in enumerate(walk.moves[:at]) if actor == CHANCE and move.cards]


def _blind(trace: Trace, other: Trace) -> Iterator[Eyes]:
    """Name all the eyes that cannot see any of the cards that were exchanged."""
    changed = {place for place, card in enumerate(trace.pack) if card != other.pack[place]}
    for eyes in (None, *persons(trace.game)):
        if changed <= set(hidden_places(trace, eyes)):
            yield eyes


# ---------------------------------------------------------------------- at the service

Opening = tuple[Page, tuple[str, ...]]
"""The first page of a match, and its first moves."""
Deal = Callable[[Header], tuple[Opening, Opening]]


def _sharp(answer: Answer) -> Answer:
    return answer


class Pair:
    """Two houses that know nothing of each other, and somebody who asks both the same and compares."""

    def __init__(self, houses: tuple[House, House], lines: tuple[Line, Line]) -> None:
        """Ask through ``lines``."""
        self.houses = houses
        self._lines = lines
        self._unsaid: list[bytes] = []
        self._blur: Callable[[Answer], Answer] = _sharp
        self.compared = 0

    def open(self, request: pb.CreateMatchRequest) -> pb.CreateMatchResponse:
        """Open a match in the first house, and put it into the second with the same name, keys and secrets."""
        made: pb.CreateMatchResponse = call(self.houses[0], "CreateMatch", request)
        store = self.houses[0].store
        first = store.last(made.match)[0], tuple(store.moves(made.match))
        return self._put(made, (first,), self.houses[1:])

    def open_dealt(self, request: pb.CreateMatchRequest, deal: Deal) -> pb.CreateMatchResponse:
        """Open a match in both houses, each with the page and the first moves that ``deal`` makes of its header."""
        made: pb.CreateMatchResponse = call(self.houses[0], "CreateMatch", request)
        pages = deal(read_header(self.houses[0].store.last(made.match)[0].header))
        made.match = made.match[::-1]
        return self._put(made, pages, self.houses)

    def _put(
        self, made: pb.CreateMatchResponse, pages: Sequence[Opening], houses: Sequence[House]
    ) -> pb.CreateMatchResponse:
        """Put a match into houses; its keys and its seeds must never be heard of again."""
        self._unsaid = []
        for house, (page, moves) in zip(houses, pages, strict=True):
            assert house.store.create(made.match, page, moves, EXPIRES)
            self.never_say([read_header(page.header).seed])
        self.never_say((*(one.key for one in made.seat_keys), made.referee_key))
        return made

    def never_say(self, secrets: Iterable[str]) -> None:
        """Look out for words that no answer about this match may hold from now on."""
        self._unsaid += [secret.encode() for secret in secrets]

    def same(self, asked: Asked, rng: Random, door: str = "") -> Answer:
        """Ask both through one door; gives the answer, which is the same to the last byte."""
        doors = ("rest",) if asked.headers else (*UNARY, *ONLY_SAFE) if asked.safe else UNARY
        door = door or rng.choice(doors)
        one, two = (line.ask(door, asked) for line in self._lines)
        self._hold(one, two, (door, asked.rpc, asked.request))
        if door == "rest" and asked.safe and not asked.headers and one.status == "200 OK" and self._blur is _sharp:
            known = asked._replace(headers=(("If-None-Match", str(dict(one.headers)["etag"])),))
            assert "304" == self.same(known, rng, door).status[:3]
        return one

    def watch(self, asked: Asked, rng: Random) -> Callable[[], Answer]:
        """Watch both through one door; gives what waits for the end of both and compares."""
        door = "rest" if asked.headers else rng.choice(STREAMS)
        begun = [line.watch(door, asked) for line in self._lines]

        def end() -> Answer:
            one, two = (ending() for ending in begun)
            self._hold(one, two, (door, asked.rpc, asked.request))
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

    def tell_both(self, rpc: str, requests: tuple[Message | None, Message | None], key: str) -> None:
        """Tell each house something that is not to be compared, or nothing."""
        for house, request in zip(self.houses, requests, strict=True):
            answer = None if request is None else call(house, rpc, request, key)
            assert getattr(answer, "accepted", True), request


@contextmanager
def two_houses(url: str) -> Iterator[Pair]:
    """Open two houses with all their doors for as long as the block lasts, on one store, where they never meet."""
    houses = furnished(url, "one"), furnished(url, "two")
    with opened(houses[0]) as rest, opened(houses[1]) as other_rest:
        with grpc_opened(houses[0]) as address, grpc_opened(houses[1]) as other_address:
            lines = Line(address, rest), Line(other_address, other_rest)
            yield Pair(houses, lines)
            for line in lines:
                line.close()
        for house in houses:
            house.hub.close()
            house.store.close()


def call(house: House, rpc: str, request: Message, key: str = "") -> Any:
    """Ask a house without a door between."""
    return house.api.call(RPCS[rpc].path, request, Caller(key))


def create(walk: Walk, source: pb.PackSource.ValueType = pb.PACK_SOURCE_REFEREE) -> pb.CreateMatchRequest:
    """Ask for a match of the walk's rule set."""
    agreement = agreement_message(CATALOGUE.settle(walk.agreement))
    return pb.CreateMatchRequest(agreement=agreement, pack_source=source)


@overload
def made(match: str, actor: Seat, move: Move, **more: Any) -> pb.PlayMoveRequest: ...
@overload
def made(match: str, actor: Seat, move: None, **more: Any) -> None: ...
def made(match: str, actor: Seat, move: Move | None, **more: Any) -> pb.PlayMoveRequest | None:
    """Ask for a move by the referee's key."""
    if move is None:
        return None
    seat = None if actor == CHANCE else actor
    return pb.PlayMoveRequest(match=match, seat=seat, move=move_message(move), **more)
