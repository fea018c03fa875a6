"""A platform gives a match its own id, labels and names of players, and finds it by them."""

from __future__ import annotations

import json
import logging
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

NAMES = [{"seat": 1, "name": "Zoë <b>Rossi</b>"}, {"seat": 0, "name": "Ada"}]
GIVEN: dict[str, Any] = {
    "externalId": "game/7",
    "labels": {"cup": "spring", "round": "a=b"},
    "playerNames": NAMES,
}
SHOWN = {**GIVEN, "playerNames": NAMES[::-1]}
HIDDEN = {"externalId": "", "labels": {}}


@pytest.fixture(scope="module")
def callers_match_labels(valkey: EmbeddedValkey) -> Iterator[tuple[Platform, Platform]]:
    """Two platforms of one service."""
    with platform_service(valkey.url, "labels") as wired, platforms(wired) as both:
        yield both


def shown(response: httpx.Response) -> dict[str, Any]:
    """What a response says of the labels of a match."""
    assert 200 == response.status_code, response.text
    return {name: response.json()[name] for name in GIVEN}


def test_labels_are_for_the_referee_and_the_platform(callers_match_labels: tuple[Platform, Platform]) -> None:
    """Everybody who may see a match reads its names; its id and labels only the referee and its platform."""
    acme, club = callers_match_labels
    created = acme.create(**GIVEN)
    path = f"matches/{created['matchId']}"
    assert SHOWN == shown(acme.get(path))
    assert SHOWN == shown(acme.get(path, created["seatKeys"][0]["key"]))
    assert SHOWN == shown(club.get(path, created["refereeKey"]))
    assert SHOWN == shown(club.get(path, created["refereeKey"], seat=1))
    assert SHOWN | HIDDEN == shown(club.get(path))
    assert SHOWN | HIDDEN == shown(club.get(path, created["seatKeys"][0]["key"]))


def test_list_is_filtered_by_every_field(callers_match_labels: tuple[Platform, Platform]) -> None:
    """Each filter finds the match, all of them together too, and none finds that of another platform."""
    acme, club = callers_match_labels
    match = acme.create(**{**GIVEN, "externalId": "filtered", "labels": {"cup": "autumn", "round": "a=b"}})["matchId"]
    acme.create(labels={"cup": "autumn"})
    club.create(externalId="filtered", labels={"cup": "autumn"})
    filters: list[dict[str, Any]] = [
        {"externalId": "filtered"},
        {"labels": ["round=a=b", "cup=autumn"]},
        {"external_id": "filtered", "labels": "cup=autumn", "player_name": "Ada"},
    ]
    for wanted in filters:
        (found,) = acme.get("matches", **wanted).json()["matches"]
        assert match == found["matchId"]
        assert SHOWN["playerNames"] == found["playerNames"]
        assert ("filtered", "autumn") == (found["externalId"], found["labels"]["cup"])
    for wanted in ({"externalId": "filtered"}, {"labels": "cup=autumn"}, {"playerName": "Ada"}):
        assert match not in club.get("matches", **wanted).text


def test_list_says_which_matches_are_tests(callers_match_labels: tuple[Platform, Platform]) -> None:
    """A match of the sandbox is marked in the list as it is when read alone; a real one is not."""
    acme, _ = callers_match_labels
    for sandbox in ({}, {"sandbox": {"seed": "list"}}):
        match = acme.create(externalId="marked", **sandbox)["matchId"]
        listed = {one["matchId"]: one["sandbox"] for one in acme.get("matches", externalId="marked").json()["matches"]}
        assert bool(sandbox) == listed[match] == acme.get(f"matches/{match}").json()["sandbox"]


def test_page_token_belongs_to_its_filters(callers_match_labels: tuple[Platform, Platform]) -> None:
    """A token goes on where its page ended, and is refused with other filters; the order of labels is free."""
    acme, _ = callers_match_labels
    created = {acme.create(labels={"cup": "paged", "round": "1"})["matchId"] for _ in range(5)}
    wanted: dict[str, Any] = {"labels": ["cup=paged", "round=1"], "page_size": 2}
    found, token = [], ""
    while True:
        page = acme.get("matches", **wanted, page_token=token).json()
        found += [one["matchId"] for one in page["matches"]]
        wanted["labels"] = wanted["labels"][::-1]
        token = page["nextPageToken"] or token
        if not page["nextPageToken"]:
            break
    assert (5, created) == (len(found), set(found))
    everything = acme.get("matches", page_size=1).json()["nextPageToken"]
    for other, of_other in (
        ({}, token),
        ({"labels": "cup=paged"}, token),
        ({"labels": ["cup=paged", "round=2"]}, token),
        ({"playerName": "paged"}, token),
        ({"labels": "cup=paged"}, everything),
    ):
        refused = acme.get("matches", **other, page_token=of_other)
        assert (400, "bad_request", "page_token") == (refused.status_code, *map(refused.json().get, ("code", "field")))


