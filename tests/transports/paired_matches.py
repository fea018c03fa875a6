"""Two courses of one match that differ only in what a viewer cannot see, and two services that are compared by them."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from google.protobuf.message import Message

from chitarrella import v1
from chitarrella.api.caller import Caller
from chitarrella.api.converters import move_fields, rule_set_fields
from chitarrella.catalogue.registry import Catalogue
from chitarrella.core.game import AnyGame, Position, play
from chitarrella.core.model import CHANCE, Move, Seat, Viewer
from chitarrella.matches import clock
from chitarrella.matches.chance import replay_record
from chitarrella.matches.metadata import MatchMetadata, decode_metadata, encode_control, encode_metadata
from chitarrella.matches.model import ChanceOutcome
from chitarrella.matches.presence import Presence
from chitarrella.storage.rows import MatchRow, chain_digest
from chitarrella_testing.secrecy_laws import Trace, hidden_places, redealt, trace_deal
from tests.transports.all_transports import RPCS, grpc_opened
from tests.transports.conftest import WiredService, opened, wire_service
from tests.transports.probes import Moment, Role, questions, views, watches
from tests.transports.raw_transports import ONLY_SAFE, STREAMS, UNARY, Answer, Asked, Line
from tests.walks import Walk

EXPIRES = 600
STOPPED = 1_800_000_000.0  # when the time stands still, in seconds since 1970
PLACES = 12  # how many positions of a walk are tried until one is found in which something can be dealt otherwise

Course = tuple[tuple[Seat, Move], ...]  # who does what


class Twins(NamedTuple):
    """A course and its twin, and the viewers that cannot tell them apart."""

    walk: Walk
    courses: tuple[Course, Course]
    viewer: tuple[Viewer, ...]

    def positions(self) -> Iterator[tuple[Seat, Move, Move, Position]]:
        """Go through both courses: who moves, the two moves, and the position of the first that they lead to."""
        p = self.walk.game.start()
        for (actor, move), (_, other) in zip(*self.courses, strict=True):
            p, _ = play(self.walk.game, p, actor, move)
            yield actor, move, other, p


def persons(game: AnyGame) -> list[Seat]:
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

DEALS = int(os.environ.get("CHITARRELLA_DEALS", "0"))
MOST = 6 if DEALS else 1  # of what there is very much, so much is asked
LIVE = 10_000 if DEALS else 8
"""So many moves are made at the services; the moves before them are in the store from the beginning."""

Opening = tuple[MatchRow, tuple[str, ...]]  # the first page of a match, and its first moves
Deal = Callable[[MatchMetadata], tuple[Opening, Opening]]


def opening(game: AnyGame, header: MatchMetadata, begun: ChanceOutcome) -> Opening:
    """Write the first page of a match and its first moves, as the service does."""
    text, entries = encode_metadata(header), begun.entries
    digest, control = chain_digest("", (text, *entries)), encode_control(begun.control)
    page = MatchRow(text, len(entries), digest, game.encode(begun.position), begun.public_count, control=control)
    return page, entries


FAULT = re.compile("service.{1,3}has.{1,3}a.{1,3}fault")
"""What an answer says that has an unforeseen cause, over gRPC-Web with signs between the words."""


class Pair:
    """Two services that know nothing of each other, and a caller who asks both the same and compares."""

    def __init__(self, services: tuple[WiredService, WiredService], lines: tuple[Line, Line]) -> None:
        self.services = services
        self._lines = lines
        self._unsaid: list[bytes] = []
        self.compared = 0

    def open_dealt(self, request: v1.CreateMatchRequest, deal: Deal) -> v1.CreatedMatch:
        """Open a match in both services, each with the page and the first moves that ``deal`` makes of its header.

        It has the same id, keys and secrets in both; its keys and its seeds must never appear in an answer.
        """
        made: v1.CreatedMatch = call(self.services[0], "CreateMatch", request)
        pages = deal(decode_metadata(self.services[0].store.matches.load(made.match.match_id)[0].metadata))
        made.match.match_id = made.match.match_id[::-1]
        self._unsaid = []
        for wired, (page, moves) in zip(self.services, pages, strict=True):
            assert wired.store.matches.create(made.match.match_id, page, moves, EXPIRES)
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
        if transport == "rest" and asked.safe and not asked.headers and one.status == "200 OK":
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

    def _hold(self, one: Answer, two: Answer, asked: Any) -> None:
        self.compared += 1
        assert one == two, asked
        assert not FAULT.search(repr(one)), "nothing was compared but a fault"
        assert not any(secret in answer.body for secret in self._unsaid for answer in (one, two)), asked

    def send_both(self, rpc: str, requests: tuple[Message, Message], key: str) -> None:
        """Send each service a call whose answers are not compared."""
        for wired, request in zip(self.services, requests, strict=True):
            answer = call(wired, rpc, request, key)
            assert getattr(answer, "accepted", True), request


@contextmanager
def two_services(url: str, catalogue: Catalogue | None = None) -> Iterator[Pair]:
    """Start two services with all transports for as long as the block lasts, on one store, under different prefixes.

    The time stands still: it is in answers, and nothing is done in both services at the same time. Nor is in the store
    who was seen: one service may have written it when the other has not.
    """
    is_still = patch.object(clock, "time", SimpleNamespace(time=lambda: STOPPED))
    with is_still, patch.object(Presence, "write", lambda _: None):
        yield from _two_services(url, catalogue)


def _two_services(url: str, catalogue: Catalogue | None) -> Iterator[Pair]:
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


# ---------------------------------------------------------------------- comparing


def keys_of(opened: v1.CreatedMatch) -> dict[Viewer, str]:
    """The key of every seat, and an empty one for the public."""
    return {None: "", **{one.seat: one.key for one in opened.seat_keys}}


def interrogate(pair: Pair, opened: v1.CreatedMatch, game: AnyGame, viewer: list[Viewer], rng: Random) -> Position:
    """Ask both services for that viewer, with its own key and with the referee's; the match is ended in between.

    Gives the position of the first service.
    """
    keys, match = keys_of(opened), opened.match.match_id
    page, _ = pair.services[0].store.matches.load(match)
    p = game.decode(page.position)
    roles = [Role(one, keys[one]) for one in viewer]
    # A seat's view that the referee asks for must show no more than the seat's own.
    roles += [Role(one, opened.referee_key, one) for one in viewer if one is not None and (DEALS or rng.random() < 0.3)]
    cursors = {role: _cursors(pair, match, role.key, role.seat) for role in roles}
    moments = [(role, Moment(match, game, p, page.revision, cursors[role])) for role in roles]
    for role, now in moments:
        for asked in questions(role, now, rng, MOST):
            pair.same(asked, rng)
    end = v1.AbortMatchRequest(match_id=match)
    pair.send_both("AbortMatch", (end, end), opened.referee_key)
    for role, now in moments:
        for asked in (*views(role, match), Asked("ListShuffles", v1.ListShufflesRequest(match_id=match), role.key)):
            pair.same(asked, rng)
        for asked in watches(role, now, rng, len(now.cursors) if DEALS else MOST):
            pair.watch(asked, rng)()
    return p


def _cursors(pair: Pair, match: str, key: str, seat: Seat | None) -> list[str]:
    asked = v1.ListEventsRequest(match_id=match, page_size=1000, seat=seat)
    return [one.cursor for one in call(pair.services[0], "ListEvents", asked, key).updates]


def compare(pair: Pair, twins: Twins, viewer: list[Viewer], rng: Random) -> None:
    """Play both courses while that viewer watches, and ask both services all that it may ask."""
    game, moves = twins.walk.game, list(twins.positions())
    first = max(0, len(moves) - LIVE)

    def deal(header: MatchMetadata) -> tuple[Opening, Opening]:
        one, other = (
            opening(game, header, replay_record(game, game.start(), course[:first])) for course in twins.courses
        )
        return one, other

    opened = pair.open_dealt(create(twins.walk), deal)
    match, roles = opened.match.match_id, [Role(one, key) for one, key in keys_of(opened).items() if one in viewer]
    watching = [pair.watch(Asked("WatchMatch", v1.WatchMatchRequest(match_id=match), one.key), rng) for one in roles]
    for number, (actor, move, other, _) in enumerate(moves[first:]):
        mover = next((role for role in roles if role.viewer == actor), None)
        if mover is None:
            requests = move_request(match, actor, move), move_request(match, actor, other)
            pair.send_both("PlayMove", requests, opened.referee_key)
        else:
            request = move_request(match, actor, move, request_id=f"{number}", include_view=True)
            watch_as_mover(pair, mover, request, rng)
        if rng.random() < 0.2:
            for asked in views(rng.choice(roles), match):
                pair.same(asked, rng)
    assert moves[-1][3] == interrogate(pair, opened, game, [role.viewer for role in roles], rng)
    for ending in watching:
        ending()


def watch_as_mover(pair: Pair, mover: Role, request: v1.PlayMoveRequest, rng: Random) -> None:
    """Make a move with the mover's own key, and now and then the same once more, as if the answer had been lost."""
    request.ClearField("seat")
    for _ in range(2 if rng.random() < 0.2 else 1):
        pair.same(Asked("PlayMove", request, mover.key), rng)


def call(wired: WiredService, rpc: str, request: Message, key: str = "") -> Any:
    return wired.api.call(RPCS[rpc].path, request, Caller(key))


def create(walk: Walk, source: v1.PackSource = v1.PACK_SOURCE_REFEREE) -> v1.CreateMatchRequest:
    rule_set = rule_set_fields(walk.catalogue.normalize(walk.rule_set))
    return v1.CreateMatchRequest(rule_set=rule_set, pack_source=source)


def move_request(match: str, actor: Seat, move: Move, **more: Any) -> v1.PlayMoveRequest:
    seat = None if actor == CHANCE else actor
    return v1.PlayMoveRequest(match_id=match, seat=seat, move=move_fields(move), **more)
