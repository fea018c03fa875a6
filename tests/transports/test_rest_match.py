"""A match over REST, as somebody with curl would play it."""

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import httpx
import pytest

from tests.servers import until
from tests.transports.all_transports import RPCS, framed
from tests.transports.conftest import HEARTBEAT, WiredService
from tests.transports.rest_client import PLAIN, Event, Rest, Table, events, failed, one_deal, sent

BRISCOLA = {"ruleSet": {"gameId": "briscola"}}


@pytest.fixture
def table(rest: str) -> Table:
    return Table(rest)


def test_illegal_move_is_422_with_its_clause(table: Table) -> None:
    """A card that is not held is refused with 422 and the clause, in the same shape as a move that is made."""
    seat, request = table.not_held()
    refused = table.seats[seat].post(f"{table.path}/moves", {"move": request})
    assert (422, "application/json") == (refused.status_code, refused.headers["Content-Type"])
    assert "1" == refused.headers["Match-Revision"]
    assert (False, ["not_in_hand"]) == (refused.json()["accepted"], [one["code"] for one in refused.json()["refusals"]])
    validation = table.seats[seat].post(f"{table.path}:validateMove", {"move": request})
    assert (200, "VERDICT_REFUSED") == (validation.status_code, validation.json()["verdict"])


# ---------------------------------------------------------------------- entity tags


def test_unchanged_match_is_304(table: Table) -> None:
    """A reader who shows the tag of what he has is told that it is still so, until something happens."""
    seat = table.seats[0]
    first = seat.get(table.path)
    assert ("private, no-cache", "Authorization, Accept-Language, X-API-Key, Accept-Encoding") == (
        *(first.headers["Cache-Control"], first.headers["Vary"]),
    )
    tag = first.headers["ETag"]
    for shown in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = seat.get(table.path, headers={"If-None-Match": shown})
        assert (304, b"") == (again.status_code, again.content)
        assert (tag, "1") == (again.headers["ETag"], again.headers["Match-Revision"])
    table.play()
    assert 200 == seat.get(table.path, headers={"If-None-Match": tag}).status_code
    tags = [reader.get(table.path).headers["ETag"] for reader in (table.public, *table.seats.values(), table.public)]
    assert (tags[0], 3) == (tags[3], len(set(tags))), "readers who see different things have different tags"


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_stale_if_match_is_412(table: Table, encoding: str) -> None:
    """If-Match with the tag of the match plays; the same tag again is stale, and tells which revision it is now."""
    seat, _ = table.turn()
    tag = table.seats[seat].get(table.path, headers={"Accept-Encoding": encoding}).headers["ETag"]
    assert ("gzip" == encoding) == tag.startswith("W/")
    made = table.play(headers={"If-Match": tag})
    assert (200, "2") == (made.status_code, made.headers["Match-Revision"])
    stale = table.play(headers={"If-Match": tag})
    failed(stale, 412, "stale_revision", "if-match")
    assert {"revision": "2", "still_legal": "true"} == stale.json()["details"]
    plain = table.play(headers={"If-Match": '"2"'})
    assert (200, "3") == (plain.status_code, plain.headers["Match-Revision"])


def test_invalid_revision_plays_nothing(table: Table) -> None:
    """A header that is no tag is told so; a tag of something else is no revision of this match; the body has 409."""
    for header, body, status, code, field in (
        ("12", {}, 400, "bad_request", "if-match"),
        ('"1", "2"', {}, 400, "bad_request", "if-match"),
        ('"abc"', {}, 412, "stale_revision", "if-match"),
        ('"99999999999"', {}, 412, "stale_revision", "if-match"),
        ('"2"', {}, 412, "stale_revision", "if-match"),
        ('"2"', {"expectedRevision": 1}, 400, "bad_request", "if-match"),
        ("", {"expectedRevision": 0}, 409, "stale_revision", "expected_revision"),
        ("", {"expectedRevision": 9}, 409, "stale_revision", "expected_revision"),
    ):
        failed(table.play(headers={"If-Match": header} if header else {}, **body), status, code, field)
    failed(table.referee.post(f"{table.path}:abort", headers={"If-Match": '"1"'}), 400, "bad_request", "if-match")
    state = table.public.get(table.path).json()
    assert (1, "MATCH_STATE_OPEN") == (state["revision"], state["state"])
    assert 200 == table.play(headers={"If-Match": '"1"'}, expectedRevision=1).status_code
    assert 200 == table.play(headers={"If-Match": "*"}).status_code