def test_imported_match_takes_them_too(callers_match_labels: tuple[Platform, Platform]) -> None:
    """A match from a record has the labels that the import gives; the record has no name."""
    acme, _ = callers_match_labels
    created = acme.create(**GIVEN)
    record = acme.get(f"matches/{created['matchId']}/record", created["refereeKey"]).json()["record"]
    assert not any(one["name"] in record for one in NAMES)
    imported = acme.post("matches:import", record=record, **{**GIVEN, "externalId": "imported"}).json()["created"]
    assert SHOWN | {"externalId": "imported"} == shown(acme.get(f"matches/{imported['matchId']}"))


@pytest.mark.parametrize(
    ("given", "code", "field"),
    [
        ({"externalId": "x" * 101}, "bad_request", "external_id"),
        ({"externalId": "x\n"}, "bad_request", "external_id"),
        ({"labels": {"Cup": "x"}}, "bad_request", "labels.Cup"),
        ({"labels": {"c" * 5000: "x"}}, "bad_request", f"labels.{'c' * 100}"),
        ({"labels": {"cup": "\u0085"}}, "bad_request", "labels.cup"),
        ({"labels": {f"l{number}": "" for number in range(17)}}, "bad_request", "labels"),
        ({"playerNames": [{"seat": 0}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "A\x7f"}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "x" * 61}]}, "bad_request", "player_names[0].name"),
        ({"playerNames": [{"seat": 0, "name": "A"}] * 2}, "bad_request", "player_names[1].seat"),
        ({"playerNames": [{"seat": 0, "name": "A"}, {"seat": 2, "name": "B"}]}, "no_such_seat", "player_names[1].seat"),
        (
            {"ruleSet": {"gameId": "coech", "players": 3}, "playerNames": [{"seat": 2, "name": "A"}]},
            "no_such_seat",
            "player_names[0].seat",
        ),
    ],
)
def test_bad_labels_are_refused(
    callers_match_labels: tuple[Platform, Platform], given: dict[str, Any], code: str, field: str
) -> None:
    """What the contract does not allow is refused with the field, and nothing is created or imported."""
    acme, _ = callers_match_labels
    before = acme.get("matches").json()["matches"][:1]
    refused = acme.post("matches", **{"ruleSet": {"gameId": "briscola"}, **given})
    assert (400, code, field) == (refused.status_code, *map(refused.json().get, ("code", "field"))), refused.text
    if "ruleSet" not in given:
        record = acme.get(f"matches/{(made := acme.create())['matchId']}/record", made["refereeKey"]).json()["record"]
        before = acme.get("matches").json()["matches"][:1]
        refused = acme.post("matches:import", record=record, **given)
        assert (400, code, field) == (refused.status_code, *map(refused.json().get, ("code", "field")))
    assert before == acme.get("matches").json()["matches"][:1]


@pytest.mark.parametrize("label", ["cup", "=x", "Cup=x", "cup=\n", f"cup={'x' * 101}"])
def test_bad_filter_is_refused(callers_match_labels: tuple[Platform, Platform], label: str) -> None:
    """A filter that no label can fit is refused."""
    refused = callers_match_labels[0].get("matches", labels=["fine=x", label])
    assert (400, "bad_request", "labels[1]") == (refused.status_code, *map(refused.json().get, ("code", "field")))


