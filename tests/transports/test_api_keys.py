"""Calls of platforms, which show an API key before any rpc of the contract is answered, and rotation of keys."""

from collections.abc import Iterator
from typing import Any

import grpc
import httpx
import pytest

from chitarrella.api.converters import write_page_token
from chitarrella.storage.embedded_valkey import EmbeddedValkey
from chitarrella_client import Chitarrella, MatchState, PlatformUpdate, errors
from tests.transports.all_transports import RPCS, Failed, Transport, WithoutTransport, callers, status_error
from tests.transports.conftest import ACME, CLUB, READER, Platforms, WiredService, wire_service
from tests.transports.rest_client import PLAIN

BRISCOLA = {"game_id": "briscola"}


def test_call_without_an_api_key_is_refused(platforms: Platforms) -> None:
    """Catalogue, rules, matches and streams are closed to everybody else, over every transport; documents are open."""
    asked: dict[str, dict[str, Any]] = {
        "ListGames": {}, "StartGame": {"rule_set": BRISCOLA}, "CreateMatch": {"rule_set": BRISCOLA},
        "GetMatch": {"match_id": "nobody"}, "WatchMatch": {"match_id": "nobody"}, "WatchMatches": {},
    }  # fmt: skip
    with callers(platforms, "", "guessed", READER) as (nobody, stranger, reader):
        for one, code in ((nobody, "api_key_needed"), (stranger, "bad_api_key"), (reader, "out_of_scope")):
            for transport in one.each:
                for rpc, fields in asked.items():
                    if (one, rpc) != (reader, "ListGames"):
                        assert Failed(code, "x-api-key") == transport(rpc, **fields), rpc
        for transport in reader.each:
            assert transport("ListGames").games
    with grpc.insecure_channel(platforms.grpc) as channel:
        ask: Any = channel.unary_unary(RPCS["ListGames"].path)
        with pytest.raises(grpc.RpcError) as failed:
            ask(b"", metadata=(("x-api-key", "guessed"),))
    answer = httpx.get(f"{platforms.rest}/v1/games", headers={"x-api-key": "guessed"}, **PLAIN)
    assert "guessed" not in f"{failed.value} {answer.text}"
    for path in ("/docs/", "/openapi.json", "/healthz", "/metrics"):
        assert 200 == httpx.get(platforms.rest + path, follow_redirects=True, **PLAIN).status_code, path


def test_batch_create_reports_each_failure(platforms: Platforms) -> None:
    """Many matches are opened in one call; one that cannot be is refused for itself."""
    good, unknown = {"rule_set": BRISCOLA}, {"rule_set": {"game_id": "bridge"}}
    made = platforms.acme("BatchCreateMatches", requests=[good, unknown, good, {**good, "pack": ["Ab"]}]).results
    assert ["created", "error"] * 2 == [one.WhichOneof("outcome") for one in made]
    assert ["unknown_game", "bad_cards"] == [status_error(made[place].error).code for place in (1, 3)]
    assert 2 == len({made[place].created.match.match_id for place in (0, 2)})
    assert "bad_request" == platforms.acme("BatchCreateMatches").code


def test_platform_lists_its_own_matches(platforms: Platforms) -> None:
    """Each platform lists its own matches, without deleted ones, and reads many at once; another token is none."""
    with Chitarrella(platforms.grpc, api_key=CLUB) as club, Chitarrella(platforms.grpc, api_key=ACME) as client:
        made = [club.create_match("briscola", private=True), club.create_match("coech", players=2)]
        client.create_match("briscola")
        found = {one.match_id: (one.rule_set.game_id, one.private, one.over) for one in club.matches()}
        assert [("briscola", True, False), ("coech", False, False)] == [found[one.id] for one in made]
        assert not {one.id for one in made} & {one.match_id for one in client.matches()}
        own, other, unknown = club.get_matches([made[1].id, made[0].id, "nobody"], made[1].as_seat(1).key)
        assert (made[1].as_seat(1).get(), club.get_matches([made[0].id])) == (own.match, (other,))
        assert (None, None, None) == (own.error, other.error, unknown.match)
        assert unknown.error is not None
        assert ("no_such_match", "match_id") == (unknown.error.code, unknown.error.field)
        made[0].delete()
        assert found.keys() - {made[0].id} == {one.match_id for one in club.matches()}
        with pytest.raises(errors.NoSuchMatch):
            made[0].get()
        with pytest.raises(errors.NotAllowed):
            made[1].as_seat(0).delete()
    of_another = write_page_token("ListMatches", "1.2")
    for token in ("nonsense", "(", "1.2", "0000000000.zzzzzzzzzzzzzzzzzzzz", of_another):
        assert Failed("bad_request", "page_token") == platforms.acme("ListMatches", page_token=token), token


