"""A match over REST, as somebody with curl would play it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice

import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.servers import until
from tests.transports.conftest import HEARTBEAT, WiredService, opened, wire_service
from tests.transports.rest_client import Event, Rest, Table, events, failed, one_deal, sent


@pytest.fixture
def table(rest: str) -> Table:
    """A new match of Briscola for two."""
    return Table(rest)


def test_deal_of_briscola_over_rest(rest: str) -> None:
    """Two callers with a key each play forty cards; 120 points are taken, and then everybody may read the record."""
    table = one_deal(rest)
    for revision in range(2, 42):
        answer = table.play(includeView=True)
        assert (200, True, revision) == (answer.status_code, answer.json()["accepted"], answer.json()["revision"])
    snapshot = table.public.get(table.path).json()
    points = [fact["number"] for fact in snapshot["view"]["facts"] if fact["name"] == "card_points" and "seat" in fact]
    assert 120 == sum(points)
    assert "WAITING_NOBODY" == snapshot["view"]["waiting"]
    record = table.public.get(f"{table.path}/record").json()["record"]
    assert 40 == record.count("play_card")


def test_view_of_a_seat_shows_its_hand_only(table: Table) -> None:
    """The key opens one hand; without a key there are only the sizes of the hands."""
    seat = table.seats[0].get(table.path).json()
    hands = {zone["seat"]: zone["cards"] for zone in seat["view"]["zones"] if zone["name"] == "hand"}
    assert (0, 3, []) == (seat["seat"], len(hands[0]), hands[1])
    public = table.public.get(table.path).json()
    assert [] == [card for zone in public["view"]["zones"] if zone["name"] == "hand" for card in zone["cards"]]


def test_illegal_move_is_422_with_its_clause(table: Table) -> None:
    """A card that is not held is refused with 422 and the clause, in the same shape as a move that is made."""
    seat, request = table.not_held()
    move = {"move": request}
    refused = table.seats[seat].post(f"{table.path}/moves", move)
    answer = refused.json()
    assert (422, "application/json", False) == (
        refused.status_code,
        refused.headers["Content-Type"],
        answer["accepted"],
    )
    assert ["not_in_hand"] == [refusal["code"] for refusal in answer["refusals"]]
    assert "1" == refused.headers["Match-Revision"]
    validation = table.seats[seat].post(f"{table.path}:validateMove", move)
    assert (200, False) == (validation.status_code, validation.json()["accepted"])


# ---------------------------------------------------------------------- entity tags


def test_unchanged_match_is_304(table: Table) -> None:
    """A reader who shows the tag of what he has is told that it is still so, until something happens."""
    seat = table.seats[0]
    first = seat.get(table.path)
    assert "private, no-cache" == first.headers["Cache-Control"]
    assert "Authorization, Accept-Language, X-API-Key, Accept-Encoding" == first.headers["Vary"]
    tag = first.headers["ETag"]
    for shown in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        again = seat.get(table.path, headers={"If-None-Match": shown})
        assert (304, b"", tag, "1") == (
            again.status_code,
            again.content,
            again.headers["ETag"],
            again.headers["Match-Revision"],
        )
    table.play()
    assert 200 == seat.get(table.path, headers={"If-None-Match": tag}).status_code


def test_etag_depends_on_the_viewer(table: Table) -> None:
    """Two readers who see different things have different tags; one who asks twice has the same."""
    tags = [reader.get(table.path).headers["ETag"] for reader in (table.public, *table.seats.values(), table.public)]
    assert tags[0] == tags[3]
    assert 3 == len(set(tags))


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_stale_if_match_is_412(table: Table, encoding: str) -> None:
    """If-Match with the tag of the match plays; the same tag again is stale, and tells which revision it is now."""
    seat, move = table.turn()
    tag = table.seats[seat].get(table.path, headers={"Accept-Encoding": encoding}).headers["ETag"]
    assert ("gzip" == encoding) == tag.startswith("W/")
    made = table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"If-Match": tag})
    assert (200, "2") == (made.status_code, made.headers["Match-Revision"])
    seat, move = table.turn()
    stale = table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"If-Match": tag})
    failed(stale, 412, "stale_revision", "if-match")
    assert {"revision": "2", "still_legal": "true"} == stale.json()["details"]
    plain = table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"If-Match": '"2"'})
    assert (200, "3") == (plain.status_code, plain.headers["Match-Revision"])


def test_stale_revision_in_the_body_is_409(table: Table) -> None:
    """The same without the header is 409, as over every other transport; a revision that the match has not, too."""
    seat, move = table.turn()
    stale = table.seats[seat].post(f"{table.path}/moves", {"move": move, "expectedRevision": 0})
    failed(stale, 409, "stale_revision", "expected_revision")
    lost = table.seats[seat].post(f"{table.path}/moves", {"move": move, "expectedRevision": 9})
    failed(lost, 409, "moves_lost", "expected_revision")


@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        ("12", 400, "bad_request"),
        ('"1", "2"', 400, "bad_request"),
        ('"abc"', 412, "stale_revision"),
        ('"99999999999"', 412, "stale_revision"),
        ('"2"', 412, "moves_lost"),
    ],
)
def test_invalid_if_match_plays_nothing(table: Table, header: str, status: int, code: str) -> None:
    """A header that is no tag is told so; a tag of something else is no revision of this match."""
    seat, move = table.turn()
    failed(
        table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"If-Match": header}),
        status,
        code,
        "if-match",
    )
    assert 1 == table.public.get(table.path).json()["revision"]


def test_if_match_and_body_must_agree(table: Table) -> None:
    """Two different revisions in one call are a mistake; twice the same is none, and a star is any."""
    seat, move = table.turn()
    both = {"move": move, "expectedRevision": 1}
    failed(
        table.seats[seat].post(f"{table.path}/moves", both, headers={"If-Match": '"2"'}), 400, "bad_request", "if-match"
    )
    assert 200 == table.seats[seat].post(f"{table.path}/moves", both, headers={"If-Match": '"1"'}).status_code
    assert 200 == table.play().status_code
    seat, move = table.turn()
    assert 200 == table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers={"If-Match": "*"}).status_code


def test_if_match_on_abort_is_refused(table: Table) -> None:
    """A match is not ended where the referee asks for a revision, because nothing would hold the call to it."""
    failed(table.referee.post(f"{table.path}:abort", headers={"If-Match": '"1"'}), 400, "bad_request", "if-match")
    assert not table.public.get(table.path).json()["aborted"]


def test_catalogue_is_publicly_cacheable(rest: str) -> None:
    """What is the same for all may be kept for some minutes, and is not sent again while it is the same."""
    first = Rest(rest).get("/v1/games/briscola")
    assert ("public, max-age=300", "Accept-Language, X-API-Key, Accept-Encoding") == (
        first.headers["Cache-Control"],
        first.headers.get("Vary"),
    )
    again = Rest(rest).get("/v1/games/briscola", headers={"If-None-Match": first.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.content)


def test_post_answers_are_not_stored(table: Table, rest: str) -> None:
    """An answer to a POST, with keys or without, is not to be stored."""
    assert "no-store" == Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": "coech"}}).headers["Cache-Control"]
    assert "no-store" == table.play().headers["Cache-Control"]
    assert "no-store" == table.public.get(f"{table.path}/moves").headers["Cache-Control"]


# ---------------------------------------------------------------------- repeating a call


@pytest.mark.parametrize("quote", ["", '"'])
def test_idempotency_key_creates_one_match(rest: str, quote: str) -> None:
    """With the same Idempotency-Key the same call opens one match, and hands out the same keys."""
    headers = {"Idempotency-Key": f"{quote}0123456789abcdef{quote and 'q'}{quote}"}
    body = {"ruleSet": {"gameId": "briscola"}}
    first, second = (Rest(rest).post("/v1/matches", body, headers=headers).json() for _ in range(2))
    assert (first["matchId"], first["seatKeys"]) == (second["matchId"], second["seatKeys"])
    other = Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": "coech"}}, headers=headers)
    failed(other, 409, "request_reused", "request_id")


def test_short_idempotency_key_is_refused(rest: str) -> None:
    """Whoever repeats the name is given the keys, so a short one is refused."""
    short = Rest(rest).post("/v1/matches", {"ruleSet": {"gameId": "briscola"}}, headers={"Idempotency-Key": "mine"})
    failed(short, 400, "bad_request", "request_id")


def test_idempotency_key_for_a_batch_is_refused(rest: str) -> None:
    """Where every match has a name of its own one for the whole call is not passed over in silence."""
    many = {"requests": [{"ruleSet": {"gameId": "briscola"}}]}
    refused = Rest(rest).post("/v1/matches:batchCreate", many, headers={"Idempotency-Key": "0123456789abcdef"})
    failed(refused, 400, "bad_request", "idempotency-key")


def test_idempotency_key_makes_one_move(table: Table) -> None:
    """The same move under the same name is answered twice and made once; another move under it is refused."""
    seat, move = table.turn()
    headers = {"Idempotency-Key": "move-1"}
    first, second = (
        table.seats[seat].post(f"{table.path}/moves", {"move": move}, headers=headers).json() for _ in range(2)
    )
    assert (False, True) == (first["repeatedRequest"], second["repeatedRequest"])
    assert {**first, "repeatedRequest": True} == second
    held = table.seats[seat].get(f"{table.path}/hand").json()["moves"]
    other = sent(held[0]["move"])
    failed(
        table.seats[seat].post(f"{table.path}/moves", {"move": other}, headers=headers),
        409,
        "request_reused",
        "request_id",
    )


def test_request_id_in_the_body_wins(table: Table) -> None:
    """Where the body names the call, the header is not asked."""
    seat, move = table.turn()
    path, body = f"{table.path}/moves", {"move": move, "requestId": "in the body"}
    table.seats[seat].post(path, body, headers={"Idempotency-Key": "in the header"})
    again = table.seats[seat].post(path, body)
    assert again.json()["repeatedRequest"]


# ---------------------------------------------------------------------- rest event streams


def moves(answer: Iterator[Event], number: int) -> list[Event]:
    """Wait for so many events that are moves."""
    return list(islice((event for event in answer if event.name == "move"), number))


def test_stream_begins_with_past_events(table: Table) -> None:
    """A watcher receives the deal that was before it, then every move as it is made."""
    with table.public.stream(f"{table.path}:watch") as response:
        assert (200, "text/event-stream; charset=utf-8") == (response.status_code, response.headers["Content-Type"])
        answer = events(response)
        (dealt,) = moves(answer, 1)
        seat, move = table.turn()
        table.play()
        (played,) = moves(answer, 1)
    assert [dealt.data["cursor"], played.data["cursor"]] == [dealt.id, played.id]
    card = next(event for event in played.data["events"] if event["kind"] == "card_played")
    assert (seat, move["cards"]) == (card["seat"], card["cards"])


def test_stream_of_a_seat_names_its_own_cards_only(table: Table) -> None:
    """Of the deal, the stream of a seat names the cards of that seat; of the others it only says how many."""
    with table.seats[1].stream(f"{table.path}:watch") as response:
        (dealt,) = moves(events(response), 1)
    hands = [event for event in dealt.data["events"] if event["kind"] == "dealt"]
    named = {event["seat"]: (len(event["cards"]), event["hidden"]) for event in hands}
    assert {0: (0, 3), 1: (3, 0)} == named


def test_stream_resumes_at_the_last_event_id(table: Table) -> None:
    """A watcher who comes back with the id of the last event receives the rest, nothing twice and nothing lost."""
    for _ in range(4):
        table.play()
    with table.public.stream(f"{table.path}:watch") as response:
        whole = moves(events(response), 5)
    with table.public.stream(f"{table.path}:watch", **{"Last-Event-ID": whole[1].id}) as response:
        assert whole[2:] == moves(events(response), 3)
    with table.public.stream(f"{table.path}:watch?cursor={whole[2].id}") as response:
        assert whole[3:] == moves(events(response), 2)


def test_silent_stream_sends_comments(table: Table) -> None:
    """Where nothing happens, a comment goes out at once and then again and again."""
    cursor = table.public.get(table.path).json()["cursor"]
    with table.public.stream(f"{table.path}:watch", **{"Last-Event-ID": cursor}) as response:
        begun = time.monotonic()
        assert ["", "", ""] == [event.name for event in islice(events(response), 3)]
        assert time.monotonic() - begun > HEARTBEAT


def test_stream_ends_with_the_match(rest: str) -> None:
    """The last event says that the match is over; a browser that comes back all the same is told to stay away."""
    table = one_deal(rest)
    with table.public.stream(f"{table.path}:watch") as response:
        answer = events(response)
        for _ in range(40):
            table.play()
        received = [event for event in answer if event.name]
    assert ["move"] * 41 + ["end"] == [event.name for event in received]
    assert received[-2].id == received[-1].data["cursor"]
    again = table.public.get(f"{table.path}:watch", headers={"Last-Event-ID": received[-2].id})
    assert (204, b"") == (again.status_code, again.content)
    from_the_beginning = table.public.get(f"{table.path}:watch")
    assert 41 == from_the_beginning.text.count("event: move")


def test_stream_ends_when_the_match_is_aborted(table: Table) -> None:
    """A match that is ended before its time ends its streams as well."""
    with table.public.stream(f"{table.path}:watch") as response:
        answer = events(response)
        moves(answer, 1)
        table.referee.post(f"{table.path}:abort")
        assert "end" == [event.name for event in answer if event.name][-1]


def test_stream_as_json_lines(rest: str) -> None:
    """Whoever accepts lines of JSON gets a message a line, and one without events as a heartbeat."""
    table = one_deal(rest)
    table.play()
    with table.public.stream(f"{table.path}:watch", Accept="application/x-ndjson") as response:
        assert "application/x-ndjson" == response.headers["Content-Type"]
        lines = (json.loads(line) for line in response.iter_lines())
        answer = list(islice(lines, 3))
        for _ in range(39):
            table.play()
        rest_of_it = [line for line in lines if line["events"]]
    assert ["1.0", "2.0", "2.0"] == [line["cursor"] for line in answer]
    assert [True, True, False] == [bool(line["events"]) for line in answer]
    assert 39 == len(rest_of_it)


@pytest.mark.parametrize(
    ("query", "key", "status", "code", "field"),
    [
        ("?cursor=x", "", 400, "bad_cursor", "cursor"),
        ("?cursor=99.0", "", 409, "moves_lost", "cursor"),
        ("?seat=1", "", 401, "key_needed", "authorization"),
        ("?colour=red", "", 400, "bad_request", "colour"),
        ("", "nobody", 401, "bad_key", "authorization"),
    ],
)
def test_error_before_the_first_event_has_its_status(
    table: Table, rest: str, query: str, key: str, status: int, code: str, field: str
) -> None:
    """Before the first event an error has its own status, like everywhere else."""
    failed(Rest(rest, key).get(f"{table.path}:watch{query}"), status, code, field)


def test_stream_of_an_unknown_match_is_not_found(rest: str) -> None:
    """There is nothing to follow where there is no match."""
    failed(Rest(rest).get("/v1/matches/nobody:watch"), 404, "no_such_match", "match_id")


def test_closed_stream_is_released(wired: WiredService, table: Table) -> None:
    """When a client goes away, its stream ends, and the hub has nobody to tell."""
    until(lambda: wired.hub.count() == 0, "the watchers of the other tests have gone")
    with table.public.stream(f"{table.path}:watch") as response:
        reader = events(response)  # httpx disconnects when this is collected
        moves(reader, 1)
        assert 1 == wired.hub.count()
        del reader
    until(lambda: wired.hub.count() == 0, "the watcher has gone")


def test_head_opens_no_stream(wired: WiredService, table: Table) -> None:
    """To ask for the headers is not to watch."""
    until(lambda: wired.hub.count() == 0, "the watchers of the other tests have gone")
    assert 200 == table.public("HEAD", f"{table.path}:watch").status_code
    until(lambda: wired.hub.count() == 0, "nobody watches")


def test_stopping_worker_breaks_streams_off(valkey: EmbeddedValkey) -> None:
    """When a worker is stopped its streams break off with an error, not as if the match were over."""
    wired = wire_service(valkey.url)
    with opened(wired) as url:
        table = Table(url)
        with (
            table.public.stream(f"{table.path}:watch") as as_events,
            table.public.stream(f"{table.path}:watch", Accept="application/x-ndjson") as as_lines,
        ):
            answer, lines = events(as_events), as_lines.iter_lines()
            moves(answer, 1)
            next(lines)
            wired.hub.close()
            last = [event for event in answer if event.name][-1]
            assert ("error", "shutting_down") == (last.name, last.data["code"])
            assert "shutting_down" == json.loads(list(lines)[-1])["error"]["code"]
        refused = table.public.get(f"{table.path}:watch")
        failed(refused, 503, "shutting_down")
        assert "1" == refused.headers["Retry-After"]
    wired.store.close()
