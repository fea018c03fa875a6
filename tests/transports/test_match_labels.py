"""A platform gives a match its own id, labels and names, finds it by them, reads many at once, and watches them all."""

import json
import re
from typing import Any

import httpx
from google.protobuf import json_format
from openapi_schema_validator import OAS31Validator

from chitarrella import v1
from chitarrella.api.caller import Caller
from tests.servers import until
from tests.transports.all_transports import RPCS, Failed, frames, status_error
from tests.transports.conftest import ACME, Platforms
from tests.transports.raw_transports import STREAMS, TRAILERS, Asked, Line, written
from tests.transports.rest_client import PLAIN, failed

BRISCOLA = {"game_id": "briscola"}
NAMES = [{"seat": 1, "name": "Zoë <b>Rossi</b>"}, {"seat": 0, "name": "Ada"}]
GIVEN: dict[str, Any] = {
    "rule_set": BRISCOLA, "external_id": "game/7", "labels": {"cup": "spring", "round": "a=b"}, "player_names": NAMES,
}  # fmt: skip
SHOWN = ("game/7", {"cup": "spring", "round": "a=b"}, [(0, "Ada"), (1, "Zoë <b>Rossi</b>")])
NO_LABELS: dict[str, str] = {}
HIDDEN = ("", NO_LABELS, SHOWN[2])


def shown(state: Any) -> tuple[str, dict[str, str], list[tuple[int, str]]]:
    names = [(one.seat, one.player_name) for one in state.seats if one.player_name]
    return state.external_id, dict(state.labels), names


def test_labels_are_for_the_referee_and_the_platform(platforms: Platforms) -> None:
    """Everybody who may see a match reads its names; its id and labels only the referee and its platform."""
    made = platforms.acme("CreateMatch", **GIVEN)
    seat, referee = made.seat_keys[0].key, made.referee_key
    for ask, how, expected in (
        (platforms.acme, {}, SHOWN), (platforms.acme, {"key": seat}, SHOWN), (platforms.club, {"key": referee}, SHOWN),
        (platforms.club, {"key": referee, "seat": 1}, SHOWN), (platforms.club, {}, HIDDEN),
        (platforms.club, {"key": seat}, HIDDEN),
    ):  # fmt: skip
        assert expected == shown(ask("GetMatch", match_id=made.match.match_id, **how)), how
    acme = platforms.acme
    acme("CreateMatch", rule_set=BRISCOLA, sandbox={"seed": "list"}, external_id="test")
    (test,) = acme("ListMatches", external_id="test").matches
    assert test.sandbox == acme("GetMatch", match_id=test.match_id).sandbox is True


def test_page_token_belongs_to_its_filters(platforms: Platforms) -> None:
    """A token goes on where its page ended, and is refused with other filters; the order of labels is free."""
    acme = platforms.acme
    requests = [{"rule_set": BRISCOLA, "labels": {"cup": "paged", "round": "1"}}] * 60
    created = {one.created.match.match_id for one in acme("BatchCreateMatches", requests=requests).results}
    labels, found, token = ["cup=paged", "round=1"], list[str](), ""
    while page := acme("ListMatches", labels=labels, page_token=token):
        found += [one.match_id for one in page.matches]
        labels.reverse()
        if not page.next_page_token:
            break
        token = page.next_page_token
    assert (60, created) == (len(found), set(found))
    everything = acme("ListMatches", page_size=1).next_page_token
    for other, of_other in (
        ({}, token), ({"labels": ["cup=paged"]}, token), ({"labels": ["cup=paged", "round=2"]}, token),
        ({"player_name": "paged"}, token), ({"labels": ["cup=paged"]}, everything),
    ):  # fmt: skip
        assert Failed("bad_request", "page_token") == acme("ListMatches", **other, page_token=of_other)


