"""The cap on open matches: counted for all workers, by platform or address, until a match ends or has expired."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2, status_pb2

from chitarrella import errors
from chitarrella.api import api_keys
from chitarrella.api.api_keys import ClosedApiKeys, digest_of
from chitarrella.catalogue.registry import RuleSet
from chitarrella.core.game import legal_moves, seat_to_move
from chitarrella.matches.log_writer import choose_move
from chitarrella.matches.metadata import BotAssignment
from chitarrella.matches.model import CreatedMatch, CreateMatch, MatchLimits, MoveRequest
from chitarrella.matches.operations import MatchOperations
from chitarrella.matches.service import MatchService
from chitarrella.storage.counters import Admission, ClosedApiKeyStore, OpenMatchStore
from chitarrella.storage.redis_store import RedisStore, connect
from chitarrella.v1.matches_pb2 import WatchMatchesRequest, WatchMatchRequest
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import Service, StartService, reason, watchers
from tests.servers import until
from tests.storage.parts import parts_of
from tests.stores import OpenStore, empty, store_servers
from tests.transports.all_transports import error_from, framed, frames
from tests.walks import CATALOGUE

LIMITS = MatchLimits(
    max_ttl_seconds=1000,
    open_matches_per_platform=4,
    open_matches_per_address=3,
    bot_matches_per_platform=2,
    bot_matches_per_address=1,
)
ASKED = CreateMatch(RuleSet("briscola"), address="192.0.2.1")
PLATFORM = ASKED._replace(platform="arcade")


def worker(store: RedisStore) -> MatchService:
    """A worker with caps."""
    return MatchService(CATALOGUE, store, LIMITS, open_matches=OpenMatchStore(store.connection))


@pytest.fixture
def workers(url: str) -> Iterator[tuple[MatchService, MatchService]]:
    """Two workers on one store."""
    stores = RedisStore(connect(url)), RedisStore(connect(url))
    yield worker(stores[0]), worker(stores[1])
    for store in stores:
        store.close()


def fill(workers: tuple[MatchService, ...], asked: CreateMatch, count: int) -> list[CreatedMatch]:
    """Create matches at the workers in turn; then each refuses the next one."""
    created = [workers[number % len(workers)].create(asked) for number in range(count)]
    for one in workers:
        assert_full(one, asked)
    return created


def assert_full(one: MatchService, asked: CreateMatch) -> None:
    """A further match is refused, with the name of the quota; no answer names the address."""
    with pytest.raises(errors.QuotaExceeded) as refused:
        one.create(asked)
    kind, limit = ("platform", "4") if asked.platform else ("address", "3")
    assert {"quota": f"open_matches_per_{kind}", "limit": limit} == refused.value.details
    assert ASKED.address not in str(refused.value)


def play_to_the_end(one: MatchService, match: str) -> None:
    """Play legal moves until a match is finished."""
    snapshot = one.repository.load(match)
    while not snapshot.game.is_finished(snapshot.position):
        seat = seat_to_move(snapshot.game, snapshot.position)
        assert seat is not None
        move = next(iter(legal_moves(snapshot.game, snapshot.position, seat)))
        snapshot = one.play(match, MoveRequest(seat, move)).snapshot


def test_cap_holds_over_workers_and_owners_are_apart(workers: tuple[MatchService, MatchService]) -> None:
    """Two workers count together; another address and each platform have caps of their own."""
    fill(workers, ASKED, 3)
    fill(workers, ASKED._replace(address="192.0.2.2"), 3)
    fill(workers, PLATFORM, 4)
    fill(workers, PLATFORM._replace(platform="club", address="192.0.2.3"), 4)


def test_match_that_ends_makes_room(workers: tuple[MatchService, MatchService]) -> None:
    """A match that is finished, aborted or deleted, at whichever worker, is not open any more."""
    one, other = workers
    short = ASKED._replace(rule_set=RuleSet("briscola", 2, (("rubber_games", "1"),)))
    first, second, third = (created.match for created in fill(workers, short, 3))
    for end in (lambda: play_to_the_end(one, first), lambda: other.abort(second), lambda: one.delete(third)):
        end()
        other.create(short)
        assert_full(one, short)


BOT = BotAssignment(1, "greedy", 100)
WITH_BOT = ASKED._replace(bots=(BOT,))


def assert_too_many_bots(call: Callable[[], object], limit: int, kind: str = "address") -> None:
    """A call is refused for the cap on matches with bots."""
    with pytest.raises(errors.QuotaExceeded) as refused:
        call()
    assert {"quota": f"bot_matches_per_{kind}", "limit": str(limit)} == refused.value.details


def test_matches_with_bots_have_a_cap_of_their_own(workers: tuple[MatchService, MatchService]) -> None:
    """One more is refused and not counted as open; a match that ends makes room; owners are apart."""
    one, other = workers
    first = one.create(WITH_BOT)
    assert_too_many_bots(lambda: other.create(WITH_BOT), 1)
    one.create(ASKED)
    other.create(ASKED)
    assert_full(one, ASKED)
    other.abort(first.match)
    one.create(WITH_BOT)
    for worker_of_platform in workers:
        worker_of_platform.create(WITH_BOT._replace(platform="arcade"))
    assert_too_many_bots(lambda: one.create(WITH_BOT._replace(platform="arcade")), 2, "platform")


def test_assigned_bots_count_until_the_last_leaves(workers: tuple[MatchService, MatchService]) -> None:
    """A bot in a second match is refused; a second bot in the first one is not; without bots there is room again."""
    one, other = (MatchOperations(worker, choose_move) for worker in workers)
    first, second = (workers[0].create(ASKED).match for _ in range(2))
    one.assign_bot(first, BOT)
    other.assign_bot(first, BOT._replace(seat=0))
    assert_too_many_bots(lambda: other.assign_bot(second, BOT), 1)
    assert () == workers[1].repository.load(second).control.bots
    one.assign_bot(first, BOT._replace(bot=""))
    assert_too_many_bots(lambda: other.assign_bot(second, BOT), 1)
    other.assign_bot(first, BOT._replace(seat=0, bot=""))
    one.assign_bot(second, BOT)


def test_expired_matches_are_forgotten(workers: tuple[MatchService, MatchService]) -> None:
    """Matches that have expired make room by themselves; one that went on is still counted."""
    brief = ASKED._replace(ttl_seconds=1)
    created = fill(workers, brief, 3)
    store = workers[0].store.matches
    until(lambda: [None] * 3 == store.load_many([one.match for one in created]), "they have expired")
    workers[1].create(ASKED)
    workers[0].create(ASKED)
    workers[0].create(ASKED)
    assert_full(workers[1], ASKED)


def test_match_that_went_on_is_counted_after_its_first_time(
    workers: tuple[MatchService, MatchService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the time has passed that was noted at its creation, a match that is still there counts for another one."""
    fill(workers, ASKED, 3)
    later = 3 * 7 * 24 * 3600 * 1000
    times = [later]
    monkeypatch.setattr("chitarrella.matches.open_matches.now_ms", lambda: times[0])
    for one in workers:
        assert_full(one, ASKED)