def test_match_is_found_by_its_labels(platforms: Platforms) -> None:
    """What a match was created with is returned, and `matches` finds the match by each of it, and by all."""
    with Chitarrella(platforms.grpc, api_key=ACME) as client:
        names, labels = {1: "Zoë", 0: "Ada"}, {"cup": "spring", "round": "a=b"}
        match = client.create_match("briscola", external_id="game 7", labels=labels, player_names=names)
        client.create_match("briscola", labels={"cup": "autumn"})
        state = match.get()
        assert ("game 7", labels) == (state.external_id, state.labels)
        assert ["Ada", "Zoë"] == [seat.player_name for seat in state.seats]
        wanted: list[dict[str, Any]] = [{"external_id": "game 7"}, {"labels": labels}, {"player_name": "Zoë"}]
        for how in (*wanted, {name: value for one in wanted for name, value in one.items()}):
            (summary,) = client.matches(**how)
            assert (match.id, "game 7", labels) == (summary.match_id, summary.external_id, summary.labels)
            assert state.seats == summary.seats
        assert "Ada" not in repr(state)
        record = client.match(match.id, match.key).record()
        assert "Ada" not in str(record)
        imported = client.import_match(record, external_id="game 8", labels={"cup": "x"}, player_names={0: "Bob"})
        assert ("game 8", "Bob") == (imported.get().external_id, imported.get().seats[0].player_name)
        assert {"cup": "x"} == imported.get().labels


def test_all_matches_are_watched(platforms: Platforms) -> None:
    """The stream begins with a heartbeat, has every update, and raises when it is cut off."""
    hub = platforms.wired.platform_hub
    with Chitarrella(platforms.grpc, api_key=ACME) as client:
        updates = client.watch_matches()
        assert next(updates) is None
        match = client.create_match("briscola")
        dealt = next(one for one in updates if one)
        assert (match.id, MatchState.OPEN) == (dealt.match_id, dealt.state)
        assert [dealt.update] == list(client.match(match.id).events())
        match.abort()
        aborted = next(one for one in updates if one)
        assert PlatformUpdate(match.id, None, MatchState.ABORTED) == aborted
        assert ["acme"] == list(hub._platforms)
        hub._lose_all()
        with pytest.raises(errors.Unavailable):
            list(updates)


# ---------------------------------------------------------------------- rotate key


def rotate(transport: Transport, match: str, key: str, **how: Any) -> Any:
    """Replace a key; gives the new key, or the code and the field of the error."""
    answer = transport("RotateKey", match_id=match, key=key, **how)
    return f"{answer.code} {answer.field}".strip() if isinstance(answer, Failed) else answer.key