BAD_LABELS: list[tuple[dict[str, Any], str, str]] = [
    ({"external_id": "x" * 101}, "bad_request", "external_id"),
    ({"external_id": "x\n"}, "bad_request", "external_id"),
    ({"labels": {"Cup": "x"}}, "bad_request", "labels.Cup"),
    ({"labels": {"c" * 5000: "x"}}, "bad_request", f"labels.{'c' * 100}"),
    ({"labels": {"cup": "\u0085"}}, "bad_request", "labels.cup"),
    ({"labels": {f"l{number}": "" for number in range(17)}}, "bad_request", "labels"),
    ({"player_names": [{"seat": 0}]}, "bad_request", "player_names[0].name"),
    ({"player_names": [{"seat": 0, "name": "A\x7f"}]}, "bad_request", "player_names[0].name"),
    ({"player_names": [{"seat": 0, "name": "x" * 61}]}, "bad_request", "player_names[0].name"),
    ({"player_names": [{"seat": 0, "name": "A"}] * 2}, "bad_request", "player_names[1].seat"),
    ({"player_names": [{"seat": 0, "name": "A"}, {"seat": 2, "name": "B"}]}, "no_such_seat", "player_names[1].seat"),
]


def test_bad_labels_are_refused(platforms: Platforms) -> None:
    """What the contract does not allow is refused with the field, and nothing is created, imported or listed."""
    acme = platforms.acme
    made = acme("CreateMatch", rule_set=BRISCOLA)
    record = acme("GetRecord", match_id=made.match.match_id, key=made.referee_key).record
    before = acme("ListMatches").matches[0]
    for given, code, field in BAD_LABELS:
        assert Failed(code, field) == acme("CreateMatch", rule_set=BRISCOLA, **given), given
        assert Failed(code, field) == acme("ImportMatch", record=record, **given), given
    with_dummy: dict[str, Any] = {
        "rule_set": {"game_id": "coech", "players": 3},
        "player_names": [{"seat": 2, "name": "A"}],
    }
    assert Failed("no_such_seat", "player_names[0].seat") == acme("CreateMatch", **with_dummy)
    for label in ("cup", "=x", "Cup=x", "cup=\n", f"cup={'x' * 101}"):
        assert Failed("bad_request", "labels[1]") == acme("ListMatches", labels=["fine=x", label]), label
    assert before == acme("ListMatches").matches[0]


# ---------------------------------------------------------------------- batch get


def test_each_match_is_that_of_a_single_call(platforms: Platforms) -> None:
    """A batch has the matches in the order asked for, each as GetMatch returns it; an unknown id fails for itself."""
    acme = platforms.acme
    made = [acme("CreateMatch", rule_set=BRISCOLA) for _ in range(3)]
    signals = acme("CreateMatch", rule_set={**BRISCOLA, "players": 4, "options": {"signals": "free"}})
    signal = {"match_id": signals.match.match_id, "move": {"verb": "signal", "choice": "A"}}
    assert acme("PlayMove", key=signals.seat_keys[0].key, **signal).accepted
    ids = [one.match.match_id for one in (*made, signals, made[0])]
    *found, unknown = acme("BatchGetMatches", match_ids=[*ids, "nobody"]).results
    assert [acme("GetMatch", match_id=match) for match in ids] == [one.match for one in found]
    assert Failed("no_such_match", "match_id") == status_error(unknown.error)
    for wrong, field in (([], "match_ids"), (["x"] * 101, "match_ids"), (["x", "y" * 41], "match_ids[1]")):
        assert Failed("bad_request", field) == acme("BatchGetMatches", match_ids=wrong)


def test_private_match_is_shown_to_its_keys_and_its_platform(platforms: Platforms) -> None:
    """A private match does not exist for others; its platform sees it as the public would see an open one."""
    acme, club, names = platforms.acme, platforms.club, [{"seat": 0, "name": "Ada"}]
    hidden = acme("CreateMatch", rule_set=BRISCOLA, private=True, external_id="hidden", player_names=names)
    match = hidden.match.match_id
    (own,) = acme("BatchGetMatches", match_ids=[match]).results
    assert ("hidden", {}, [(0, "Ada")]) == shown(own.match)
    assert (hidden.match.view, acme("GetMatch", match_id=match)) == (own.match.view, own.match)
    unknown, nobody = club("BatchGetMatches", match_ids=[match, "nobody"]).results
    assert unknown == nobody
    (seat,) = club("BatchGetMatches", match_ids=[match], key=hidden.seat_keys[0].key).results
    assert (0, ("", {}, [(0, "Ada")])) == (seat.match.viewer, shown(seat.match))
    assert acme("ListEvents", match_id=match).updates
    assert "no_such_match" == acme("GetMatch", match_id=match, key="wrong-key").code
    assert "no_such_match" == club("GetMatch", match_id=match).code


# ---------------------------------------------------------------------- watch matches


WATCH: Any = v1.PlatformUpdate