def test_repeated_call_gets_its_match_under_a_full_cap(workers: tuple[MatchService, MatchService]) -> None:
    """A call that is repeated is no further match, also when the match has ended since."""
    named = ASKED._replace(request_id="a-random-request-id")
    first = workers[0].create(named)
    fill(workers, ASKED, 2)
    assert first.match == workers[1].create(named).match
    workers[0].abort(first.match)
    fill(workers, ASKED, 1)
    assert first.match == workers[1].create(named).match


def test_store_has_no_address(workers: tuple[MatchService, MatchService], store: RedisStore) -> None:
    """Keys in the store name neither an address nor, for the cap, a platform."""
    workers[0].create(ASKED)
    workers[0].create(PLATFORM)
    client: Any = store.connection.client
    keys = [key for key in client.keys("*") if "open_matches" in key]
    assert 2 == len(keys)
    assert not any("192.0.2" in key or "arcade" in key for key in keys)
    assert all(client.pttl(key) > 0 for key in keys)


def test_longer_time_than_allowed_is_refused(workers: tuple[MatchService, MatchService]) -> None:
    """A match cannot be created with a greater time to live than the operator allows."""
    with pytest.raises(errors.BadRequest) as refused:
        workers[0].create(PLATFORM._replace(ttl_seconds=1001))
    assert "expires_after_seconds" == refused.value.field
    assert workers[0].create(PLATFORM._replace(ttl_seconds=1000)).match


