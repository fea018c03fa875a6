"""A platform follows all its matches in one stream, over every transport."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from typing import Any

import grpc
import httpx
import pytest
from google.protobuf import json_format
from openapi_schema_validator import OAS31Validator

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella.v1 import matches_pb2 as pb
from tests.transports.all_transports import framed, grpc_opened
from tests.transports.conftest import WiredService
from tests.transports.platforms import ACME, Platform, platform_service, platforms
from tests.transports.rest_client import events

PATH = "/chitarrella.v1.MatchService/WatchMatches"
Messages = Iterator[dict[str, Any]]
Watch = Callable[[WiredService, Platform], AbstractContextManager[Messages]]


@pytest.fixture
def closed(valkey: EmbeddedValkey, request: pytest.FixtureRequest) -> Iterator[WiredService]:
    """A service for platforms, with an empty store of its own."""
    with platform_service(valkey.url, request.node.name) as service:
        yield service


@contextmanager
def over_sse(_: WiredService, platform: Platform) -> Iterator[Messages]:
    """Watch by server-sent events; their heartbeats are comments, so the first is put in here."""
    with httpx.stream("GET", f"{platform.url}/v1/matches:watch", headers=platform.headers, timeout=10) as response:
        assert "text/event-stream; charset=utf-8" == response.headers["Content-Type"]
        lines = response.iter_lines()
        assert [line for line in islice(lines, 4) if line] == ["retry: 1000", ": heartbeat"]
        yield _sse_messages(lines)


def _sse_messages(lines: Iterator[str]) -> Messages:
    yield {}
    for line in lines:
        if line.startswith("event:"):
            assert "event: update" == line
        if line.startswith("data:"):
            yield json.loads(line.removeprefix("data:"))


@contextmanager
def over_lines(_: WiredService, platform: Platform) -> Iterator[Messages]:
    """Watch by lines of JSON."""
    headers = {**platform.headers, "Accept": "application/x-ndjson"}
    with httpx.stream("GET", f"{platform.url}/v1/matches:watch", headers=headers, timeout=10) as response:
        yield (json.loads(line) for line in response.iter_lines())


@contextmanager
def over_connect(_: WiredService, platform: Platform) -> Iterator[Messages]:
    """Watch over Connect."""
    headers = {**platform.headers, "Content-Type": "application/connect+json"}
    with httpx.stream("POST", platform.url + PATH, headers=headers, content=framed(b"{}"), timeout=10) as response:
        yield _framed_messages(response.iter_bytes())


def _framed_messages(chunks: Iterator[bytes]) -> Messages:
    body = b""
    for chunk in chunks:
        body += chunk
        while len(body) >= 5 and len(body) >= 5 + (size := int.from_bytes(body[1:5], "big")):
            yield json.loads(body[5 : 5 + size])
            body = body[5 + size :]


@contextmanager
def over_grpc(service: WiredService, platform: Platform) -> Iterator[Messages]:
    """Watch over gRPC."""
    with grpc_opened(service) as address, grpc.insecure_channel(address) as channel:
        open_method: Any = channel.unary_stream
        method = open_method(PATH, pb.WatchMatchesRequest.SerializeToString, pb.WatchMatchesResponse.FromString)
        call = method(pb.WatchMatchesRequest(), timeout=10, metadata=(("x-api-key", platform.headers["x-api-key"]),))
        yield (json_format.MessageToDict(message, always_print_fields_with_no_presence=True) for message in call)
        call.cancel()


WATCHES: tuple[Watch, ...] = (over_sse, over_lines, over_connect, over_grpc)


@pytest.mark.parametrize("watch", WATCHES)
def test_updates_of_all_matches_are_streamed(closed: WiredService, watch: Watch) -> None:
    """After a heartbeat come the updates of every match of the platform, as ListEvents gives them to the public."""
    with platforms(closed) as (acme, club), watch(closed, acme) as messages:
        first = next(messages)
        assert not first.get("matchId")
        club.create()
        created = acme.create(private=True)
        match, key = created["matchId"], created["refereeKey"]
        update = next(one for one in messages if one["matchId"])
        assert (match, False, False, 1) == (
            update["matchId"],
            update["finished"],
            update["aborted"],
            update["update"]["revision"],
        )
        assert all(not event["cards"] for event in update["update"]["events"] if event["kind"] == "dealt")
        moves = acme.get(f"matches/{match}/moves", key).json()
        body = {"seat": moves["seat"], "move": moves["moves"][0]}
        assert 200 == acme.post(f"matches/{match}/moves", key, **body).status_code
        played = next(one for one in messages if one["matchId"])
        (event,) = played["update"]["events"]
        assert ("card_played", moves["moves"][0]["cards"]) == (event["kind"], event["cards"])
        acme.post(f"matches/{match}:abort", key)
        aborted = next(one for one in messages if one["matchId"])
        assert (match, True, None) == (aborted["matchId"], aborted["aborted"], aborted.get("update"))


def test_platform_needs_its_key(closed: WiredService, rest: str) -> None:
    """Without the API key of a platform there is nothing to watch, and a field that is none is refused."""
    refused = httpx.get(f"{rest}/v1/matches:watch")
    assert (403, "platform_only") == (refused.status_code, refused.json()["code"])
    with platforms(closed) as (acme, _):
        refused = httpx.get(f"{acme.url}/v1/matches:watch")
        assert (401, "api_key_needed") == (refused.status_code, refused.json()["code"])
        refused = acme.get("matches:watch", cursor="0.0")
        assert (400, "bad_request", "cursor") == (refused.status_code, *map(refused.json().get, ("code", "field")))


def test_events_are_as_the_documents_describe(closed: WiredService) -> None:
    """An update and an error fit their messages in AsyncAPI; both documents have the stream."""
    with platforms(closed) as (acme, _):
        asyncapi, openapi = (httpx.get(f"{acme.url}/{name}.json").json() for name in ("asyncapi", "openapi"))
        channel = asyncapi["channels"]["platformEvents"]
        assert ("/v1/matches:watch", {"update", "error"}) == (channel["address"], channel["messages"].keys())
        operation = openapi["paths"]["/v1/matches:watch"]["get"]
        assert "text/event-stream" in operation["responses"]["200"]["content"]
        assert "Last-Event-ID" not in {one["name"] for one in operation["parameters"]}
        with httpx.stream("GET", f"{acme.url}/v1/matches:watch", headers={"x-api-key": ACME}, timeout=10) as response:
            incoming = events(response)
            next(incoming)
            acme.create()
            received = [next(one for one in incoming if one.name)]
            closed.platform_hub.close()
            received += [one for one in incoming if one.name]
    assert ["update", "error"] == [one.name for one in received]
    assert "shutting_down" == received[1].data["code"]
    for event in received:
        payload = asyncapi["components"]["messages"][event.name]["payload"]
        assert OAS31Validator({**payload, "components": asyncapi["components"]}).is_valid(event.data)
