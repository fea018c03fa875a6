"""A match is followed over REST: server-sent events and lines of JSON, cut and taken up again."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice

import pytest

from chitarrella.storage.embedded_valkey import EmbeddedValkey
from tests.servers import until
from tests.transports.conftest import HEARTBEAT, WiredService, opened, wire_service
from tests.transports.rest_client import Event, Rest, Table, events, failed, one_deal


@pytest.fixture
def table(rest: str) -> Table:
    """A new match of Briscola for two."""
    return Table(rest)


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