def updates(transport: str, body: bytes) -> list[Any]:
    """Read the updates of a stream, without the error at its end."""
    if transport in ("rest", "rest lines"):
        lines = [line.removeprefix(b"data: ") for line in body.splitlines()]
        return [json_format.Parse(line, WATCH()) for line in lines if line.startswith(b'{"matchId"')]
    parts = [message for flags, message in frames(body) if not flags & TRAILERS]
    return [json_format.Parse(part, WATCH()) if part[:1] == b"{" else WATCH.FromString(part) for part in parts]


def test_updates_of_all_matches_are_streamed(platforms: Platforms) -> None:
    """Over each transport come the updates of every match of the platform, as the public gets them, then an error."""
    acme, hub = platforms.acme, platforms.wired.platform_hub
    line, asked = (Line(platforms.grpc, platforms.rest), Asked("WatchMatches", v1.WatchMatchesRequest(), api_key=ACME))
    ends = {transport: line.watch(transport, asked) for transport in STREAMS}
    sentinel: Any = platforms.wired.api.watch(RPCS[asked.rpc].path, asked.request, Caller(api_key=ACME), lambda: None)
    until(lambda: len(hub._platforms["acme"].watchers) == len(STREAMS) + 1, "all watch")
    platforms.club("CreateMatch", rule_set=BRISCOLA)
    made = acme("CreateMatch", rule_set=BRISCOLA, private=True)
    own: dict[str, Any] = {"match_id": made.match.match_id, "key": made.referee_key}
    listed = acme("ListMatchMoves", **own)
    assert acme("PlayMove", **own, seat=listed.seat, move=listed.moves[0]).accepted
    public = acme("ListEvents", match_id=made.match.match_id).updates
    acme("AbortMatch", **own)
    until(lambda: any(update.state == v1.MATCH_STATE_ABORTED for update in sentinel.take()), "the last update has come")
    hub.close()
    answers = {transport: end() for transport, end in ends.items()}
    for transport, answer in answers.items():
        assert "shutting_down" in written(answer), transport
        dealt, played, aborted = updates(transport, answer.body)
        assert list(public) == [dealt.update, played.update]
        assert (listed.moves[0].cards, []) == (
            played.update.events[0].cards,
            [event for event in dealt.update.events if event.kind == "dealt" and event.cards],
        )
        assert {made.match.match_id} == {one.match_id for one in (dealt, played, aborted)}
        assert ["OPEN", "OPEN", "ABORTED"] == [
            v1.MatchState.Name(one.state).removeprefix("MATCH_STATE_") for one in (dealt, played, aborted)
        ]
        assert not aborted.HasField("update")
    sent = answers["rest"].body.decode()
    assert sent.startswith("retry: 1000\n\n")
    assert "text/event-stream; charset=utf-8" == dict(answers["rest"].headers)["content-type"]
    check_documents(platforms.rest, re.findall(r"^event: (\w+)\n(?:id: .*\n)?data: (.*)$", sent, re.MULTILINE))


def check_documents(rest: str, sent: list[tuple[str, str]]) -> None:
    """Check that updates and the error fit their messages in AsyncAPI, and that both documents have the stream."""
    asyncapi, openapi = (httpx.get(f"{rest}/{name}.json", **PLAIN).json() for name in ("asyncapi", "openapi"))
    channel = asyncapi["channels"]["platformEvents"]
    assert ("/v1/matches:watch", {"update", "error"}) == (channel["address"], channel["messages"].keys())
    operation = openapi["paths"]["/v1/matches:watch"]["get"]
    assert "text/event-stream" in operation["responses"]["200"]["content"]
    assert "Last-Event-ID" not in {one["name"] for one in operation["parameters"]}
    assert ["update", "update", "update", "error"] == [name for name, _ in sent]
    for name, data in sent:
        payload = asyncapi["components"]["messages"][name]["payload"]
        assert OAS31Validator({**payload, "components": asyncapi["components"]}).is_valid(json.loads(data))


def test_watch_of_a_platform_has_no_other_field(platforms: Platforms) -> None:
    """A field that is none is refused, and so is whoever has no API key."""
    url = f"{platforms.rest}/v1/matches:watch"
    failed(httpx.get(url, params={"cursor": "0.0"}, headers={"x-api-key": ACME}, **PLAIN), 400, "bad_request", "cursor")
    failed(httpx.get(url, **PLAIN), 401, "api_key_needed", "x-api-key")