def test_store_counts_up_to_the_limit(open_store: OpenStore, tmp_path: Path) -> None:
    """On every kind of store a match is counted once, up to the limit, and those whose time has passed are returned."""
    counted = parts_of(open_store(), tmp_path).open_matches
    assert Admission(True) == counted.add("a", "one", 2000, 2, 1000)
    assert Admission(True) == counted.add("a", "one", 2000, 2, 1000)
    assert Admission(True) == counted.add("a", "two", 3000, 2, 1000)
    assert Admission(False) == counted.add("a", "three", 3000, 2, 1000)
    assert Admission(True) == counted.add("b", "three", 3000, 2, 1000)
    assert Admission(False, ("one",)) == counted.add("a", "three", 4000, 2, 2500)
    counted.postpone("a", ("one", "unknown"), 5000)
    assert Admission(False) == counted.add("a", "three", 4000, 2, 2500)
    counted.remove("a", ("one",))
    assert Admission(True) == counted.add("a", "three", 4000, 2, 2500)


# ---------------------------------------------------------------------- closed api keys


ARCADE, CLUB, ADMIN = "the-key-of-arcade", "the-key-of-the-club", "the-key-of-the-administrator"
API_KEYS = f"arcade all {digest_of(ARCADE)};club all {digest_of(CLUB)};ops admin {digest_of(ADMIN)}"
DIGEST = digest_of(CLUB)
BODY = {"ruleSet": {"gameId": "briscola"}}
SECONDS = 60
REFUSED = "bad_api_key"
EVENTS, LINES = "text/event-stream", "application/x-ndjson"
CONNECT, GRPC_WEB = "application/connect+json", "application/grpc-web+proto"


class Watch(NamedTuple):
    """An open watch: ``go_on`` waits for whatever comes next, ``end`` for the end, and gives the reason code."""

    go_on: Callable[[], object]
    end: Callable[[], str]


Open = Callable[[ExitStack, Service, str, str], Watch]


def over_grpc(stack: ExitStack, service: Service, match: str, key: str) -> Watch:
    """Watch over gRPC, a match or without one those of the platform."""
    stub: Any = MatchServiceStub(stack.enter_context(grpc.insecure_channel(service.grpc)))
    how: Any = {"metadata": (("x-api-key", key),), "timeout": SECONDS}
    request = WatchMatchRequest(match_id=match)
    call = stub.WatchMatch(request, **how) if match else stub.WatchMatches(WatchMatchesRequest(), **how)

    def end() -> str:
        with pytest.raises(grpc.RpcError) as ended:
            for _ in call:
                pass
        assert grpc.StatusCode.UNAUTHENTICATED == ended.value.code()
        return reason(ended.value)

    return Watch(lambda: next(call), end)


def over_http(method: str, path: str, content: bytes, content_type: str, code_of: Callable[[bytes], str]) -> Open:
    """Watch at the HTTP port; ``code_of`` finds the reason code in a body."""

    def open_one(stack: ExitStack, service: Service, match: str, key: str) -> Watch:
        url = service.rest + path.replace("MATCH", match)
        headers = {"X-API-Key": key, "Content-Type": content_type, "Accept": content_type}
        body = content.replace(b"MATCH", match.encode())
        asked = httpx.stream(method, url, content=body and framed(body), headers=headers, timeout=SECONDS)
        answer = stack.enter_context(asked)
        assert 200 == answer.status_code
        parts, read = answer.iter_bytes(), [b""]

        def go_on() -> None:
            read.append(next(parts))

        return Watch(go_on, lambda: code_of(b"".join([*read, *parts])))

    return open_one


def code_in_events(body: bytes) -> str:
    """The reason code in server-sent events."""
    event, data = body.decode().strip().split("\n\n")[-1].split("\n")
    assert "event: error" == event
    return str(json.loads(data.removeprefix("data: "))["code"])


def code_in_lines(body: bytes) -> str:
    """The reason code in lines of JSON."""
    return str(json.loads(body.splitlines()[-1])["error"]["code"])


def code_in_connect(body: bytes) -> str:
    """The reason code in a stream of Connect."""
    *_, (_, last) = frames(body)
    error = json.loads(last)["error"]
    assert "unauthenticated" == error["code"]
    return error_from(error["details"]).code