def test_failures_have_codes(transport: Transport) -> None:
    """The public, other seats, seats without a key, other requests and aborted matches have their codes."""
    made = transport("CreateMatch", rule_set=BRISCOLA)
    match, key, referee = made.match.match_id, made.seat_keys[0].key, made.referee_key
    for expected, one, shown, how in (
        ("key_needed authorization", match, "", {}),
        ("key_needed authorization", match, "", {"seat": 0}),
        ("not_your_seat seat", match, key, {"seat": 1}),
        ("no_such_seat seat", match, referee, {"seat": 7}),
        ("bad_request request_id", match, key, {"request_id": "x" * 65}),
        ("no_such_match match_id", "nobody", key, {}),
    ):
        assert expected == rotate(transport, one, shown, **how)
    last = rotate(transport, match, rotate(transport, match, key, request_id="once"))
    assert "request_reused request_id" == rotate(transport, match, last, request_id="once")
    assert 0 == transport("GetMatch", match_id=match, key=last).viewer
    transport("AbortMatch", match_id=match, key=referee)
    assert "match_aborted" == rotate(transport, match, last)
    with_dummy = transport("CreateMatch", rule_set={"game_id": "coech", "players": 3})
    (dummy,) = set(range(4)) - {one.seat for one in with_dummy.seat_keys}
    assert "no_such_seat seat" == rotate(transport, with_dummy.match.match_id, with_dummy.referee_key, seat=dummy)
    again, _ = (transport("CreateMatch", rule_set=BRISCOLA, request_id="0123456789abcdef") for _ in range(2))
    rotate(transport, again.match.match_id, again.seat_keys[0].key)
    again = transport("CreateMatch", rule_set=BRISCOLA, request_id="0123456789abcdef")
    assert "bad_key authorization" == rotate(transport, again.match.match_id, again.seat_keys[0].key), "it stays closed"


# ---------------------------------------------------------------------- two workers


@pytest.fixture
def workers(valkey: EmbeddedValkey) -> Iterator[tuple[WiredService, WiredService]]:
    made = wire_service(valkey.url), wire_service(valkey.url)
    yield made
    for one in made:
        one.hub.close()
        one.store.close()


@pytest.mark.parametrize("private", [False, True])
def test_cached_snapshot_lets_no_closed_key_play(workers: tuple[WiredService, WiredService], *, private: bool) -> None:
    """A worker whose cache is older than a rotation accepts no move, legal or not, and no repetition by the old key."""
    here, there = (WithoutTransport(one.api) for one in workers)
    made = here("CreateMatch", rule_set=BRISCOLA, private=private)
    match, keys = made.match.match_id, {one.seat: one.key for one in made.seat_keys}
    listed = there("ListMatchMoves", match_id=match, key=made.referee_key)
    old, move, expected = keys[listed.seat], listed.moves[0], "no_such_match" if private else "bad_key"
    assert there("PlayMove", match_id=match, key=old, move=move, request_id="played").accepted
    other = there("ListMatchMoves", match_id=match, key=made.referee_key)
    new = here("RotateKey", match_id=match, key=keys[other.seat]).key
    assert expected == there("PlayMove", match_id=match, key=keys[other.seat], move=other.moves[0]).code
    new_first = here("RotateKey", match_id=match, key=old).key
    for fields in ({"seat": other.seat, "move": move}, {"move": {"verb": "castle"}}):
        assert expected == there("PlayMove", match_id=match, key=old, **fields).code, "whatever else is wrong"
    assert there("PlayMove", match_id=match, key=new, move=other.moves[0]).accepted
    here("RotateKey", match_id=match, key=new_first)
    assert expected == there("PlayMove", match_id=match, key=new_first, move=move, request_id="played").code
    assert expected == there("PlayMove", match_id=match, key=old, move=move).code, "not legal any more"
    for rpc in ("TakeBack", "AssignBot", "RotateKey", "GetMatch"):
        assert expected == there(rpc, match_id=match, key=old).code


def test_new_key_is_accepted_where_the_cache_is_older(workers: tuple[WiredService, WiredService]) -> None:
    """A worker whose cache does not know a new key yet asks the store before it refuses it."""
    here, there = (WithoutTransport(one.api) for one in workers)
    made = here("CreateMatch", rule_set=BRISCOLA, private=True)
    match, keys = made.match.match_id, {one.seat: one.key for one in made.seat_keys}
    for _ in range(4):
        listed = there("ListMatchMoves", match_id=match, key=made.referee_key)
        keys[listed.seat] = here("RotateKey", match_id=match, key=keys[listed.seat]).key
        assert there("PlayMove", match_id=match, key=keys[listed.seat], move=listed.moves[0]).accepted