def test_what_may_be_kept(table: Table) -> None:
    """What is the same for all may be kept by everybody who asks alike; answers to a POST are not to be stored."""
    first = table.public.get("/v1/games/briscola")
    assert "Accept-Language, X-API-Key, Accept-Encoding" == first.headers["Vary"]
    created = table.public.post("/v1/matches", {"ruleSet": {"gameId": "coech"}})
    for answer in (created, table.play(), table.public.get(f"{table.path}/legalMoves")):
        assert "no-store" == answer.headers["Cache-Control"]


# ---------------------------------------------------------------------- repeating a call


@pytest.mark.parametrize("quote", ["", '"'])
def test_idempotency_key_creates_one_match(rest: str, quote: str) -> None:
    """With the same Idempotency-Key the same call opens one match; a short one, and one for a batch, are refused."""

    def created(key: str, body: Any, path: str = "/v1/matches") -> Any:
        return Rest(rest).post(path, body, headers={"Idempotency-Key": key})

    key = f"{quote}0123456789abcdef{quote and 'q'}{quote}"
    first, second = (created(key, BRISCOLA).json() for _ in range(2))
    assert first == second
    failed(created(key, {"ruleSet": {"gameId": "coech"}}), 409, "request_reused", "request_id")
    failed(created("mine", BRISCOLA), 400, "bad_request", "request_id")
    many = created(key, {"requests": [BRISCOLA]}, "/v1/matches:batchCreate")
    failed(many, 400, "bad_request", "idempotency-key")
    two = created(key, {**BRISCOLA, "requestId": "another of sixteen"})
    failed(two, 400, "bad_request", "idempotency-key")


def test_idempotency_key_makes_one_move(table: Table) -> None:
    """The same move under the same name is answered twice and made once; another is refused, and so are two names."""
    seat, move = table.turn()

    def play(key: str, **body: Any) -> Any:
        return table.seats[seat].post(f"{table.path}/moves", body, headers={"Idempotency-Key": key})

    first, second = (play("move-1", move=move).json() for _ in range(2))
    assert (False, True) == (first["repeatedRequest"], second["repeatedRequest"])
    assert {**first, "repeatedRequest": True} == second
    other = sent(table.seats[seat].get(f"{table.path}/hand").json()["moves"][0]["move"])
    failed(play("move-1", move=other), 409, "request_reused", "request_id")
    seat, move = table.turn()
    failed(play("in the header", move=move, requestId="in the body"), 400, "bad_request", "idempotency-key")
    assert play("the same", move=move, requestId="the same").json()["accepted"]


# ---------------------------------------------------------------------- rest event streams


def moves(answer: Iterator[Event], number: int) -> list[Event]:
    return list(islice((event for event in answer if event.name == "move"), number))


def test_stream_resumes_at_the_last_event_id(table: Table) -> None:
    """Who comes back with the id of the last event receives the rest; in a silence comments go out again and again."""
    for _ in range(4):
        table.play()
    with table.seats[1].stream(f"{table.path}:watch") as response:
        dealt = moves(events(response), 1)[0].data["events"]
    hands = {one["seat"]: (len(one["cards"]), one["hidden"]) for one in dealt if one["kind"] == "dealt"}
    assert {0: (0, 3), 1: (3, 0)} == hands, "a seat receives its own cards alone"
    with table.public.stream(f"{table.path}:watch") as response:
        whole = moves(events(response), 5)
    with table.public.stream(f"{table.path}:watch", **{"Last-Event-ID": whole[1].id}) as response:
        assert whole[2:] == moves(events(response), 3)
    with table.public.stream(f"{table.path}:watch?cursor={whole[2].id}") as response:
        assert whole[3:] == moves(events(response), 2)
    with table.public.stream(f"{table.path}:watch", **{"Last-Event-ID": whole[4].id}) as response:
        begun = time.monotonic()
        assert ["", "", ""] == [event.name for event in islice(events(response), 3)]
        assert time.monotonic() - begun > HEARTBEAT


