"""Closed API keys: how a worker learns of them, and that what was opened with one ends, over every transport."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import httpx
import pytest
from google.rpc import error_details_pb2, status_pb2

from chitarrella.api import closed_api_keys
from chitarrella.api.api_keys import digest_of
from chitarrella.api.closed_api_keys import ClosedApiKeys
from chitarrella.storage.counters import ClosedApiKeyStore
from chitarrella.storage.redis_store import RedisStore
from chitarrella.v1.matches_pb2 import WatchMatchesRequest, WatchMatchRequest
from chitarrella.v1.matches_pb2_grpc import MatchServiceStub
from tests.server.process import Service, StartService, reason, watchers
from tests.servers import until
from tests.storage.parts import parts_of
from tests.stores import OpenStore, empty, store_servers
from tests.transports.all_transports import error_from, framed, frames

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
    monkeypatch.setattr(closed_api_keys, "REFRESH_SECONDS", 3600.0)
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