def test_names_are_not_logged(
    callers_match_labels: tuple[Platform, Platform], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """No log line and no metric has a name, whether it is created, listed, refused or deleted."""
    acme, _ = callers_match_labels
    named = {"playerNames": [{"seat": 0, "name": "Filomena"}]}
    with caplog.at_level(logging.DEBUG):
        created = acme.create(**named)
        acme.get("matches", player_name="Filomena")
        acme.get("matches", player_name="Filomena", page_token="Filomena")
        assert (
            "Filomena"
            not in acme.post("matches", ruleSet={"gameId": "briscola"}, playerNames=[*named["playerNames"]] * 2).text
        )
        acme.delete(f"matches/{created['matchId']}", created["refereeKey"])
    lines = [one.getMessage() for one in caplog.records if not one.name.startswith("http")]  # not those of the caller
    assert "CreateMatch" in (written := "\n".join((*capfd.readouterr(), *lines)))
    assert "Filomena" not in written
    assert "Filomena" not in httpx.get(f"{acme.url}/metrics").text
    assert [] == acme.get("matches", player_name="Filomena").json()["matches"]


# ---------------------------------------------------------------------- batch get


@pytest.fixture(scope="module")
def callers(valkey: EmbeddedValkey) -> Iterator[tuple[Platform, Platform]]:
    """Two platforms of one service."""
    with platform_service(valkey.url, "batch") as wired, platforms(wired) as both:
        yield both


def found(response: httpx.Response) -> list[dict[str, Any]]:
    """The results of a batch."""
    assert 200 == response.status_code, response.text
    results: list[dict[str, Any]] = response.json()["matches"]
    return results


def test_each_match_is_that_of_a_single_call(callers: tuple[Platform, Platform]) -> None:
    """A batch has the matches in the order asked for, each as GetMatch returns it; an unknown id fails for itself."""
    acme, _ = callers
    created = [acme.create() for _ in range(3)]
    signals = acme.create(ruleSet={"gameId": "briscola", "players": 4, "options": {"signals": "free"}})
    signal = {"move": {"verb": "signal", "choice": "A"}}
    assert 200 == acme.post(f"matches/{signals['matchId']}/moves", signals["seatKeys"][0]["key"], **signal).status_code
    ids = [one["matchId"] for one in (*created, signals, created[0])]
    results = found(acme.get("matches:batchGet", match_ids=[*ids, "nobody"]))
    assert [acme.get(f"matches/{match}").json() for match in ids] == [one["match"] for one in results[:-1]]
    assert ("no_such_match", "match_id") == (results[-1]["error"]["code"], results[-1]["error"]["field"])


def test_key_counts_at_its_own_match_only(callers: tuple[Platform, Platform]) -> None:
    """The key of a seat gives the view of that seat at its match, and the view of the public at the others."""
    acme, _ = callers
    first, second = acme.create(), acme.create()
    ids = [first["matchId"], second["matchId"]]
    key = first["seatKeys"][1]["key"]
    own, other = (one["match"] for one in found(acme.get("matches:batchGet", key, match_ids=ids)))
    assert acme.get(f"matches/{ids[0]}", key).json() == own
    assert (1, None) == (own["seat"], other.get("seat"))
    assert acme.get(f"matches/{ids[1]}").json() == other
    whole, public = (one["match"] for one in found(acme.get("matches:batchGet", first["refereeKey"], match_ids=ids)))
    assert acme.get(f"matches/{ids[0]}", first["refereeKey"]).json() == whole
    assert acme.get(f"matches/{ids[1]}").json() == public


def test_private_match_is_shown_to_its_keys_and_its_platform(callers: tuple[Platform, Platform]) -> None:
    """A private match does not exist for others; its platform sees it as the public would see an open one."""
    acme, club = callers
    hidden = acme.create(private=True, externalId="hidden", playerNames=[{"seat": 0, "name": "Ada"}])
    match = hidden["matchId"]
    (own,) = found(acme.get("matches:batchGet", match_ids=match))
    assert ("hidden", "Ada") == (own["match"]["externalId"], own["match"]["playerNames"][0]["name"])
    assert own["match"]["view"] == hidden["view"]
    (unknown, nobody) = found(club.get("matches:batchGet", match_ids=[match, "nobody"]))
    assert unknown == nobody
    (shown,) = found(club.get("matches:batchGet", hidden["seatKeys"][0]["key"], match_ids=match))
    assert (0, "", "Ada") == (
        shown["match"]["seat"],
        shown["match"]["externalId"],
        shown["match"]["playerNames"][0]["name"],
    )
    assert own["match"] == acme.get(f"matches/{match}").json()
    assert 200 == acme.get(f"matches/{match}/events").status_code
    assert 404 == acme.get(f"matches/{match}", "wrong-key").status_code
    assert 404 == club.get(f"matches/{match}").status_code


@pytest.mark.parametrize(
    ("ids", "field"), [([], "match_ids"), (["x"] * 101, "match_ids"), (["x", "y" * 41], "match_ids[1]")]
)
def test_bad_batch_is_refused(callers: tuple[Platform, Platform], ids: list[str], field: str) -> None:
    """No id, too many, or one that is too long: the call is refused as a whole, with the field."""
    refused = callers[0].get("matches:batchGet", match_ids=ids)
    assert (400, "bad_request", field) == (refused.status_code, *map(refused.json().get, ("code", "field")))


# ---------------------------------------------------------------------- watch matches


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