def code_in_grpc_web(body: bytes) -> str:
    """The reason code in a stream of gRPC-Web."""
    *_, (_, last) = frames(body)
    trailers = dict(line.split(": ", 1) for line in last.decode().splitlines() if line)
    status = status_pb2.Status.FromString(b64decode(trailers["grpc-status-details-bin"] + "=="))
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


RPC = "/chitarrella.v1.MatchService/WatchMatch"
PATH = "/v1/matches/MATCH:watch"
# The id of a match has 20 characters; in a message in binary its length stands before it.
BINARY = WatchMatchRequest(match_id="?" * 20).SerializeToString().replace(b"?" * 20, b"MATCH")
TRANSPORTS: dict[str, Open] = {
    "grpc": over_grpc,
    "platform": lambda stack, service, _, key: over_grpc(stack, service, "", key),
    "events": over_http("GET", PATH, b"", EVENTS, code_in_events),
    "lines": over_http("GET", PATH, b"", LINES, code_in_lines),
    "connect": over_http("POST", RPC, b'{"matchId": "MATCH"}', CONNECT, code_in_connect),
    "grpc-web": over_http("POST", RPC, BINARY, GRPC_WEB, code_in_grpc_web),
}


@pytest.fixture
def services(start_service: StartService) -> tuple[Service, Service]:
    """Two services on one store."""
    flags = ("--redis-url", empty(store_servers().url("valkey-9")), "--api-keys", API_KEYS, "--heartbeat", "0.3")
    return start_service(*flags, folder="one"), start_service(*flags, folder="other")


def test_watches_end_with_the_key_that_opened_them(services: tuple[Service, Service]) -> None:
    """At every worker and over every transport, with the code of a call; those of another key go on."""
    one = services[0]
    match = httpx.post(f"{one.rest}/v1/matches", json=BODY, headers={"X-API-Key": CLUB}).json()["matchId"]
    with ExitStack() as stack:
        places = [(service, name) for service in services for name in TRANSPORTS]
        opened = {
            (key, place): TRANSPORTS[place[1]](stack, place[0], match, key)
            for key in (CLUB, ARCADE)
            for place in places
        }
        for watch in opened.values():
            watch.go_on()
        closed = httpx.post(f"{one.rest}/v1/admin/apiKeys:close", json={"digest": DIGEST}, headers={"X-API-Key": ADMIN})
        assert closed.is_success, closed.text
        for service, name in places:
            assert REFUSED == opened[CLUB, (service, name)].end(), name
        for service, name in places:
            opened[ARCADE, (service, name)].go_on()
            opened[ARCADE, (service, name)].go_on()
        assert [len(TRANSPORTS)] * 2 == [watchers(service) for service in services]


def test_worker_learns_of_a_closed_key_by_a_message(
    open_store: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without waiting for the next read of all keys, also that a key is open again."""
    monkeypatch.setattr(api_keys, "REFRESH_SECONDS", 3600.0)
    kept = parts_of(open_store(), tmp_path).closed_api_keys
    here, there = ClosedApiKeys(kept), ClosedApiKeys(kept)
    there.start()
    ended: list[str] = []
    forget = there.end_when_closed(DIGEST, lambda: ended.append("forgotten"))
    there.end_when_closed(DIGEST, lambda: ended.append("watch"))
    there.end_when_closed(digest_of(ARCADE), lambda: ended.append("another"))
    forget()
    here.add(DIGEST)
    until(lambda: DIGEST in there and ended, "the other worker knows")
    assert {"watch"} == set(ended)
    there.end_when_closed(DIGEST, lambda: ended.append("late"))
    assert "late" in ended
    here.remove(DIGEST)
    until(lambda: DIGEST not in there, "the other worker knows")
    there.close()


def test_lost_message_is_made_up_for(store: RedisStore) -> None:
    """A key that was closed without a message is found by the next read of all keys."""
    there = ClosedApiKeys(ClosedApiKeyStore(store.connection))
    there.start()
    ended: list[str] = []
    there.end_when_closed(DIGEST, lambda: ended.append("watch"))
    store.connection.client.hset(store.connection.key("closed_api_keys"), DIGEST, 5)
    until(lambda: ended, "the keys are read again")
    assert DIGEST in there
    there.close()