def test_deal_of_briscola_is_streamed_to_its_end(rest: str) -> None:
    """The last event says that the match is over; who comes back is told to stay away, and may read the record."""
    table = one_deal(rest)
    table.play()
    with (
        table.public.stream(f"{table.path}:watch") as response,
        table.public.stream(f"{table.path}:watch", Accept="application/x-ndjson") as as_lines,
    ):
        answer, lines = events(response), (json.loads(line) for line in as_lines.iter_lines())
        first = list(islice(lines, 3))
        for revision in range(3, 42):
            played = table.play(includeView=True)
            assert (200, True, revision) == (played.status_code, played.json()["accepted"], played.json()["revision"])
        received = [event for event in answer if event.name]
        others = [line for line in lines if line["events"]]
    assert "application/x-ndjson" == as_lines.headers["Content-Type"]
    assert [("1.0", True), ("2.0", True), ("2.0", False)] == [(one["cursor"], bool(one["events"])) for one in first]
    assert 39 == len(others)
    assert ["move"] * 41 + ["end"] == [event.name for event in received]
    assert received[-2].id == received[-1].data["cursor"]
    again = table.public.get(f"{table.path}:watch", headers={"Last-Event-ID": received[-2].id})
    assert (204, b"") == (again.status_code, again.content)
    assert 41 == table.public.get(f"{table.path}:watch").text.count("event: move")
    view = table.public.get(table.path).json()["view"]
    assert 120 == sum(one["number"] for one in view["facts"] if one["name"] == "card_points" and "seat" in one)
    assert "WAITING_NOBODY" == view["waiting"]
    assert 40 == table.public.get(f"{table.path}/record").json()["record"].count("play_card")


def test_error_before_the_first_event_has_its_status(table: Table) -> None:
    """Before the first event an error has its own status, like everywhere else."""
    failed(table.public.get(f"{table.path}:watch?cursor=x"), 400, "bad_cursor", "cursor")
    failed(table.public.get(f"{table.path}:watch?colour=red"), 400, "bad_request", "colour")
    failed(table.public.get("/v1/matches/nobody:watch"), 404, "no_such_match", "match_id")


def test_closed_stream_is_released(wired: WiredService, rest: str, table: Table) -> None:
    """When a client goes away its stream ends, over REST and Connect, and a HEAD opens none: the hub has nobody."""
    until(lambda: wired.hub.count() == 0, "the watchers of the other tests have gone")
    with table.public.stream(f"{table.path}:watch") as response:
        reader = events(response)  # httpx disconnects when this is collected
        moves(reader, 1)
        assert 1 == wired.hub.count()
        del reader
    until(lambda: wired.hub.count() == 0, "the watcher has gone")
    kind = {"Content-Type": "application/connect+json"}
    watch = framed(b'{"matchId": "%s"}' % table.match_id.encode())
    with httpx.stream("POST", f"{rest}{RPCS['WatchMatch'].path}", content=watch, headers=kind, **PLAIN) as answer:
        begun = answer.iter_bytes()  # it would close the answer when it is collected
        next(begun)
        assert 1 == wired.hub.count()
    until(lambda: wired.hub.count() == 0, "the watcher has gone")
    assert 200 == table.public("HEAD", f"{table.path}:watch").status_code
    until(lambda: wired.hub.count() == 0, "nobody watches")
